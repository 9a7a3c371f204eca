"""The compiled geometry: the only module that imports numba.

Each kernel exists twice: plain, as written, and compiled, in a separate namespace (``COMPILED``), so that either may
stand in this module under its name. Both give the same bits; ``campale.table.warming`` decides which is used when.

They are all in one file because a compiled kernel kept on disk is renewed only when its own file changes: a kernel that
calls kernels of another file would go on with their former versions.

Kernels use only + - * / square roots and comparisons, in a fixed order, so that every machine gives the same bits. They
take and return arrays of floats; the convenient functions are in the other modules of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple, TypeVar, cast

import numba as nb
import numpy as np
import numpy.typing as npt
from llvmlite.binding import get_host_cpu_name

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
F = TypeVar("F", bound=Callable[..., Any])


PLAIN: dict[str, FunctionType] = {}
"""Every kernel as written."""

COMPILED: dict[str, Any] = {}
"""The namespace of the compiled kernels: they by their names, and everything else in this module."""


def made_for() -> tuple[str, str]:
    """What compiled kernels depend on, apart from this file: the compiler's version and the processor."""
    return nb.__version__, get_host_cpu_name()


def kernel(function: F) -> F:
    """Compile a function at its first call; kept on disk if there is a folder for it, otherwise compiled each time."""
    plain = cast(FunctionType, function)
    source = FunctionType(plain.__code__, COMPILED, plain.__name__, plain.__defaults__)
    source.__module__, source.__qualname__, source.__doc__ = plain.__module__, plain.__qualname__, plain.__doc__
    compiled: Any
    try:
        compiled = nb.njit(cache=True)(source)
    except RuntimeError:
        compiled = nb.njit(source)
    PLAIN[plain.__name__], COMPILED[plain.__name__] = plain, compiled
    return cast(F, compiled)


# --- measure

NEAR = 1e-9
"""Lengths below this count as nothing: a line that grazes an edge or a top is not inside."""

TOLERANCE = 0.001
"""As ``shapes.TOLERANCE``."""

HALF_GRAIN = 0.00005
"""The margin that decides on which side of a line a base lies, so that no rule depends on a last bit."""

Bytes = npt.NDArray[np.int8]
Bools = npt.NDArray[np.bool_]
Point = tuple[float, float, float]


class Going(NamedTuple):
    """What a moving round base keeps clear of: the table's edges, discs, and outlines.

    ``discs`` (n, 3): x, y, and how far the centres keep apart. ``corners`` (m, 2) and ``starts`` (k + 1): outlines that
    it may not overlap, as in ``Prisms``; ``boxes`` (k, 4): the most that each bars to the centre. The base stays on the
    ground.
    """

    width: float
    depth: float
    radius: float
    discs: Floats
    corners: Floats
    starts: Ints
    boxes: Floats


