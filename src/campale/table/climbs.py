"""Climbs, drops and flight: the distance that the height of the terrain adds to a path.

Pieces higher than a limit count. They are taken as flat, level prisms that the whole base has to clear.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from campale.table.outlines import Box, box, boxes_overlap
from campale.table.paths import Path, plan_length, span
from campale.table.shapes import TOLERANCE, Point, Shape
from campale.table.sweeps import Stretch, Terrain, crossings
from campale.table.terrain import Ground, Piece


class Level(msgspec.Struct, frozen=True):
    """A part of the path, ``start`` to ``end`` in plan, over which the base has ``top`` under it."""

    start: float
    end: float
    top: float


class Rise(msgspec.Struct, frozen=True):
    """A change of height on the way: the ``distance`` along it in plan, and the amount, negative downwards."""

    distance: float
    change: float


def levels(path: Path, shape: Shape, terrain: Terrain, limit: float = 0.0) -> tuple[Level, ...]:
    """The stretches where the base is over something higher than ``limit``, piece by piece, in the order met.

    Grazing a piece, by no more than the tolerance, is not going over it.
    """
    around = _around(path, span(shape) + TOLERANCE)
    pieces = tuple(piece for piece, edges in _higher(terrain, limit) if boxes_overlap(around, edges))
    met = crossings(path, shape, pieces, tolerance=0.0) if pieces else ()
    deep = crossings(path, shape, pieces) if met else ()
    over = (s for s in met if any(is_within(one, s) for one in deep))
    return tuple(Level(s.start, s.end, pieces[s.other].top) for s in over if s.end > s.start)


def is_within(one: Stretch, other: Stretch) -> bool:
    """Whether a stretch over a piece is part of another over the same piece."""
    return one.other == other.other and one.start < other.end and one.end > other.start


def rises(path: Path, shape: Shape, terrain: Terrain, limit: float = 0.0) -> tuple[Rise, ...]:
    """The climbs and drops of a base that goes over every piece higher than ``limit``, in the order made.

    The base is as high as the highest piece under any part of it. If it starts or ends in a piece below the top of
    that piece, the piece counts with the height of that place (``z`` of the path's points): the base is inside it.
    """
    whole = plan_length(path)
    start, end = _height(path, 0), _height(path, -1)
    found = [_as_stood(level, whole, start, end) for level in levels(path, shape, terrain, limit)]
    cuts = sorted({0.0, whole, *(at for level in found for at in (level.start, level.end))})
    heights = [(start, 0.0)]
    for a, b in pairwise(cuts):
        heights.append((max((v.top for v in found if v.start <= a and v.end >= b), default=0.0), a))
    heights.append((end, whole))
    steps = [Rise(at, height - before) for (before, _), (height, at) in pairwise(heights)]
    return tuple(step for step in steps if abs(step.change) > TOLERANCE)


def climbing_length(path: Path, shape: Shape, terrain: Terrain, limit: float = 0.0) -> float:
    """The length in plan with every climb and drop of ``rises`` added."""
    return plan_length(path) + sum(abs(step.change) for step in rises(path, shape, terrain, limit))


def air_length(path: Path, shape: Shape, terrain: Terrain, limit: float = 0.0) -> float:
    """The length of the taut line through the air that clears every piece higher than ``limit``.

    It starts and ends at the heights of the path's ends, never dips below the straight line between them, and follows
    the path in plan.
    """
    line = air_line(path, shape, terrain, limit)
    return sum(math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) for a, b in pairwise(line))


def air_line(path: Path, shape: Shape, terrain: Terrain, limit: float = 0.0) -> tuple[Point, ...]:
    """The taut line through the air as (distance in plan, height) of its bends, ends included."""
    corners = [(at, v.top) for v in levels(path, shape, terrain, limit) for at in (v.start, v.end)]
    line: list[Point] = [(0.0, _height(path, 0))]
    for corner in (*sorted(corners), (plan_length(path), _height(path, -1))):
        while len(line) > 1 and _bends_up(line[-2], line[-1], corner):
            line.pop()
        if corner != line[-1]:
            line.append(corner)
    return tuple(line)


def _bends_up(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) >= 0.0


def _as_stood(level: Level, whole: float, start: float, end: float) -> Level:
    top = level.top
    if level.start <= 0.0 and start < top - TOLERANCE:
        top = start
    if level.end >= whole - 1e-9 and end < top - TOLERANCE:
        top = max(end, start if level.start <= 0.0 else end)
    return Level(level.start, level.end, top)


def _around(path: Path, reach: float) -> Box:
    """The box around everything that a base of this reach goes over."""
    xs, ys = [point[0] for point in path.points], [point[1] for point in path.points]
    return min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach


def _higher(terrain: Terrain, limit: float) -> tuple[tuple[Piece, Box], ...]:
    """The pieces higher than ``limit``, each with the box around it."""
    return terrain.kept(_those_above(limit)) if isinstance(terrain, Ground) else _boxed(terrain, limit)


@lru_cache
def _those_above(limit: float) -> Callable[[Ground], tuple[tuple[Piece, Box], ...]]:
    return lambda ground: _boxed(ground.pieces, limit)


def _boxed(pieces: Sequence[Piece], limit: float) -> tuple[tuple[Piece, Box], ...]:
    return tuple((piece, box(piece.outline)) for piece in pieces if piece.top > limit + TOLERANCE)


def _height(path: Path, which: int) -> float:
    point = path.points[which]
    return point[2] if len(point) == 3 else 0.0
