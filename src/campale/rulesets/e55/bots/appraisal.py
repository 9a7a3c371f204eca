"""How well a side stands, in a bot's judgement: the worth of its units, mission, declared fire, fights, places.

All values are points of the army lists; they are a judgement, not a rule. ``forecast`` estimates what units may do to
each other. Here that harm is pooled: the harm of several to one unit counts together, and in the annihilation mission a
unit's loss weighs most where it may lose its last model.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from campale.referee.position import ABOARD, TABLE, Model, Position, Unit
from campale.rulesets.e55.armies.profile import Line, Profile
from campale.rulesets.e55.battle.missions import (
    ANNIHILATION,
    SECURING,
    SEIZE_AND_HOLD,
    holders,
    mission_of,
    objectives,
    score,
)
from campale.rulesets.e55.bots.forecast import (
    BOUTS,
    PATIENCE,
    RUSH,
    TURNS_AHEAD,
    Kinds,
    assault,
    bout,
    hits_expected,
    kinds_of,
    salvo,
    to_come,
    worth_of_a_hit,
)
from campale.rulesets.e55.definitions.footprints import height
from campale.rulesets.e55.definitions.measuring import measure_from_hull, radii_of, table_of_gaps
from campale.rulesets.e55.definitions.sight import opacity, sees
from campale.rulesets.e55.definitions.units import (
    BARRED_FROM_CHARGE,
    BROKEN,
    COMBAT,
    DONE,
    ELIMINATED,
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
from campale.rulesets.e55.shooting_phase.fire import POWERS, Shot, declared, distances
from campale.rulesets.e55.turn.turns import MOST_TURNS, TURNS
from campale.rulesets.e55.vehicles.damage import armour
from campale.rulesets.e55.vehicles.vehicle_hits import face_hit
from campale.rulesets.e55.weapons.weapon_rules import TEMPLATE_REACH, reaches, strength_at
from campale.table.shapes import Point
from campale.table.sight import BLOCKED, lines_met

WORTH_OF_A_POINT = {SECURING: 12.0, SEIZE_AND_HOLD: 30.0, ANNIHILATION: 40.0}
WORTH_OF_HOLDING = {SECURING: 4.0, SEIZE_AND_HOLD: 25.0, ANNIHILATION: 0.0}
WORTH_OF_A_CLAIM = {SECURING: 40.0, SEIZE_AND_HOLD: 200.0, ANNIHILATION: 0.0}
"""The worth of a sure claim on an objective, for each point that it scores at the end of the battle."""
CLOSE, CLOSER_BY_ROUND = 3.0, 2.0
"""The distance in inches at which a force counts for a third: at the end, and how much more for each round to come."""
LONE = 20.0
"""A few points of an army alone near an objective are no sure claim: each claim competes with this many points."""
STAKE = 40.0
"""The worth of a unit beyond its points where units lost decide the battle; its last models carry most of it."""
BROKEN_SHARE, GROUND_SHARE = 0.55, 0.96
APPROACH, ATTRACTION = 0.004, 0.004
"""The worth of an inch nearer to an enemy, or to an objective, as a share of the unit's worth."""
EXPECTED = 0.6
"""The weight of expected harm, relative to harm done."""
CAUTION = 0.4
"""The weight of the enemy's possible harm, relative to one's own: a bot that only fears never attacks."""
UNSEEN = 0.3
"""The weight of fire at an enemy that something seems to hide."""
HOPE = 0.3
"""The weight of a broken unit's harm in turns to come, relative to an unbroken one's."""
IDLE_SHARE = 0.03
"""The extra worth of a unit that may still act in this phase, as a share of its worth."""
HULL = 2.0
HELD_FROM = 2.0
"""The distance in inches within which a squad's middle counts as at an objective."""
MOVING = ("start", "movement", "after-movement", "facing")
SHOOTING = ("to-ground", "shooting")
CHARGING = (*MOVING, *SHOOTING, "volleys", "after-shooting", "charges")


class Placed(Protocol):
    """The models (rows) of a unit on the table, and their middle."""

    @property
    def rows(self) -> list[int]: ...

    @property
    def at(self) -> Point: ...


class Squad(NamedTuple):
    """A unit on the table as the bot sees it.

    It has its rows, its middle, its worth now and in full, its kinds of models, its index among the squads, its combat,
    and whether it is broken.
    """

    unit: int
    side: int
    rows: list[int]
    at: Point
    worth: float
    full: float
    kinds: Kinds
    place: int
    combat: int
    is_broken: bool


