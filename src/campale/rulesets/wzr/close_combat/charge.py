"""The Charge: targets, lines, distances and bonuses (actions/charge, close-combat/charge-end)."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import numpy as np

from campale.mechanics.bases import centres, radii, round_ones, rows_of
from campale.mechanics.moves.move_paths import answer_of, end_of, surroundings
from campale.mechanics.script_form import run
from campale.referee.position import Model
from campale.referee.question import Along, Choose, Move, Question
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.eyesight import sees
from campale.rulesets.wzr.abilities.index import About, allows, changed
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import gap, same_level, within
from campale.rulesets.wzr.close_combat.attack import Onset
from campale.rulesets.wzr.close_combat.engaged import is_walled_off, reach
from campale.rulesets.wzr.movement.ground import fence_of
from campale.rulesets.wzr.movement.heights import BESIDE, gap_too_wide
from campale.rulesets.wzr.movement.moves import CHARGING, TWICE, allowance, bars, inches_of, read, route_of, stands_at
from campale.rulesets.wzr.squads.coherency import strays
from campale.rulesets.wzr.structures.floors import may_rest
from campale.rulesets.wzr.turn.points import moved
from campale.rulesets.wzr.vehicles.driving import ATTACK, limit_of
from campale.rulesets.wzr.vehicles.kinds import kind_of
from campale.table import fields, measure
from campale.table.fields import Field
from campale.table.levels import floors_at, height_of, runs
from campale.table.measure import bounding_radius
from campale.table.outlines import contains
from campale.table.paths import Path, distance_at, plan_length, upto
from campale.table.shapes import TOLERANCE, Circle, Point3, Solid, facing_towards, heading, rounded
from campale.table.sweeps import crossings, every_within
from campale.table.terrain import Ground, Piece

CHARGE = "charge"
STRAIGHT, BENT = "straight", "bent"
RARELY = 0.25
FINENESS = 0.1
"""The precision of the shortest free line, in inches."""
CONTACT, HAIR, THIN = 0.0005, 0.0001, 0.01
DRIVEN = ATTACK._replace(name="charge")
TURNS: dict[str, float] = {"walker": 90.0, "biped": 45.0, "bike": 0.0, "jetbike": 90.0}
"""How far a vehicle may turn before it charges, in degrees to each side."""


class Line(NamedTuple):
    """A straight way to contact with an enemy. From ``first`` inches on, the enemy is in reach and in the Front."""

    path: Path
    first: float
    freed: bool = False
    """The charge begins without sight (abilities/hunter)."""


# ---------------------------------------------------------------- straight lines


@rule("close-combat/charge-end", "actions/charge", "vehicles/charge", "core/measuring")
def charge_line(model: Model, target: Model) -> Line | None:
    """The shortest free straight line, to a tenth of an inch, or None. Kept until something moves."""
    kept, key = model.position.layout, ("charge", model.row, target.row, reach(model), most(model))
    if key not in kept:
        kept[key] = find_line(model, target)
    found: Line | None = kept[key]
    return found


def find_line(model: Model, target: Model) -> Line | None:
    far, limit = reach(model), most(model)
    if far < 0 or gap(model, target) - far > limit + TOLERANCE:
        return None
    aims = directions(model, target, far)
    if len(aims) > 1:
        aims = [aim for aim, clear in zip(aims, unbarred(model, target, far, aims), strict=True) if clear]
    found = (line_along(model, target, aim, far) for aim in aims)
    return next((line for line in found if line is not None), None)


def unbarred(model: Model, target: Model, far: float, aims: Sequence[float]) -> list[bool]:
    """For each direction, whether round bases leave the way into reach free.

    This is a first check for two round bases on one level; in any other case every direction passes.
    """
    position, size = model.position, bounding_radius(model.profile.shape)
    if not (round_ones(position)[[model.row, target.row]].all() and abs(model.z - target.z) <= TOLERANCE):
        return [True] * len(aims)
    others = [m for m in position.on_table() if m.row not in (model.row, target.row) and stands_at(m, model.z, model)]
    rows = rows_of([m for m in others if round_ones(position)[m.row]])
    ways = np.array([heading(aim) for aim in aims])
    away, wide = centres(position)[rows] - np.array(model.at), radii(position)[rows] + size
    across = np.array(target.at) - np.array(model.at)
    apart = math.hypot(*across)
    along = ways @ across
    aside = np.maximum((size + bounding_radius(target.profile.shape) + far) ** 2 - (apart**2 - along**2), 0.0)
    length = np.maximum(along - np.sqrt(aside), 0.0)
    gone = np.clip(ways @ away.T, 0.0, length[:, None])
    left = away[None, :, :] - gone[:, :, None] * ways[:, None, :]
    return [bool(one) for one in (np.hypot(left[..., 0], left[..., 1]) >= wide - 2 * TOLERANCE).all(axis=1)]


@rule("actions/charge", "movement/distance-cap", "movement/terrain-penalty", "vehicles/charge", "vehicles/max-distance")
def most(model: Model, path: Path | None = None) -> float:
    """The longest charge in inches: twice M, less the cost of the ground on the way, within what is left of the cap."""
    if model.profile.is_vehicle:
        return limit_of(model, DRIVEN, Path((model.at,), model.facing) if path is None else path)
    return allowance(model, CHARGING, path)


def directions(model: Model, target: Model, far: float) -> list[float]:
    """Directions in degrees, the shortest ways first, to places in reach around the target, every tenth of an inch."""
    straight = facing_towards(model.at, target.at)
    apart = math.dist(model.at, target.at)
    wide = min(bounding_radius(model.profile.shape) + bounding_radius(target.profile.shape) + far, apart)
    if apart <= TOLERANCE:
        return []
    wide = min(wide, 0.999 * apart)
    round_it = [k * FINENESS / wide for k in range(1, math.floor(math.acos(wide / apart) * wide / FINENESS) + 1)]
    turns = [math.degrees(math.atan2(wide * math.sin(a), apart - wide * math.cos(a))) for a in round_it]
    sides = [0.0, *(sign * turn for turn in turns for sign in (1, -1))]
    found = [rounded((straight + off) % 360.0) for off in sides if may_turn_to(model, straight + off)]
    return found if may_turn_to(model, straight) else [*found, model.facing]


@rule("vehicles/charge", "movement/rotation", "vehicles/rotation")
def may_turn_to(model: Model, aim: float) -> bool:
    """A trooper turns freely; a vehicle as far as its kind may turn before it charges."""
    vehicle = model.profile.vehicle
    if vehicle is None:
        return True
    off = abs((aim - model.facing + 180.0) % 360.0 - 180.0)
    return off <= TURNS.get(vehicle.kind, 0.0) + TOLERANCE


@rule("close-combat/charge-end", "close-combat/ccwr-definition", "core/front-rear")
def line_along(model: Model, target: Model, aim: float, far: float) -> Line | None:
    """The line in one direction, or None.

    It must be free and short enough, and bring the target into reach and into the Front.
    """
    whole = math.dist(model.at, target.at)
    first = first_within_reach(model, target, aim, far, whole)
    if first is None:
        return None
    shortest = way_of(model, target, aim, first)
    if shortest is None or not can_go(model, shortest):
        return None
    if is_walled_off(model, target, end_of(shortest)[:2]):
        return None
    return Line(longest_free(model, target, aim, shortest), plan_length(shortest))


def first_within_reach(model: Model, target: Model, aim: float, far: float, whole: float) -> float | None:
    """How far along a line the target comes into reach, plus a hair so that it is; None if it never does."""
    way = ray(model, aim, whole)
    met = every_within(way, model.profile.shape, [target.solid], far or CONTACT, tolerance=-CONTACT if far else 0.0)
    return met[0].start + HAIR if met else None


def longest_free(model: Model, target: Model, aim: float, shortest: Path) -> Path:
    """The longest way up to contact on which the target stays in reach and in the Front, and the charge may end."""
    whole, first = math.dist(model.at, target.at), plan_length(shortest)
    met = every_within(ray(model, aim, whole), model.profile.shape, [target.solid], CONTACT, tolerance=0.0)
    last = met[0].start + HAIR if met else whole
    while last > first + TOLERANCE:
        way = way_of(model, target, aim, last)
        if way is not None and may_stop(model, target, way):
            return way
        last -= FINENESS
    return shortest


@rule("close-combat/charge-end", "close-combat/ccwr-definition", "core/front-rear")
def may_stop(model: Model, target: Model, path: Path) -> bool:
    """Whether a charge may end where the way ends: target in reach and in the Front, and room for the base."""
    there = Solid(model.profile.shape, *end_of(path), path.facing or 0.0, model.profile.height)
    has_it = within(rounded(measure.gap(there, target.solid)), reach(model)) and measure.in_front(there, target.solid)
    return has_it and can_go(model, path)


def ray(model: Model, aim: float, length: float) -> Path:
    x, y = heading(aim)
    return Path((model.at, (model.x + length * x, model.y + length * y)), aim)


# ---------------------------------------------------------------- heights


@rule("close-combat/different-levels", "close-combat/charge-from-above", "movement/climb", "movement/jump")
def way_of(model: Model, target: Model, aim: float, length: float) -> Path | None:
    """The first ``length`` inches of a line to the target's level: jumping down over the edge, or climbing up.

    None if nobody can stand there on that level.
    """
    x, y = heading(aim)
    end = (rounded(model.x + length * x), rounded(model.y + length * y), target.z)
    if not may_rest(model, Solid(model.profile.shape, *end, aim, model.profile.height)):
        return None
    start = (*model.at, model.z)
    if abs(model.z - target.z) <= TOLERANCE:
        return Path((start, end), aim)
    if model.profile.is_vehicle:
        return None
    beside = bounding_radius(model.profile.shape) + BESIDE - 2 * THIN
    edge = edge_along(model.position.ground, start, end)
    if edge is None:
        return None
    far = min(length, edge + beside) if target.z < model.z else max(0.0, edge - beside)
    there = rounded(model.x + far * x), rounded(model.y + far * y)
    points = (start, (*there, model.z), (*there, target.z), end)
    return Path(tuple(dict.fromkeys(points)), aim)


def edge_along(ground: Ground, start: Point3, end: Point3) -> float | None:
    """How far along the line it reaches the higher floor at its end, or leaves the one at its start."""
    goes_up = end[2] > start[2]
    on = end if goes_up else start
    for floor in floors_at(ground, on[2]):
        if contains(floor.outline, *on[:2]):
            met = crossings(Path((start[:2], end[:2])), Circle(THIN), [Piece("", "", floor.outline)])
            return 0.0 if not met else met[-1].start if goes_up else met[0].end
    return None


# ---------------------------------------------------------------- what bars a charge


@rule("close-combat/charge-end", "close-combat/charge-above-jump", "movement/distance-cap", "squads/coherency")
def can_go(model: Model, path: Path) -> bool:
    """Whether the way is short enough, free, and ends in coherency."""
    if strays(model, end_of(path)[:2]) is not None:
        return False
    if inches_of(model, path) > most(model, path) + TOLERANCE or gap_too_wide(model, path) is not None:
        return False
    return trouble_on(model, path) is None


@rule("close-combat/charge-end", "movement/impassable", "movement/basic")
def trouble_on(model: Model, path: Path) -> float | None:
    """How far along the way something bars it, or its end has no room; None if the way is free.

    Other models of either side and impassable ground bar a way.
    """
    gone = 0.0
    for part in runs(path):
        trouble = fields.first_trouble(field_at(model, height_of(part.points[0])), part)
        if trouble is not None:
            return gone + (distance_at(part, trouble.progress) if trouble.progress < math.inf else plan_length(part))
        gone += plan_length(part)
    x, y, z = end_of(path)
    return None if fields.is_free(bars(model, at_the_end=True, z=z).field, x, y, path.facing or 0.0) else gone


def field_at(model: Model, z: float) -> Field:
    """What bars a charge at a height: friends too, but not obstacles that can be crossed.

    Kept until something moves.
    """
    kept, key = model.position.layout, ("charge-field", model.row, z)
    if key not in kept:
        others = [m for m in model.position.on_table() if m.row != model.row and stands_at(m, z, model)]
        fence = fence_of(model, False, z)
        kept[key] = surroundings(model, model.profile.shape, others, [0.0] * len(others), fence).field
    found: Field = kept[key]
    return found


# ---------------------------------------------------------------- targets of a charge


@rule("actions/charge", "core/line-of-sight")
def unseen(model: Model, target: Model) -> Fault | None:
    """The model must see its target at the start, unless it is a Hunter."""
    if sees(model, target) or allows("charge-unseen", About(model)):
        return None
    return Fault(target.at, model=target.row)


@rule("close-combat/charge-end", "actions/charge", "abilities/hunter")
def no_way(model: Model, target: Model) -> Fault | None:
    """A Charge may be declared only if it can be completed: near enough and along a free line."""
    if straight_to(model, target) is not None or (may_bend(model) and cannot_bend(model, target) is None):
        return None
    far, limit, longer = gap(model, target), most(model), max(0.0, reach(model))
    if within(far, limit + longer):
        return bars_the_line(model, target)
    rule = "movement/distance-cap" if within(far, TWICE * model.profile.m + longer) else "actions/charge"
    return Fault(target.at, far, limit, target.row, rule=rule)


@rule("close-combat/charge-end", "movement/terrain-penalty", "movement/climb", "vehicles/max-distance")
def bars_the_line(model: Model, target: Model) -> Fault:
    """What is wrong with the line straight at a target that is near enough; without a reason, it is not free."""
    aim = facing_towards(model.at, target.at)
    first = first_within_reach(model, target, aim, max(0.0, reach(model)), math.dist(model.at, target.at))
    way = None if first is None else way_of(model, target, aim, first)
    if way is not None:
        astray = strays(model, end_of(way)[:2])
        if astray is not None:
            return astray
        far, limit = inches_of(model, way), most(model, way)
        if far > limit + TOLERANCE:
            ground = "vehicles/max-distance" if model.profile.is_vehicle else "movement/terrain-penalty"
            rule = "movement/climb" if far > plan_length(way) + TOLERANCE else ground
            return Fault(target.at, round(far, 2), limit, target.row, rule=rule)
    return Fault(target.at, model=target.row, word="no-free-line")


@rule("abilities/berserk-actions")
def passes_the_nearest(model: Model, target: Model) -> Fault | None:
    """A berserk model charges the nearest enemy that it legally can."""
    if not model.marks(marks.BERSERK):
        return None
    own = gap(model, target)
    nearer = (enemy for enemy in model.position.on_table(1 - model.side) if gap(model, enemy) < own - TOLERANCE)
    return Fault(target.at, model=target.row) if any(map(partial(can_reach, model), nearer)) else None


CHARGE_RESTRICTIONS = (unseen, no_way, passes_the_nearest)


def can_reach(model: Model, target: Model) -> bool:
    return unseen(model, target) is None and no_way(model, target) is None


def cannot_charge_at(model: Model, row: int) -> Refusal | None:
    return first_refusal(CHARGE_RESTRICTIONS, model, model.position.model(row))


@rule("abilities/hunter", "actions/charge")
def straight_to(model: Model, target: Model) -> Line | None:
    """The straight line to the target. Without sight of it the line uses a Hunter's freedom (``freed``)."""
    line = charge_line(model, target)
    return None if line is None else line._replace(freed=not sees(model, target))


