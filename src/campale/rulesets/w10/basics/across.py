"""Melees across a barricade (terrain/barricades-melee)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.basics.sight import barricades
from campale.rulesets.w10.basics.units import between, members, near, within
from campale.table import outlines
from campale.table.measure import gap_to_outline
from campale.table.shapes import Hull, Point, Solid
from campale.table.terrain import Ground, Piece
from campale.table.touching import places

REACH, BESIDE = 2.0, 1.0
CLOSE = 0.1
"""A charger this near to a barricade, in inches, counts as being as close as possible."""


def lies_between(piece: Piece, one: Solid, other: Solid) -> bool:
    """True if the line between two bodies meets a feature at the height of one of them or between."""
    ends = (one.x, one.y), (other.x, other.y)
    if piece.top <= min(one.z, other.z) or piece.z > max(one.z, other.z):
        return False
    return any(outlines.cross(*ends, *side) for side in outlines.sides(piece.outline))


@rule("core-concepts/measuring", "terrain/barricades-melee")
def off(one: Solid, piece: Piece) -> float:
    """The distance in inches of a base from a feature, across and up or down."""
    rise = max(piece.z - one.z, one.z - piece.top, 0.0)
    return math.hypot(gap_to_outline(one, piece.outline), rise)


@rule("terrain/barricades-melee")
def strikes_across(one: Solid, other: Solid, ground: Ground) -> bool:
    """True for bodies within 2 inches of each other on either side of a barricade."""
    if not within(between(one, other), REACH):
        return False
    return any(lies_between(piece, one, other) for piece in ground.kept(barricades).pieces)


@rule("terrain/barricades-melee")
def across_from(model: Model, enemies: Sequence[Model]) -> set[int]:
    """The rows of the units that a model may strike across a barricade."""
    position = model.position
    if not position.ground.kept(barricades).pieces:
        return set()
    close = [enemies[k] for k in near(position, [model], enemies, REACH).nonzero()[0].tolist()]
    return {position.unit_of[m.row] for m in close if strikes_across(model.solid, m.solid, position.ground)}


@rule("terrain/barricades-melee", "fight-phase/eligible")
def is_across(unit: Unit) -> bool:
    """True if a unit may strike any enemy across a barricade."""
    enemies = unit.position.on_table(1 - unit.side)
    return any(across_from(model, enemies) for model in members(unit))


def beside(unit: Sequence[Model], ground: Ground) -> list[Piece]:
    """The barricades that a unit is within 1 inch of."""
    pieces = ground.kept(barricades).pieces
    return [one for one in pieces if any(within(off(m.solid, one), BESIDE) for m in unit)]


@rule("terrain/barricades-melee")
def completes_charge(one: Solid, unit: Sequence[Model], ground: Ground) -> bool:
    """True for a body as close as possible to a target's barricade, and within 2 inches of the target across it."""
    for piece in beside(unit, ground):
        if off(one, piece) <= CLOSE:
            across = (m for m in unit if within(between(one, m.solid), REACH))
            if any(lies_between(piece, one, m.solid) for m in across):
                return True
    return False


def spots_beside(model: Model, radius: float, unit: Sequence[Model]) -> list[Point]:
    """Places at which a round base touches a barricade that a target is within 1 inch of."""
    found: list[Point] = []
    for piece in beside(unit, model.position.ground):
        x, y = outlines.centre_of(piece.outline)
        hull = Solid(Hull(tuple((a - x, b - y) for a, b in piece.outline)), x, y)
        found += [(float(a), float(b)) for a, b in places(model.at, radius, hull)]
    return found
