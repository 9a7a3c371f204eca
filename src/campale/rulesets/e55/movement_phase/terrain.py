"""Terrain (3.1.2, 10.1/terrain-data): what a piece is, and for which models; levels to stand on.

The tags of a piece: its kind ("clear", "difficult", "impassable"), "dangerous", its cover ("cover-5"), its effect on
sight ("open", "screening", "solid"), and "wreck" for the remains of a vehicle.
"""

from __future__ import annotations

import math

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.table.outlines import contains
from campale.table.shapes import TOLERANCE, Point
from campale.table.terrain import Ground, Piece

CLEAR, DIFFICULT, IMPASSABLE, DANGEROUS = "clear", "difficult", "impassable", "dangerous"
OPEN, SCREENING, SOLID = "open", "screening", "solid"
WRECK, COVER = "wreck", "cover-"
ARMOURED_TRACK = "7.11/armoured"


@rule("3.1.2/terrain-kinds", "3.1.2/impassable")
def impassable_pieces(ground: Ground) -> tuple[Piece, ...]:
    return tuple(piece for piece in ground.pieces if IMPASSABLE in piece.tags)


def fence(ground: Ground) -> Ground:
    """Return the ground with the impassable pieces alone."""
    return Ground(ground.width, ground.depth, ground.kept(impassable_pieces))


@rule("3.1.2/terrain-kinds", "3.1.2/difficult")
def difficult_pieces(ground: Ground) -> tuple[Piece, ...]:
    return tuple(piece for piece in ground.pieces if DIFFICULT in piece.tags)


@rule("3.1.2/terrain-kinds", "3.1.2/dangerous")
def dangerous_pieces(ground: Ground) -> tuple[Piece, ...]:
    return tuple(piece for piece in ground.pieces if DANGEROUS in piece.tags)


@rule("7.11/armoured")
def flattened_for(unit: Unit) -> frozenset[str]:
    """Return the pieces that are no longer difficult for a unit because an armoured vehicle drove through them."""
    effects = unit.position.effects
    return frozenset(
        str(e.value) for e in effects if e.rule == ARMOURED_TRACK and e.on == "unit" and e.bearer == unit.row
    )


def difficult_for(unit: Unit) -> tuple[Piece, ...]:
    """Return the pieces that are difficult for a unit now."""
    flattened = flattened_for(unit)
    pieces = unit.position.ground.kept(difficult_pieces)
    return pieces if not flattened else tuple(piece for piece in pieces if piece.name not in flattened)


@rule("2.3.1/cover-values")
def cover_of(piece: Piece) -> int | None:
    """Return the cover save that a piece gives to models inside it, None if it gives none."""
    return next((int(tag.removeprefix(COVER)) for tag in piece.tags if tag.startswith(COVER)), None)


# ---------------------------------------------------------------- levels


def level(position: Position, x: float, y: float) -> float:
    """Return the level of the table itself, 0.0: a model higher up has its own z."""
    return 0.0


def is_inside(model: Model, piece: Piece) -> bool:
    """Return whether the centre of a model's base is inside a piece."""
    return contains(piece.outline, model.x, model.y)


def storeys(ground: Ground, place: Point) -> tuple[float, ...]:
    return tuple(z for z in ground.levels(*place) if z > TOLERANCE and math.isfinite(z))
