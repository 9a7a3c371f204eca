"""Distances, Front and Rear, heights (core/measuring, core/front-rear, core/levels)."""

from __future__ import annotations

from campale.mechanics.bases import distance
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.table import measure
from campale.table.shapes import TOLERANCE

SAME_LEVEL = 1.0


@rule("core/measuring")
def gap(one: Model, other: Model) -> float:
    """The distance in plan between the nearest points of two bases, in inches."""
    return distance(one, other)


@rule("core/measuring")
def within(far: float, limit: float) -> bool:
    return far <= limit + TOLERANCE


@rule("core/front-rear")
def in_front(model: Model, other: Model) -> bool:
    """Whether any part of the other's base lies ahead of the line through the centre of the model's own base."""
    return measure.in_front(model.solid, other.solid)


@rule("core/front-rear")
def strikes_rear(attacker: Model, target: Model) -> bool:
    """Whether the centre of the attacker's base lies in the target's Rear."""
    return measure.is_behind(target.solid, attacker.solid)


@rule("core/levels")
def same_level(height: float, other: float) -> bool:
    """Whether two heights above the table, in inches, are one level."""
    return abs(height - other) < SAME_LEVEL - TOLERANCE
