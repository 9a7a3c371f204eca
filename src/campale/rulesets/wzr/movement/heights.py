"""Up and down on foot: climbing, jumping, leaping a gap, falling (movement/climb, movement/jump, movement/fall)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from campale.mechanics.frames import push
from campale.referee.position import Model, Position
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, parts
from campale.rulesets.wzr.basics.dice import half, needed, passes
from campale.rulesets.wzr.battle.terrain import LADDER
from campale.rulesets.wzr.movement.ground import climbed
from campale.rulesets.wzr.structures.floors import floors
from campale.rulesets.wzr.wounds.hits import Hit, automatic, hit_frames
from campale.table.climbs import rises
from campale.table.levels import at_height, floors_at, height_of, keeps_to_floor, walked
from campale.table.measure import bounding_radius, gap_to_outline
from campale.table.outlines import centre_of, contains, sides
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Circle, Point, Point3, Solid, heading, rounded
from campale.table.sight import crossings
from campale.table.terrain import Floor, Ground, Piece

UP, BY_LADDER = 2.0, 1.0
"""The cost of an inch of height, unaided and by a ladder or stairs."""
SAFE = 3.0
"""A jump from higher than this, in inches, may end in a fall."""
BESIDE, WIDE = 0.1, 12.0
FALL_ST = 6
FINE = 0.02
MOST_CLIMBS = 3
LANDING, FALL = "landing", "fall"
JUMP, CLIMB = "jump", "climb"


class Drop(NamedTuple):
    """A jump down: its place, and the heights of its top and foot."""

    at: Point
    top: float
    foot: float

    @property
    def height(self) -> float:
        return self.top - self.foot


# ---------------------------------------------------------------- a way over levels


@rule("movement/climb", "movement/jump")
def on_foot(model: Model, points: Sequence[Point3]) -> Path:
    """A way through points with heights, as it is walked: climbing on the spot, jumping out from an edge and down."""
    ground, done = model.position.ground, [points[0]]
    for start, end in pairwise(points):
        more = [end]
        if jumps(ground, start, end):
            more = [(end[0], end[1], start[2]), end]
        elif climbs(ground, start, end):
            more = [(start[0], start[1], end[2]), end]
        elif not leaps(ground, start, end):
            more = [at_height(one) for one in walked(ground, Path((start, end))).points[1:]]
        done += [one for k, one in enumerate(more) if one != (done[-1] if not k else more[k - 1])]
    return Path(tuple(done), model.facing)


def jumps(ground: Ground, start: Point3, end: Point3) -> bool:
    """Whether a leg goes down over an edge: its end lies beyond the floor where it begins."""
    return end[2] < start[2] - TOLERANCE and not keeps_to_floor(ground, start[:2], end[:2], start[2])


def climbs(ground: Ground, start: Point3, end: Point3) -> bool:
    """Whether a leg goes up from outside a floor: up on the spot, then onto it."""
    return end[2] > start[2] + TOLERANCE and not keeps_to_floor(ground, start[:2], end[:2], end[2])


def leaps(ground: Ground, start: Point3, end: Point3) -> bool:
    """Whether a leg stays at its height across a gap between floors."""
    level = TOLERANCE < start[2] == end[2]
    return level and not keeps_to_floor(ground, start[:2], end[:2], start[2])


@rule("movement/jump", "movement/climb", "core/rounding")
def gap_too_wide(model: Model, path: Path) -> Fault | None:
    """A model crosses at most half M in the air, and climbs right beside the surface that it goes onto."""
    ground, before = model.position.ground, 0.0
    beside = bounding_radius(model.profile.shape) + BESIDE
    for start, end in pairwise(path.points):
        one, other = at_height(start), at_height(end)
        if one[2] == other[2] > TOLERANCE:
            wide, widest = in_the_air(ground, one, other), beside if before else float(half(model.profile.m))
            if wide > widest + TOLERANCE:
                return Fault((round(other[0], 2), round(other[1], 2)), round(wide, 2), round(widest, 2), model.row)
        before = max(0.0, other[2] - one[2])
    return None


def in_the_air(ground: Ground, start: Point3, end: Point3) -> float:
    """How many inches of a straight leg lie over no floor of its height."""
    floors = floors_at(ground, start[2])
    under = tuple(Piece(str(k), "floor", floor.outline) for k, floor in enumerate(floors))
    whole = math.dist(start[:2], end[:2])
    if not under or not whole:
        return whole
    lengths, _ = crossings(Ground(ground.width, ground.depth, under), [start], [end], in_plan=True)
    return max(0.0, whole - float(lengths[0].sum()))


def up_and_down(model: Model) -> Iterator[Path]:
    """Ways to the other floors over or under the model, and off its floor's edge in eight directions."""
    ground, here = model.position.ground, (*model.at, model.z)
    for z in ground.levels(*model.at):
        if abs(z - model.z) > TOLERANCE:
            yield on_foot(model, [here, (*model.at, z)])
    for k in range(8) if model.z > TOLERANCE else ():
        aim = heading(45.0 * k)
        inside = in_the_air(ground, here, (model.x + WIDE * aim[0], model.y + WIDE * aim[1], model.z))
        far = WIDE - inside + bounding_radius(model.profile.shape) + BESIDE
        yield on_foot(model, [here, (rounded(model.x + far * aim[0]), rounded(model.y + far * aim[1]), 0.0)])


