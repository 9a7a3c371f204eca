"""Distances and overlaps between bases, hulls and outlines, in plan and in height.

Two circles and two polygons are measured exactly (up to the last bits of a float). A point or a segment against an
ellipse is the root of a falling function, by bisection to the last bit. Two ellipses are measured by the greatest
clearance over all directions, by ternary search. Both are within 1e-9 of the unit. Hulls may be concave.

A book's distance is a function of its ruleset, which rounds it (``shapes.rounded``) before it compares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from campale.table import kernels
from campale.table.outlines import SAME_PLACE, Box, box, contains, inset, placed
from campale.table.shapes import TOLERANCE, Circle, Ellipse, Hull, Point, Solid, heading
from campale.table.terrain import Ground

Floats = NDArray[np.float64]
Measure = Callable[[Solid, Solid], float]

HALF_GRAIN = 0.00005
"""The margin for deciding on which side of a line a base lies, so that no rule depends on a last bit."""

OUTLINE_CORNERS = 512
"""The corners of an ellipse as an outline, or for its farthest point: 2e-5 of its half length off."""


# --- two solids


def gap(a: Solid, b: Solid) -> float:
    """The distance in plan between the edges of two bases: 0 if they touch or overlap. The same both ways."""
    if isinstance(a.shape, Circle) and isinstance(b.shape, Circle):
        dx, dy = b.x - a.x, b.y - a.y
        return max(0.0, math.sqrt(dx * dx + dy * dy) - (a.shape.radius + b.shape.radius))
    first, second = sorted((a, b), key=_order)
    return _gap(first, second)


def rise(a: Solid, b: Solid) -> float:
    """The height between two solids: 0 if they share one."""
    return max(0.0, a.z - (b.z + b.height), b.z - (a.z + a.height))


def apart(a: Solid, b: Solid) -> float:
    """The distance through the air between two solids, with the gap and the rise as sides of a right angle."""
    across, up = gap(a, b), rise(a, b)
    return math.sqrt(across * across + up * up)


def overlaps(a: Solid, b: Solid) -> bool:
    """Whether two bases overlap in plan by more than the tolerance of the table."""
    return gap(shrunk(a, TOLERANCE / 2), shrunk(b, TOLERANCE / 2)) <= 0.0


def touches(a: Solid, b: Solid, tolerance: float = TOLERANCE) -> bool:
    """Whether the edges of two bases are in contact in plan, overlapping included."""
    return gap(a, b) <= tolerance


def is_within(a: Solid, b: Solid, distance: float, *, measured: Measure = apart) -> bool:
    """Whether any part of a is within a distance of b; with ``measured=gap`` in plan."""
    return measured(a, b) <= distance + TOLERANCE


def is_wholly_within(a: Solid, b: Solid, distance: float, *, in_plan: bool = False) -> bool:
    """Whether every part of a is within a distance of b: in plan, or through the air."""
    across = farthest(a, b)
    up = 0.0 if in_plan else max(0.0, b.z - a.z, a.z + a.height - (b.z + b.height))
    return math.sqrt(across * across + up * up) <= distance + TOLERANCE


def farthest(a: Solid, b: Solid) -> float:
    """The distance in plan from the part of a that is farthest from b to b's edge: 0 if all of a is over b.

    Exact for circles and convex hulls; for a circle over a concave hull it may be too great. An ellipse is replaced by
    its outline of ``OUTLINE_CORNERS`` corners.
    """
    if isinstance(a.shape, Circle):
        return max(0.0, _signed_gap(b, a.x, a.y) + a.shape.radius)
    return max(gap_to_point(b, x, y) for x, y in outline_of(a))


# --- points


def gap_to_point(solid: Solid, x: float, y: float) -> float:
    """The distance in plan of a point from the edge of a base: 0 if it lies inside."""
    return max(0.0, _signed_gap(solid, x, y))


def nearest_point(solid: Solid, x: float, y: float) -> Point:
    """The point of a base nearest in plan to (x, y): (x, y) itself if it lies inside.

    On an ellipse it is the nearest point of its outline of ``OUTLINE_CORNERS`` corners.
    """
    if isinstance(solid.shape, Circle):
        dx, dy = x - solid.x, y - solid.y
        off = math.sqrt(dx * dx + dy * dy)
        share = min(1.0, solid.shape.radius / off) if off > 0 else 0.0
        return solid.x + share * dx, solid.y + share * dy
    if gap_to_point(solid, x, y) <= 0.0:
        return x, y
    corners = outline_of(solid)
    feet = [_foot(x, y, corners[k - 1], corners[k]) for k in range(len(corners))]
    return min(feet, key=lambda foot: (foot[0] - x) ** 2 + (foot[1] - y) ** 2)


# --- outlines


def gap_to_outline(solid: Solid, outline: Sequence[Point]) -> float:
    """The distance in plan between a base and an outline: 0 if any part of the base is over it."""
    return _gap_to_corners(solid, np.array(outline, np.float64))


def overlaps_outline(solid: Solid, outline: Sequence[Point]) -> bool:
    """Whether any part of a base is over an outline by more than the tolerance of the table."""
    outline = tuple(outline)
    if _is_beside(solid, box(outline)):
        return False
    return _gap_to_corners(shrunk(solid, TOLERANCE / 2), _drawn_in(outline, TOLERANCE / 2)) <= 0.0


def _is_beside(solid: Solid, around: Box) -> bool:
    """Whether a base is certainly outside a box."""
    west, south, east, north = around
    wide = bounding_radius(solid.shape)
    return solid.x + wide < west or solid.x - wide > east or solid.y + wide < south or solid.y - wide > north


def wholly_inside_outline(solid: Solid, outline: Sequence[Point]) -> bool:
    """Whether all of a base is over an outline; it may reach out of it by the tolerance of the table."""
    inner, corners = shrunk(solid, TOLERANCE), np.array(outline, np.float64)
    x, y = outline_of(inner)[0] if isinstance(solid.shape, Hull) else (solid.x, solid.y)
    return contains(outline, x, y) and _gap_to_boundary(inner, corners) > 0.0


def are_inside(points: ArrayLike, outline: Sequence[Point]) -> NDArray[np.bool_]:
    """Which points, rows of (x, y), are inside an outline or on its edge, as ``outlines.contains`` tells of one."""
    return kernels.in_area(_floats(outline), _floats(points).reshape(-1, 2), SAME_PLACE, False)


def on_table(solid: Solid, ground: Ground) -> bool:
    """Whether all of a base is on the table, edge included, with the tolerance of the table."""
    west, south, east, north = extent(solid)
    low = west >= -TOLERANCE and south >= -TOLERANCE
    return low and east <= ground.width + TOLERANCE and north <= ground.depth + TOLERANCE


def extent(solid: Solid) -> tuple[float, float, float, float]:
    """The least x, least y, greatest x and greatest y of a base."""
    if isinstance(solid.shape, Hull):
        corners = outline_of(solid)
        across, along = [p[0] for p in corners], [p[1] for p in corners]
        return min(across), min(along), max(across), max(along)
    wide, deep = _reach(solid, 1.0, 0.0), _reach(solid, 0.0, 1.0)
    return solid.x - wide, solid.y - deep, solid.x + wide, solid.y + deep


# --- arcs


def in_front(viewer: Solid, other: Solid) -> bool:
    """Whether any part of a base is on or ahead of the line through the viewer's centre square to its facing."""
    ahead_x, ahead_y = heading(viewer.facing)
    off = (other.x - viewer.x) * ahead_x + (other.y - viewer.y) * ahead_y
    return off + _reach(other, ahead_x, ahead_y) >= -HALF_GRAIN