# ---------------------------------------------------------------- abilities/hunter


@rule("abilities/hunter")
def may_bend(model: Model) -> bool:
    return allows("charge-bent", About(model))


@rule("abilities/hunter")
def cannot_bend(model: Model, target: Model) -> Fault | None:
    """Refuses a target that no bent way was found to. Kept until something moves."""
    kept, key = model.position.layout, ("bends", model.row, target.row, reach(model), most(model))
    if key not in kept:
        kept[key] = next(bent_ways(model, target), None) is not None
    return None if kept[key] else Fault(target.at, gap(model, target), most(model), target.row)


@rule("abilities/hunter", "actions/charge", "movement/distance-cap")
def bends_too_far(model: Model, target: Model, path: Path) -> Fault | None:
    length, limit = inches_of(model, path), most(model, path)
    return None if within(length, limit) else Fault(target.at, length, limit, model.row)


@rule("close-combat/charge-end", "abilities/hunter")
def bends_amiss(model: Model, target: Model, path: Path) -> Fault | None:
    """A bent way must be free and end with the target in reach and in the Front."""
    x, y, z = end_of(path)
    there = Solid(model.profile.shape, x, y, z, path.facing or 0.0, model.profile.height)
    is_there = same_level(z, target.z) and not is_walled_off(model, target, (x, y))
    if is_there and may_rest(model, there) and may_stop(model, target, path):
        return None
    return Fault((round(x, 2), round(y, 2)), model=target.row)


