"""The kernels' twins: the same questions answered in plain Python, by another road.

Distances by walking along boundaries, sight by cutting a line at every boundary it may cross and asking of each piece
of it whether its middle is inside (by winding), bodies by the nearest point of the axis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from campale.table.shapes import Point, Point3
from campale.table.terrain import Ground, Piece


def winding(outline: Sequence[Point], x: float, y: float) -> int:
    """How many times an outline goes round a point."""
    turns = 0.0
    for k, b in enumerate(outline):
        a = outline[k - 1]
        one, two = complex(a[0] - x, a[1] - y), complex(b[0] - x, b[1] - y)
        if one != 0 and two != 0:
            turns += math.atan2((one.conjugate() * two).imag, (one.conjugate() * two).real)
    return round(turns / (2 * math.pi))


def point_to_segment(p: Point, a: Point, b: Point) -> float:
    """By the three cases: before the start, beyond the end, beside."""
    length = math.dist(a, b)
    if length == 0:
        return math.dist(p, a)
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    along = (p[0] - a[0]) * ux + (p[1] - a[1]) * uy
    if along <= 0:
        return math.dist(p, a)
    if along >= length:
        return math.dist(p, b)
    return abs((p[0] - a[0]) * uy - (p[1] - a[1]) * ux)


def point_to_outline(p: Point, outline: Sequence[Point]) -> float:
    """0 inside, by winding."""
    if winding(outline, *p):
        return 0.0
    return min(point_to_segment(p, outline[k - 1], outline[k]) for k in range(len(outline)))


def point_to_ellipse(half_x: float, half_y: float, p: Point) -> float:
    """By Newton's method on the angle from many starts."""
    if (p[0] / half_x) ** 2 + (p[1] / half_y) ** 2 <= 1:
        return 0.0
    best = math.inf
    for start in range(16):
        angle = start * math.pi / 8
        for _ in range(60):
            x, y = half_x * math.cos(angle), half_y * math.sin(angle)
            dx, dy = -half_x * math.sin(angle), half_y * math.cos(angle)
            slope = (x - p[0]) * dx + (y - p[1]) * dy
            bend = dx * dx + dy * dy - (x - p[0]) * x - (y - p[1]) * y
            if abs(bend) < 1e-12:
                break
            angle -= max(-0.5, min(0.5, slope / bend))
        best = min(best, math.dist(p, (half_x * math.cos(angle), half_y * math.sin(angle))))
    return best


def cut_points(piece: Piece, start: Point3, end: Point3) -> list[float]:
    """The places on a line (0 to 1) where it may pass in or out of a piece, in order."""
    cuts = [0.0, 1.0]
    dx, dy, dz = (e - s for s, e in zip(start, end, strict=True))
    for k, b in enumerate(piece.outline):
        a = piece.outline[k - 1]
        ex, ey = b[0] - a[0], b[1] - a[1]
        across = dx * ey - dy * ex
        if abs(across) > 1e-12:
            cuts.append(((a[0] - start[0]) * ey - (a[1] - start[1]) * ex) / across)
    if abs(dz) > 1e-12:
        cuts += [(piece.z - start[2]) / dz, (piece.top - start[2]) / dz]
    return sorted(min(1.0, max(0.0, cut)) for cut in cuts)


def is_inside(piece: Piece, x: float, y: float, z: float) -> bool:
    """Strictly over the outline, not under the foot, under the top."""
    edge = min(point_to_segment((x, y), piece.outline[k - 1], b) for k, b in enumerate(piece.outline))
    high = piece.z - 1e-9 <= z < piece.top - 1e-9
    return high and edge > 1e-9 and winding(piece.outline, x, y) != 0


def length_inside(piece: Piece, start: Point3, end: Point3) -> tuple[float, float]:
    """The length of a line inside a piece, and where it is first met."""
    whole, total, first = math.dist(start, end), 0.0, math.inf
    cuts = cut_points(piece, start, end)
    for low, high in pairwise(cuts):
        middle = (low + high) / 2
        x, y, z = (s + middle * (e - s) for s, e in zip(start, end, strict=True))
        if (high - low) * whole > 1e-12 and is_inside(piece, x, y, z):
            total += (high - low) * whole
            first = min(first, low * whole)
    return total, first


def state(
    ground: Ground,
    start: Point3,
    end: Point3,
    opacity: Sequence[int],
    allowance: float,
    exempt: Sequence[bool],
) -> int:
    """What a line comes to."""
    lengths = [length_inside(piece, start, end)[0] for piece in ground.pieces]
    met = [k for k, length in enumerate(lengths) if length > 1e-9]
    if any(opacity[k] == 1 for k in met):
        return 2
    if sum(lengths[k] for k in met if opacity[k] == 2) > allowance + 1e-9:
        return 2
    return int(any(opacity[k] == 2 and not exempt[k] for k in met))


def nine_points(eye: Point3, target: Sequence[float]) -> list[Point3]:
    """The centre and the ends of the diameter square to the line of sight, by angles, at three heights each."""
    x, y, z, radius, height = target
    angle = math.atan2(y - eye[1], x - eye[0])
    if math.dist((x, y), eye[:2]) < 1e-9:
        angle = math.pi / 2
    ends = [(x + side * radius * math.sin(angle), y - side * radius * math.cos(angle)) for side in (-1.0, 0.0, 1.0)]
    return [(px, py, z + share * height) for px, py in ends for share in (0.1, 0.5, 0.9)]


def passes_body(body: Sequence[float], start: Point3, end: Point3) -> bool:
    """Whether the part of a line at a cylinder's height comes nearer to its axis than its radius."""
    x, y, z, radius, height = body
    low, high = 0.0, 1.0
    dz = end[2] - start[2]
    if dz == 0:
        if not z <= start[2] < z + height:
            return False
    else:
        ends = sorted(((z - start[2]) / dz, (z + height - start[2]) / dz))
        low, high = max(low, ends[0]), min(high, ends[1])
    if low >= high:
        return False
    a, b = ((start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1])) for t in (low, high))
    return point_to_segment((x, y), a, b) < radius - 1e-9
