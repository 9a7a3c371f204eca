"""Ways for hulls: planned for a disc, turned to face each leg, then checked exactly as the hull.

The planner knows discs only. A hull is planned as the disc round it and as the largest disc inside it about its
centre; the hull itself is then put to the exact checks, turns included, and the shorter legal way is taken. So a way
that only a cleverly turned hull could take is missed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from campale.table.kernels import Floats
from campale.table.paths import Path, furthest_length, plan_length, span
from campale.table.planner import going, route
from campale.table.shapes import TOLERANCE, Circle, Ellipse, Point, Shape, facing_towards
from campale.table.sweeps import crossings, edges_met, first_near
from campale.table.terrain import Ground, Piece


class Field(msgspec.Struct, frozen=True, eq=False):
    """The obstacles of a hull: discs (n, 3: x, y, radius) with the ``gap`` to keep, barred pieces, table edges."""

    ground: Ground
    discs: Floats
    gap: float = 0.0
    barred: tuple[Piece, ...] = ()


def is_legal(field: Field, shape: Shape, path: Path) -> bool:
    """Whether the path of a base or hull is legal by the exact checks; it may move away from what is too near."""
    if first_near(path, shape, field.discs, field.gap) is not None:
        return False
    if any(not stretch.from_outset for stretch in crossings(path, shape, field.barred)):
        return False
    over = edges_met(path, shape, field.ground.width, field.ground.depth)
    return all(stretch.from_outset and not stretch.to_end for stretch in over)


def hull_route(
    field: Field,
    shape: Shape,
    start: Point,
    facing: float,
    goal: Point,
    allowance: float | None = None,
    *,
    final_facing: float | None = None,
    turning_costs: bool = False,
    sideways: bool = False,
) -> Path | None:
    """The shortest legal way found for a hull to a goal, or None.

    The hull turns on the spot to face each leg, and at the end to ``final_facing``; ``sideways``: it keeps its facing
    instead. With ``turning_costs`` the allowance applies to the point of the outline that goes farthest.
    """
    found: list[Path] = []
    for radius in (span(shape), inner_radius(shape)):
        plan = route(going(field.ground, radius, field.discs, field.gap, field.barred), start, goal, allowance)
        if plan is None:
            continue
        path = plan_with_turns(plan, facing, final_facing, sideways)
        length = furthest_length(path, shape) if turning_costs else plan_length(path)
        fits = allowance is None or length <= allowance + TOLERANCE
        if fits and is_legal(field, shape, path):
            found.append(path)
    return min(found, key=plan_length, default=None)


def plan_with_turns(plan: Path, facing: float, final_facing: float | None = None, sideways: bool = False) -> Path:
    """A path with the turns that face a hull along each leg, the shorter way round, and then to its final facing."""
    wanted = [facing_towards(_flat(a), _flat(b)) for a, b in pairwise(plan.points)]
    faced = [facing] * len(wanted) if sideways else wanted
    last = final_facing if final_facing is not None else (faced[-1] if faced else facing)
    facings = [facing, *faced, last]
    return Path(plan.points, last % 360.0, tuple(shorter_turn(a, b) for a, b in pairwise(facings)))


def shorter_turn(from_: float, to: float) -> float:
    """The turn from a facing to another that is no more than half a circle; clockwise is positive."""
    turn = (to - from_) % 360.0
    return turn - 360.0 if turn > 180.0 else turn


def inner_radius(shape: Shape) -> float:
    """The radius of the largest disc about the centre that lies inside the shape."""
    if isinstance(shape, Circle):
        return shape.radius
    if isinstance(shape, Ellipse):
        return min(shape.half_length, shape.half_width)
    return _to_outline(shape.corners)


def _to_outline(corners: Sequence[Point]) -> float:
    least = math.inf
    for (ax, ay), (bx, by) in pairwise((*corners, corners[0])):
        ex, ey = bx - ax, by - ay
        t = min(1.0, max(0.0, -(ax * ex + ay * ey) / (ex * ex + ey * ey)))
        dx, dy = ax + t * ex, ay + t * ey
        least = min(least, math.sqrt(dx * dx + dy * dy))
    return least


def _flat(point: Sequence[float]) -> Point:
    return point[0], point[1]