BENT_RESTRICTIONS = (bends_too_far, bends_amiss)


def why_not_bent(model: Model, target: Model, path: Path) -> Refusal | None:
    return first_refusal(BENT_RESTRICTIONS, model, target, path)


def along_last_leg(model: Model, points: Sequence[Sequence[float]]) -> Path:
    """The way as drawn. The charger faces along its last leg."""
    path = read(model, (points, None))
    end = path.points[-1][:2]
    before = next((p[:2] for p in reversed(path.points) if p[:2] != end), None)
    return Path(path.points, model.facing if before is None else facing_towards(before, end))


def bent_ways(model: Model, target: Model) -> Iterator[Path]:
    """Ways around obstacles, on one level, each to a place where the target comes into reach."""
    field, limit, own = field_at(model, model.z), most(model), bounding_radius(model.profile.shape)
    wide = own + bounding_radius(target.profile.shape) + max(reach(model), 0.0)
    for aim in directions_about(model, target):
        x, y = heading(aim)
        place = rounded(target.x - wide * x), rounded(target.y - wide * y)
        way = fields.routed(field, model.at, place, limit + TOLERANCE) if fields.is_free(field, *place, aim) else None
        if way is not None:
            path = along_last_leg(model, [(*point, model.z) for point in way.points[1:]])
            if why_not_bent(model, target, path) is None:
                yield path


