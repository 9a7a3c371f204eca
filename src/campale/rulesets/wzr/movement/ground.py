"""What the ground does to a model on foot: costs and bars (movement/terrain-*, movement/obstacles).

Vehicles have their own costs (vehicles/ground.py), but what bars them is here too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import is_open_to
from campale.rulesets.wzr.armies.profile import RADII, Base
from campale.rulesets.wzr.battle.terrain import DOOR, HEAVY, IMPASSABLE, INTACT, LIGHT, LINEAR
from campale.rulesets.wzr.structures.access import STOREY, access_points, admits
from campale.table.measure import overlaps_outline
from campale.table.outlines import box
from campale.table.paths import Path, plan_length
from campale.table.shapes import TOLERANCE, Point
from campale.table.sweeps import crossings
from campale.table.terrain import Ground, Piece

PRICES = {LIGHT: 2.0, HEAVY: 4.0}
LOW, CLIMBABLE = 1.0, 3.0
"""The greatest height of an obstacle that is stepped over, and of one that is climbed, in inches."""
THICK = 0.1
OF_VEHICLES = "vehicle"


# ---------------------------------------------------------------- costs


@rule("movement/terrain-types", "movement/obstacles")
def class_of(piece: Piece) -> str:
    """Light or heavy ground, or "". A low obstacle counts as light, a climbed one as neither."""
    if LINEAR in piece.tags:
        return LIGHT if piece.height <= LOW + TOLERANCE else ""
    if INTACT in piece.tags or DOOR in piece.tags:
        return ""
    return next((one for one in (HEAVY, LIGHT) if one in piece.tags), "")


@lru_cache(maxsize=4)
def of_class(name: str) -> Callable[[Ground], Ground]:
    """A function that keeps only the pieces of a class in a ground."""

    def make(ground: Ground) -> Ground:
        return Ground(ground.width, ground.depth, tuple(one for one in ground.pieces if class_of(one) == name))

    return make


def touches(model: Model, path: Path, ground: Ground) -> bool:
    """Whether a way starts in, enters or crosses any of the pieces."""
    if not ground.pieces:
        return False
    if plan_length(path) <= TOLERANCE:
        return any(overlaps_outline(model.solid, piece.outline) for piece in ground.pieces)
    return bool(crossings(path, model.profile.shape, ground))


@rule("movement/terrain-penalty", "abilities/pathfinder", "abilities/ranger")
def terrain_penalty(model: Model, path: Path) -> float:
    """The greater penalty of the ground that the way touches; 0 on ground open to the model, and for vehicles."""
    ground = model.position.ground
    if model.profile.is_vehicle:
        return 0.0
    if touches(model, path, ground.kept(of_class(HEAVY))) and not is_open_to(model, "heavy"):
        return PRICES[HEAVY]
    light = touches(model, path, ground.kept(of_class(LIGHT))) and not is_open_to(model, "light")
    return PRICES[LIGHT] if light else 0.0


# ---------------------------------------------------------------- what bars the way


@rule("movement/impassable", "movement/obstacles", "structures/no-access", "structures/access-points")
def fence_of(model: Model, at_the_end: bool, z: float = 0.0) -> Ground:
    """The pieces that a model at a height cannot enter. Where a way ends, they include the obstacles it climbs over."""
    who = OF_VEHICLES if model.profile.is_vehicle else str(model.profile.base)
    return model.position.ground.kept(fence(who, at_the_end, z))


@lru_cache(maxsize=512)
def fence(who: str, at_the_end: bool, z: float) -> Callable[[Ground], Ground]:
    """A function that makes, from a ground, the pieces that bar models on this base, or vehicles."""

    def make(ground: Ground) -> Ground:
        found = (bar for piece in ground.pieces for bar in barring(ground, piece, who, at_the_end))
        there = (bar for bar in found if bar.z - TOLERANCE <= z < bar.top - TOLERANCE or not bar.height)
        return Ground(ground.width, ground.depth, tuple(there))

    return make


@rule("movement/impassable", "movement/obstacles", "structures/no-access")
def barring(ground: Ground, piece: Piece, who: str, at_the_end: bool) -> Iterator[Piece]:
    """The part of a piece that bars: all of it, its walls, or nothing. No way ends on a wall, crate or barricade."""
    least = 0.0 if at_the_end else LOW if who == OF_VEHICLES else CLIMBABLE
    if INTACT in piece.tags:
        yield from walls(ground, piece, who)
    elif IMPASSABLE in piece.tags or (LINEAR in piece.tags and piece.height > least + TOLERANCE):
        yield piece


@rule("structures/access-points", "structures/no-access", "structures/intact")
def walls(ground: Ground, piece: Piece, who: str) -> Iterator[Piece]:
    """The walls of a structure, with a gap at each door on the ground that admits this base.

    A structure that no model on this base can enter bars as a whole.
    """
    doors = () if who == OF_VEHICLES else tuple(d for d in access_points(ground, piece) if admits(d, as_base(who)))
    if not doors:
        yield piece
        return
    for number, (start, end) in enumerate(sides(piece)):
        for part, (low, high) in enumerate(closed_parts(start, end, doors, RADII[who])):
            outline = strip(start, end, low, high)
            top = min(STOREY, piece.height)
            yield Piece(f"{piece.name}/wall-{number}-{part}", "wall", outline, top, piece.z)
        if piece.height > STOREY + TOLERANCE:
            outline = strip(start, end, 0.0, math.dist(start, end))
            yield Piece(f"{piece.name}/upper-{number}", "wall", outline, piece.height - STOREY, piece.z + STOREY)


def as_base(who: str) -> Base:
    return next(one for one in ("small", "medium", "large") if one == who)


def sides(piece: Piece) -> Iterator[tuple[Point, Point]]:
    return zip(piece.outline, (*piece.outline[1:], piece.outline[0]), strict=True)


def closed_parts(start: Point, end: Point, doors: tuple[Piece, ...], radius: float) -> list[tuple[float, float]]:
    """The parts of a wall (lengths from and to) that are closed to the centre of a base passing through its doors."""
    whole = math.dist(start, end)
    gaps = sorted(gap for door in doors if (gap := gap_in(start, end, door, radius)) is not None)
    parts, done = [], 0.0
    for low, high in gaps:
        if low > done + TOLERANCE:
            parts.append((done, low))
        done = max(done, high)
    return [*parts, (done, whole)] if whole > done + TOLERANCE else parts


def gap_in(start: Point, end: Point, door: Piece, radius: float) -> tuple[float, float] | None:
    """Where a door lies along a wall, as lengths from and to with half a base on each side; None if in another wall."""
    west, south, east, north = box(door.outline)
    middle = (west + east) / 2.0, (south + north) / 2.0
    whole = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / whole, (end[1] - start[1]) / whole
    dx, dy = middle[0] - start[0], middle[1] - start[1]
    if abs(dx * uy - dy * ux) > LOW / 2 or not 0.0 <= dx * ux + dy * uy <= whole:
        return None
    along = [(x - start[0]) * ux + (y - start[1]) * uy for x, y in door.outline]
    return min(along) - radius, max(along) + radius


def strip(start: Point, end: Point, low: float, high: float) -> tuple[Point, ...]:
    """A thin rectangle on the inner side of a wall, between two lengths along it."""
    whole = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / whole, (end[1] - start[1]) / whole
    one = start[0] + ux * low, start[1] + uy * low
    two = start[0] + ux * high, start[1] + uy * high
    inner = -uy * THICK, ux * THICK
    return one, two, (two[0] + inner[0], two[1] + inner[1]), (one[0] + inner[0], one[1] + inner[1])


@lru_cache(maxsize=1)
def climbed() -> Callable[[Ground], Ground]:
    """A function that keeps only the climbed obstacles of a ground."""

    def make(ground: Ground) -> Ground:
        found = (one for one in ground.pieces if is_climbed(one))
        return Ground(ground.width, ground.depth, tuple(found))

    return make


@rule("movement/obstacles")
def is_climbed(piece: Piece) -> bool:
    return LINEAR in piece.tags and LOW + TOLERANCE < piece.height <= CLIMBABLE + TOLERANCE
