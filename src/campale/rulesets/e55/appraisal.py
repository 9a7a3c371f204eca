"""How well a side stands, in the eyes of a bot: what its models are worth, the mission, fire declared, fights, places.

All of it is in points of the army lists. It is a judgement and no rule: distances go by the middles of units.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from campale.referee.position import ABOARD, TABLE, Model, Position, Unit
from campale.rulesets.e55.fire import POWERS, Shot, declared
from campale.rulesets.e55.missions import ANNIHILATION, SECURING, SEIZE_AND_HOLD, holders, mission_of, objectives, score
from campale.rulesets.e55.profile import Line, Profile
from campale.rulesets.e55.sight import sees
from campale.rulesets.e55.turns import TURNS
from campale.rulesets.e55.units import (
    BROKEN,
    COMBAT,
    DONE,
    FACES,
    GROUND,
    IMMOBILISED,
    LOST,
    MOVED,
    RAN,
    SHOT,
    STRUCTURE_LOST,
    rows_by_unit,
)
from campale.table.shapes import Point

WORTH_OF_A_POINT = {SECURING: 12.0, SEIZE_AND_HOLD: 30.0, ANNIHILATION: 40.0}
WORTH_OF_HOLDING = {SECURING: 4.0, SEIZE_AND_HOLD: 25.0, ANNIHILATION: 0.0}
BROKEN_SHARE, GROUND_SHARE = 0.55, 0.96
APPROACH, ATTRACTION = 0.004, 0.004
"""What an inch nearer to where a unit wants to be is worth, as a share of the unit."""
TEMPLATE_HITS, MARKER_HITS = 3.0, 1.2
FIGHT_SHARE = 0.6
FIRE_SHARE = 0.35
"""What fire that may follow counts for, beside fire that has been declared."""
IDLE_SHARE = 0.03
"""What a unit that may still act in this phase is worth more, as a share of it."""
USUAL_ARMOUR = 11
MOVING = ("start", "movement", "after-movement", "facing")
SHOOTING = ("to-ground", "shooting")


class Squad(NamedTuple):
    """A unit on the table as the bot sees it: its rows, its middle, what it is worth, what most of it is."""

    unit: int
    side: int
    rows: list[int]
    at: Point
    worth: float
    profile: Profile


def appraise(position: Position, side: int) -> float:
    """What a side has more than the other."""
    squads = [squad_of(position, unit, rows) for unit, rows in sorted(rows_by_unit(position).items())]
    worth = standing(position, side) - standing(position, 1 - side)
    if not position.now.get("turn"):
        return worth
    worth += lead(position, side)
    worth += prospects(position, squads, side) - prospects(position, squads, 1 - side)
    return worth + expected_of_fire(position, side) + unused(position, squads, side)


def squad_of(position: Position, unit: int, rows: list[int]) -> Squad:
    models = [position.model(row) for row in rows]
    middle = sum(m.x for m in models) / len(rows), sum(m.y for m in models) / len(rows)
    return Squad(unit, position.unit_side[unit], rows, middle, sum(map(worth_of, models)), models[0].profile)


# ---------------------------------------------------------------- what there is


def standing(position: Position, side: int) -> float:
    """What the models of a side on the table and aboard are worth, less for broken units and those on the ground."""
    total = 0.0
    for row, where in enumerate(position.where):
        if position.side_of[row] == side and where in (TABLE, ABOARD):
            unit = position.unit_of[row]
            share = BROKEN_SHARE if position.of_units.get(unit, BROKEN) else 1.0
            share *= GROUND_SHARE if position.of_units.get(unit, GROUND) else 1.0
            total += share * worth_of(position.model(row))
    return total


def worth_of(model: Model) -> float:
    """Its points, less for the wounds or the structure that it has lost."""
    profile = model.profile
    if profile.type == "vehicle":
        health = 1.0 - 0.6 * model.marks(STRUCTURE_LOST) / max(1, profile.structure)
        return float(profile.points * max(0.1, health - (0.15 if model.marks(IMMOBILISED) else 0.0)))
    return float(profile.points * (1.0 - 0.7 * model.marks(LOST) / max(1, profile.w or 1)))


def lead(position: Position, side: int) -> float:
    """Points scored, and objectives held, which count the more the later it is."""
    mission = mission_of(position)
    scores = score(position)
    worth = WORTH_OF_A_POINT[mission] * (scores[side] - scores[1 - side])
    if mission == ANNIHILATION:
        return worth
    late = 0.4 + 0.6 * min(1.0, int(position.now["round"]) / TURNS)
    held = holders(position)
    holding = WORTH_OF_HOLDING[mission] * (held.count(side) - held.count(1 - side))
    return holding + worth * (late if mission == SECURING else 1.0)


# ---------------------------------------------------------------- where everybody stands


def prospects(position: Position, squads: list[Squad], side: int) -> float:
    """Units near to where they want to be, and the fights that they are in."""
    ours, theirs = [one for one in squads if one.side == side], [one for one in squads if one.side != side]
    wanted = [(token.x, token.y) for token in objectives(position)]
    worth = sum(
        fight(position, one, theirs) if position.of_units.get(one.unit, COMBAT) else place(one, theirs, wanted)
        for one in ours
    )
    return worth + sum(fire_to_come(position, one, theirs) for one in ours)


def unused(position: Position, squads: list[Squad], side: int) -> float:
    """A little for every unit of a side that may still move, or shoot, in the phase in hand."""
    phase = str(position.now["phase"])
    mark = {"movement": DONE, "shooting": SHOT}.get(phase)
    if mark is None or int(position.now["side"]) != side:
        return 0.0
    counts = position.of_units
    ours = (one for one in squads if one.side == side and not counts.get(one.unit, COMBAT))
    return IDLE_SHARE * sum(one.worth for one in ours if not counts.get(one.unit, mark))


def fire_to_come(position: Position, squad: Squad, enemies: list[Squad]) -> float:
    """What it might do with its guns from where it stands, to the best target in reach."""
    counts, unit = position.of_units, squad.unit
    if any(counts.get(unit, mark) for mark in (COMBAT, RAN, GROUND, SHOT, BROKEN)):
        return 0.0
    moved = bool(counts.get(unit, MOVED))
    worths = [
        min(enemy.worth, len(squad.rows) * salvo(squad.profile, enemy.profile, int(apart(squad.at, enemy.at)), moved))
        for enemy in within_its_sights(position, squad, enemies)
    ]
    return FIRE_SHARE * max(worths, default=0.0)


def within_its_sights(position: Position, squad: Squad, enemies: list[Squad]) -> list[Squad]:
    """Those that it may yet shoot at in the running turn, or, while the other side has its turn, in its own."""
    phase = str(position.now["phase"])
    if squad.side != int(position.now["side"]) or phase in MOVING:
        return enemies
    if phase not in SHOOTING:
        return []
    if squad.profile.type == "vehicle":
        return enemies
    faced = position.of_units.get(squad.unit, FACES) - 1
    return [one for one in enemies if one.unit == faced and sees(Unit(position, squad.unit), Unit(position, faced))]


@lru_cache(maxsize=65536)
def salvo(profile: Profile, target: Profile, off: int, moved: bool) -> float:
    """The points that the best gun of a model takes off a target so far away, in one phase."""
    worth = 0.0
    is_steady = profile.type == "vehicle" or not moved
    for mount in profile.mounts:
        for line in mount.weapon.lines:
            reach = 8.0 if line.reach == "template" else line.range
            if line.reach == "melee" or off > reach + 2.0 or (line.has("heavy") and not is_steady):
                continue
            shots = max(1, line.value("heavy"), line.value("assault"))
            if line.has("rapid-fire"):
                shots = 2 if off <= reach / 2.0 + 1.0 else 1 if is_steady else 0
            hurt = hits_expected(profile, line, shots, 5) * worth_of_a_hit(line.strength, line.ap, target, False)
            worth = max(worth, hurt)
    return worth


def place(squad: Squad, enemies: list[Squad], wanted: list[Point]) -> float:
    """The nearer to an objective, and to the distance from which it fights, the better."""
    worth = 0.0
    if wanted and squad.profile.type != "vehicle":
        worth -= ATTRACTION * squad.worth * max(0.0, min(apart(squad.at, at) for at in wanted) - 2.0)
    if enemies:
        off = min(apart(squad.at, enemy.at) for enemy in enemies)
        worth -= APPROACH * squad.worth * max(0.0, off - favoured_distance(squad.profile))
    return worth


def fight(position: Position, squad: Squad, enemies: list[Squad]) -> float:
    """What it may expect to hurt those of its combat, or the unit that it faces."""
    combat = position.of_units.get(squad.unit, COMBAT)
    foes = [one for one in enemies if position.of_units.get(one.unit, COMBAT) == combat]
    foe = next((one for one in foes if one.unit == position.of_units.get(squad.unit, FACES) - 1), None)
    foe = foe or next(iter(foes), None)
    if foe is None:
        return 0.0
    blows = sum(1 for _ in squad.rows) * blow_worth(squad.profile, foe.profile)
    return FIGHT_SHARE * min(blows, foe.worth)


def apart(one: Point, other: Point) -> float:
    return math.sqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


@lru_cache(maxsize=1024)
def favoured_distance(profile: Profile) -> float:
    """A little less than half the reach of its farthest weapon; those without guns go close."""
    reaches = [line.range for mount in profile.mounts for line in mount.weapon.lines if line.reach == "ranged"]
    guns = max(reaches, default=0.0)
    is_fighter = (profile.a or 0) >= 2 and (profile.ws or 0) >= 4
    return 2.0 if is_fighter and guns <= 24.0 else max(6.0, 0.45 * guns + 2.0)


# ---------------------------------------------------------------- fire that has been declared


def expected_of_fire(position: Position, side: int) -> float:
    """What the fire declared and not yet resolved may cost the enemy, roughly."""
    by_target: dict[int, float] = {}
    for shot in declared(position):
        by_target[shot.target] = by_target.get(shot.target, 0.0) + harm(position, shot)
    sign = 1.0 if int(position.now["side"]) == side else -1.0
    return sign * sum(min(loss, 0.8 * worth_of_unit(position, unit)) for unit, loss in by_target.items())


def worth_of_unit(position: Position, unit: int) -> float:
    return sum(worth_of(position.model(row)) for row in rows_by_unit(position).get(unit, ()))


def harm(position: Position, shot: Shot) -> float:
    rows = rows_by_unit(position).get(shot.target)
    if not rows:
        return 0.0
    shooter, target = position.model(shot.model), position.model(rows[0])
    off = apart(shooter.at if shooter.is_on_table else (shooter.aboard_of or shooter).at, target.at)
    line = line_fired(shooter.profile, shot)
    if line.reach == "ranged" and off > line.range + 3.0:
        return 0.0
    return hits_expected(shooter.profile, line, shot.attacks, len(rows)) * worth_of_a_hit(
        line.strength, line.ap, target.profile, False
    )


def line_fired(profile: Profile, shot: Shot) -> Line:
    if shot.weapon >= POWERS:
        power = profile.powers[shot.weapon - POWERS].shooting
        assert power is not None
        return power
    lines = profile.mounts[shot.weapon].weapon.lines
    return lines[min(shot.line, len(lines) - 1)]


@lru_cache(maxsize=4096)
def hits_expected(profile: Profile, line: Line, attacks: int, targets: int) -> float:
    if line.reach == "template":
        return min(TEMPLATE_HITS, targets)
    if line.has("area") or line.has("large-area"):
        return min(MARKER_HITS * (2.0 if line.has("large-area") else 1.0), targets) * attacks
    return attacks * min(5, max(0, profile.bs or 0)) / 6.0


@lru_cache(maxsize=16384)
def worth_of_a_hit(strength: int, ap: int | None, target: Profile, is_blow: bool) -> float:
    """The points that a hit takes off a model of a profile, on the average."""
    if target.type == "vehicle":
        armour = target.rear if is_blow else (target.front + target.side) / 2.0 or USUAL_ARMOUR
        chance = max(0.0, min(1.0, (7.0 + strength - armour) / 6.0))
        return chance * target.points / max(1, target.structure) * 0.7
    toughness = target.t or 3
    if strength <= toughness - 4:
        return 0.0
    wounds = max(1, min(5, 3 + strength - toughness)) / 6.0
    save = target.armour_save or 7
    armour = save + max(0, save - ap + 1) if ap is not None else save
    best = min(armour, target.invulnerable_save or 7)
    unsaved = min(5, max(1, best - 1)) / 6.0 if best < 7 else 1.0
    share = 1.0 if strength >= 2 * toughness else 1.0 / max(1, target.w or 1)
    return wounds * unsaved * share * target.points


@lru_cache(maxsize=4096)
def blow_worth(striker: Profile, target: Profile) -> float:
    """What the blows of a model take off a model of another profile in a round."""
    skill, theirs = striker.ws or 0, target.ws or 0
    if not striker.a:
        return 0.0
    chance = 5 / 6 if skill >= 2 * theirs else 4 / 6 if skill > theirs else 3 / 6 if 2 * skill > theirs else 2 / 6
    melee = [line for mount in striker.mounts for line in mount.weapon.lines if line.reach == "melee"]
    blows = [((striker.s or 3) * line.strength if line.of_user else line.strength, line.ap) for line in melee]
    best = max((worth_of_a_hit(s, ap, target, True) for s, ap in [*blows, (striker.s or 3, None)]), default=0.0)
    return striker.a * chance * best