Harm = Callable[[Squad, list[Squad]], list[float]]
"""The harm that one squad is expected to do to each of others, in points."""


def appraise(position: Position, side: int) -> float:
    """Return the advantage of a side, in points."""
    return sum(terms(position, side).values())


def terms(position: Position, side: int) -> dict[str, float]:
    """Return the terms of the appraisal, with their current weights."""
    worths = worths_in_play(position)
    left = {"left": standing(position, side, worths) - standing(position, 1 - side, worths)}
    if not position.now.get("turn"):
        return left
    squads = squads_of(position, worths)
    view = Prospect(position, squads)
    return left | {
        "mission": lead(position, side),
        "claims": claims(position, squads, side),
        "hope": view.of(side),
        "fear": -CAUTION * view.of(1 - side),
        "unused": unused(position, squads, side),
    }


def squads_of(position: Position, worths: list[float]) -> list[Squad]:
    full = dict.fromkeys(range(len(position.unit_side)), 0)
    for unit, profile in zip(position.unit_of, position.profiles, strict=True):
        full[unit] += profile.points
    counts, found = position.of_units, []
    for place, (unit, rows) in enumerate(sorted(rows_by_unit(position).items())):
        side, worth, combat = position.unit_side[unit], sum(worths[row] for row in rows), counts.get(unit, COMBAT)
        is_broken, kinds = bool(counts.get(unit, BROKEN)), kinds_of_rows(position, rows)
        at = middle(position, rows)
        found.append(Squad(unit, side, rows, at, worth, full[unit], kinds, place, combat, is_broken))
    return found


def middle(position: Position, rows: list[int]) -> Point:
    return sum(position.x[row] for row in rows) / len(rows), sum(position.y[row] for row in rows) / len(rows)


def kinds_of_rows(position: Position, rows: list[int]) -> Kinds:
    known_by = ("kinds", *rows)
    kept = position.roster.get(known_by)
    if kept is None:
        kept = position.roster[known_by] = kinds_of(position.profiles[row] for row in rows)
    found: Kinds = kept
    return found


# ---------------------------------------------------------------- worth of a side


def worths_in_play(position: Position) -> list[float]:
    """Return the current worth of each model by its row; 0 for models neither on the table nor aboard."""
    return [worth_of(model) if model.where in (TABLE, ABOARD) else 0.0 for model in position.models]


def standing(position: Position, side: int, worths: list[float]) -> float:
    """Return the worth of a side's models on the table and aboard, plus the stake of the units they were bought as."""
    total = 0.0
    left: dict[int, float] = {}
    full: dict[int, float] = {}
    shares = [share_of_state(position, unit) for unit in range(len(position.unit_side))]
    for row, where in enumerate(position.where):
        if position.side_of[row] != side:
            continue
        home = position.bought_with[row]
        full[home] = full.get(home, 0.0) + position.profiles[row].points
        if where in (TABLE, ABOARD):
            total += worths[row] * shares[position.unit_of[row]]
            left[home] = left.get(home, 0.0) + worths[row]
    return total + sum(at_stake(position, worth, full[home]) for home, worth in left.items())


def share_of_state(position: Position, unit: int) -> float:
    """Return the share of its worth that a unit keeps: broken units lose much, units on the ground a little."""
    share = BROKEN_SHARE if position.of_units.get(unit, BROKEN) else 1.0
    return share * (GROUND_SHARE if position.of_units.get(unit, GROUND) else 1.0)


def at_stake(position: Position, worth: float, full: float) -> float:
    """Return the stake in a unit of which ``worth`` is left; most of it depends on its last models."""
    return STAKE * math.sqrt(max(0.0, worth) / max(1.0, full)) if mission_of(position) == ANNIHILATION else 0.0


def worth_of(model: Model) -> float:
    """Return a model's points, less for the wounds or structure points that it has lost."""
    profile = model.profile
    if profile.type == "vehicle":
        health = 1.0 - 0.6 * model.marks(STRUCTURE_LOST) / max(1, profile.structure)
        return float(profile.points * max(0.1, health - (0.15 if model.marks(IMMOBILISED) else 0.0)))
    return float(profile.points * (1.0 - 0.7 * model.marks(LOST) / max(1, profile.w or 1)))