def is_behind(viewer: Solid, other: Solid) -> bool:
    """Whether the centre of a base is behind the line through the viewer's centre square to its facing."""
    ahead_x, ahead_y = heading(viewer.facing)
    return (other.x - viewer.x) * ahead_x + (other.y - viewer.y) * ahead_y < -HALF_GRAIN


def in_arc(viewer: Solid, other: Solid, from_: float, to: float, part: str = "any") -> bool:
    """Whether a base lies in the arc seen from the viewer's centre, from one angle to another, edges included.

    Angles are degrees clockwise from the viewer's facing: (-45, 45) is the quarter ahead, (135, 225) the one behind.
    ``part`` is ``"any"`` part of the base or its ``"centre"``. ValueError for another part.
    """
    if part not in ("any", "centre"):
        raise ValueError(f"a part of a base is 'any' or 'centre', not {part!r}")
    if to - from_ >= 360.0 or _point_in_arc(viewer, other.x, other.y, from_, to):
        return True
    return part == "any" and any(_meets_ray(viewer, other, angle) for angle in (from_, to))


# --- many at once


def circle_gaps(x: ArrayLike, y: ArrayLike, r: ArrayLike, i: int) -> Floats:
    """The gaps in plan from circle i to all circles (n); 0 to itself. Arrays are (n), in the ruleset's unit."""
    return kernels.circle_gaps(_floats(x), _floats(y), _floats(r), i)


