"""Fights across barricades (terrain/barricades-melee)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.basics.sight import barricades
from campale.rulesets.w10.basics.units import near_in_plan, within
from campale.table.measure import gap, gap_to_outline
from campale.table.shapes import TOLERANCE, Solid
from campale.table.sight import crossings
from campale.table.terrain import Ground, Piece

ACROSS, BESIDE = 2.0, 1.0
CLOSE = 0.05
"""How near to a barricade a model is as close as possible, in inches."""


@rule("terrain/barricades-melee")
def across(ground: Ground, one: Solid, enemy: Solid) -> Iterator[Piece]:
    """The barricades between two bodies that are within 2 inches of each other, the enemy within 1 of the barricade."""
    pieces = ground.kept(barricades)
    if not pieces.pieces or abs(one.z - enemy.z) > TOLERANCE or not within(gap(one, enemy), ACROSS):
        return
    lengths, _ = crossings(pieces, [(one.x, one.y, 0.0)], [(enemy.x, enemy.y, 0.0)], in_plan=True)
    for piece, inside in zip(pieces.pieces, lengths[0].tolist(), strict=True):
        if inside > 0.0 and within(gap_to_outline(enemy, piece.outline), BESIDE):
            yield piece


@rule("terrain/barricades-melee")
def charges_across(ground: Ground, one: Solid, enemy: Solid) -> bool:
    """Whether who ends there, as close as possible to a barricade, has charged an enemy on its other side."""
    return any(within(gap_to_outline(one, piece.outline), CLOSE) for piece in across(ground, one, enemy))


@rule("terrain/barricades-melee", "fight-phase/which-models")
def fought_across(model: Model) -> frozenset[int]:
    """The rows of the enemy units that a model may fight across a barricade."""
    return pairs_across(model.position).get(model.row, frozenset())


@rule("terrain/barricades-melee", "fight-phase/eligible")
def fights_across(unit: Unit) -> bool:
    found = pairs_across(unit.position)
    return bool(found) and any(unit.position.unit_of[row] == unit.row for row in found)


def pairs_across(position: Position) -> dict[int, frozenset[int]]:
    """By the row of each model, the enemy units that it may fight so. Kept until something moves."""
    kept = position.layout
    if "across" not in kept:
        kept["across"] = find_across(position) if position.ground.kept(barricades).pieces else {}
    found: dict[int, frozenset[int]] = kept["across"]
    return found


def find_across(position: Position) -> dict[int, frozenset[int]]:
    ones, others = position.on_table(0), position.on_table(1)
    found: dict[int, set[int]] = {}
    for n, k in np.argwhere(near_in_plan(position, ones, others, ACROSS)).tolist():
        for model, enemy in ((ones[n], others[k]), (others[k], ones[n])):
            if next(across(position.ground, model.solid, enemy.solid), None) is not None:
                found.setdefault(model.row, set()).add(enemy.unit.row)
    return {row: frozenset(units) for row, units in found.items()}
