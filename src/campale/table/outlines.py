"""Outlines: simple polygons in plan, as tuples of corners, counter-clockwise, in the ruleset's unit.

Plain Python for the few calls while a table is laid; the functions in constant use are in ``measure``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from campale.table.shapes import TOLERANCE, Point, heading, rounded

Outline = tuple[Point, ...]
Box = tuple[float, float, float, float]
"""Least x and y, greatest x and y."""

SAME_PLACE = 1e-9
"""Two corners nearer than this are one corner; three are in line if the area between them is less."""


def placed(corners: Sequence[Point], x: float, y: float, facing: float = 0.0) -> Outline:
    """Corners in own coordinates (+y forward, +x right), moved to (x, y) and turned to a facing."""
    ahead_x, ahead_y = heading(facing)
    return tuple((x + px * ahead_y + py * ahead_x, y - px * ahead_x + py * ahead_y) for px, py in corners)


def rectangle(x: float, y: float, width: float, depth: float, turned: float = 0.0) -> Outline:
    """A rectangle about its centre: ``width`` along +x, ``depth`` along +y, turned clockwise by degrees."""
    half, deep = width / 2, depth / 2
    corners = placed(((-half, -deep), (half, -deep), (half, deep), (-half, deep)), x, y, turned)
    return tuple((rounded(cx), rounded(cy)) for cx, cy in corners)


def regular(x: float, y: float, radius: float, corners: int) -> Outline:
    """A regular polygon about (x, y), its first corner towards +x, ``radius`` from centre to corner.

    ValueError for fewer than three corners.
    """
    if corners < 3:
        raise ValueError(f"an outline needs 3 corners, not {corners}")
    turns = [2 * math.pi * k / corners for k in range(corners)]
    return tuple((rounded(x + radius * math.cos(t)), rounded(y + radius * math.sin(t))) for t in turns)


def sides(outline: Sequence[Point]) -> list[tuple[Point, Point]]:
    """The sides of an outline, each from corner to next corner."""
    return [(outline[k], outline[(k + 1) % len(outline)]) for k in range(len(outline))]


def area(outline: Sequence[Point]) -> float:
    """The area inside an outline: negative when its corners run clockwise."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in sides(outline)) / 2


def counter_clockwise(outline: Sequence[Point]) -> Outline:
    """The same outline with its corners running counter-clockwise."""
    return tuple(outline) if area(outline) >= 0 else tuple(reversed(outline))


def box(outline: Sequence[Point]) -> Box:
    """The least x, least y, greatest x and greatest y of an outline."""
    return _box(outline) if isinstance(outline, tuple) else _box(tuple(outline))


@lru_cache(maxsize=8192)
def _box(outline: Outline) -> Box:
    across, along = [p[0] for p in outline], [p[1] for p in outline]
    return min(across), min(along), max(across), max(along)


def nearest_in(around: Box, point: Point) -> Point:
    """The point of a box nearest to a point."""
    return min(max(point[0], around[0]), around[2]), min(max(point[1], around[1]), around[3])


def centre_of(outline: Sequence[Point]) -> Point:
    """The centre of gravity of the area in an outline."""
    whole = area(outline)
    if abs(whole) < SAME_PLACE:
        return outline[0]
    x = sum((a[0] + b[0]) * (a[0] * b[1] - b[0] * a[1]) for a, b in sides(outline))
    y = sum((a[1] + b[1]) * (a[0] * b[1] - b[0] * a[1]) for a, b in sides(outline))
    return x / (6 * whole), y / (6 * whole)


def contains(outline: Sequence[Point], x: float, y: float, tolerance: float = SAME_PLACE) -> bool:
    """Whether a point is inside an outline or on its edge (within ``tolerance`` of it)."""
    inside, least = False, tolerance * tolerance
    ax, ay = outline[-1]
    for bx, by in outline:
        dx, dy, px, py = bx - ax, by - ay, x - ax, y - ay
        square = dx * dx + dy * dy
        along = min(1.0, max(0.0, (px * dx + py * dy) / square)) if square > 0 else 0.0
        px, py = px - along * dx, py - along * dy
        if px * px + py * py <= least:
            return True
        if (ay > y) != (by > y) and x < ax + (y - ay) * dx / dy:
            inside = not inside
        ax, ay = bx, by
    return inside