def directions_about(model: Model, target: Model) -> list[float]:
    """Directions all around the target, the near side first."""
    straight = facing_towards(model.at, target.at)
    sides = [sign * 10.0 * k for k in range(1, 18) for sign in (1, -1)]
    return [rounded((straight + off) % 360.0) for off in (0.0, *sides, 180.0)]


@rule("abilities/hunter")
def bent_question(model: Model, target: Model) -> Move:
    """Ask for the way of the charge; the shortest is proposed first."""

    def refuses(answer: Sequence[Any]) -> Refusal | None:
        return why_not_bent(model, target, along_last_leg(model, answer[0]))

    def suggests() -> Iterator[Plain]:
        return (answer_of(path, path.facing) for path in sorted(bent_ways(model, target), key=plan_length))

    def samples(rng: Random) -> Plain:
        return rng.choice(list(suggests()))

    shown: dict[str, Plain] = {"allowance": most(model), "reaches": counter_reaches(model, target.row)}
    about: dict[str, Plain] = {"model": model.row, "target": target.row}
    return Move(model.side, "charge-path", refuses, samples, suggests, shown, about)


# ---------------------------------------------------------------- the form


@rule("close-combat/charge-end", "actions/charge", "abilities/hunter")
def charge_script(model: Model) -> Generator[Question, Any, tuple[int, Path, bool]]:
    """Ask for the target; then how far, from the first point in reach up to contact, or a Hunter's bent way."""
    rows = [enemy.row for enemy in model.position.on_table(1 - model.side)]
    about: dict[str, Plain] = {"model": model.row}
    row = yield Choose(model.side, "charge-target", rows, "model", partial(cannot_charge_at, model), about)
    target = model.position.model(int(row))
    line = straight_to(model, target)
    if may_bend(model) and (line is None or (yield straight_or_bent(model, target)) == BENT):
        points, _ = yield bent_question(model, target)
        return int(row), along_last_leg(model, points), True
    assert line is not None
    if plan_length(line.path) - line.first <= 2 * CONTACT:
        return int(row), line.path, line.freed
    far = yield how_far(model, int(row), line)
    return int(row), cut_at(line, float(far)), line.freed


