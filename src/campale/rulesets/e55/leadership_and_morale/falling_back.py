"""Chapter 4.4: the fall-back move. All models of a unit move along one straight line in plan.

A model on a storey stays on its floor as far as the floor reaches, then drops to the next one; the drop costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from campale.mechanics.moves.coherency import first_overlap
from campale.mechanics.moves.move_paths import end_of
from campale.mechanics.setup.edges import NORTH, edge_of
from campale.referee.ask import choose
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.footprints import half_sizes, shape
from campale.rulesets.e55.definitions.types import all_fly
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.movement_phase import coherency, dangerous, rough
from campale.rulesets.e55.movement_phase.ways import ENEMY_GAP, field_of, go, way_of, way_refusal
from campale.table import bearings
from campale.table.kernels import Floats
from campale.table.outlines import contains, counter_clockwise
from campale.table.paths import Path
from campale.table.planner import Going
from campale.table.shapes import TOLERANCE, Circle, Point, Point3, heading, rounded
from campale.table.terrain import Floor
from campale.table.turning import inner_radius

ACROSS = 90.0 - bearings.EXACT
"""The unit turns by less than a right angle."""

BLOCKED, OFF_TABLE = "fall-back-blocked", "fall-back-edge"
EAST, WEST = "east", "west"


@rule("4.4/fall-back-move")
async def fall_back(unit: Unit, inches: int, foes: frozenset[int] = frozenset()) -> None:
    """Move straight towards the unit's own edge, the whole distance.

    ``foes``: the rows of the units it was in combat with.
    """
    found = directions(unit, inches, foes)
    if not found:
        await remove_blocked(unit)
        return
    bearing = found[0] if len(found) == 1 else await choose_bearing(unit, found)
    ways = ways_along(unit, inches, bearing)
    for model in members(unit):
        go(model, ways[model.row])
    if reaches_own_edge(unit):
        await remove_at_the_edge(unit)
    elif not all_fly(unit) and rough.touches_dangerous(unit, ways):
        await dangerous.dangerous_test(unit, "fall-back")


@rule("4.4/fall-back-move")
async def choose_bearing(unit: Unit, alike: list[float]) -> float:
    """Let the owner choose between east and west when two bearings deviate equally."""
    by_name = {EAST if heading(one)[0] > 0.0 else WEST: one for one in alike}
    return by_name[await choose(unit.side, "fall-back-direction", sorted(by_name), unit=unit.row)]


@rule("4.4/fall-back-blocked")
async def remove_blocked(unit: Unit) -> None:
    await remove_whole(unit, BLOCKED)


@rule("4.4/fall-back-edge")
async def remove_at_the_edge(unit: Unit) -> None:
    await remove_whole(unit, OFF_TABLE)


async def remove_whole(unit: Unit, cause: str) -> None:
    """Remove the whole unit; the loss scores for the enemy."""
    for model in members(unit):
        casualties.lose(model, cause)
    await casualties.settle(unit.position)


# ---------------------------------------------------------------- the direction


@rule("10.3/table-edge")
def way_home(position: Position, side: int) -> float:
    """Return the bearing of the side's own edge in degrees."""
    return 0.0 if edge_of(position, side) == NORTH else 180.0


@rule("4.4/fall-back-move")
def directions(unit: Unit, inches: int, foes: frozenset[int]) -> list[float]:
    """Return the legal bearings that deviate least from the one home: one, two that deviate equally, or none."""
    retreat = retreat_of(unit, inches, foes)
    if is_legal(retreat, retreat.home):
        return [retreat.home]
    west = least_turn(retreat, -1.0, ACROSS)
    alike = math.degrees(TOLERANCE / max(1, inches))
    east = least_turn(retreat, 1.0, ACROSS if west is None else min(ACROSS, west + alike))
    turns = [(west, -1.0), (east, 1.0)]
    least = min((turn for turn, _ in turns if turn is not None), default=0.0)
    return [(retreat.home + sign * turn) % 360.0 for turn, sign in turns if turn is not None and turn <= least + alike]


def least_turn(retreat: Retreat, sign: float, most: float) -> float | None:
    """Return the least turn to one side that is legal, in degrees; None if it exceeds ``most``."""

    def shut(turn: float) -> float:
        return degrees_barred(retreat, (retreat.home + sign * turn) % 360.0)

    return bearings.first_open(shut, most)


class Retreat(NamedTuple):
    """What the bearings of a fall-back have in common.

    ``order``: the models, the one barred last first. ``grounded``: for models that stay on the table's level, what bars
    them and where they stand (n, 2). ``inches_kept`` (n, 5): x, y of a model and of a former foe, and the distance they
    must end apart.
    """

    unit: Unit
    home: float
    inches: int
    foes: frozenset[int]
    flies: bool
    to_edge: float
    order: list[Model]
    grounded: list[tuple[Going, Floats]]
    inches_kept: Floats