def circle_gap_matrix(
    xa: ArrayLike, ya: ArrayLike, ra: ArrayLike, xb: ArrayLike, yb: ArrayLike, rb: ArrayLike
) -> Floats:
    """The gaps in plan (n, m) between n circles and m circles."""
    one, other = (_floats(xa), _floats(ya), _floats(ra)), (_floats(xb), _floats(yb), _floats(rb))
    return kernels.circle_gap_matrix(*one, *other)


def gaps_to_outlines(x: ArrayLike, y: ArrayLike, r: ArrayLike, ground: Ground) -> Floats:
    """The gaps in plan (n, pieces) between n circles and the outlines of the pieces: 0 over the outline."""
    prisms = ground.prisms
    return kernels.gaps_to_outlines(_floats(x), _floats(y), _floats(r), prisms.corners, prisms.starts)


def signed_gaps(hull: Solid, x: ArrayLike, y: ArrayLike) -> Floats:
    """The distances of points (n) from the edge of a hull, below 0 inside it."""
    return kernels.signed_gaps(_floats(x), _floats(y), corners_of(hull))


def over_outlines(points: ArrayLike, ground: Ground, which: ArrayLike, near: float = SAME_PLACE) -> NDArray[np.bool_]:
    """Whether points (n, 2) are over some of the pieces (by number), or on their edges: (n, pieces)."""
    prisms, places = ground.prisms, _floats(points).reshape(-1, 2)
    wanted = np.ascontiguousarray(which, np.int64)
    return kernels.over_outlines(places, prisms.corners, prisms.starts, prisms.boxes, wanted, near)


def all_in_front(viewers: ArrayLike, targets: ArrayLike) -> NDArray[np.bool_]:
    """``in_front`` for n viewers (n, 3: x, y, facing) and m round targets (m, 3: x, y, radius): (n, m)."""
    views = _floats(viewers).reshape(-1, 3)
    looks = [(x, y, *heading(facing)) for x, y, facing in views.tolist()]
    return kernels.in_front(np.array(looks, np.float64).reshape(-1, 4), _floats(targets).reshape(-1, 3))


# --- shapes on the table


def outline_of(solid: Solid) -> tuple[Point, ...]:
    """The corners of a base on the table, counter-clockwise; circles and ellipses by ``OUTLINE_CORNERS`` corners."""
    if isinstance(solid.shape, Hull):
        return _hull_outline(solid.shape.corners, solid.x, solid.y, solid.facing)
    wide, deep = _half_axes(solid)
    turns = [2 * math.pi * k / OUTLINE_CORNERS for k in range(OUTLINE_CORNERS)]
    corners = [(wide * round(math.cos(t), 12), deep * round(math.sin(t), 12)) for t in turns]
    return placed(corners, solid.x, solid.y, solid.facing)