@rule("abilities/hunter")
def straight_or_bent(model: Model, target: Model) -> Choose:
    def refuses(how: str) -> Refusal | None:
        return first_refusal((cannot_bend,), model, target) if how == BENT else None

    about: dict[str, Plain] = {"model": model.row, "target": target.row}
    return Choose(
        model.side, "charge-way", [STRAIGHT, BENT], "charge-way", refuses, about, odds={STRAIGHT: 1.0, BENT: RARELY}
    )


def cut_at(line: Line, far: float) -> Path:
    """The line up to a length in plan. Its end is on the last level, because no charge ends before it."""
    cut = upto(line.path, far)
    end = cut.points[-1]
    return Path((*cut.points[:-1], (rounded(end[0]), rounded(end[1]), height_of(end))), line.path.facing)


@rule("close-combat/charge-end")
def how_far(model: Model, target: int, line: Line) -> Along:
    """Ask how far: to the first point in reach or any later one, up to base contact."""
    whole = rounded(plan_length(line.path))
    first = rounded(line.first)

    enemy = model.position.model(target)

    def refuses(far: float | None) -> Fault | None:
        is_so = far is not None and first - TOLERANCE <= far <= whole + TOLERANCE
        is_so = is_so and may_stop(model, enemy, cut_at(line, far or 0.0))
        return None if is_so else Fault(enemy.at, far, whole, target)

    def samples(rng: Random) -> Plain:
        far = rng.choice([whole, rounded(rng.uniform(first, whole))])
        return far if refuses(far) is None else first

    shown: dict[str, Plain] = {**route_of(model, line.path), "from": first, "allowance": whole}
    shown["reaches"] = counter_reaches(model, target)
    about: dict[str, Plain] = {"model": model.row, "target": target}
    return Along(model.side, "charge-length", refuses, samples, lambda: [first, whole], shown, about)