class Climb(NamedTuple):
    """A way up onto a floor from outside: the place below, the place on top, its height, and its cost in inches."""

    foot: Point
    top: Point
    z: float
    inches: float


@rule("movement/climb")
def climbs_near(model: Model, limit: float) -> list[Climb]:
    """The cheapest climbs from the table onto roofs and floors: straight ahead, or by ladders and stairs."""
    ground = model.position.ground
    if model.z > TOLERANCE:
        return []
    goals = [model.at, *(centre_of(piece.outline) for piece in ground.pieces if LADDER in piece.tags)]
    storeys = [floor for floor in ground.kept(floors) if TOLERANCE < BY_LADDER * floor.z <= limit]
    found = (
        climb_over(model, floor, side, goal) for floor in storeys for side in sides(floor.outline) for goal in goals
    )
    able = sorted({one for one in found if one.inches <= limit + TOLERANCE}, key=lambda one: one.inches)
    return able[:MOST_CLIMBS]


def climb_over(model: Model, floor: Floor, side: tuple[Point, Point], goal: Point) -> Climb:
    """The climb over the point of a side that is nearest to the goal, but not too near to a corner."""
    (ax, ay), (bx, by) = side
    whole, own = math.dist(*side), bounding_radius(model.profile.shape)
    ux, uy = (bx - ax) / whole, (by - ay) / whole
    along = (goal[0] - ax) * ux + (goal[1] - ay) * uy
    along = min(max(along, min(own + FINE, whole / 2)), max(whole - own - FINE, whole / 2))
    x, y, out = ax + along * ux, ay + along * uy, (uy, -ux)
    if contains(floor.outline, x + FINE * out[0], y + FINE * out[1]):
        out = -uy, ux
    below, above = own + BESIDE / 2, own + FINE
    foot = rounded(x + below * out[0]), rounded(y + below * out[1])
    top = rounded(x - above * out[0]), rounded(y - above * out[1])
    steep = floor.z * price_at(model, (*foot, 0.0))
    return Climb(foot, top, floor.z, math.dist(model.at, foot) + steep + math.dist(foot, top))


# ---------------------------------------------------------------- costs


@rule("movement/climb", "movement/jump", "movement/obstacles")
def climbing_price(model: Model, path: Path, descent: str = JUMP) -> float:
    """What heights add to a way's length: 2 inches for each inch climbed up or down, nothing for a jump."""
    jumped = {(drop.at, drop.top) for drop in drops(model, path) if descent == JUMP or drop.height <= SAFE + TOLERANCE}
    price = 0.0
    for one, other in pairwise(path.points):
        start, end = at_height(one), at_height(other)
        if start[2] != end[2] and ((start[0], start[1]), start[2]) not in jumped:
            price += abs(end[2] - start[2]) * price_at(model, start)
    return price + over_obstacles(model, path)


@rule("movement/climb")
def price_at(model: Model, spot: Point3) -> float:
    """The cost per inch of height. Ladders and stairs make it cheaper."""
    body = Solid(model.profile.shape, spot[0], spot[1])
    ladders = (one for one in model.position.ground.pieces if LADDER in one.tags)
    return BY_LADDER if any(gap_to_outline(body, one.outline) <= TOLERANCE for one in ladders) else UP


@rule("movement/obstacles", "movement/climb", "movement/jump")
def over_obstacles(model: Model, path: Path) -> float:
    """Walls and crates of up to 3 inches are climbed up and jumped down."""
    pieces = model.position.ground.kept(climbed())
    if not pieces.pieces:
        return 0.0
    flat = Path(tuple((*point[:2], 0.0) for point in path.points if height_of(point) <= TOLERANCE) or path.points)
    found = rises(flat, model.profile.shape, pieces)
    return UP * sum(rise.change for rise in found if rise.change > 0.0)


# ---------------------------------------------------------------- jumping down, falling


@rule("movement/jump")
def drops(model: Model, path: Path) -> list[Drop]:
    """The jumps down from an edge, in order: where the way goes down beside the floor that it left."""
    found = []
    for one, other in pairwise(path.points):
        start, end = at_height(one), at_height(other)
        if end[2] < start[2] - TOLERANCE and is_beyond(model, start):
            found.append(Drop((start[0], start[1]), start[2], end[2]))
    return found


def is_beyond(model: Model, spot: Point3) -> bool:
    """Whether a spot lies over no floor of its height."""
    here = Solid(Circle(0.0), spot[0], spot[1])
    return all(gap_to_outline(here, floor.outline) > TOLERANCE for floor in floors_at(model.position.ground, spot[2]))


@rule("movement/jump")
def landings(model: Model, path: Path) -> list[Drop]:
    """The jumps from more than 3 inches, which need a test."""
    return [drop for drop in drops(model, path) if drop.height > SAFE + TOLERANCE]


@rule("movement/jump", "movement/fall", "core/rounding")
async def landing(position: Position, row: int, height: float) -> None:
    """A Con test. Failing it means a hit of St 6, +1 for each full inch fallen. A survivor goes on."""
    model = position.model(row)
    if model.is_on_table and not await passes(model, "landing", needed(model.profile.con, parts("con", About(model)))):
        push(position, *hit_frames([fall(row, height)]))


@rule("movement/fall")
def fall(row: int, height: float) -> Hit:
    return automatic(row, FALL_ST + math.floor(height + TOLERANCE), FALL)