def lead(position: Position, side: int) -> float:
    """Return the worth of points scored and objectives held, which count more as the battle goes on."""
    mission = mission_of(position)
    if mission == ANNIHILATION:
        gone = [owner for unit, owner in enumerate(position.unit_side) if position.of_units.get(unit, ELIMINATED)]
        return WORTH_OF_A_POINT[mission] * (gone.count(1 - side) - gone.count(side))
    scores = score(position)
    worth = WORTH_OF_A_POINT[mission] * (scores[side] - scores[1 - side])
    late = 0.4 + 0.6 * min(1.0, int(position.now["round"]) / TURNS)
    held = holders(position)
    holding = WORTH_OF_HOLDING[mission] * (held.count(side) - held.count(1 - side))
    return holding + worth * (late if mission == SECURING else 1.0)


def claims(position: Position, squads: list[Squad], side: int) -> float:
    """Return the worth of a side's claims on all objectives against the other side's; they score at the end."""
    mission = mission_of(position)
    worth = WORTH_OF_A_CLAIM[mission]
    if not worth:
        return 0.0
    total, reach = 0.0, CLOSE + CLOSER_BY_ROUND * max(0, TURNS - int(position.now["round"]))
    for token in objectives(position):
        scored = token.value if mission == SECURING else (1, 1)
        shares = claimed(squads, (token.x, token.y), reach)
        total += scored[side] * shares[side] - scored[1 - side] * shares[1 - side]
    return worth * total


def claimed(squads: list[Squad], at: Point, reach: float) -> tuple[float, float]:
    """Return each side's claim on a place: its nearby forces that may capture, as a share of all that may contest."""
    captures, contests = [0.0, 0.0], [0.0, 0.0]
    for one in squads:
        far = max(0.0, apart(one.at, at) - HELD_FROM)
        force = one.worth * math.exp(-far / reach) * (HOPE if one.is_broken else 1.0)
        contests[one.side] += force
        if one.kinds[0][0].type != "vehicle":
            captures[one.side] += force
    first, second = (captures[side] / (captures[side] + contests[1 - side] + LONE) for side in (0, 1))
    return first, second


def unused(position: Position, squads: list[Squad], side: int) -> float:
    """Return a little for every unit of a side that may still move, or shoot, in the current phase."""
    phase = str(position.now["phase"])
    mark = {"movement": DONE, "shooting": SHOT}.get(phase)
    if mark is None or int(position.now["side"]) != side:
        return 0.0
    counts = position.of_units
    ours = (one for one in squads if one.side == side and not one.combat)
    return IDLE_SHARE * sum(one.worth for one in ours if not counts.get(one.unit, mark))


# ---------------------------------------------------------------- prospects