def meet(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether two outlines have any point in common, their insides included."""
    if any(cross(a, b, c, d) for a, b in sides(one) for c, d in sides(other)):
        return True
    return contains(one, *other[0]) or contains(other, *one[0])


def overlap(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether two outlines overlap by more than the tolerance of the table."""
    first, second = box(one), box(other)
    if not boxes_overlap(first, second):
        return False
    if is_upright(one, first) and is_upright(other, second):
        return True
    return meet(inset(one, TOLERANCE / 2), inset(other, TOLERANCE / 2))


def boxes_overlap(one: Box, other: Box) -> bool:
    """Whether two boxes overlap by no less than the tolerance of the table."""
    return (
        one[2] - other[0] >= TOLERANCE
        and other[2] - one[0] >= TOLERANCE
        and one[3] - other[1] >= TOLERANCE
        and other[3] - one[1] >= TOLERANCE
    )


def is_upright(outline: Sequence[Point], around: Box) -> bool:
    """Whether an outline is a rectangle along the axes, given its box."""
    return len(outline) == 4 and all(x in (around[0], around[2]) and y in (around[1], around[3]) for x, y in outline)


def lies_inside(inner: Sequence[Point], outer: Sequence[Point]) -> bool:
    """Whether an outline lies wholly inside another; its edge counts as inside."""
    within = inset(inner, TOLERANCE)
    if any(cross(a, b, c, d) for a, b in sides(within) for c, d in sides(outer)):
        return False
    return contains(outer, *within[0])


def inset(outline: Sequence[Point], by: float) -> Outline:
    """The outline with every side drawn inwards by a length small compared with the sides."""
    return _inset(tuple(outline), by)


@lru_cache(maxsize=4096)
def _inset(outline: Outline, by: float) -> Outline:
    count = len(outline)
    return tuple(_drawn_in(outline[k - 1], outline[k], outline[(k + 1) % count], by) for k in range(count))


def crossing_of_itself(outline: Sequence[Point]) -> Point | None:
    """A corner near which an outline crosses or touches itself, or None if it is simple."""
    lines = sides(outline)
    last = len(lines) - 1
    for i, (a, b) in enumerate(lines):
        for j in range(i + 2, len(lines)):
            if (i, j) != (0, last) and cross(a, b, *lines[j]):
                return b
    return next((b for k, (a, b) in enumerate(lines) if _folds(a, b, lines[(k + 1) % len(lines)][1])), None)


def cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether the segments a-b and c-d have a point in common."""
    one, two = _turn(a, b, c), _turn(a, b, d)
    three, four = _turn(c, d, a), _turn(c, d, b)
    if one * two < 0 and three * four < 0:
        return True
    touches = ((one, c, a, b), (two, d, a, b), (three, a, c, d), (four, b, c, d))
    return any(turn == 0 and _off(p[0], p[1], s, e) <= SAME_PLACE for turn, p, s, e in touches)


def _turn(a: Point, b: Point, c: Point) -> float:
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return 0.0 if abs(turn) <= SAME_PLACE else turn


def _folds(a: Point, b: Point, c: Point) -> bool:
    backwards = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0
    return _turn(a, b, c) == 0 and backwards


def _off(x: float, y: float, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    along = ((x - a[0]) * dx + (y - a[1]) * dy) / square if square > 0 else 0.0
    along = min(1.0, max(0.0, along))
    ox, oy = x - a[0] - along * dx, y - a[1] - along * dy
    return math.sqrt(ox * ox + oy * oy)


def _drawn_in(before: Point, corner: Point, after: Point, by: float) -> Point:
    one, two = _left_of(before, corner), _left_of(corner, after)
    scale = 1 + one[0] * two[0] + one[1] * two[1]
    if scale < 1e-6:
        return corner
    return corner[0] + by * (one[0] + two[0]) / scale, corner[1] + by * (one[1] + two[1]) / scale


def _left_of(a: Point, b: Point) -> Point:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.sqrt(dx * dx + dy * dy) or 1.0
    return -dy / length, dx / length
