"""Hulls on the table: their named points, turrets, faces, and arcs by angle and by corners.

Faces and corner arcs are those of the hull's rectangle, the smallest one along its facing that contains it. A round or
oval base has one too (the square or rectangle about it), so that the same questions apply to a walker.
"""

from __future__ import annotations

import math

from campale.table.measure import HALF_GRAIN, bounding_radius, in_arc, nearest_point
from campale.table.outlines import Outline, placed
from campale.table.shapes import Circle, Ellipse, Hull, Point, Point3, Solid, heading

__all__ = [
    "FACES",
    "QUARTERS",
    "bounding_radius",
    "centre",
    "face_angles",
    "face_points",
    "faces_most_seen",
    "in_arc_of_hull",
    "in_quarter",
    "in_sector",
    "is_turret",
    "point",
    "rectangle_of",
    "sectors_holding",
    "sectors_of",
]

FACES = ("front", "right", "rear", "left")
"""The four sides of a hull, clockwise."""

QUARTERS = {"front": (-45.0, 45.0), "right": (45.0, 135.0), "rear": (135.0, 225.0), "left": (225.0, 315.0)}
"""The arcs of 90 degrees about the perpendiculars to the sides, in degrees clockwise from the facing."""


def point(solid: Solid, name: str) -> Point3:
    """A named point of a hull in table coordinates. Raises KeyError if the hull has no point of that name."""
    if not isinstance(solid.shape, Hull):
        raise KeyError(name)
    x, y, z = solid.shape.points[name]
    ((px, py),) = placed(((x, y),), solid.x, solid.y, solid.facing)
    return px, py, solid.z + z


def is_turret(solid: Solid, name: str) -> bool:
    """Whether a named point of a hull traverses all round."""
    return isinstance(solid.shape, Hull) and name in solid.shape.turrets


def centre(solid: Solid) -> Point:
    """The centre of the hull's rectangle, on the table."""
    west, south, east, north = _box(solid)
    ((x, y),) = placed((((west + east) / 2, (south + north) / 2),), solid.x, solid.y, solid.facing)
    return x, y


def rectangle_of(solid: Solid) -> Outline:
    """The corners of the hull's rectangle on the table: rear left, rear right, front right, front left."""
    west, south, east, north = _box(solid)
    corners = ((west, south), (east, south), (east, north), (west, north))
    return placed(corners, solid.x, solid.y, solid.facing)


def face_points(solid: Solid, face: str) -> tuple[Point, Point]:
    """The two ends of a face of the hull's rectangle, counter-clockwise. Raises KeyError if there is no such face."""
    return _ends_of(rectangle_of(solid), face)


def sectors_of(solid: Solid, x: float, y: float) -> tuple[str, ...]:
    """The arcs, cut by the lines from the centre through the corners, that contain a point.

    Usually one; on a dividing line the two beside it (within half the grain); at the centre all four.
    """
    west, south, east, north = _box(solid)
    middle, ahead = centre(solid), heading(solid.facing)
    dx, dy = x - middle[0], y - middle[1]
    across, along = dx * ahead[1] - dy * ahead[0], dx * ahead[0] + dy * ahead[1]
    wide, deep = (east - west) / 2, (north - south) / 2
    diagonal = math.sqrt(wide * wide + deep * deep)
    u, v = across * deep / diagonal, along * wide / diagonal
    depths = {"front": v - abs(u), "right": u - abs(v), "rear": -v - abs(u), "left": -u - abs(v)}
    return tuple(face for face in FACES if depths[face] >= -HALF_GRAIN)


def in_sector(solid: Solid, sector: str, other: Solid) -> bool:
    """Whether the point of a base nearest to the hull's centre lies in an arc cut by the corners."""
    return sector in sectors_holding(solid, other)


def sectors_holding(solid: Solid, other: Solid) -> tuple[str, ...]:
    """The arcs, cut by the corners, that contain the point of a base nearest to the hull's centre."""
    return sectors_of(solid, *nearest_point(other, *centre(solid)))


def in_quarter(solid: Solid, side: str, other: Solid, part: str = "any") -> bool:
    """Whether a base lies in the arc of 90 degrees about a side, seen from the hull's centre. KeyError for no side."""
    from_, to = QUARTERS[side]
    return in_arc_of_hull(solid, other, from_, to, part)


def in_arc_of_hull(solid: Solid, other: Solid, from_: float, to: float, part: str = "any") -> bool:
    """``in_arc`` seen from the centre of the hull's rectangle."""
    x, y = centre(solid)
    return in_arc(Solid(Circle(0.0), x, y, facing=solid.facing), other, from_, to, part)


def face_angles(solid: Solid, x: float, y: float) -> dict[str, float]:
    """The degrees that each face of the hull's rectangle spans from a point: 0 for faces that face away.

    From inside the rectangle no face faces away.
    """
    corners = rectangle_of(solid)
    ends = {face: _ends_of(corners, face) for face in FACES}
    inside = all(_ahead_of(*ends[face], x, y) <= 0 for face in FACES)
    return {face: _angle(*ends[face], x, y, inside) for face in FACES}


def faces_most_seen(solid: Solid, x: float, y: float) -> tuple[str, ...]:
    """The face that spans the largest angle from a point, to a millionth of a degree; all of them in case of a tie."""
    angles = face_angles(solid, x, y)
    most = max(angles.values())
    return tuple(face for face in FACES if angles[face] == most)


def _box(solid: Solid) -> tuple[float, float, float, float]:
    """The least x, least y, greatest x, greatest y of a shape in its own coordinates."""
    shape = solid.shape
    if isinstance(shape, Circle):
        return -shape.radius, -shape.radius, shape.radius, shape.radius
    if isinstance(shape, Ellipse):
        return -shape.half_width, -shape.half_length, shape.half_width, shape.half_length
    across, along = [p[0] for p in shape.corners], [p[1] for p in shape.corners]
    return min(across), min(along), max(across), max(along)


def _ends_of(corners: Outline, face: str) -> tuple[Point, Point]:
    at = {"rear": 0, "right": 1, "front": 2, "left": 3}[face]
    return corners[at], corners[(at + 1) % 4]


def _ahead_of(a: Point, b: Point, x: float, y: float) -> float:
    """Positive if (x, y) is outside the side a-b of a counter-clockwise outline."""
    return (b[1] - a[1]) * (x - a[0]) - (b[0] - a[0]) * (y - a[1])


def _angle(a: Point, b: Point, x: float, y: float, inside: bool) -> float:
    if not inside and _ahead_of(a, b, x, y) <= 0:
        return 0.0
    ax, ay, bx, by = a[0] - x, a[1] - y, b[0] - x, b[1] - y
    return round(math.degrees(math.atan2(abs(ax * by - ay * bx), ax * bx + ay * by)), 6)