class Prospect:
    """What the squads of both sides may do to each other from where they stand."""

    __slots__ = ("clear", "counts", "gaps", "is_annihilation", "phase", "position", "side", "squads")

    def __init__(self, position: Position, squads: list[Squad]) -> None:
        self.position, self.squads, self.counts = position, squads, position.of_units
        self.gaps, self.clear = gaps_between(position, squads), clear_between(position, squads)
        self.phase, self.side = str(position.now["phase"]), int(position.now["side"])
        self.is_annihilation = mission_of(position) == ANNIHILATION

    def of(self, side: int) -> float:
        """Return a side's prospect: the harm it may do, and how near its squads are to their goals."""
        ours = [one for one in self.squads if one.side == side]
        theirs = [one for one in self.squads if one.side != side]
        if not theirs:
            return 0.0
        harm_now = self.pooled(ours, theirs, self.now, self.already(side))
        harm_later = self.pooled(ours, theirs, self.later, {}) * (PATIENCE if side == self.side else 1.0)
        return EXPECTED * (harm_now + harm_later) + self.places(ours, theirs)

    def pooled(self, ours: list[Squad], theirs: list[Squad], harm: Harm, begun: dict[int, float]) -> float:
        """Return what all squads gain together, each one's harm added where it helps most after those before it."""
        taken = [begun.get(enemy.unit, 0.0) for enemy in theirs]
        gained = [self.gain(*pair) for pair in zip(theirs, taken, strict=True)]
        for one in sorted(ours, key=lambda squad: -squad.worth):
            best, most = None, -math.inf
            for place, done in enumerate(harm(one, theirs)):
                if done > 0.0:
                    whole = self.gain(theirs[place], taken[place] + done)
                    if whole - gained[place] > most:
                        best, most = (place, taken[place] + done, whole), whole - gained[place]
            if best is not None:
                place, taken[best[0]], gained[best[0]] = best
        return sum(gained)

    def more(self, enemy: Squad, harm: float, before: float) -> float:
        return self.gain(enemy, before + harm) - self.gain(enemy, before)

    def gain(self, enemy: Squad, harm: float) -> float:
        """Return the worth of a squad's losing ``harm`` points, with its stake if it may not survive."""
        share = min(1.0, harm / max(1.0, enemy.worth))
        if not self.is_annihilation:
            return share * enemy.worth
        whole = at_stake(self.position, enemy.worth, enemy.full)
        end = min(1.0, max(0.0, harm / max(1.0, enemy.worth) - 0.5))
        return share * enemy.worth + whole * (1.0 - math.sqrt(1.0 - share)) + WORTH_OF_A_POINT[ANNIHILATION] * end

    def places(self, ours: list[Squad], theirs: list[Squad]) -> float:
        """Return the worth of places: nearer to an objective, and to an enemy, is better."""
        wanted = [(token.x, token.y) for token in objectives(self.position)]
        worth = 0.0
        for one in ours:
            if one.combat:
                continue
            if wanted and one.kinds[0][0].type != "vehicle":
                far = max(0.0, min(apart(one.at, at) for at in wanted) - HELD_FROM)
                worth -= ATTRACTION * one.worth * far
            gaps = self.gaps[one.place]
            worth -= APPROACH * one.worth * int(min(gaps[enemy.place] for enemy in theirs))
        return worth

    # ------------------------------------------------------------ in this turn

    def already(self, side: int) -> dict[int, float]:
        """Return the harm expected from fire declared and not yet resolved."""
        return declared_harm(self.position) if side == self.side else {}

    def now(self, one: Squad, theirs: list[Squad]) -> list[float]:
        """Return the harm a squad may do to others in the current turn."""
        if one.combat:
            return [self.fought(one, enemy) for enemy in theirs]
        if one.side != self.side or one.is_broken:
            return []
        fires, charges = self.may_fire(one), self.may_charge(one)
        if not fires and not charges:
            return []
        return [
            max(self.fired(one, enemy) if fires else 0.0, self.charged(one, enemy) if charges else 0.0)
            if self.may_aim(one, enemy)
            else 0.0
            for enemy in theirs
        ]

    def fought(self, one: Squad, enemy: Squad) -> float:
        return BOUTS * bout(one.kinds, enemy.kinds[0][0]) if one.combat == enemy.combat else 0.0

    def may_aim(self, one: Squad, enemy: Squad) -> bool:
        """Return whether a squad faces the enemy and sees it, once that is settled; engaged enemies are excluded."""
        if enemy.combat:
            return False
        if self.phase in MOVING or one.kinds[0][0].type == "vehicle":
            return True
        if self.counts.get(one.unit, FACES) - 1 != enemy.unit:
            return False
        return self.phase not in SHOOTING or sees(Unit(self.position, one.unit), Unit(self.position, enemy.unit))

    def may_fire(self, one: Squad) -> bool:
        in_time = self.phase in (*MOVING, *SHOOTING)
        return in_time and not any(self.counts.get(one.unit, mark) for mark in (RAN, GROUND, SHOT))

    def fired(self, one: Squad, enemy: Squad) -> float:
        share = 1.0 if self.phase in SHOOTING or self.clear[one.place][enemy.place] else UNSEEN
        off, has_moved = int(self.gaps[one.place][enemy.place]), bool(self.counts.get(one.unit, MOVED))
        return share * salvo(one.kinds, enemy.kinds[0][0], off, has_moved)

    def may_charge(self, one: Squad) -> bool:
        in_time = self.phase in CHARGING
        return in_time and not any(self.counts.get(one.unit, mark) for mark in (RAN, BARRED_FROM_CHARGE))

    def charged(self, one: Squad, enemy: Squad) -> float:
        if int(self.gaps[one.place][enemy.place]) >= RUSH:
            return 0.0
        return 0.8 * assault(one.kinds, enemy.kinds)

    # ------------------------------------------------------------ in turns to come

    def later(self, one: Squad, theirs: list[Squad]) -> list[float]:
        """Return the harm a squad may do to others in its turns after this one."""
        if one.combat:
            return [PATIENCE * self.fought(one, enemy) for enemy in theirs]
        hope, turns, gaps = HOPE if one.is_broken else 1.0, self.turns_left(one.side), self.gaps[one.place]
        return [
            0.0 if enemy.combat else hope * to_come(one.kinds, enemy.kinds, int(gaps[enemy.place]), turns)
            for enemy in theirs
        ]

    def turns_left(self, side: int) -> int:
        """Return how many turns a side probably has after this one, as far as the bot looks ahead."""
        left = max(1, TURNS + 1 - int(self.position.now["round"]))
        if side != self.side and int(self.position.now["turn"]) % 2 == 1:
            left += 1
        return min(TURNS_AHEAD, left if int(self.position.now["round"]) < MOST_TURNS else left - 1)