def retreat_of(unit: Unit, inches: int, foes: frozenset[int]) -> Retreat:
    flies, models, home = all_fly(unit), list(members(unit)), way_home(unit.position, unit.side)
    low = [] if flies else [model for model in models if model.z <= TOLERANCE]
    grounded: dict[int, tuple[Going, list[Point]]] = {}
    for model in low:
        going = field_of(model, foes).going
        grounded.setdefault(id(going), (going, []))[1].append(model.at)
    apart = [
        (*model.at, *foe.at, inner_radius(shape(model.profile)) + inner_radius(shape(foe.profile)) + ENEMY_GAP)
        for model in low
        for foe in foes_of(model, foes)
        if abs(model.z - foe.z) < ENEMY_GAP
    ]
    around = [(going, np.array(places)) for going, places in grounded.values()]
    return Retreat(
        unit, home, inches, foes, flies, to_edge(unit), models, around, np.array(apart, np.float64).reshape(-1, 5)
    )


def degrees_barred(retreat: Retreat, bearing: float) -> float:
    """Return 0.0 for a legal bearing; else a lower bound of the degrees to turn before one is legal."""
    x, y = step_along(retreat.inches, bearing, share_of(retreat.to_edge, retreat.inches, bearing))
    depths = [bearings.depth(going, places, (x, y)) for going, places in retreat.grounded]
    deepest = max([*depths, depth_in_the_inch(retreat, x, y)], default=0.0)
    if deepest > 0.0:
        return bearings.degrees_shut(deepest, reach_of_a_turn(retreat))
    return 0.0 if is_legal(retreat, bearing) else bearings.FINE


def depth_in_the_inch(retreat: Retreat, dx: float, dy: float) -> float:
    """Return how deep a model would end within the inch of a former foe. It bounds the next turn, and is no verdict."""
    x, y, fx, fy, kept = retreat.inches_kept.T
    within = kept - np.hypot(x + dx - fx, y + dy - fy) - TOLERANCE
    return float(np.max(within, initial=0.0))


def reach_of_a_turn(retreat: Retreat) -> float:
    """Return how far an end moves per radian of turn, at most.

    The end slides along the own edge where that cuts the move.
    """
    inches, gap = float(retreat.inches), retreat.to_edge
    return max(inches, inches * inches / max(gap, TOLERANCE)) if gap < inches else inches


def is_legal(retreat: Retreat, bearing: float) -> bool:
    """Return whether all models can go that way; the model that cannot is checked first the next time."""
    unit, order, foes = retreat.unit, retreat.order, retreat.foes
    share = share_of(retreat.to_edge, retreat.inches, bearing)
    x, y = step_along(retreat.inches, bearing, share)
    for place, model in enumerate(order):
        if not may_go(model, straight_on(model, x, y, retreat.flies), foes, retreat.flies):
            order.insert(0, order.pop(place))
            return False
    return share <= 1.0 or keeps_together(unit, ways_along(unit, retreat.inches, bearing))


@rule("4.4/fall-back-limits")
def may_go(model: Model, path: Path, foes: frozenset[int], flies: bool) -> bool:
    """Return whether a model may take a path: 1 inch from enemies, off all bases and impassable terrain.

    It may be within the inch of former foes until it is clear of it.
    """
    if flies:
        return way_refusal(way_of(model, path, None, flies=True)) is None
    way = way_of(model, path, None, foes)
    return gets_clear(model, path, foes) and way.met is None and way_refusal(way) is None


@rule("4.4/fall-back-limits")
def keeps_together(unit: Unit, ways: Mapping[int, Path]) -> bool:
    """Return whether a coherent unit stays coherent, and all that drop to one level have room."""
    if len(ways) == 1 or all(path.points[0][2:] == path.points[-1][2:] for path in ways.values()):
        return True
    places = {row: end_of(path) for row, path in ways.items()}
    if first_overlap(members(unit), places) is not None:
        return False
    return not coherency.is_coherent(unit) or coherency.is_coherent(unit, places)


# ---------------------------------------------------------------- getting clear of former foes


@rule("4.2/break-disengages", "4.4/fall-back-limits")
def gets_clear(model: Model, path: Path, foes: frozenset[int]) -> bool:
    """Return whether a model that begins within the inch of former foes leaves it for good and ends outside."""
    near = sorted(inch for foe in foes_of(model, foes) if (inch := within_an_inch(model, path, foe)) is not None)
    reached = 0.0
    for begins, ends in near:
        if begins > reached + TOLERANCE:
            return False
        reached = max(reached, ends)
    return reached < 1.0 or not near


