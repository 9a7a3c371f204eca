"""Pieces of terrain and structures as targets of fire (structures/attack-target, structures/destructible)."""

from __future__ import annotations

import numpy as np

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.eyesight import sight_of
from campale.rulesets.wzr.armoury.weapons import Gun, range_of
from campale.rulesets.wzr.basics.measuring import within
from campale.rulesets.wzr.basics.sight import (
    SPARE,
    Floats,
    all_lines,
    any_through,
    eyes,
    head,
    hiding,
    inside,
    openings_near,
)
from campale.rulesets.wzr.shooting.targets import fires_all_round
from campale.rulesets.wzr.structures.damage import standing
from campale.rulesets.wzr.structures.pieces import is_too_weak, row_of
from campale.table.measure import gap_to_outline
from campale.table.outlines import sides
from campale.table.shapes import heading
from campale.table.sight import any_clear
from campale.table.terrain import Piece


@rule("structures/attack-target", "structures/destructible", "structures/avv-minimum")
def pieces_in_reach(gun: Gun) -> list[str]:
    """The names of the pieces that the gun can damage, in sight, in the Front and within range."""
    if is_too_weak(gun.fire.avv):
        return []
    position, all_round = gun.model.position, fires_all_round(gun)
    far = min(range_of(gun), sight_of(gun.model))
    kept, key = position.layout, ("pieces-in-reach", gun.model.row, far, all_round)
    if key not in kept:
        kept[key] = [one.name for one in position.ground.pieces if is_in_reach(gun.model, one, far, all_round)]
    return [name for name in kept[key] if standing(position, name) is not None]


def is_in_reach(model: Model, piece: Piece, far: float, all_round: bool) -> bool:
    if row_of(piece) is None or not within(gap_to_outline(model.solid, piece.outline), far):
        return False
    return (all_round or lies_ahead(model, piece)) and sees_piece(model, piece)


@rule("structures/attack-target", "core/front-rear")
def lies_ahead(model: Model, piece: Piece) -> bool:
    """Whether any part of the piece is in the Front."""
    ahead = heading(model.facing)
    return any((x - model.x) * ahead[0] + (y - model.y) * ahead[1] >= 0.0 for x, y in piece.outline)


@rule("structures/attack-target", "core/line-of-sight")
def sees_piece(model: Model, piece: Piece) -> bool:
    """Whether the model has a free line to any point of the piece's edge. Kept until something moves."""
    kept, key = model.position.layout, ("sees-piece", model.row, piece.name)
    if key not in kept:
        kept[key] = has_line_to_piece(model, piece)
    found: bool = kept[key]
    return found


@rule("core/line-of-sight", "structures/line-of-sight")
def has_line_to_piece(model: Model, piece: Piece) -> bool:
    """From inside another structure, the line passes an Access Point near the model."""
    ends, downs = edge_of(piece), np.array([piece.z + share * piece.height for share in (1.0, 0.5, 0.0)])
    here = inside(model.position, model.at, model.z)
    if here is not None and here.name != piece.name:
        over = hiding(model.position, (model.row,), (piece.name, here.name))
        return any_through(model, ends, downs, over, [openings_near(model.position, here, model.solid)])
    over = hiding(model.position, (model.row,), (piece.name,))
    lines = all_lines(eyes(model), ends)
    return any_clear(over.ground, lines, np.array([head(model)]), downs, over.cylinders, SPARE)


def edge_of(piece: Piece) -> Floats:
    """The corners of an outline, and the middles of its sides."""
    points = [p for a, b in sides(piece.outline) for p in (a, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2))]
    return np.array(points, np.float64)