@kernel
def square_off(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The squared distance of a point from a segment."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    along = 0.0
    if square > 0.0:
        along = ((px - ax) * dx + (py - ay) * dy) / square
        along = min(1.0, max(0.0, along))
    ox, oy = px - (ax + along * dx), py - (ay + along * dy)
    return ox * ox + oy * oy


@kernel
def point_to_boundary(corners: Floats, first: int, last: int, x: float, y: float) -> float:
    """The distance of a point from the boundary of the polygon of corners ``first`` to ``last - 1``."""
    least = np.inf
    before = last - 1
    for k in range(first, last):
        off = square_off(x, y, corners[before, 0], corners[before, 1], corners[k, 0], corners[k, 1])
        least = min(least, off)
        before = k
    return float(np.sqrt(least))


@kernel
def point_inside(corners: Floats, first: int, last: int, x: float, y: float) -> bool:
    """Whether a point lies inside a polygon; on the boundary either answer."""
    inside = False
    before = last - 1
    for k in range(first, last):
        ax, ay, bx, by = corners[before, 0], corners[before, 1], corners[k, 0], corners[k, 1]
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
        before = k
    return inside


@kernel
def point_to_polygon(corners: Floats, first: int, last: int, x: float, y: float) -> float:
    """The distance of a point from a polygon: 0 inside."""
    if point_inside(corners, first, last, x, y):
        return 0.0
    return point_to_boundary(corners, first, last, x, y)


@kernel
def points_inside(corners: Floats, starts: Ints, boxes: Floats, points: Floats, tolerance: float) -> Bools:
    """Which points lie in which polygons, or within ``tolerance`` of their boundary but in their box."""
    out = np.zeros((points.shape[0], boxes.shape[0]), np.bool_)
    for n in range(points.shape[0]):
        x, y = points[n, 0], points[n, 1]
        for p in range(boxes.shape[0]):
            if x < boxes[p, 0] or y < boxes[p, 1] or x > boxes[p, 2] or y > boxes[p, 3]:
                continue
            first, last = starts[p], starts[p + 1]
            near = point_to_boundary(corners, first, last, x, y) <= tolerance
            out[n, p] = near or point_inside(corners, first, last, x, y)
    return out


@kernel
def turn(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> float:
    """Twice the area of a triangle: positive when it turns left."""
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)


@kernel
def segments_square_gap(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float
) -> float:
    """The squared distance between two segments: 0 when they cross."""
    across = turn(ax, ay, bx, by, cx, cy) * turn(ax, ay, bx, by, dx, dy) < 0.0
    if across and turn(cx, cy, dx, dy, ax, ay) * turn(cx, cy, dx, dy, bx, by) < 0.0:
        return 0.0
    one = min(square_off(ax, ay, cx, cy, dx, dy), square_off(bx, by, cx, cy, dx, dy))
    two = min(square_off(cx, cy, ax, ay, bx, by), square_off(dx, dy, ax, ay, bx, by))
    return min(one, two)


@kernel
def boundaries_gap(one: Floats, other: Floats) -> float:
    """The distance between the boundaries of two polygons."""
    least = np.inf
    a = one.shape[0] - 1
    for i in range(one.shape[0]):
        b = other.shape[0] - 1
        for j in range(other.shape[0]):
            gap = segments_square_gap(
                one[a, 0], one[a, 1], one[i, 0], one[i, 1], other[b, 0], other[b, 1], other[j, 0], other[j, 1]
            )
            least = min(least, gap)
            b = j
        a = i
    return float(np.sqrt(least))


@kernel
def polygons_gap(one: Floats, other: Floats) -> float:
    """The distance between two polygons: 0 when they have a point in common."""
    if point_inside(one, 0, one.shape[0], other[0, 0], other[0, 1]):
        return 0.0
    if point_inside(other, 0, other.shape[0], one[0, 0], one[0, 1]):
        return 0.0
    return boundaries_gap(one, other)


@kernel
def point_to_ellipse(half_x: float, half_y: float, x: float, y: float) -> float:
    """The distance of a point from an ellipse about the origin, its axes along x and y: 0 inside.

    The foot of the perpendicular is the root of a falling function of one unknown, halved to the last bit.
    """
    a, b, px, py = half_x, half_y, abs(x), abs(y)
    if a < b:
        a, b, px, py = b, a, py, px
    if (px / a) * (px / a) + (py / b) * (py / b) <= 1.0:
        return 0.0
    if py == 0.0:
        return px - a
    ratio = (a / b) * (a / b)
    zx, zy = px / a, py / b
    low, high = 0.0, float(np.sqrt(ratio * ratio * zx * zx + zy * zy)) - 1.0
    for _ in range(200):
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        across, along = ratio * zx / (middle + ratio), zy / (middle + 1.0)
        if across * across + along * along > 1.0:
            low = middle
        else:
            high = middle
    root = (low + high) / 2.0
    ox, oy = px - ratio * px / (root + ratio), py - py / (root + 1.0)
    return float(np.sqrt(ox * ox + oy * oy))


@kernel
def segment_to_ellipse(half_x: float, half_y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The distance of a segment from an ellipse about the origin: 0 when they meet."""
    if square_off(0.0, 0.0, ax / half_x, ay / half_y, bx / half_x, by / half_y) <= 1.0:
        return 0.0
    least = min(point_to_ellipse(half_x, half_y, ax, ay), point_to_ellipse(half_x, half_y, bx, by))
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    if square == 0.0:
        return least
    length = float(np.sqrt(square))
    nx, ny = dy / length, -dx / length
    off = nx * ax + ny * ay
    if off < 0.0:
        nx, ny, off = -nx, -ny, -off
    reach = float(np.sqrt(half_x * half_x * nx * nx + half_y * half_y * ny * ny))
    qx, qy = half_x * half_x * nx / reach, half_y * half_y * ny / reach
    along = ((qx - ax) * dx + (qy - ay) * dy) / square
    if off > reach and 0.0 < along < 1.0:
        least = min(least, off - reach)
    return least


@kernel
def boundary_to_ellipse(half_x: float, half_y: float, corners: Floats) -> float:
    """The distance of a polygon's boundary from an ellipse about the origin."""
    least = np.inf
    before = corners.shape[0] - 1
    for k in range(corners.shape[0]):
        gap = segment_to_ellipse(half_x, half_y, corners[before, 0], corners[before, 1], corners[k, 0], corners[k, 1])
        least = min(least, gap)
        before = k
    return float(least)


@kernel
def clearance(one: Floats, other: Floats, x: float, y: float, nx: float, ny: float) -> float:
    """How far two ellipses stand apart along a direction (times its length), from one's centre to (x, y).

    An ellipse is (half length, half width, ahead x, ahead y).
    """
    along, across = one[0] * (nx * one[2] + ny * one[3]), one[1] * (nx * one[3] - ny * one[2])
    reach = np.sqrt(along * along + across * across)
    along, across = other[0] * (nx * other[2] + ny * other[3]), other[1] * (nx * other[3] - ny * other[2])
    return float(nx * x + ny * y - reach - np.sqrt(along * along + across * across))


@kernel
def steepest(one: Floats, other: Floats, x: float, y: float, low: float, high: float, by_length: bool) -> float:
    """The slant in a range along which the clearance is greatest, by thirds (it has a single peak)."""
    for _ in range(120):
        left, right = low + (high - low) / 3.0, high - (high - low) / 3.0
        at_left = clearance(one, other, x, y, x - left * y, y + left * x)
        at_right = clearance(one, other, x, y, x - right * y, y + right * x)
        if by_length:
            at_left, at_right = at_left / np.sqrt(1.0 + left * left), at_right / np.sqrt(1.0 + right * right)
        if at_left < at_right:
            low = left
        else:
            high = right
    return (low + high) / 2.0


@kernel
def first_clear(one: Floats, other: Floats, x: float, y: float, closed: float, clear: float) -> float:
    """The slant between a closed one and a clear one at which the clearance begins, by halves."""
    for _ in range(100):
        middle = (closed + clear) / 2.0
        if clearance(one, other, x, y, x - middle * y, y + middle * x) > 0.0:
            clear = middle
        else:
            closed = middle
    return clear


@kernel
def ellipses_gap(one: Floats, other: Floats, x: float, y: float) -> float:
    """The distance between two ellipses, the centre of the other at (x, y) from one's: 0 when they meet.

    It is the greatest clearance over all directions; a direction is the line of centres plus a slant times its
    perpendicular. Over the slants the bare clearance is concave (so whether it is ever positive is found by thirds),
    and where it is positive the clearance for a direction of length 1 has a single peak.
    """
    square = x * x + y * y
    if square == 0.0:
        return 0.0
    widest = np.sqrt(square) / (min(one[0], one[1]) + min(other[0], other[1]))
    middle = steepest(one, other, x, y, -widest, widest, False)
    if clearance(one, other, x, y, x - middle * y, y + middle * x) <= 0.0:
        return 0.0
    low = first_clear(one, other, x, y, -widest, middle)
    high = first_clear(one, other, x, y, widest, middle)
    best = steepest(one, other, x, y, low, high, True)
    found = clearance(one, other, x, y, x - best * y, y + best * x)
    return float(found / np.sqrt((1.0 + best * best) * square))


@kernel
def circle_gaps(x: Floats, y: Floats, r: Floats, i: int) -> Floats:
    """The gap between circle i and every circle; 0 where they overlap, and for itself."""
    out = np.zeros(x.shape[0])
    for k in range(x.shape[0]):
        dx, dy = x[k] - x[i], y[k] - y[i]
        out[k] = max(0.0, np.sqrt(dx * dx + dy * dy) - (r[k] + r[i]))
    return out


@kernel
def circle_gap_matrix(xa: Floats, ya: Floats, ra: Floats, xb: Floats, yb: Floats, rb: Floats) -> Floats:
    """The gaps between the circles of two groups."""
    out = np.zeros((xa.shape[0], xb.shape[0]))
    for i in range(xa.shape[0]):
        for k in range(xb.shape[0]):
            dx, dy = xb[k] - xa[i], yb[k] - ya[i]
            out[i, k] = max(0.0, np.sqrt(dx * dx + dy * dy) - (ra[i] + rb[k]))
    return out


@kernel
def gaps_to_outlines(x: Floats, y: Floats, r: Floats, corners: Floats, starts: Ints) -> Floats:
    """The gap between every circle and every polygon."""
    out = np.zeros((x.shape[0], starts.shape[0] - 1))
    for i in range(x.shape[0]):
        for p in range(starts.shape[0] - 1):
            out[i, p] = max(0.0, point_to_polygon(corners, starts[p], starts[p + 1], x[i], y[i]) - r[i])
    return out


@kernel
def over_outlines(points: Floats, corners: Floats, starts: Ints, boxes: Floats, which: Ints, near: float) -> Bools:
    """Whether points (n, 2) lie in some of the polygons, or within ``near`` of their edges: (n, all polygons)."""
    out = np.zeros((points.shape[0], boxes.shape[0]), np.bool_)
    for i in range(points.shape[0]):
        x, y = points[i, 0], points[i, 1]
        for k in which:
            if x < boxes[k, 0] - near or y < boxes[k, 1] - near or x > boxes[k, 2] + near or y > boxes[k, 3] + near:
                continue
            inside = point_inside(corners, starts[k], starts[k + 1], x, y)
            out[i, k] = inside or point_to_boundary(corners, starts[k], starts[k + 1], x, y) <= near
    return out


@kernel
def signed_gaps(x: Floats, y: Floats, corners: Floats) -> Floats:
    """The distance of every point from a polygon's boundary, negative inside."""
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):
        off = point_to_boundary(corners, 0, corners.shape[0], x[i], y[i])
        out[i] = -off if point_inside(corners, 0, corners.shape[0], x[i], y[i]) else off
    return out


@kernel
def _nears(x: float, y: float, reach: Floats) -> bool:
    return bool(abs(x - reach[0]) <= reach[2] and abs(y - reach[1]) <= reach[2])


@kernel
def clear_of_hulls(
    places: Floats, radius: float, inner: float, corners: Floats, starts: Ints, kept: Floats, reach: Floats
) -> Bools:
    """Whether a disc at each place (n, 2 or more: x, y) keeps clear of hulls.

    ``kept`` is the gap to each outline. Where it is 0, no overlap is enough: then the outline is given drawn in, and
    the disc has its ``inner`` radius. ``reach`` (k, 3): x, y of each, and how far from there it may bar.
    """
    out = np.ones(places.shape[0], np.bool_)
    for i in range(places.shape[0]):
        x, y = places[i, 0], places[i, 1]
        for k in range(kept.shape[0]):
            if not _nears(x, y, reach[k]):
                continue
            off = point_to_boundary(corners, starts[k], starts[k + 1], x, y)
            if point_inside(corners, starts[k], starts[k + 1], x, y):
                off = -off
            if max(0.0, off - radius) < kept[k] - TOLERANCE if kept[k] > 0.0 else off - inner <= 0.0:
                out[i] = False
                break
    return out


@kernel
def _hull_bars(own: Floats, other: Floats, is_first: bool, kept: float) -> bool:
    gap = polygons_gap(own, other) if is_first else polygons_gap(other, own)
    return gap < kept - TOLERANCE if kept > 0.0 else gap <= 0.0


@kernel
def hulls_clear(
    places: Floats,
    width: float,
    depth: float,
    outline: Floats,
    drawn_in: Floats,
    discs: Floats,
    hulls: Floats,
    corners: Floats,
    starts: Ints,
    barred: Floats,
    barred_starts: Ints,
) -> Bools:
    """Whether a hull at each place (n, 5: x, y, facing, heading x, heading y) is on the table and clear of all others.

    ``outline`` and ``drawn_in`` are its corners in its own coordinates. ``discs`` (d, 5) and ``hulls`` (h, 5) are x, y,
    how far from there each may bar, the gap kept from it, and its radius or its facing. The outlines with a gap of 0,
    and those of the barred pieces, are drawn in.
    """
    out = np.ones(places.shape[0], np.bool_)
    whole, inner = np.empty_like(outline), np.empty_like(drawn_in)
    last = outline.shape[0]
    for i in range(places.shape[0]):
        x, y, facing = places[i, 0], places[i, 1], places[i, 2]
        _stand(outline, x, y, places[i, 3], places[i, 4], whole)
        _stand(drawn_in, x, y, places[i, 3], places[i, 4], inner)
        for c in range(last):
            if whole[c, 0] < -TOLERANCE or whole[c, 0] > width + TOLERANCE:
                out[i] = False
            if whole[c, 1] < -TOLERANCE or whole[c, 1] > depth + TOLERANCE:
                out[i] = False
        for k in range(discs.shape[0]):
            if not out[i] or not _nears(x, y, discs[k]):
                continue
            own = whole if discs[k, 3] > 0.0 else inner
            off = point_to_boundary(own, 0, last, discs[k, 0], discs[k, 1])
            if point_inside(own, 0, last, discs[k, 0], discs[k, 1]):
                off = -off
            if discs[k, 3] > 0.0:
                out[i] = max(0.0, off - discs[k, 4]) >= discs[k, 3] - TOLERANCE
            else:
                out[i] = off - (discs[k, 4] - TOLERANCE / 2.0) > 0.0
        for k in range(hulls.shape[0]):
            if not out[i] or not _nears(x, y, hulls[k]):
                continue
            other = corners[starts[k] : starts[k + 1]]
            is_first = (x, y, facing) <= (hulls[k, 0], hulls[k, 1], hulls[k, 4])
            out[i] = not _hull_bars(whole if hulls[k, 3] > 0.0 else inner, other, is_first, hulls[k, 3])
        for k in range(barred_starts.shape[0] - 1):
            if out[i]:
                out[i] = not _hull_bars(inner, barred[barred_starts[k] : barred_starts[k + 1]], True, 0.0)
    return out


@kernel
def in_front(viewers: Floats, targets: Floats) -> Bools:
    """Whether any part of each target (x, y, r) is on or ahead of each viewer's line (x, y, ahead x, ahead y)."""
    out = np.zeros((viewers.shape[0], targets.shape[0]), np.bool_)
    for i in range(viewers.shape[0]):
        for k in range(targets.shape[0]):
            dx, dy = targets[k, 0] - viewers[i, 0], targets[k, 1] - viewers[i, 1]
            out[i, k] = dx * viewers[i, 2] + dy * viewers[i, 3] + targets[k, 2] >= -HALF_GRAIN
    return out


@kernel
def off_a_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The distance of a point from a segment; a segment without length is a point."""
    dx, dy = bx - ax, by - ay
    square = max(dx * dx + dy * dy, 1e-12)
    share = min(1.0, max(0.0, ((px - ax) * dx + (py - ay) * dy) / square))
    ox, oy = px - ax - share * dx, py - ay - share * dy
    return float(np.sqrt(ox * ox + oy * oy))


@kernel
def do_cross(ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float) -> bool:
    """Whether the segments from a to b and from c to d cross each other properly."""
    one, other = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax), (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    first, second = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx), (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
    return one * other < 0.0 and first * second < 0.0


@kernel
def depth_of_ways(
    width: float, radius: float, discs: Floats, corners: Floats, starts: Ints, places: Floats, dx: float, dy: float
) -> float:
    """The greatest depth to which straight ways by one step run into discs, outlines or beyond the sides; or 0."""
    deepest = 0.0
    for p in range(places.shape[0]):
        ax, ay = places[p, 0], places[p, 1]
        bx, by = ax + dx, ay + dy
        deepest = max(deepest, radius - bx, bx + radius - width)
        for k in range(discs.shape[0]):
            x, y, kept = discs[k, 0], discs[k, 1], discs[k, 2]
            if np.hypot(x - ax, y - ay) >= kept:
                deepest = max(deepest, kept - off_a_segment(x, y, ax, ay, bx, by))
        for piece in range(starts.shape[0] - 1):
            cx, cy = corners[starts[piece + 1] - 1, 0], corners[starts[piece + 1] - 1, 1]
            for k in range(starts[piece], starts[piece + 1]):
                ex, ey = corners[k, 0], corners[k, 1]
                at_first = off_a_segment(ax, ay, cx, cy, ex, ey)
                if at_first >= radius:
                    far = min(at_first, off_a_segment(bx, by, cx, cy, ex, ey))
                    far = min(far, off_a_segment(cx, cy, ax, ay, bx, by), off_a_segment(ex, ey, ax, ay, bx, by))
                    if do_cross(ax, ay, bx, by, cx, cy, ex, ey):
                        far = 0.0
                    deepest = max(deepest, radius - far)
                cx, cy = ex, ey
    return deepest


# --- formations


@kernel
def near_each_other(places: Floats, radii: Floats, limit: float) -> Bools:
    """Which of several discs are within a distance of each other, edge to edge; no disc is near itself."""
    out = np.zeros((places.shape[0], places.shape[0]), np.bool_)
    for i in range(places.shape[0]):
        for j in range(places.shape[0]):
            dx, dy = places[i, 0] - places[j, 0], places[i, 1] - places[j, 1]
            out[i, j] = j != i and np.sqrt(dx * dx + dy * dy) - radii[i] - radii[j] <= limit
    return out


@kernel
def open_spots(spots: Floats, radius: float, ends: Floats, radii: Floats, linked: int, distance: float) -> Bools:
    """The spots where a disc overlaps no other and is within a distance of one of the first ``linked`` of them."""
    out = np.zeros(spots.shape[0], np.bool_)
    for i in range(spots.shape[0]):
        near, clear = linked == 0, True
        for k in range(ends.shape[0]):
            dx, dy = spots[i, 0] - ends[k, 0], spots[i, 1] - ends[k, 1]
            gap = np.sqrt(dx * dx + dy * dy) - radius - radii[k]
            clear = clear and gap >= 0.0
            near = near or (k < linked and gap <= distance)
        out[i] = near and clear
    return out


@kernel
def linked_discs(stands: Floats, reach: float) -> Ints:
    """The number of the group of each of several discs (n, 4 or more: x, y, z, radius).

    Two are linked if their gap, with the difference of height added and rounded to 4 digits, is at most ``reach``.
    Groups are numbered by their first members.
    """
    count = stands.shape[0]
    group = np.full(count, -1, np.int64)
    waiting = np.empty(count, np.int64)
    groups = 0
    for first in range(count):
        if group[first] >= 0:
            continue
        group[first], waiting[0], left = groups, first, 1
        while left > 0:
            left -= 1
            i = waiting[left]
            for j in range(count):
                if group[j] >= 0:
                    continue
                dx, dy = stands[j, 0] - stands[i, 0], stands[j, 1] - stands[i, 1]
                flat = np.sqrt(dx * dx + dy * dy) - (stands[i, 3] + stands[j, 3])
                far = max(flat, 0.0) + abs(stands[i, 2] - stands[j, 2])
                if np.rint(far * 10000.0) / 10000.0 <= reach:
                    group[j], waiting[left] = groups, j
                    left += 1
        groups += 1
    return group


@kernel
def first_overlap(stands: Floats) -> tuple[int, int]:
    """The first two of several upright discs (n, 5: x, y, z, radius, height) that stand on each other, or -1, -1."""
    for i in range(stands.shape[0]):
        for j in range(i + 1, stands.shape[0]):
            dx, dy = stands[j, 0] - stands[i, 0], stands[j, 1] - stands[i, 1]
            if np.sqrt(dx * dx + dy * dy) - (stands[i, 3] + stands[j, 3]) < -TOLERANCE:
                low, high = (i, j) if stands[i, 2] <= stands[j, 2] else (j, i)
                if stands[high, 2] < stands[low, 2] + stands[low, 4]:
                    return i, j
    return -1, -1


# --- sight


@kernel
def cuts_beside(
    corners: Floats,
    first: int,
    last: int,
    ax: float,
    ay: float,
    dx: float,
    dy: float,
    shift: float,
    cuts: Floats,
) -> int:
    """Where the line from (ax, ay) along (dx, dy) crosses a polygon's boundary, in multiples of (dx, dy), in order.

    The line is taken ``shift`` (times its length) to its left. The count comes back negative, less one, when a corner
    lies on the unshifted line.
    """
    square = dx * dx + dy * dy
    near = NEAR * np.sqrt(square)
    found, grazes = 0, False
    px, py = corners[last - 1, 0] - ax, corners[last - 1, 1] - ay
    before = dx * py - dy * px
    for k in range(first, last):
        qx, qy = corners[k, 0] - ax, corners[k, 1] - ay
        side = dx * qy - dy * qx
        if -near <= side <= near:
            grazes = True
        if (side > shift) != (before > shift):
            share = min(1.0, max(0.0, before / (before - side)))
            cut = ((px + share * (qx - px)) * dx + (py + share * (qy - py)) * dy) / square
            at = found
            while at > 0 and cuts[at - 1] > cut:
                cuts[at] = cuts[at - 1]
                at -= 1
            cuts[at] = cut
            found += 1
        px, py, before = qx, qy, side
    return -1 - found if grazes else found


@kernel
def shared_cuts(one: Floats, ones: int, other: Floats, others: int, out: Floats) -> int:
    """The stretches common to two lists of stretches, each given as its ends in order."""
    i, k, found = 0, 0, 0
    while i < ones and k < others:
        low, high = max(one[i], other[k]), min(one[i + 1], other[k + 1])
        if low < high:
            out[found] = low
            out[found + 1] = high
            found += 2
        if one[i + 1] < other[k + 1]:
            i += 2
        else:
            k += 2
    return found


@kernel
def plan_cuts(corners: Floats, first: int, last: int, ax: float, ay: float, bx: float, by: float, room: Floats) -> int:
    """The stretches of the line a-b strictly inside a polygon, as ends in order in ``room[0]``; returns their number.

    Ends are in multiples of b - a and may lie before 0 or beyond 1. A line along an edge is inside only if it is inside
    on both sides. ``room`` has three rows, each twice as long as the polygon has corners.
    """
    dx, dy = bx - ax, by - ay
    length = np.sqrt(dx * dx + dy * dy)
    if length < NEAR:
        if not point_inside(corners, first, last, ax, ay):
            return 0
        if point_to_boundary(corners, first, last, ax, ay) <= NEAR:
            return 0
        room[0, 0], room[0, 1] = 0.0, 1.0
        return 2
    found = cuts_beside(corners, first, last, ax, ay, dx, dy, 0.0, room[0])
    if found >= 0:
        return found
    near = NEAR * length
    left = cuts_beside(corners, first, last, ax, ay, dx, dy, near, room[1])
    right = cuts_beside(corners, first, last, ax, ay, dx, dy, -near, room[2])
    left = -1 - left if left < 0 else left
    right = -1 - right if right < 0 else right
    return shared_cuts(room[1], left, room[2], right, room[0])


@kernel
def slab(az: float, bz: float, low: float, high: float) -> tuple[float, float]:
    """The part of the line from height az to bz that is not under ``low`` and is under ``high``: its ends (0 to 1)."""
    floor, top = low - NEAR, high - NEAR
    if az == bz:
        return (0.0, 1.0) if floor <= az < top else (1.0, 0.0)
    one, two = (floor - az) / (bz - az), (top - az) / (bz - az)
    if one > two:
        one, two = two, one
    return max(0.0, one), min(1.0, two)


@kernel
def share_inside(cuts: Floats, found: int, start: float, end: float) -> tuple[float, float]:
    """How much of the stretch start-end lies within the stretches, and where it first does (inf: nowhere)."""
    total, first = 0.0, np.inf
    for k in range(0, found, 2):
        low, high = max(cuts[k], start), min(cuts[k + 1], end)
        if low < high:
            total += high - low
            first = min(first, low)
    return total, first


@kernel
def room_for(starts: Ints) -> Floats:
    """The room that ``plan_cuts`` needs for the largest of the pieces."""
    most = 2
    for p in range(starts.shape[0] - 1):
        most = max(most, starts[p + 1] - starts[p])
    return np.empty((3, 2 * most + 2))


@kernel
def length_of(a: Point, b: Point) -> float:
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    return float(np.sqrt(dx * dx + dy * dy + dz * dz))


@kernel
def share_of_piece(
    corners: Floats,
    starts: Ints,
    boxes: Floats,
    low: Floats,
    high: Floats,
    p: int,
    a: Point,
    b: Point,
    room: Floats,
) -> tuple[float, float]:
    """How much of the line a-b lies within a piece, and where it first does (inf: nowhere), as shares of the line."""
    if max(a[0], b[0]) < boxes[p, 0] or min(a[0], b[0]) > boxes[p, 2]:
        return 0.0, np.inf
    if max(a[1], b[1]) < boxes[p, 1] or min(a[1], b[1]) > boxes[p, 3]:
        return 0.0, np.inf
    start, end = slab(a[2], b[2], low[p], high[p])
    if start >= end:
        return 0.0, np.inf
    found = plan_cuts(corners, starts[p], starts[p + 1], a[0], a[1], b[0], b[1], room)
    return share_inside(room[0], found, start, end)


@kernel
def crossings(
    corners: Floats, starts: Ints, boxes: Floats, low: Floats, high: Floats, a: Floats, b: Floats
) -> tuple[Floats, Floats]:
    """For every line a-b and every piece: the length inside, and the distance from a at which it is first met."""
    lengths = np.zeros((a.shape[0], low.shape[0]))
    firsts = np.full((a.shape[0], low.shape[0]), np.inf)
    room = room_for(starts)
    for i in range(a.shape[0]):
        one, other = (a[i, 0], a[i, 1], a[i, 2]), (b[i, 0], b[i, 1], b[i, 2])
        length = length_of(one, other)
        for p in range(low.shape[0]):
            share, first = share_of_piece(corners, starts, boxes, low, high, p, one, other, room)
            if share * length > NEAR:
                lengths[i, p] = share * length
                firsts[i, p] = first * length
    return lengths, firsts


@kernel
def meets_body(ax: float, ay: float, az: float, bx: float, by: float, bz: float, body: Floats) -> bool:
    """Whether the line a-b enters an upright cylinder (x, y, z, radius, height)."""
    dx, dy, ox, oy = bx - ax, by - ay, ax - body[0], ay - body[1]
    square = max(dx * dx + dy * dy, 1e-12)
    along, off = ox * dx + oy * dy, ox * ox + oy * oy - body[3] * body[3]
    under = along * along - square * off
    if under <= 0.0:
        return False
    root = np.sqrt(under)
    enters = min(max((-along - root) / square, 0.0), 1.0)
    leaves = min(max((-along + root) / square, 0.0), 1.0)
    if leaves <= enters:
        return False
    one, other = az + enters * (bz - az), az + leaves * (bz - az)
    return bool(min(one, other) < body[2] + body[4] and max(one, other) > body[2])


@kernel
def meets_piece(
    corners: Floats,
    starts: Ints,
    boxes: Floats,
    low: Floats,
    high: Floats,
    a: Point,
    b: Point,
    spare: float,
    room: Floats,
) -> bool:
    """Whether the line a-b runs through a piece over more than ``spare``."""
    length = length_of(a, b)
    for p in range(low.shape[0]):
        share, _ = share_of_piece(corners, starts, boxes, low, high, p, a, b, room)
        if share * length > max(spare, NEAR):
            return True
    return False


@kernel
def line_is_clear(
    corners: Floats,
    starts: Ints,
    boxes: Floats,
    low: Floats,
    high: Floats,
    bodies: Floats,
    a: Point,
    b: Point,
    spare: float,
    room: Floats,
) -> bool:
    """Whether the line a-b meets neither a body nor, over more than ``spare``, a piece."""
    for k in range(bodies.shape[0]):
        if meets_body(a[0], a[1], a[2], b[0], b[1], b[2], bodies[k]):
            return False
    return not meets_piece(corners, starts, boxes, low, high, a, b, spare, room)


@kernel
def clear_of(
    corners: Floats,
    starts: Ints,
    boxes: Floats,
    low: Floats,
    high: Floats,
    bodies: Floats,
    eyes: Floats,
    ends: Floats,
    spare: float,
) -> Bools:
    """Which lines, from each eye to the end of the same number, are clear of pieces and bodies."""
    out = np.zeros(eyes.shape[0], np.bool_)
    room = room_for(starts)
    for i in range(eyes.shape[0]):
        a, b = (eyes[i, 0], eyes[i, 1], eyes[i, 2]), (ends[i, 0], ends[i, 1], ends[i, 2])
        out[i] = line_is_clear(corners, starts, boxes, low, high, bodies, a, b, spare, room)
    return out


@kernel
def any_clear(
    corners: Floats,
    starts: Ints,
    boxes: Floats,
    low: Floats,
    high: Floats,
    bodies: Floats,
    eyes: Floats,
    ends: Floats,
    ups: Floats,
    downs: Floats,
    spare: float,
) -> bool:
    """Whether at some height of the eyes, and some of the ends, one of the lines in plan is clear."""
    room = room_for(starts)
    for up in ups:
        for down in downs:
            for i in range(eyes.shape[0]):
                a, b = (eyes[i, 0], eyes[i, 1], up), (ends[i, 0], ends[i, 1], down)
                if line_is_clear(corners, starts, boxes, low, high, bodies, a, b, spare, room):
                    return True
    return False


@kernel
def line_states(lengths: Floats, opacity: Bytes, allowance: float, exempt: Bools) -> Bytes:
    """The state of each line (0 clear, 1 veiled, 2 blocked) by its lengths inside the pieces."""
    out = np.zeros(lengths.shape[0], np.int8)
    for i in range(lengths.shape[0]):
        total = 0.0
        for p in range(lengths.shape[1]):
            if opacity[p] == 0 or lengths[i, p] <= NEAR:
                continue
            if opacity[p] == 1:
                out[i] = 2
                break
            total += lengths[i, p]
            if total > allowance + NEAR:
                out[i] = 2
                break
            if not exempt[p]:
                out[i] = 1
    return out


@kernel
def right_of(dx: float, dy: float) -> tuple[float, float]:
    """The unit vector to the right of a direction; +x when there is none."""
    length = np.sqrt(dx * dx + dy * dy)
    if length < NEAR:
        return 1.0, 0.0
    return dy / length, -dx / length


@kernel
def see(
    corners: Floats,
    starts: Ints,
    boxes: Floats,
    low: Floats,
    high: Floats,
    eyes: Floats,
    targets: Floats,
    columns: Floats,
    heights: Floats,
    opacity: Bytes,
    allowance: float,
    exempt: Bools,
) -> Bytes:
    """The state of each line from each eye to each target: 0 clear, 1 veiled, 2 blocked."""
    rows, many = columns.shape[0], heights.shape[0]
    out = np.zeros((eyes.shape[0], targets.shape[0], rows * many), np.int8)
    totals = np.zeros(rows * many)
    room = room_for(starts)
    widest, lowest, highest = 0.0, np.inf, -np.inf
    for c in range(rows):
        widest = max(widest, abs(columns[c]))
    for h in range(many):
        lowest, highest = min(lowest, heights[h]), max(highest, heights[h])
    for i in range(eyes.shape[0]):
        ex, ey, ez = eyes[i, 0], eyes[i, 1], eyes[i, 2]
        for j in range(targets.shape[0]):
            tx, ty, tz, radius, height = (
                targets[j, 0],
                targets[j, 1],
                targets[j, 2],
                targets[j, 3],
                targets[j, 4],
            )
            rx, ry = right_of(tx - ex, ty - ey)
            wide, deep = abs(widest * radius * rx), abs(widest * radius * ry)
            west, east = min(ex, tx - wide), max(ex, tx + wide)
            south, north = min(ey, ty - deep), max(ey, ty + deep)
            bottom, top = min(ez, tz + lowest * height), max(ez, tz + highest * height)
            totals[:] = 0.0
            blocked = 0
            for p in range(low.shape[0]):
                if blocked == rows * many:
                    break
                if opacity[p] == 0 or east < boxes[p, 0] or west > boxes[p, 2]:
                    continue
                if north < boxes[p, 1] or south > boxes[p, 3] or bottom >= high[p] or top < low[p] - NEAR:
                    continue
                for c in range(rows):
                    bx, by = tx + columns[c] * radius * rx, ty + columns[c] * radius * ry
                    found = plan_cuts(corners, starts[p], starts[p + 1], ex, ey, bx, by, room)
                    if found == 0:
                        continue
                    flat = (bx - ex) * (bx - ex) + (by - ey) * (by - ey)
                    for h in range(many):
                        line = c * many + h
                        if out[i, j, line] == 2:
                            continue
                        bz = tz + heights[h] * height
                        start, end = slab(ez, bz, low[p], high[p])
                        share, _ = share_inside(room[0], found, start, end)
                        if share <= 0.0:
                            continue
                        length = share * np.sqrt(flat + (bz - ez) * (bz - ez))
                        if length <= NEAR:
                            continue
                        totals[line] += length
                        if opacity[p] == 1 or totals[line] > allowance + NEAR:
                            out[i, j, line] = 2
                            blocked += 1
                        elif not exempt[i, p]:
                            out[i, j, line] = 1
    return out


@kernel
def through_cylinder(
    ax: float, ay: float, az: float, bx: float, by: float, bz: float, body: Floats
) -> tuple[float, float]:
    """The length of the line a-b inside an upright cylinder (x, y, z, r, height), and the distance to it from a."""
    dx, dy, dz = bx - ax, by - ay, bz - az
    cx, cy, r = body[0] - ax, body[1] - ay, body[3]
    square = dx * dx + dy * dy
    start, end = slab(az, bz, body[2], body[2] + body[4])
    if square < NEAR * NEAR:
        if np.sqrt(cx * cx + cy * cy) >= r - NEAR:
            return 0.0, np.inf
    else:
        off = (dx * cy - dy * cx) / np.sqrt(square)
        if abs(off) >= r - NEAR:
            return 0.0, np.inf
        middle, half = (cx * dx + cy * dy) / square, np.sqrt((r * r - off * off) / square)
        start, end = max(start, middle - half), min(end, middle + half)
    length = np.sqrt(square + dz * dz)
    if (end - start) * length <= NEAR:
        return 0.0, np.inf
    return (end - start) * length, start * length


@kernel
def covering(eyes: Floats, targets: Floats, bodies: Floats, columns: Floats, heights: Floats, states: Bytes) -> Bools:
    """Whether any line from each eye to each target, unless its state is 2, passes through each body."""
    out = np.zeros((eyes.shape[0], targets.shape[0], bodies.shape[0]), np.bool_)
    many = heights.shape[0]
    widest = 0.0
    for c in range(columns.shape[0]):
        widest = max(widest, abs(columns[c]))
    for i in range(eyes.shape[0]):
        for j in range(targets.shape[0]):
            ex, ey, tx, ty, radius = eyes[i, 0], eyes[i, 1], targets[j, 0], targets[j, 1], targets[j, 3]
            rx, ry = right_of(tx - ex, ty - ey)
            for k in range(bodies.shape[0]):
                reach = bodies[k, 3] + widest * radius
                if square_off(bodies[k, 0], bodies[k, 1], ex, ey, tx, ty) > reach * reach:
                    continue
                for line in range(columns.shape[0] * many):
                    if states[i, j, line] == 2:
                        continue
                    across = columns[line // many] * radius
                    bz = targets[j, 2] + heights[line % many] * targets[j, 4]
                    length, _ = through_cylinder(ex, ey, eyes[i, 2], tx + across * rx, ty + across * ry, bz, bodies[k])
                    if length > 0.0:
                        out[i, j, k] = True
                        break
    return out


@kernel
def _box_of_lines(eye: Floats, ends: Floats, out: Floats) -> None:
    """The smallest box (x, y, z, then the greatest) about an eye and the points it looks at."""
    for axis in range(3):
        low = high = eye[axis]
        for line in range(ends.shape[0]):
            low, high = min(low, ends[line, axis]), max(high, ends[line, axis])
        out[axis], out[axis + 3] = low, high


@kernel
def _outside(around: Floats, west: float, south: float, east: float, north: float, low: float, high: float) -> bool:
    """Whether nothing within a box of lines can pass through the content of another box."""
    if around[3] < west or around[0] > east or around[4] < south or around[1] > north:
        return True
    return bool(around[5] < low - NEAR or around[2] >= high)


@kernel
def _through_prism(
    corners: Floats, first: int, last: int, low: float, high: float, eye: Floats, end: Floats, room: Floats
) -> bool:
    """Whether the line from an eye to a point passes through a prism over any length."""
    start, stop = slab(eye[2], end[2], low, high)
    if start >= stop:
        return False
    found = plan_cuts(corners, first, last, eye[0], eye[1], end[0], end[1], room)
    if found == 0:
        return False
    share, _ = share_inside(room[0], found, start, stop)
    dx, dy, dz = end[0] - eye[0], end[1] - eye[1], end[2] - eye[2]
    return bool(share * np.sqrt(dx * dx + dy * dy + dz * dz) > NEAR)


@kernel
def _prisms_about(boxes: Floats, low: Floats, high: Floats, around: Floats, out: Ints) -> int:
    """Put the prisms that a box of lines may meet into ``out``; returns their number."""
    found = 0
    for p in range(low.shape[0]):
        if not _outside(around, boxes[p, 0], boxes[p, 1], boxes[p, 2], boxes[p, 3], low[p], high[p]):
            out[found] = p
            found += 1
    return found


@kernel
def _bodies_about(bodies: Floats, eye: Floats, ends: Floats, around: Floats, out: Ints) -> int:
    """Put the upright cylinders that lines from an eye, all in a box, may meet into ``out``; returns their number."""
    found, many = 0, ends.shape[0]
    mx, my, spread = 0.0, 0.0, 0.0
    for line in range(many):
        mx, my = mx + ends[line, 0] / many, my + ends[line, 1] / many
    for line in range(many):
        dx, dy = ends[line, 0] - mx, ends[line, 1] - my
        spread = max(spread, np.sqrt(dx * dx + dy * dy))
    for k in range(bodies.shape[0]):
        x, y, r = bodies[k, 0], bodies[k, 1], bodies[k, 3]
        if square_off(x, y, eye[0], eye[1], mx, my) > (r + spread) * (r + spread):
            continue
        if not _outside(around, x - r, y - r, x + r, y + r, bodies[k, 2], bodies[k, 2] + bodies[k, 4]):
            out[found] = k
            found += 1
    return found


@kernel
def lines_met(
    corners: Floats,
    starts: Ints,
    boxes: Floats,
    low: Floats,
    high: Floats,
    opacity: Bytes,
    eyes: Floats,
    ends: Floats,
    near_eye: Bools,
    near_target: Bools,
    bodies: Floats,
    hull_corners: Floats,
    hull_starts: Ints,
    hull_boxes: Floats,
    hull_low: Floats,
    hull_high: Floats,
) -> Bytes:
    """What each line from an eye to a point of a target comes to: 0 clear, 1 through screens only, 2 cut."""
    out = np.zeros(ends.shape[:3], np.int8)
    around = np.empty(6)
    pieces, hulls = np.empty(low.shape[0], np.int64), np.empty(hull_low.shape[0], np.int64)
    standing = np.empty(bodies.shape[0], np.int64)
    room, hull_room = room_for(starts), room_for(hull_starts)
    for i in range(eyes.shape[0]):
        eye = eyes[i]
        for j in range(ends.shape[1]):
            _box_of_lines(eye, ends[i, j], around)
            many = _prisms_about(boxes, low, high, around, pieces)
            crowd = _bodies_about(bodies, eye, ends[i, j], around, standing)
            fleet = _prisms_about(hull_boxes, hull_low, hull_high, around, hulls)
            for line in range(ends.shape[2]):
                end = ends[i, j, line]
                state = 0
                for n in range(many):
                    p = pieces[n]
                    if opacity[p] == 0 or (opacity[p] == 2 and (state == 1 or near_eye[i, p] or near_target[j, p])):
                        continue
                    if _through_prism(corners, starts[p], starts[p + 1], low[p], high[p], eye, end, room):
                        state = 2 if opacity[p] == 1 else 1
                        if state == 2:
                            break
                for n in range(crowd):
                    if state == 2:
                        break
                    body = bodies[standing[n]]
                    length, _ = through_cylinder(eye[0], eye[1], eye[2], end[0], end[1], end[2], body)
                    if length > 0.0:
                        state = 2
                for n in range(fleet):
                    if state == 2:
                        break
                    p, last = hulls[n], hull_starts[hulls[n] + 1]
                    if _through_prism(
                        hull_corners, hull_starts[p], last, hull_low[p], hull_high[p], eye, end, hull_room
                    ):
                        state = 2
                out[i, j, line] = state
    return out


# --- paths
#
# A mover is a core (n, 2) in its own coordinates (+y forward) that goes along legs (l, 7): x, y, dx, dy, the heading at
# the start of the leg and the tangent of half the turn (clockwise positive, at most a quarter turn a leg; 0 where it
# does not turn). What it meets is a pack of cores: all their corners (m, 2) and where each begins (k + 1). A disc is a
# core of one point. "How wide" is the distance between cores that is asked about: radii and the gap added up. Where a
# mover is, is given as progress: number of the leg plus the fraction of it that is done.

_NONE_LO, _NONE_HI = 2.0, -1.0
_APPROACH = 0.0002
_INSIDE_STEP = 0.001


@kernel
def _disc_span(px: float, py: float, vx: float, vy: float, reach: float) -> tuple[float, float]:
    """The times at which p + t v is within reach of the origin: (lo, hi), lo > hi if never."""
    square = vx * vx + vy * vy
    if square < 1e-18:
        if px * px + py * py <= reach * reach:
            return 0.0, 1.0
        return _NONE_LO, _NONE_HI
    cross = px * vy - py * vx
    left = reach * reach - cross * cross / square
    if left < 0.0:
        return _NONE_LO, _NONE_HI
    half = np.sqrt(left / square)
    middle = -(px * vx + py * vy) / square
    return middle - half, middle + half


@kernel
def _clip(c: float, d: float, low: float, high: float, lo: float, hi: float) -> tuple[float, float]:
    """The times between lo and hi at which low <= c + t d <= high."""
    if d > 1e-15 or d < -1e-15:
        one = (low - c) / d
        two = (high - c) / d
        return max(lo, min(one, two)), min(hi, max(one, two))
    if c < low or c > high:
        return _NONE_LO, _NONE_HI
    return lo, hi


@kernel
def _segment_span(
    px: float, py: float, vx: float, vy: float, ax: float, ay: float, bx: float, by: float, reach: float
) -> tuple[float, float]:
    """The part of 0 to 1 in which p + t v is within reach of the segment a-b: (lo, hi), lo > hi if none."""
    lo, hi = _disc_span(px - ax, py - ay, vx, vy, reach)
    ex = bx - ax
    ey = by - ay
    square = ex * ex + ey * ey
    if square > 1e-18:
        lo2, hi2 = _disc_span(px - bx, py - by, vx, vy, reach)
        if lo2 <= hi2:
            if lo > hi:
                lo, hi = lo2, hi2
            else:
                lo, hi = min(lo, lo2), max(hi, hi2)
        wide = reach * np.sqrt(square)
        qx = px - ax
        qy = py - ay
        lo2, hi2 = _clip(qx * ex + qy * ey, vx * ex + vy * ey, 0.0, square, -1e30, 1e30)
        if lo2 <= hi2:
            lo2, hi2 = _clip(qx * ey - qy * ex, vx * ey - vy * ex, -wide, wide, lo2, hi2)
            if lo2 <= hi2:
                if lo > hi:
                    lo, hi = lo2, hi2
                else:
                    lo, hi = min(lo, lo2), max(hi, hi2)
    return max(lo, 0.0), min(hi, 1.0)


@kernel
def _in_parallelogram(qx: float, qy: float, ex: float, ey: float, fx: float, fy: float) -> bool:
    det = ex * fy - ey * fx
    if det * det < 1e-24:
        return False
    u = (qx * fy - qy * fx) / det
    w = (ex * qy - ey * qx) / det
    return bool(u >= 0.0 and u <= 1.0 and w >= 0.0 and w <= 1.0)


@kernel
def _edge_span(
    a0x: float,
    a0y: float,
    a1x: float,
    a1y: float,
    vx: float,
    vy: float,
    b0x: float,
    b0y: float,
    b1x: float,
    b1y: float,
    reach: float,
) -> tuple[float, float]:
    """The times at which a segment a moved by v is within reach of a segment b: their difference is a parallelogram."""
    ox, oy = b0x - a0x, b0y - a0y
    ex, ey = b1x - b0x, b1y - b0y
    fx, fy = a0x - a1x, a0y - a1y
    lo, hi = _NONE_LO, _NONE_HI
    for side in range(4):
        sx = ox + ex if side == 1 else (ox + fx if side == 2 else ox)
        sy = oy + ey if side == 1 else (oy + fy if side == 2 else oy)
        gx, gy = (ex, ey) if (side == 0 or side == 2) else (fx, fy)
        lo2, hi2 = _segment_span(0.0, 0.0, vx, vy, sx, sy, sx + gx, sy + gy, reach)
        if lo2 <= hi2:
            if lo > hi:
                lo, hi = lo2, hi2
            else:
                lo, hi = min(lo, lo2), max(hi, hi2)
    if _in_parallelogram(-ox, -oy, ex, ey, fx, fy):
        lo, hi = 0.0, max(hi, 0.0)
    if _in_parallelogram(vx - ox, vy - oy, ex, ey, fx, fy):
        lo, hi = min(lo, 1.0), 1.0
    return lo, hi


@kernel
def _inside_ring(x: float, y: float, ring: Floats, first: int, last: int) -> bool:
    """Whether a point is inside the polygon ring[first:last] (the boundary may go either way)."""
    inside = False
    j = last - 1
    for i in range(first, last):
        if (ring[i, 1] > y) != (ring[j, 1] > y):
            cut = ring[j, 0] + (y - ring[j, 1]) * (ring[i, 0] - ring[j, 0]) / (ring[i, 1] - ring[j, 1])
            if x < cut:
                inside = not inside
        j = i
    return inside


@kernel
def _add_span(spans: Floats, n: int, lo: float, hi: float) -> int:
    """Insert a span among disjoint ones, merging it with those it meets; returns the new number of spans."""
    i = 0
    while i < n:
        if spans[i, 1] < lo - 1e-12 or spans[i, 0] > hi + 1e-12:
            i += 1
        else:
            lo = min(lo, spans[i, 0])
            hi = max(hi, spans[i, 1])
            n -= 1
            spans[i, 0] = spans[n, 0]
            spans[i, 1] = spans[n, 1]
            i = 0
    spans[n, 0] = lo
    spans[n, 1] = hi
    return n + 1


@kernel
def _sort_spans(spans: Floats, n: int) -> None:
    for i in range(1, n):
        lo = spans[i, 0]
        hi = spans[i, 1]
        j = i - 1
        while j >= 0 and spans[j, 0] > lo:
            spans[j + 1, 0] = spans[j, 0]
            spans[j + 1, 1] = spans[j, 1]
            j -= 1
        spans[j + 1, 0] = lo
        spans[j + 1, 1] = hi


@kernel
def _stand(core: Floats, x: float, y: float, hx: float, hy: float, out: Floats) -> None:
    """The core's corners on the table, its centre at x, y and its heading hx, hy."""
    for i in range(core.shape[0]):
        out[i, 0] = x + core[i, 0] * hy + core[i, 1] * hx
        out[i, 1] = y - core[i, 0] * hx + core[i, 1] * hy


@kernel
def _far(a: Floats, vx: float, vy: float, b: Floats, first: int, last: int, reach: float) -> bool:
    """Whether the boxes of a moved core and of another are further apart than reach: a quick no."""
    ax0, ax1, ay0, ay1 = a[0, 0], a[0, 0], a[0, 1], a[0, 1]
    for i in range(1, a.shape[0]):
        ax0, ax1 = min(ax0, a[i, 0]), max(ax1, a[i, 0])
        ay0, ay1 = min(ay0, a[i, 1]), max(ay1, a[i, 1])
    ax0, ax1 = ax0 + min(vx, 0.0) - reach, ax1 + max(vx, 0.0) + reach
    ay0, ay1 = ay0 + min(vy, 0.0) - reach, ay1 + max(vy, 0.0) + reach
    bx0, bx1, by0, by1 = b[first, 0], b[first, 0], b[first, 1], b[first, 1]
    for i in range(first + 1, last):
        bx0, bx1 = min(bx0, b[i, 0]), max(bx1, b[i, 0])
        by0, by1 = min(by0, b[i, 1]), max(by1, b[i, 1])
    return bool(ax1 < bx0 or bx1 < ax0 or ay1 < by0 or by1 < ay0)


@kernel
def _nested(a: Floats, dx: float, dy: float, b: Floats, first: int, last: int) -> bool:
    """Whether a moved core has a corner in another or the other way round (for cores whose edges do not meet)."""
    if last - first > 2 and _inside_ring(a[0, 0] + dx, a[0, 1] + dy, b, first, last):
        return True
    return a.shape[0] > 2 and _inside_ring(b[first, 0] - dx, b[first, 1] - dy, a, 0, a.shape[0])


@kernel
def _leg_spans(a: Floats, vx: float, vy: float, b: Floats, first: int, last: int, reach: float, spans: Floats) -> int:
    """The spans of 0 to 1 in which a core moved by v is within reach of another, sorted; how many."""
    n = 0
    if reach < 0.0 or _far(a, vx, vy, b, first, last, reach):
        return 0
    na = a.shape[0]
    for i in range(na):
        i2 = i + 1 if i + 1 < na else 0
        for j in range(first, last):
            j2 = j + 1 if j + 1 < last else first
            if na == 1:
                lo, hi = _segment_span(a[0, 0], a[0, 1], vx, vy, b[j, 0], b[j, 1], b[j2, 0], b[j2, 1], reach)
            elif last - first == 1:
                lo, hi = _segment_span(b[j, 0], b[j, 1], -vx, -vy, a[i, 0], a[i, 1], a[i2, 0], a[i2, 1], reach)
            else:
                lo, hi = _edge_span(
                    a[i, 0],
                    a[i, 1],
                    a[i2, 0],
                    a[i2, 1],
                    vx,
                    vy,
                    b[j, 0],
                    b[j, 1],
                    b[j2, 0],
                    b[j2, 1],
                    reach,
                )
            if lo <= hi:
                n = _add_span(spans, n, lo, hi)
            if na == 2 and i == 1:
                break
    _sort_spans(spans, n)
    if na < 3 and last - first < 3:
        return n
    edge = 0.0
    found = n
    for k in range(found + 1):
        end = spans[k, 0] if k < found else 1.0
        middle = (edge + end) / 2.0
        if (end > edge or n == 0) and _nested(a, middle * vx, middle * vy, b, first, last):
            spans[n, 0] = edge
            spans[n, 1] = end
            n += 1
        if k < found:
            edge = spans[k, 1]
    if n > found:
        whole = n
        n = found
        for k in range(found, whole):
            n = _add_span(spans, n, spans[k, 0], spans[k, 1])
        _sort_spans(spans, n)
    return n


@kernel
def _point_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The square of the distance of a point from a segment."""
    ex = bx - ax
    ey = by - ay
    square = ex * ex + ey * ey
    t = 0.0
    if square > 1e-18:
        t = min(1.0, max(0.0, ((px - ax) * ex + (py - ay) * ey) / square))
    dx = px - ax - t * ex
    dy = py - ay - t * ey
    return dx * dx + dy * dy


@kernel
def _closest(
    px: float, py: float, vx: float, vy: float, ax: float, ay: float, bx: float, by: float
) -> tuple[float, float]:
    """The least squared distance of p + t v (t from 0 to 1) from a segment, and the first such t."""
    best = _point_segment(px, py, ax, ay, bx, by)
    when = 0.0
    square = vx * vx + vy * vy
    if square < 1e-18:
        return best, when
    ex = bx - ax
    ey = by - ay
    det = vx * ey - vy * ex
    if det * det > 1e-24:
        t = ((ax - px) * ey - (ay - py) * ex) / det
        u = ((ax - px) * vy - (ay - py) * vx) / det
        if t >= 0.0 and t <= 1.0 and u >= 0.0 and u <= 1.0 and best > 0.0:
            return 0.0, t
    for side in range(3):
        t = 1.0
        if side < 2:
            qx = ax if side == 0 else bx
            qy = ay if side == 0 else by
            t = min(1.0, max(0.0, ((qx - px) * vx + (qy - py) * vy) / square))
        far = _point_segment(px + t * vx, py + t * vy, ax, ay, bx, by)
        if far < best - 1e-15:
            best = far
            when = t
    return best, when


@kernel
def _leg_closest(a: Floats, vx: float, vy: float, b: Floats, first: int, last: int) -> tuple[float, float]:
    """The least squared distance of a core moved by v from another, and the first such fraction of v."""
    if _nested(a, 0.0, 0.0, b, first, last):
        return 0.0, 0.0
    best = 1e30
    when = 0.0
    na = a.shape[0]
    for i in range(na):
        i2 = i + 1 if i + 1 < na else 0
        for j in range(first, last):
            j2 = j + 1 if j + 1 < last else first
            far, t = _closest(a[i, 0], a[i, 1], vx, vy, b[j, 0], b[j, 1], b[j2, 0], b[j2, 1])
            if far < best - 1e-15 or (far <= best and t < when):
                best, when = far, t
            if na > 1:
                far, t = _closest(b[j, 0], b[j, 1], -vx, -vy, a[i, 0], a[i, 1], a[i2, 0], a[i2, 1])
                if far < best - 1e-15 or (far <= best and t < when):
                    best, when = far, t
                far, t = _closest(
                    a[i, 0], a[i, 1], a[i2, 0] - a[i, 0], a[i2, 1] - a[i, 1], b[j, 0], b[j, 1], b[j2, 0], b[j2, 1]
                )
                if far <= 0.0:
                    return 0.0, 0.0
    return best, when


@kernel
def _turned(hx: float, hy: float, t: float) -> tuple[float, float]:
    """A heading turned clockwise by an angle; t is the tangent of its half."""
    whole = 1.0 + t * t
    c = (1.0 - t * t) / whole
    s = 2.0 * t / whole
    return hx * c + hy * s, hy * c - hx * s


@kernel
def _turn_gap(core: Floats, leg: Floats, t: float, b: Floats, first: int, last: int, stood: Floats) -> float:
    """The distance between cores after the mover has turned by t (tangent of half the angle) at the place of a leg."""
    hx, hy = _turned(leg[4], leg[5], t)
    _stand(core, leg[0], leg[1], hx, hy, stood)
    square, _ = _leg_closest(stood, 0.0, 0.0, b, first, last)
    return float(np.sqrt(square))


@kernel
def _turn_spans(
    core: Floats,
    span: float,
    leg: Floats,
    b: Floats,
    first: int,
    last: int,
    reach: float,
    spans: Floats,
    stood: Floats,
) -> int:
    """As _leg_spans for a turn, by conservative advancement: no corner outruns span times twice the change of t."""
    n = 0
    speed = 2.0 * span + 1e-9
    end = leg[6] if leg[6] > 0.0 else -leg[6]
    sign = 1.0 if leg[6] > 0.0 else -1.0
    t = 0.0
    begun = -1.0
    while True:
        gap = _turn_gap(core, leg, sign * t, b, first, last, stood)
        if gap <= reach + _APPROACH:
            if begun < 0.0:
                begun = t
            step = max(reach - gap, _INSIDE_STEP)
        else:
            if begun >= 0.0:
                spans[n, 0] = begun / end
                spans[n, 1] = t / end
                n += 1
                begun = -1.0
            step = max(gap - reach, _APPROACH)
        if t >= end or n >= spans.shape[0] - 1:
            break
        t = min(end, t + step / speed)
    if begun >= 0.0:
        spans[n, 0] = begun / end
        spans[n, 1] = 1.0
        n += 1
    return n


@kernel
def _turn_closest(
    core: Floats, span: float, leg: Floats, b: Floats, first: int, last: int, stood: Floats
) -> tuple[float, float]:
    """As _leg_closest for a turn, to the fineness of _APPROACH; the distance itself, not its square."""
    speed = 2.0 * span + 1e-9
    end = leg[6] if leg[6] > 0.0 else -leg[6]
    sign = 1.0 if leg[6] > 0.0 else -1.0
    t = 0.0
    best = 1e30
    when = 0.0
    while True:
        gap = _turn_gap(core, leg, sign * t, b, first, last, stood)
        if gap < best:
            best = gap
            when = t / end
        if t >= end or best <= 0.0:
            break
        t = min(end, t + max(gap - best, _APPROACH) / speed)
    return best, when


@kernel
def _span_of(core: Floats) -> float:
    """How far the furthest corner of a core is from its centre."""
    most = 0.0
    for i in range(core.shape[0]):
        most = max(most, core[i, 0] * core[i, 0] + core[i, 1] * core[i, 1])
    return float(np.sqrt(most))


@kernel
def sweep(
    legs: Floats, core: Floats, corners: Floats, starts: Ints, wide: Floats, slack: float, receding: bool
) -> Floats:
    """Where a mover is nearer to others than wide - slack: rows (which, progress in, progress out), by which.

    ``receding``: for one nearer than that at the start, the gap may not shrink until it is wide.
    """
    found = np.empty((8, 3))
    count = 0
    most = 1
    for j in range(starts.shape[0] - 1):
        most = max(most, starts[j + 1] - starts[j])
    spans = np.empty((2 * core.shape[0] * most + 8, 2))
    stood = np.empty_like(core)
    span = _span_of(core)
    for j in range(starts.shape[0] - 1):
        floor = 1e30
        for i in range(legs.shape[0]):
            leg = legs[i]
            _stand(core, leg[0], leg[1], leg[4], leg[5], stood)
            reach = wide[j] - slack
            if receding:
                square, _ = _leg_closest(stood, 0.0, 0.0, corners, starts[j], starts[j + 1])
                here = np.sqrt(square)
                floor = here if floor > 1e29 else max(floor, here)
                reach = min(floor, wide[j]) - slack
            if leg[6] != 0.0:
                n = _turn_spans(core, span, leg, corners, starts[j], starts[j + 1], reach, spans, stood)
            else:
                n = _leg_spans(stood, leg[2], leg[3], corners, starts[j], starts[j + 1], reach, spans)
            for k in range(n):
                lo = i + spans[k, 0]
                hi = i + spans[k, 1]
                if count > 0 and found[count - 1, 0] == j and found[count - 1, 2] >= lo - 1e-12:
                    found[count - 1, 2] = hi
                    continue
                if count == found.shape[0]:
                    more = np.empty((2 * count, 3))
                    more[:count] = found
                    found = more
                found[count, 0] = j
                found[count, 1] = lo
                found[count, 2] = hi
                count += 1
    return found[:count]


@kernel
def sweep_nearest(legs: Floats, core: Floats, corners: Floats, starts: Ints) -> Floats:
    """The least distance between the cores of a mover and of each other, and the first progress that has it: (k, 2)."""
    out = np.empty((starts.shape[0] - 1, 2))
    stood = np.empty_like(core)
    span = _span_of(core)
    for j in range(starts.shape[0] - 1):
        best = 1e30
        when = 0.0
        for i in range(legs.shape[0]):
            leg = legs[i]
            if leg[6] != 0.0:
                far, t = _turn_closest(core, span, leg, corners, starts[j], starts[j + 1], stood)
            else:
                _stand(core, leg[0], leg[1], leg[4], leg[5], stood)
                square, t = _leg_closest(stood, leg[2], leg[3], corners, starts[j], starts[j + 1])
                far = np.sqrt(square)
            if far < best - 1e-12:
                best = far
                when = i + t
        out[j, 0] = best
        out[j, 1] = when
    return out


# What a planner needs. A going is discs (n, 3) x, y, how far centres keep apart; outlines (corners, starts) that a base
# of the given radius may not overlap, with the boxes (k, 4) of what they bar; and the size of the ground. Obstacles are
# numbered discs first. ``loose`` marks those that the start is too near to: they may be left, and count for the rest.

_GRAZE = 0.0002
_POPS = 6000
_SLACK = 0.001


@kernel
def _disc_bars(discs: Floats, j: int, ax: float, ay: float, bx: float, by: float, leaving: bool) -> bool:
    keep = discs[j, 2] - _GRAZE
    if keep <= 0.0:
        return False
    px = ax - discs[j, 0]
    py = ay - discs[j, 1]
    vx = bx - ax
    vy = by - ay
    square = vx * vx + vy * vy
    along = px * vx + py * vy
    least = px * px + py * py
    if leaving and along >= -1e-12:
        return False
    if along < 0.0 and square > 0.0:
        if along <= -square:
            ex = px + vx
            ey = py + vy
            least = ex * ex + ey * ey
        else:
            cross = px * vy - py * vx
            least = cross * cross / square
    return bool(least < keep * keep)


@kernel
def _outline_bars(
    corners: Floats, first: int, last: int, radius: float, ax: float, ay: float, bx: float, by: float
) -> bool:
    keep = max(0.0, radius - _GRAZE)
    keep = keep * keep
    j = last - 1
    for i in range(first, last):
        cx, cy, dx, dy = corners[j, 0], corners[j, 1], corners[i, 0], corners[i, 1]
        if (
            _point_segment(cx, cy, ax, ay, bx, by) < keep
            or _point_segment(ax, ay, cx, cy, dx, dy) < keep
            or _point_segment(bx, by, cx, cy, dx, dy) < keep
        ):
            return True
        one = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        two = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
        if (one > 0.0) != (two > 0.0):
            one = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx)
            two = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx)
            if (one > 0.0) != (two > 0.0):
                return True
        j = i
    return _inside_ring(ax, ay, corners, first, last)


@kernel
def _way_clear(
    going: Going, loose: Flags, leaving: bool, ax: float, ay: float, bx: float, by: float, bars: Flags, tell: bool
) -> bool:
    """Whether nothing bars the straight way from a to b; with ``tell`` everything that does is marked in ``bars``."""
    clear = True
    n = going.discs.shape[0]
    for j in range(n):
        if _disc_bars(going.discs, j, ax, ay, bx, by, leaving and loose[j]):
            clear = False
            if not tell:
                return False
            bars[j] = True
    x0, x1 = min(ax, bx), max(ax, bx)
    y0, y1 = min(ay, by), max(ay, by)
    for k in range(going.starts.shape[0] - 1):
        if going.boxes[k, 0] > x1 or going.boxes[k, 2] < x0 or going.boxes[k, 1] > y1 or going.boxes[k, 3] < y0:
            continue
        if leaving and loose[n + k]:
            continue
        if _outline_bars(going.corners, going.starts[k], going.starts[k + 1], going.radius, ax, ay, bx, by):
            clear = False
            if not tell:
                return False
            bars[n + k] = True
    return clear


@kernel
def _stands_free(going: Going, loose: Flags, x: float, y: float) -> bool:
    """Whether a base may stand at a place, ignoring what is marked loose."""
    edge = going.radius - _GRAZE
    if x < edge or y < edge or x > going.width - edge or y > going.depth - edge:
        return False
    n = going.discs.shape[0]
    for j in range(n):
        dx = x - going.discs[j, 0]
        dy = y - going.discs[j, 1]
        keep = going.discs[j, 2] - _GRAZE
        if keep > 0.0 and dx * dx + dy * dy < keep * keep and not loose[j]:
            return False
    for k in range(going.starts.shape[0] - 1):
        if (
            going.boxes[k, 0] > x
            or going.boxes[k, 2] < x
            or going.boxes[k, 1] > y
            or going.boxes[k, 3] < y
            or loose[n + k]
        ):
            continue
        if _outline_bars(going.corners, going.starts[k], going.starts[k + 1], going.radius, x, y, x, y):
            return False
    return True


@kernel
def _loosened(going: Going, x: float, y: float) -> Flags:
    """The obstacles that a base at a place is too near to."""
    n = going.discs.shape[0]
    loose = np.zeros(n + going.starts.shape[0] - 1, np.bool_)
    for j in range(n):
        dx = x - going.discs[j, 0]
        dy = y - going.discs[j, 1]
        loose[j] = dx * dx + dy * dy < going.discs[j, 2] * going.discs[j, 2]
    for k in range(going.starts.shape[0] - 1):
        loose[n + k] = _outline_bars(going.corners, going.starts[k], going.starts[k + 1], going.radius, x, y, x, y)
    return loose


@kernel
def stands_free(going: Going, x: float, y: float) -> bool:
    """Whether a base may stand at a place."""
    none = np.zeros(going.discs.shape[0] + going.starts.shape[0] - 1, np.bool_)
    return _stands_free(going, none, x, y)


@kernel
def all_stand_free(going: Going, places: Floats) -> Flags:
    """Whether a base may stand, for each of some places (n, 2 or more columns: x, y)."""
    none = np.zeros(going.discs.shape[0] + going.starts.shape[0] - 1, np.bool_)
    out = np.empty(places.shape[0], np.bool_)
    for i in range(places.shape[0]):
        out[i] = _stands_free(going, none, places[i, 0], places[i, 1])
    return out


@kernel
def sample_places(going: Going, region: Floats, chances: Floats) -> Floats:
    """The places (m, 2) at which a base may stand with its centre in a region, of those that chances (n, 2) pick."""
    none = np.zeros(going.discs.shape[0] + going.starts.shape[0] - 1, np.bool_)
    x0, x1, y0, y1 = region[0, 0], region[0, 0], region[0, 1], region[0, 1]
    for i in range(1, region.shape[0]):
        x0, x1 = min(x0, region[i, 0]), max(x1, region[i, 0])
        y0, y1 = min(y0, region[i, 1]), max(y1, region[i, 1])
    out = np.empty((chances.shape[0], 2))
    count = 0
    for i in range(chances.shape[0]):
        x = _grained(x0 + chances[i, 0] * (x1 - x0))
        y = _grained(y0 + chances[i, 1] * (y1 - y0))
        if _inside_ring(x, y, region, 0, region.shape[0]) and _stands_free(going, none, x, y):
            out[count, 0] = x
            out[count, 1] = y
            count += 1
    return out[:count]


@kernel
def _grained(value: float) -> float:
    return float(np.floor(value * 10000.0 + 0.5) / 10000.0)


@kernel
def _add_arc(
    going: Going,
    none: Flags,
    x: float,
    y: float,
    px: float,
    py: float,
    qx: float,
    qy: float,
    reach: float,
    nodes: Floats,
    count: int,
) -> int:
    """Add the node at which a way bends round the arc of radius reach about a place, between unit vectors p and q.

    If no base may stand there, four nodes close to the arc instead, as far as a base may stand at them.
    """
    mx, my = px + qx, py + qy
    square = mx * mx + my * my
    nx, ny = x + 2.0 * reach * mx / square, y + 2.0 * reach * my / square
    if _stands_free(going, none, nx, ny):
        nodes[count, 0], nodes[count, 1] = nx, ny
        return count + 1
    m = np.sqrt(square)
    mx, my = mx / m, my / m
    for quarter in range(4):
        ax, ay = (px, py) if quarter < 2 else (mx, my)
        bx, by = (mx, my) if quarter < 2 else (qx, qy)
        cx, cy = ax + bx, ay + by
        c = np.sqrt(cx * cx + cy * cy)
        cx, cy = cx / c, cy / c
        ex, ey = (ax + cx, ay + cy) if quarter % 2 == 0 else (cx + bx, cy + by)
        square = ex * ex + ey * ey
        nx, ny = x + 2.0 * reach * ex / square, y + 2.0 * reach * ey / square
        if _stands_free(going, none, nx, ny):
            nodes[count, 0], nodes[count, 1] = nx, ny
            count += 1
    return count


@kernel
def _disc_nodes(going: Going, none: Flags, j: int, nodes: Floats, count: int) -> int:
    """The nodes round a disc, an arc of 45 degrees each."""
    if going.discs[j, 2] <= 0.0:
        return count
    px, py = 0.92387953251128674, 0.38268343236508977
    for _ in range(8):
        qx, qy = (px - py) * 0.70710678118654752, (px + py) * 0.70710678118654752
        count = _add_arc(
            going, none, going.discs[j, 0], going.discs[j, 1], px, py, qx, qy, going.discs[j, 2] + _GRAZE, nodes, count
        )
        px, py = qx, qy
    return count


@kernel
def _outline_nodes(going: Going, none: Flags, first: int, last: int, nodes: Floats, count: int) -> int:
    """The nodes off each corner of an outline that sticks out, one for a turn of up to 60 degrees, else two."""
    area = 0.0
    for i in range(first, last):
        j = i + 1 if i + 1 < last else first
        area += going.corners[i, 0] * going.corners[j, 1] - going.corners[j, 0] * going.corners[i, 1]
    sign = 1.0 if area >= 0.0 else -1.0
    reach = going.radius + _GRAZE
    for i in range(first, last):
        h = i - 1 if i > first else last - 1
        j = i + 1 if i + 1 < last else first
        ex, ey = going.corners[i, 0] - going.corners[h, 0], going.corners[i, 1] - going.corners[h, 1]
        fx, fy = going.corners[j, 0] - going.corners[i, 0], going.corners[j, 1] - going.corners[i, 1]
        e = np.sqrt(ex * ex + ey * ey)
        f = np.sqrt(fx * fx + fy * fy)
        if e < 1e-9 or f < 1e-9 or sign * (ex * fy - ey * fx) <= 0.0:
            continue
        px, py = sign * ey / e, -sign * ex / e
        qx, qy = sign * fy / f, -sign * fx / f
        mx, my = px + qx, py + qy
        m = np.sqrt(mx * mx + my * my)
        if m < 1e-6:
            continue
        if m > 1.74:
            count = _add_arc(going, none, going.corners[i, 0], going.corners[i, 1], px, py, qx, qy, reach, nodes, count)
            continue
        mx, my = mx / m, my / m
        count = _add_arc(going, none, going.corners[i, 0], going.corners[i, 1], px, py, mx, my, reach, nodes, count)
        count = _add_arc(going, none, going.corners[i, 0], going.corners[i, 1], mx, my, qx, qy, reach, nodes, count)
    return count


@kernel
def _heap_push(heap: Floats, size: int, f: float, g: float, node: float, parent: float) -> int:
    i = size
    while i > 0:
        up = (i - 1) // 2
        if heap[up, 0] <= f:
            break
        for c in range(4):
            heap[i, c] = heap[up, c]
        i = up
    heap[i, 0], heap[i, 1], heap[i, 2], heap[i, 3] = f, g, node, parent
    return size + 1


@kernel
def _heap_pop(heap: Floats, size: int, out: Floats) -> int:
    for c in range(4):
        out[c] = heap[0, c]
    size -= 1
    f, g, node, parent = heap[size, 0], heap[size, 1], heap[size, 2], heap[size, 3]
    i = 0
    while True:
        down = 2 * i + 1
        if down >= size:
            break
        if down + 1 < size and heap[down + 1, 0] < heap[down, 0]:
            down += 1
        if heap[down, 0] >= f:
            break
        for c in range(4):
            heap[i, c] = heap[down, c]
        i = down
    heap[i, 0], heap[i, 1], heap[i, 2], heap[i, 3] = f, g, node, parent
    return size


@kernel
def _push_way(
    heap: Floats, size: int, nodes: Floats, cost: Floats, a: int, b: int, hx: float, hy: float, hr: float, limit: float
) -> int:
    """Offer the way from node a to node b, if it can still be within the limit."""
    dx = nodes[b, 0] - nodes[a, 0]
    dy = nodes[b, 1] - nodes[a, 1]
    g = cost[a] + np.sqrt(dx * dx + dy * dy)
    f = g
    if hr >= 0.0:
        dx = nodes[b, 0] - hx
        dy = nodes[b, 1] - hy
        f = g + max(0.0, np.sqrt(dx * dx + dy * dy) - hr)
    if f > limit + 1e-9:
        return size
    return _heap_push(heap, size, f, g, b, a)


@kernel
def _room(heap: Floats, size: int, more: int) -> Floats:
    if size + more <= heap.shape[0]:
        return heap
    bigger = np.empty((2 * heap.shape[0] + more, 4))
    bigger[:size] = heap[:size]
    return bigger


@kernel
def _grow_nodes(going: Going, bars: Flags, active: Flags, none: Flags, nodes: Floats, count: int) -> int:
    """Add the nodes of every obstacle that bars and is not active yet, if a base may stand there."""
    n = going.discs.shape[0]
    for j in range(bars.shape[0]):
        if not bars[j] or active[j]:
            continue
        active[j] = True
        if j < n:
            count = _disc_nodes(going, none, j, nodes, count)
        else:
            count = _outline_nodes(going, none, going.starts[j - n], going.starts[j - n + 1], nodes, count)
    return count


@kernel
def _pull(going: Going, loose: Flags, bars: Flags, way: Floats) -> None:
    """Draw the corners of a way tight: each towards the line between its neighbours, as far as nothing bars."""
    last = way.shape[0] - 1
    for _ in range(2):
        for i in range(1, last):
            ax, ay, bx, by = way[i - 1, 0], way[i - 1, 1], way[i + 1, 0], way[i + 1, 1]
            vx, vy = way[i, 0], way[i, 1]
            ex, ey = bx - ax, by - ay
            square = ex * ex + ey * ey
            t = 0.5
            if square > 1e-18:
                t = min(1.0, max(0.0, ((vx - ax) * ex + (vy - ay) * ey) / square))
            mx, my = ax + t * ex - vx, ay + t * ey - vy
            step = 1.0
            done = 0.0
            for _ in range(7):
                share = done + step
                cx, cy = vx + share * mx, vy + share * my
                if (
                    share <= 1.0
                    and _way_clear(going, loose, i == 1, ax, ay, cx, cy, bars, False)
                    and _way_clear(going, loose, False, cx, cy, bx, by, bars, False)
                ):
                    done = share
                step = step / 2.0
            way[i, 0], way[i, 1] = vx + done * mx, vy + done * my


@kernel
def _chain(nodes: Floats, parents: Ints, node: int) -> Floats:
    """The way to a node, from the start."""
    length = 1
    at = node
    while at != 0:
        at = parents[at]
        length += 1
    way = np.empty((length, 2))
    at = node
    for i in range(length - 1, -1, -1):
        way[i, 0], way[i, 1] = nodes[at, 0], nodes[at, 1]
        at = parents[at]
    return way


@kernel
def _to_grain(way: Floats) -> Floats:
    for i in range(1, way.shape[0]):
        way[i, 0], way[i, 1] = _grained(way[i, 0]), _grained(way[i, 1])
    return way


@kernel
def plan_route(
    going: Going, sx: float, sy: float, goals: Floats, hx: float, hy: float, hr: float, limit: float
) -> Floats:
    """The shortest way found from a start to any goal, no longer than limit: its points (n, 2), empty if none is found.

    All goals are within hr of (hx, hy). The search is A* over the corners of whatever turns out to bar the way.
    """
    loose = _loosened(going, sx, sy)
    bars = np.zeros(loose.shape[0], np.bool_)
    heap = np.empty((256 + 2 * goals.shape[0], 4))
    nodes = np.empty((9 + goals.shape[0] + 32 * going.discs.shape[0] + 8 * going.corners.shape[0], 2))
    nodes[0, 0], nodes[0, 1] = sx, sy
    count = 1
    for i in range(goals.shape[0]):
        x, y = _grained(goals[i, 0]), _grained(goals[i, 1])
        if _stands_free(going, loose, x, y):
            nodes[count, 0], nodes[count, 1] = x, y
            count += 1
    ends = count
    if ends == 2 and _way_clear(going, loose, True, sx, sy, nodes[1, 0], nodes[1, 1], bars, True):
        dx, dy = nodes[1, 0] - sx, nodes[1, 1] - sy
        return nodes[: 2 if np.sqrt(dx * dx + dy * dy) <= limit + 1e-9 else 0].copy()
    active = np.zeros(loose.shape[0], np.bool_)
    none = np.zeros(loose.shape[0], np.bool_)
    cost = np.full(nodes.shape[0], -1.0)
    parents = np.zeros(nodes.shape[0], np.int64)
    order = np.empty(nodes.shape[0], np.int64)
    closed = 1
    order[0] = 0
    cost[0] = 0.0
    size = 0
    for i in range(1, ends):
        size = _push_way(heap, size, nodes, cost, 0, i, hx, hy, hr, limit)
    top = np.empty(4)
    for _ in range(_POPS):
        if size == 0:
            break
        size = _heap_pop(heap, size, top)
        node, parent = int(top[2]), int(top[3])
        if cost[node] >= 0.0:
            continue
        bars[:] = False
        if not _way_clear(
            going, loose, parent == 0, nodes[parent, 0], nodes[parent, 1], nodes[node, 0], nodes[node, 1], bars, True
        ):
            before = count
            count = _grow_nodes(going, bars, active, none, nodes, count)
            heap = _room(heap, size, closed * (count - before))
            for c in range(closed):
                for i in range(before, count):
                    size = _push_way(heap, size, nodes, cost, order[c], i, hx, hy, hr, limit)
            continue
        cost[node] = top[1]
        parents[node] = parent
        if node < ends:
            way = _chain(nodes, parents, node)
            _pull(going, loose, bars, way)
            return _to_grain(way)
        order[closed] = node
        closed += 1
        heap = _room(heap, size, count)
        for i in range(1, count):
            if cost[i] < 0.0:
                size = _push_way(heap, size, nodes, cost, node, i, hx, hy, hr, limit)
    return nodes[:0].copy()


@kernel
def _score(kind: int, ax: float, ay: float, x: float, y: float) -> float:
    """The score to be made as low as possible: 0 the distance from a, 1 the same reversed, 2 the product with a."""
    if kind == 2:
        return ax * x + ay * y
    dx, dy = x - ax, y - ay
    far = float(np.sqrt(dx * dx + dy * dy))
    return far if kind == 0 else -far


@kernel
def _downhill(kind: int, ax: float, ay: float, x: float, y: float) -> tuple[float, float]:
    """The direction in which the score falls fastest."""
    dx, dy = -ax, -ay
    if kind == 0:
        dx, dy = ax - x, ay - y
    if kind == 1:
        dx, dy = x - ax, y - ay
    far = np.sqrt(dx * dx + dy * dy)
    if far < 1e-9:
        return 0.0, 0.0
    return dx / far, dy / far


@kernel
def _can_go(
    going: Going,
    loose: Flags,
    bars: Flags,
    first: bool,
    none: Flags,
    ax: float,
    ay: float,
    bx: float,
    by: float,
    left: float,
) -> bool:
    """Whether b is a place to stand that can be reached straight from a with the rest of the allowance."""
    dx, dy = bx - ax, by - ay
    return bool(
        dx * dx + dy * dy <= left * left
        and _stands_free(going, loose if first else none, bx, by)
        and _way_clear(going, loose, first, ax, ay, bx, by, bars, False)
    )


@kernel
def _best_from(
    going: Going,
    loose: Flags,
    bars: Flags,
    first: bool,
    none: Flags,
    kind: int,
    ax: float,
    ay: float,
    x: float,
    y: float,
    left: float,
    end: Floats,
) -> None:
    """The best place found straight from x, y: along the fall of the score, then by trying round about."""
    dx, dy = _downhill(kind, ax, ay, x, y)
    reach = left
    if kind == 0:
        reach = min(left, _score(0, ax, ay, x, y))
    ex, ey = x, y
    step, done = reach, 0.0
    for _ in range(22):
        if done + step <= reach + 1e-12 and _can_go(
            going, loose, bars, first, none, x, y, x + (done + step) * dx, y + (done + step) * dy, left
        ):
            done += step
            ex, ey = x + done * dx, y + done * dy
        step = step / 2.0
    best = _score(kind, ax, ay, ex, ey)
    step = left / 2.0
    while step > 0.0005:
        better = False
        for i in range(8):
            ux = 1.0 if i < 2 else (-1.0 if i < 4 else (0.0 if i < 6 else 0.6))
            uy = 0.0 if i == 0 or i == 2 else (1.0 if i < 5 else -1.0)
            cx, cy = ex + step * ux, ey + step * uy
            score = _score(kind, ax, ay, cx, cy)
            if score < best - 0.0005 and _can_go(going, loose, bars, first, none, x, y, cx, cy, left):
                ex, ey, best, better = cx, cy, score, True
        if not better:
            step = step / 2.0
    end[0], end[1], end[2] = ex, ey, best


@kernel
def plan_best(going: Going, sx: float, sy: float, kind: int, ax: float, ay: float, budget: float) -> Floats:
    """The way, no longer than budget, to the place of the lowest score found: its points (n, 2), at least the start."""
    loose = _loosened(going, sx, sy)
    bars = np.zeros(loose.shape[0], np.bool_)
    active = np.zeros(loose.shape[0], np.bool_)
    none = np.zeros(loose.shape[0], np.bool_)
    nodes = np.empty((9 + 32 * going.discs.shape[0] + 8 * going.corners.shape[0], 2))
    cost = np.full(nodes.shape[0], -1.0)
    parents = np.zeros(nodes.shape[0], np.int64)
    order = np.empty(nodes.shape[0], np.int64)
    heap = np.empty((256, 4))
    nodes[0, 0], nodes[0, 1] = sx, sy
    count, closed = 1, 0
    size = _heap_push(heap, 0, 0.0, 0.0, 0.0, 0.0)
    best = np.empty(3)
    best[0], best[1], best[2] = sx, sy, _score(kind, ax, ay, sx, sy)
    root = 0
    end, top = np.empty(3), np.empty(4)
    for _ in range(_POPS):
        if size == 0:
            break
        size = _heap_pop(heap, size, top)
        node, parent = int(top[2]), int(top[3])
        if cost[node] >= 0.0:
            continue
        before = count
        x, y, left = nodes[node, 0], nodes[node, 1], budget - top[1]
        bars[:] = False
        clear = node == 0 or _way_clear(going, loose, parent == 0, nodes[parent, 0], nodes[parent, 1], x, y, bars, True)
        if clear:
            cost[node] = top[1]
            parents[node] = parent
            order[closed] = node
            closed += 1
            hope = _score(kind, ax, ay, x, y) - left
            if kind == 0:
                hope = max(hope, 0.0)
            if hope < best[2] - 1e-6:
                dx, dy = _downhill(kind, ax, ay, x, y)
                reach = min(left, _score(0, ax, ay, x, y)) if kind == 0 else left
                _way_clear(going, loose, node == 0, x, y, x + reach * dx, y + reach * dy, bars, True)
                _best_from(going, loose, bars, node == 0, none, kind, ax, ay, x, y, left, end)
                if end[2] < best[2] - 1e-7:
                    best[:] = end
                    root = node
        count = _grow_nodes(going, bars, active, none, nodes, count)
        heap = _room(heap, size, (closed + 1) * (count - before) + count)
        if clear:
            for i in range(1, before):
                if cost[i] < 0.0:
                    size = _push_way(heap, size, nodes, cost, node, i, 0.0, 0.0, -1.0, budget)
        for c in range(closed):
            for i in range(before, count):
                size = _push_way(heap, size, nodes, cost, order[c], i, 0.0, 0.0, -1.0, budget)
    there = _chain(nodes, parents, root)
    way = np.empty((there.shape[0] + 1, 2))
    way[: there.shape[0]] = there
    way[there.shape[0], 0], way[there.shape[0], 1] = best[0], best[1]
    _pull(going, loose, bars, way)
    return _to_grain(way)


@kernel
def _box_of_way(way: Floats) -> tuple[float, float, float, float]:
    west, south, east, north = way[0, 0], way[0, 1], way[0, 0], way[0, 1]
    for i in range(1, way.shape[0]):
        west, east = min(west, way[i, 0]), max(east, way[i, 0])
        south, north = min(south, way[i, 1]), max(north, way[i, 1])
    return west, south, east, north


@kernel
def way_trouble(going: Going, way: Floats) -> tuple[int, int, float]:
    """What is wrong with a way by the exact checks: (0 nothing, 1 a disc, 2 an outline, 3 an edge; which; progress)."""
    n = max(1, way.shape[0] - 1)
    legs = np.zeros((n, 7))
    for i in range(n):
        j = min(i + 1, way.shape[0] - 1)
        legs[i, 0], legs[i, 1] = way[i, 0], way[i, 1]
        legs[i, 2], legs[i, 3] = way[j, 0] - way[i, 0], way[j, 1] - way[i, 1]
        legs[i, 5] = 1.0
    core = np.zeros((1, 2))
    kind, which, when = 0, -1, 1e30
    west, south, east, north = _box_of_way(way)
    near = np.empty(going.discs.shape[0], np.int64)
    many = 0
    for k in range(going.discs.shape[0]):
        x, y, keep = going.discs[k, 0], going.discs[k, 1], going.discs[k, 2]
        if x + keep > west and x - keep < east and y + keep > south and y - keep < north:
            near[many] = k
            many += 1
    if many > 0:
        about = going.discs[near[:many]]
        rows = sweep(legs, core, about[:, :2].copy(), np.arange(many + 1), about[:, 2].copy(), _SLACK, True)
        for i in range(rows.shape[0]):
            if rows[i, 1] < when:
                kind, which, when = 1, near[int(rows[i, 0])], rows[i, 1]
    for k in range(going.starts.shape[0] - 1):
        if (
            going.boxes[k, 0] > east
            or going.boxes[k, 2] < west
            or going.boxes[k, 1] > north
            or going.boxes[k, 3] < south
        ):
            continue
        one = np.array((going.starts[k], going.starts[k + 1]))
        rows = sweep(legs, core, going.corners, one, np.full(1, going.radius), _SLACK, False)
        for i in range(rows.shape[0]):
            if rows[i, 1] > 0.0 and rows[i, 1] < when:
                kind, which, when = 2, k, rows[i, 1]
    over = _over_an_edge(going, way)
    return (3, 0, over) if over < when else (kind, which, when)


@kernel
def _over_an_edge(going: Going, way: Floats) -> float:
    """The progress at which a way goes farther over an edge of the table than at its start; 1e30 if it never does."""
    x, y = way[0, 0], way[0, 1]
    most = max(
        _SLACK, going.radius - x, going.radius - y, x + going.radius - going.width, y + going.radius - going.depth
    )
    for i in range(1, way.shape[0]):
        first = 1e30
        for side in range(4):
            before, after = _off(going, way, i - 1, side), _off(going, way, i, side)
            if after > most:
                first = min(first, max(0.0, (most - before) / (after - before)))
        if first < 1e30:
            return i - 1 + first
    return 1e30


@kernel
def _off(going: Going, way: Floats, i: int, side: int) -> float:
    """How far a base at a place of a way is over a side of the table."""
    x, y = float(way[i, 0]), float(way[i, 1])
    if side < 2:
        return going.radius - y if side == 0 else y + going.radius - going.depth
    return going.radius - x if side == 2 else x + going.radius - going.width


@kernel
def in_area(ring: Floats, points: Floats, limit: float, wholly: bool) -> Flags:
    """Which points are in a ring and at least limit from its sides (wholly), or in it or at most limit from them."""
    out = np.zeros(points.shape[0], np.bool_)
    for p in range(points.shape[0]):
        x, y = points[p, 0], points[p, 1]
        least = 1e30
        for i in range(ring.shape[0]):
            j = i + 1 if i + 1 < ring.shape[0] else 0
            least = min(least, _point_segment(x, y, ring[i, 0], ring[i, 1], ring[j, 0], ring[j, 1]))
        inside = _inside_ring(x, y, ring, 0, ring.shape[0])
        if wholly:
            out[p] = inside and least >= limit * limit
        else:
            out[p] = inside or least <= limit * limit
    return out


COMPILED.update({name: thing for name, thing in globals().items() if name not in PLAIN})