def corners_of(solid: Solid) -> Floats:
    """``outline_of`` as an array (n, 2), which is not to be written to."""
    if isinstance(solid.shape, Hull):
        return _hull_corners(solid.shape.corners, solid.x, solid.y, solid.facing)
    return np.array(outline_of(solid), np.float64)


@lru_cache(maxsize=4096)
def _hull_outline(corners: tuple[Point, ...], x: float, y: float, facing: float) -> tuple[Point, ...]:
    return placed(corners, x, y, facing)


@lru_cache(maxsize=4096)
def _hull_corners(corners: tuple[Point, ...], x: float, y: float, facing: float) -> Floats:
    return np.array(_hull_outline(corners, x, y, facing), np.float64)


@lru_cache(maxsize=4096)
def _drawn_in(outline: tuple[Point, ...], by: float) -> Floats:
    return np.array(inset(outline, by), np.float64)


def shrunk(solid: Solid, by: float) -> Solid:
    """The solid with its base drawn in all round by a length small compared with it."""
    return Solid(_shrunk_shape(solid.shape, by), solid.x, solid.y, solid.z, solid.facing, solid.height)


def bounding_radius(shape: Circle | Ellipse | Hull) -> float:
    """The radius of the smallest circle about a shape's own centre that contains it."""
    if isinstance(shape, Circle):
        return shape.radius
    if isinstance(shape, Ellipse):
        return max(shape.half_length, shape.half_width)
    return max(math.sqrt(x * x + y * y) for x, y in shape.corners)


def narrowest(shape: Circle | Ellipse | Hull) -> float:
    """The width of the narrowest strip that a shape fits into, at any turn."""
    if isinstance(shape, Circle):
        return 2.0 * shape.radius
    if isinstance(shape, Ellipse):
        return 2.0 * min(shape.half_length, shape.half_width)
    return min(_across(shape.corners, a, b) for a, b in combinations(shape.corners, 2) if a != b)


def _across(corners: Sequence[Point], a: Point, b: Point) -> float:
    """How wide corners lie across the line through two points."""
    along_x, along_y = b[0] - a[0], b[1] - a[1]
    found = [along_x * y - along_y * x for x, y in corners]
    return (max(found) - min(found)) / math.hypot(along_x, along_y)


def _shrunk_shape(shape: Circle | Ellipse | Hull, by: float) -> Circle | Ellipse | Hull:
    if isinstance(shape, Circle):
        return Circle(shape.radius - by)
    if isinstance(shape, Ellipse):
        return Ellipse(max(by, shape.half_length - by), max(by, shape.half_width - by))
    return Hull(inset(shape.corners, by))


def _order(solid: Solid) -> tuple[int, float, float, float]:
    kind = 0 if isinstance(solid.shape, Circle) else 1 if isinstance(solid.shape, Ellipse) else 2
    return kind, solid.x, solid.y, solid.facing


def _gap(a: Solid, b: Solid) -> float:
    """The gap between two solids, a's shape not after b's in the order circle, ellipse, hull, and not both circles."""
    if isinstance(a.shape, Circle):
        return max(0.0, _signed_gap(b, a.x, a.y) - a.shape.radius)
    if isinstance(b.shape, Ellipse):
        return kernels.ellipses_gap(_oval(a), _oval(b), b.x - a.x, b.y - a.y)
    return _gap_to_corners(a, corners_of(b))


def _gap_to_corners(solid: Solid, corners: Floats) -> float:
    if isinstance(solid.shape, Hull):
        return kernels.polygons_gap(corners_of(solid), corners)
    if kernels.point_inside(corners, 0, len(corners), solid.x, solid.y):
        return 0.0
    return max(0.0, _gap_to_boundary(solid, corners))


