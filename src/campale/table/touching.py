"""Places at which a round base touches a base or a hull, in the order in which a search for contact tries them."""

from __future__ import annotations

import numpy as np

from campale.table.kernels import Floats
from campale.table.measure import nearest_point, outline_of
from campale.table.planner import CONTACT, ring
from campale.table.shapes import GRAIN, Circle, Point, Solid, heading

STEP = 0.5
"""The greatest distance between neighbouring places along the side of a hull."""

CORNER = 22.5
"""The degrees between places about the corner of a hull."""


def straight_place(start: Point, radius: float, target: Solid) -> Point:
    """The first contact of a base that comes straight from a start; for a hull, the nearest place of contact."""
    if isinstance(target.shape, Circle):
        near, apart = (target.x, target.y), target.shape.radius + radius + CONTACT
    else:
        near, apart = nearest_point(target, *start), radius + CONTACT
    dx, dy = start[0] - near[0], start[1] - near[1]
    far = (dx * dx + dy * dy) ** 0.5
    ux, uy = (dx / far, dy / far) if far > 0.0 else (0.0, 1.0)
    return _on_grain(near[0] + ux * apart), _on_grain(near[1] + uy * apart)


def places(start: Point, radius: float, target: Solid, beside: Floats | None = None) -> Floats:
    """Places (n, 2) in contact with a target, those nearest to the start first.

    ``beside`` (m, 3): x, y, radius of bases; the places that touch both the target and one of them are tried too.
    """
    if isinstance(target.shape, Circle):
        reach = target.shape.radius + radius + CONTACT
        found = [ring(start, (target.x, target.y), reach)]
        if beside is not None and len(beside):
            found.append(_between(target, reach, beside, radius))
    else:
        found = [_round_hull(target, radius + CONTACT)]
    tried: Floats = np.round(np.vstack(found), 4).astype(np.float64)
    off = (tried[:, 0] - start[0]) ** 2 + (tried[:, 1] - start[1]) ** 2
    ordered: Floats = tried[np.argsort(np.round(off, 6), kind="stable")]
    return ordered


def _between(target: Solid, reach: float, beside: Floats, radius: float) -> Floats:
    """The places at ``reach`` from a round target that are just clear of one of the bases beside it."""
    dx, dy, keep = beside[:, 0] - target.x, beside[:, 1] - target.y, beside[:, 2] + radius + 0.0003
    square = dx * dx + dy * dy
    near = (square > 1e-9) & (square < (reach + keep) ** 2) & (square > (reach - keep) ** 2)
    dx, dy, keep, square = dx[near], dy[near], keep[near], square[near]
    along = (reach * reach - keep * keep + square) / (2.0 * square)
    aside = np.sqrt(np.maximum(0.0, reach * reach / square - along * along))
    one = np.column_stack((target.x + along * dx - aside * dy, target.y + along * dy + aside * dx))
    two = np.column_stack((target.x + along * dx + aside * dy, target.y + along * dy - aside * dx))
    return np.vstack((one, two))


def _round_hull(target: Solid, apart: float) -> Floats:
    """Places along the sides of a convex hull and about its corners, at a distance from it."""
    corners = outline_of(target)
    found: list[Point] = []
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        dx, dy = bx - ax, by - ay
        length = (dx * dx + dy * dy) ** 0.5
        out_x, out_y = dy / length * apart, -dx / length * apart
        steps = max(1, int(-(-length // STEP)))
        found += [(ax + dx * k / steps + out_x, ay + dy * k / steps + out_y) for k in range(steps + 1)]
        found += [(bx + apart * x, by + apart * y) for x, y in _turning(out_x / apart, out_y / apart)]
    return np.array(found)


def _turning(x: float, y: float) -> list[Point]:
    """Directions from a side's own outward direction on, counter-clockwise."""
    turns = [heading(CORNER * k) for k in range(1, 4)]
    return [(x * c - y * s, x * s + y * c) for s, c in turns]


def _on_grain(value: float) -> float:
    return round(value * GRAIN) / GRAIN