@rule("close-combat/counter-charge-trigger", "close-combat/ccwr-definition")
def counter_reaches(model: Model, target: int) -> list[Plain]:
    """Reaches to show: its own around the target, and those of enemies near enough to halt it, as [row, inches]."""
    near, enemies = most(model) + reach(model), model.position.on_table(1 - model.side)
    halts = [m for m in enemies if m.row != target and gap(model, m) <= near + reach(m)]
    return [[target, max(reach(model), 0.0)], *([m.row, max(reach(m), 0.0)] for m in halts)]


def charge_fields(model: Model, filled: Sequence[Any]) -> Question | None:
    return run(partial(charge_script, model), filled)[0]


def charge_details(model: Model, details: Sequence[Any]) -> tuple[int, Path, bool] | None:
    return run(partial(charge_script, model), details)[1]


@rule("actions/charge")
def why_no_charge(model: Model) -> Fault | Refusal:
    """Why the nearest enemy cannot be charged."""
    enemies = model.position.on_table(1 - model.side)
    near = min(enemies, key=lambda one: gap(model, one), default=None)
    why = None if near is None else cannot_charge_at(model, near.row)
    return why or Fault(model=model.row, rule="actions/charge")


@rule("actions/charge")
def can_charge(model: Model) -> bool:
    """Whether there is an enemy that the model may charge."""
    near = most(model) + reach(model) + TOLERANCE
    enemies = (one for one in model.position.on_table(1 - model.side) if within(gap(model, one), near))
    return any(can_reach(model, enemy) for enemy in enemies)


# ---------------------------------------------------------------- bonuses of a charge


@rule(
    "actions/charge-bonus", "vehicles/charge-bonus", "vehicles/charge-limits", "abilities/ferocity", "abilities/hunter"
)
def charge_bonus(model: Model, target: Model, freed: bool) -> tuple[int, int]:
    """The bonus to St and AVV: by base size, or by kind for a vehicle that has moved its M.

    A freed Hunter gains no St.
    """
    st, avv = printed_bonus(model)
    if not st:
        return 0, avv
    about = About(model, attacker=model, target=target, is_charging=True, is_freed=freed)
    return int(changed("charge-st", st, about)), avv


BY_SIZE = {1: (1, 0), 2: (2, 0), 3: (3, 1)}
"""What a charge adds to St and AVV by base size. Each inch from above adds the same again."""


@rule("actions/charge-bonus", "vehicles/charge-bonus", "vehicles/charge-limits")
def printed_bonus(model: Model) -> tuple[int, int]:
    kind = kind_of(model)
    if kind is None:
        return BY_SIZE[model.profile.size]
    has_gone = moved(model) >= float(model.profile.m) - TOLERANCE
    return kind.charge if kind.charge is not None and has_gone else (0, 0)


@rule("close-combat/charge-from-above", "core/rounding")
def drop_bonus(model: Model, drop: float, freed: bool) -> tuple[int, int]:
    """The further bonus for each full inch between the surface left and the one landed on."""
    inches = math.floor(max(0.0, drop) + TOLERANCE)
    st, avv = BY_SIZE[model.profile.size]
    return (0 if freed else st * inches), avv * inches


@rule("actions/charge-bonus", "close-combat/charge-from-above")
def onset_of(model: Model, target: Model, freed: bool, drop: float = 0.0) -> Onset:
    """All bonuses that a model has in the attack after its charge."""
    return Onset(*charge_bonus(model, target, freed), *drop_bonus(model, drop, freed))