def _gap_to_boundary(solid: Solid, corners: Floats) -> float:
    if isinstance(solid.shape, Circle):
        return kernels.point_to_boundary(corners, 0, len(corners), solid.x, solid.y) - solid.shape.radius
    if isinstance(solid.shape, Hull):
        return kernels.boundaries_gap(corners_of(solid), corners)
    local = np.array([_local(solid, x, y) for x, y in corners.tolist()], np.float64)
    return kernels.boundary_to_ellipse(*_half_axes(solid), local)


def _signed_gap(solid: Solid, x: float, y: float) -> float:
    """The distance of a point from a base's edge, negative inside (0 inside an ellipse)."""
    if isinstance(solid.shape, Circle):
        dx, dy = x - solid.x, y - solid.y
        return math.sqrt(dx * dx + dy * dy) - solid.shape.radius
    if isinstance(solid.shape, Ellipse):
        return kernels.point_to_ellipse(*_half_axes(solid), *_local(solid, x, y))
    corners = corners_of(solid)
    off = kernels.point_to_boundary(corners, 0, len(corners), x, y)
    return -off if kernels.point_inside(corners, 0, len(corners), x, y) else off


def _local(solid: Solid, x: float, y: float) -> Point:
    """A point of the table in the coordinates of a solid (+y forward, +x right)."""
    ahead_x, ahead_y = heading(solid.facing)
    dx, dy = x - solid.x, y - solid.y
    return dx * ahead_y - dy * ahead_x, dx * ahead_x + dy * ahead_y


def _half_axes(solid: Solid) -> Point:
    """Half the width and half the length of a round base."""
    if isinstance(solid.shape, Ellipse):
        return solid.shape.half_width, solid.shape.half_length
    return bounding_radius(solid.shape), bounding_radius(solid.shape)


def _oval(solid: Solid) -> Floats:
    wide, deep = _half_axes(solid)
    return np.array((deep, wide, *heading(solid.facing)), np.float64)


def _reach(solid: Solid, nx: float, ny: float) -> float:
    """The distance that a base reaches from its own centre along a unit vector."""
    if isinstance(solid.shape, Hull):
        return max((x - solid.x) * nx + (y - solid.y) * ny for x, y in outline_of(solid))
    wide, deep = _half_axes(solid)
    ahead_x, ahead_y = heading(solid.facing)
    across, along = wide * (nx * ahead_y - ny * ahead_x), deep * (nx * ahead_x + ny * ahead_y)
    return math.sqrt(across * across + along * along)


def _point_in_arc(viewer: Solid, x: float, y: float, from_: float, to: float) -> bool:
    """Whether a point is between two rays; beside the edges of the arc the half grain decides."""
    left, right = heading(viewer.facing + from_), heading(viewer.facing + to)
    dx, dy = x - viewer.x, y - viewer.y
    after_left = dx * left[1] - dy * left[0] >= -HALF_GRAIN
    before_right = dy * right[0] - dx * right[1] >= -HALF_GRAIN
    if to - from_ > 180.0:
        return after_left or before_right
    ahead = dx * (left[0] + right[0]) + dy * (left[1] + right[1]) >= -HALF_GRAIN
    return after_left and before_right and (ahead or to - from_ == 180.0)


def _meets_ray(viewer: Solid, other: Solid, angle: float) -> bool:
    ahead_x, ahead_y = heading(viewer.facing + angle)
    far = gap_to_point(other, viewer.x, viewer.y) + 2 * bounding_radius(other.shape) + 1.0
    end = (viewer.x + far * ahead_x, viewer.y + far * ahead_y)
    return gap_to_outline(other, ((viewer.x, viewer.y), end)) <= HALF_GRAIN


def _foot(x: float, y: float, a: Point, b: Point) -> Point:
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    along = min(1.0, max(0.0, ((x - a[0]) * dx + (y - a[1]) * dy) / square)) if square > 0 else 0.0
    return a[0] + along * dx, a[1] + along * dy


def _floats(values: ArrayLike) -> Floats:
    return np.ascontiguousarray(values, np.float64)