def foes_of(model: Model, foes: frozenset[int]) -> list[Model]:
    position = model.position
    return [other for row in sorted(foes) for other in members(Unit(position, row)) if other.side != model.side]


def within_an_inch(model: Model, path: Path, foe: Model) -> tuple[float, float] | None:
    """Return the shares of a straight path between which a model is less than an inch from a foe; None if never."""
    if abs(model.z - foe.z) >= ENEMY_GAP:
        return None
    (x0, y0), (x1, y1) = path.points[0][:2], path.points[-1][:2]
    reach = radius_of(model) + radius_of(foe) + ENEMY_GAP - TOLERANCE
    dx, dy, fx, fy = x1 - x0, y1 - y0, x0 - foe.x, y0 - foe.y
    a, b, c = dx * dx + dy * dy, fx * dx + fy * dy, fx * fx + fy * fy - reach * reach
    if a <= 0.0:
        return None
    under = b * b - a * c
    if under <= 0.0:
        return None
    root = math.sqrt(under)
    begins, ends = max((-b - root) / a, 0.0), min((-b + root) / a, 1.0)
    return (begins, ends) if begins < ends else None


def radius_of(model: Model) -> float:
    made = shape(model.profile)
    return made.radius if isinstance(made, Circle) else math.hypot(*half_sizes(model.profile))


# ---------------------------------------------------------------- the path


def ways_along(unit: Unit, inches: int, bearing: float) -> dict[int, Path]:
    """Return the path of each model: the same step for all, cut where the first of them touches the own edge."""
    x, y = step_along(inches, bearing, share_to_edge(unit, inches, bearing))
    flies = all_fly(unit)
    return {model.row: straight_on(model, x, y, flies) for model in members(unit)}


def step_along(inches: int, bearing: float, share: float) -> Point:
    far = inches * min(1.0, share)
    x, y = heading(bearing)
    return x * far, y * far


@rule("4.4/fall-back-edge")
def share_to_edge(unit: Unit, inches: int, bearing: float) -> float:
    """Return the share of the path after which the first model touches the own edge; infinite if none would."""
    return share_of(to_edge(unit), inches, bearing)


def to_edge(unit: Unit) -> float:
    return min(to_own_edge(model) for model in members(unit))


def share_of(gap: float, inches: int, bearing: float) -> float:
    towards = abs(heading(bearing)[1]) * inches
    return math.inf if towards <= 0.0 else max(0.0, gap) / towards


def to_own_edge(model: Model) -> float:
    """Return the distance of a base from its own edge, in inches."""
    depth = model.position.ground.depth
    off = depth - model.y if way_home(model.position, model.side) == 0.0 else model.y
    return rounded(off - radius_of(model))


@rule("4.4/fall-back-edge")
def reaches_own_edge(unit: Unit) -> bool:
    """Return whether any model of the unit touches its own edge."""
    return any(to_own_edge(model) <= TOLERANCE for model in members(unit))


def straight_on(model: Model, dx: float, dy: float, flies: bool) -> Path:
    """Return a path straight in plan; it drops where a floor ends."""
    start: Point3 = (model.x, model.y, model.z)
    end = rounded(model.x + dx), rounded(model.y + dy)
    if flies:
        return Path((start, (*end, model.position.ground.surface(*end, below=model.z))), model.facing)
    points = [start]
    while points[-1][2] > TOLERANCE:
        left = leaves_floor(model.position, points[-1], end)
        if left is None:
            break
        below = model.position.ground.surface(*left, below=points[-1][2] - 2.0 * TOLERANCE)
        points += [(*left, points[-1][2]), (*left, below)]
    points.append((*end, points[-1][2]))
    return Path(tuple(points), model.facing)


def leaves_floor(position: Position, start: Point3, end: Point) -> Point | None:
    """Return where a straight path leaves the floor that it starts on; None if it ends on it."""
    here = start[0], start[1]
    floors = [floor for piece in position.ground.pieces for floor in piece.floors]
    under = [f for f in floors if abs(f.z - start[2]) <= TOLERANCE and contains(f.outline, *here)]
    shares = [share_inside(floor, here, end) for floor in under]
    share = max(shares, default=0.0)
    if share >= 1.0:
        return None
    return rounded(here[0] + share * (end[0] - here[0])), rounded(here[1] + share * (end[1] - here[1]))


def share_inside(floor: Floor, start: Point, end: Point) -> float:
    """Return the share of a path starting on a convex floor that lies over it."""
    corners = counter_clockwise(floor.outline)
    share = 1.0
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        nx, ny = by - ay, ax - bx
        speed = nx * (end[0] - start[0]) + ny * (end[1] - start[1])
        if speed > 0.0:
            share = min(share, max(0.0, (nx * (ax - start[0]) + ny * (ay - start[1])) / speed))
    return share