def gaps_between(position: Position, squads: Sequence[Placed]) -> list[list[float]]:
    """Return the distances between squads, estimated from their middles for two hulls.

    They depend only on where all models stand, not on what has been measured before.
    """
    kept = position.layout.get("gaps-of-squads")
    if kept is None:
        rows = [row for squad in squads for row in squad.rows]
        is_hull = np.isnan(radii_of(position)[rows])
        for row in np.array(rows)[is_hull].tolist():
            measure_from_hull(position.model(row))
        x, y = position.column("x")[rows], position.column("y")[rows]
        middles = np.sqrt((x[:, None] - x[None, :]) ** 2 + (y[:, None] - y[None, :]) ** 2)
        exact = table_of_gaps(position)[np.ix_(rows, rows)]
        gaps = np.where(is_hull[:, None] & is_hull[None, :], np.maximum(0.0, middles - HULL), exact)
        starts = np.cumsum([0, *(len(squad.rows) for squad in squads)])[:-1]
        nearest = np.minimum.reduceat(np.minimum.reduceat(gaps, starts, axis=0), starts, axis=1)
        kept = position.layout["gaps-of-squads"] = nearest.tolist()
    found: list[list[float]] = kept
    return found


def clear_between(position: Position, squads: Sequence[Placed]) -> list[list[bool]]:
    """Return whether no terrain lies between the middles of squads, roughly."""
    kept = position.layout.get("clear-of-squads")
    if kept is None:
        ground = position.ground
        eyes = [middle_point(position, squad, 0.85) for squad in squads]
        ends = np.array([middle_point(position, squad, 0.6) for squad in squads])
        points = np.broadcast_to(ends[None, :, None, :], (len(eyes), len(eyes), 1, 3))
        met = lines_met(ground, eyes, points, ground.kept(opacity))
        kept = position.layout["clear-of-squads"] = (met[:, :, 0] != BLOCKED).tolist()
    found: list[list[bool]] = kept
    return found


def middle_point(position: Position, squad: Placed, share: float) -> tuple[float, float, float]:
    """Return a point of the model in the middle of a squad, at a share of its height."""
    x, y = squad.at
    row = min(squad.rows, key=lambda row: (position.x[row] - x) ** 2 + (position.y[row] - y) ** 2)
    return position.x[row], position.y[row], position.z[row] + share * height(position.profiles[row])


def apart(one: Point, other: Point) -> float:
    return math.sqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


# ---------------------------------------------------------------- fire that has been declared


def declared_harm(position: Position) -> dict[int, float]:
    """Return the harm that fire declared and not yet resolved may do to each target, by its row."""
    by_target: dict[int, list[Shot]] = {}
    for shot in declared(position):
        by_target.setdefault(shot.target, []).append(shot)
    return {target: harm(position, target, shots) for target, shots in by_target.items()}


def harm(position: Position, target: int, shots: Iterable[Shot]) -> float:
    rows = rows_by_unit(position).get(target)
    if not rows:
        return 0.0
    fired, profile = list(shots), kinds_of(position.profiles[row] for row in rows)[0][0]
    far = distances(position, fired, Unit(position, target))
    hull = position.model(rows[0]) if profile.type == "vehicle" else None
    return sum(harm_of(position, shot, profile, off, len(rows), hull) for shot, off in zip(fired, far, strict=True))


def harm_of(position: Position, shot: Shot, target: Profile, off: int, targets: int, hull: Model | None) -> float:
    """Return the harm of a shot to a model of a profile; ``hull``: the vehicle, if it is one."""
    shooter = position.profiles[shot.model]
    line = line_fired(shooter, shot)
    if not (off <= TEMPLATE_REACH if line.reach == "template" else reaches(line, shot.attacks, off)):
        return 0.0
    met = None if hull is None else armour(hull, face_hit(hull, Unit(position, shot.unit)))
    hits = hits_expected(shooter, line, shot.attacks, off, targets)
    return hits * worth_of_a_hit(strength_at(line, off), line.ap, target, False, met)


def line_fired(profile: Profile, shot: Shot) -> Line:
    if shot.weapon >= POWERS:
        power = profile.powers[shot.weapon - POWERS].shooting
        assert power is not None
        return power
    lines = profile.mounts[shot.weapon].weapon.lines
    return lines[min(shot.line, len(lines) - 1)]
