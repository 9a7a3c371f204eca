"""Levels: the heights at which models can stand, and ways that go up and down between them.

A way on foot is made of runs, each on one level, and of climbs on the spot between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import msgspec

from campale.table.measure import wholly_inside_outline
from campale.table.outlines import contains
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Point, Point3, Solid
from campale.table.terrain import Floor, Ground


def height_of(point: Sequence[float]) -> float:
    """The height of a point of a path; 0 if it has none."""
    return point[2] if len(point) == 3 else 0.0


def floors_at(ground: Ground, z: float) -> list[Floor]:
    """The floors of any piece at a height."""
    return [floor for piece in ground.pieces for floor in piece.floors if abs(floor.z - z) <= TOLERANCE]


def heights(ground: Ground) -> list[float]:
    """The heights of all floors, lowest first."""
    return sorted({floor.z for piece in ground.pieces for floor in piece.floors})


def is_level(ground: Ground, place: Point, z: float) -> bool:
    """Whether a model can stand at a height above a point: on the table, or on a floor."""
    return z <= TOLERANCE or any(abs(z - found) <= TOLERANCE for found in ground.levels(*place))


def keeps_to_floor(ground: Ground, one: Point, other: Point, z: float) -> bool:
    """Whether a straight way at a height lies over one floor; floors are convex."""
    if z <= TOLERANCE:
        return True
    return any(contains(floor.outline, *one) and contains(floor.outline, *other) for floor in floors_at(ground, z))


def floor_under(ground: Ground, place: Point, z: float) -> float:
    """The level below a height at a point: the highest one that is not above that height."""
    return ground.surface(*place, below=z) if z > TOLERANCE else 0.0


def rests(solid: Solid, floors: Sequence[Floor]) -> bool:
    """Whether all of a base lies on one of some floors, at its height."""
    found = (floor for floor in floors if abs(floor.z - solid.z) <= TOLERANCE)
    return any(wholly_inside_outline(solid, floor.outline) for floor in found)


# ---------------------------------------------------------------- ways on foot


def walked(ground: Ground, path: Path) -> Path:
    """The path as walked: each leg is on one level, with climbs on the spot before and after it.

    A leg uses the level of one of its two ends or the table itself, whichever costs least height. It uses a floor only
    if the floor lies under it from end to end.
    """
    points: list[Point3] = [at_height(path.points[0])]
    turns = [path.turns[0]] if path.turns else []
    for number, point in enumerate(path.points[1:], 1):
        start, end = points[-1], at_height(point)
        z = level_between(ground, start, end)
        more = [p for p in ((*start[:2], z), (*end[:2], z)) if p not in (start, end)]
        points += [*dict.fromkeys(more), end]
        if path.turns:
            turns += [0.0] * len(dict.fromkeys(more)) + [path.turns[number]]
    return Path(tuple(points), path.facing, tuple(turns))


def level_between(ground: Ground, start: Point3, end: Point3) -> float:
    """The height of the level on which a leg goes from one place to another."""
    tried = sorted(dict.fromkeys((start[2], end[2], 0.0)), key=lambda z: abs(start[2] - z) + abs(end[2] - z))
    return next(z for z in tried if keeps_to_floor(ground, start[:2], end[:2], z))


def runs(path: Path) -> list[Path]:
    """The stretches of a walked path on one level each, in order, with at least one point each."""
    heights = [height_of(point) for point in path.points]
    cuts = [0, *(k for k in range(1, len(heights)) if heights[k] != heights[k - 1]), len(heights)]
    return [stretch(path, a, b) for a, b in pairwise(cuts)]


def stretch(path: Path, start: int, end: int) -> Path:
    """The part of a path from one of its points up to, but without, another, with the turns made there."""
    if not path.turns:
        return Path(path.points[start:end], path.facing)
    facing = None if path.facing is None else (path.facing - sum(path.turns[end:])) % 360.0
    return Path(path.points[start:end], facing, path.turns[start:end])


def climbs_of(path: Path) -> list[tuple[float, float]]:
    """The climbs of a walked path, in order, each as (height before, height after)."""
    heights = [height_of(point) for point in path.points]
    return [(a, b) for a, b in pairwise(heights) if a != b]


def with_heights(path: Path, changed: Callable[[float], float]) -> Path:
    """The path with each of its heights replaced by ``changed`` of that height."""
    points = tuple((point[0], point[1], changed(height_of(point))) for point in path.points)
    return msgspec.structs.replace(path, points=points)


def at_height(point: Point | Point3) -> Point3:
    return point[0], point[1], height_of(point)


def on_the_table(path: Path) -> Path:
    """The path in plan if it never leaves the table itself."""
    if any(height_of(point) > 0.0 for point in path.points):
        return path
    return msgspec.structs.replace(path, points=tuple((point[0], point[1]) for point in path.points))
