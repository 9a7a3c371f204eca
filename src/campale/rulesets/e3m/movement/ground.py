"""The ground under a move: difficult ground, bars, and obstacles to vehicles."""

from __future__ import annotations

from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.e3m.battle.scenery import BROKEN, DIFFICULT, IMPASSABLE, LINEAR, WRECK
from campale.table.measure import gap_to_outline, overlaps_outline
from campale.table.paths import Path
from campale.table.sweeps import crossings
from campale.table.terrain import Ground, Piece

# ---------------------------------------------------------------- pieces by class


def with_tags(ground: Ground, *tags: str) -> Ground:
    pieces = tuple(piece for piece in ground.pieces if any(tag in piece.tags for tag in tags))
    return Ground(ground.width, ground.depth, pieces)


@rule("base-move/impassable")
def impassable(ground: Ground) -> Ground:
    return with_tags(ground, IMPASSABLE)


@rule("terrain/classes", "base-move/difficult-terrain")
def slowing(ground: Ground) -> Ground:
    """Difficult areas and linear obstacles: a unit on foot that touches them rolls for its move."""
    return with_tags(ground, DIFFICULT, LINEAR)


def barring_or_slowing(ground: Ground) -> Ground:
    """What models on foot avoid if they keep to easy ground."""
    return with_tags(ground, IMPASSABLE, DIFFICULT, LINEAR)


@rule("base-move/dangerous-terrain")
def difficult_areas(ground: Ground) -> Ground:
    """Ground that is dangerous to mounted and jumping troops and to flying vehicles."""
    return with_tags(ground, DIFFICULT)


def broken(ground: Ground) -> Ground:
    return with_tags(ground, BROKEN)


@rule("terrain/obstacles")
def obstacles(ground: Ground) -> Ground:
    """Obstacles to vehicles: linear obstacles and areas of difficult terrain."""
    return with_tags(ground, DIFFICULT, LINEAR)


@rule("base-vehicle/wrecks", "base-move/impassable")
def barred_to_vehicles(ground: Ground) -> Ground:
    return with_tags(ground, IMPASSABLE, WRECK)


@rule("vehicles/wheeled-obstacles")
def barred_to_wheels(ground: Ground) -> Ground:
    return with_tags(ground, IMPASSABLE, WRECK, DIFFICULT, LINEAR)


# ---------------------------------------------------------------- what a way touches


def touches(model: Model, path: Path, pieces: Ground) -> bool:
    """Whether a model starts in, enters or crosses a piece."""
    if not pieces.pieces:
        return False
    return stands_in(model, pieces.pieces) or bool(crossings(path, model.solid.shape, pieces))


def stands_in(model: Model, pieces: tuple[Piece, ...]) -> bool:
    return any(overlaps_outline(model.solid, piece.outline) for piece in pieces)


def is_in(model: Model, pieces: Ground) -> bool:
    return stands_in(model, pieces.pieces)


def pieces_near(position: Position, model: Model, reach: float) -> bool:
    """Whether a slowing piece lies within ``reach`` inches of the model."""
    return any(gap_to_outline(model.solid, p.outline) <= reach for p in position.ground.kept(slowing).pieces)
