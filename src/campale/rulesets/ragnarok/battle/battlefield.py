"""The battlefield: classes of terrain, being in it, its effect on sight, and the level of its surface."""

from __future__ import annotations

import numpy as np

from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.measuring import CONTACT
from campale.table import measure, planner
from campale.table.outlines import box, contains, is_upright
from campale.table.shapes import Circle, Point, Solid
from campale.table.sight import NOTHING, SCREEN, SOLID
from campale.table.terrain import Ground, Piece

WIDTH = DEPTH = 120.0
MOST_KEPT = 50_000


@rule("battlefield/size")
def size() -> tuple[float, float]:
    return WIDTH, DEPTH


@rule("battlefield/terrain-classes", "battlefield/scenery-class")
def is_rough(piece: Piece) -> bool:
    return "rough" in piece.tags


@rule("battlefield/terrain-classes", "battlefield/scenery-class")
def is_impassable(piece: Piece) -> bool:
    return "impassable" in piece.tags


def rough_pieces(ground: Ground) -> tuple[Piece, ...]:
    return tuple(piece for piece in ground.pieces if is_rough(piece))


def impassable_pieces(ground: Ground) -> tuple[Piece, ...]:
    return tuple(piece for piece in ground.pieces if is_impassable(piece))


def impassable_ground(ground: Ground) -> Ground:
    """Return the ground with the impassable pieces alone."""
    return Ground(ground.width, ground.depth, impassable_pieces(ground))


@rule("battlefield/in-terrain")
def is_in(model: Model, piece: Piece) -> bool:
    return base_overlaps(model.at, model.profile.base_radius, piece)


def base_overlaps(at: Point, radius: float, piece: Piece) -> bool:
    low_x, low_y, high_x, high_y = box(piece.outline)
    if not (low_x - radius < at[0] < high_x + radius and low_y - radius < at[1] < high_y + radius):
        return False
    return measure.overlaps_outline(Solid(Circle(radius), *at), piece.outline)


@rule("measuring/base-edge")
def gap_to(model: Model, piece: Piece) -> float:
    """Return the gap from the base edge to the outline of a piece, in cm; 0 for a model in it."""
    return measure.gap_to_outline(Solid(Circle(model.profile.base_radius), model.x, model.y), piece.outline)


@rule("battlefield/in-terrain")
def touched_pieces(model: Model) -> list[Piece]:
    """Return the pieces that the model is in contact with, including those it is inside."""
    return [p for p, near in zip(model.position.ground.pieces, contacts(model), strict=True) if near]


def contacts(model: Model) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """For each piece, return whether the model is in contact with it."""
    kept = model.position.ground.kept(kept_contacts)
    key = (model.x, model.y, model.profile.base_radius)
    found = kept.get(key)
    if found is None:
        ground = model.position.ground
        gaps = measure.gaps_to_outlines([key[0]], [key[1]], [key[2]], ground)[0]
        found = kept[key] = gaps <= CONTACT
        if len(kept) > MOST_KEPT:
            kept.clear()
    return found


def kept_contacts(_: Ground) -> dict[tuple[float, float, float], np.ndarray[tuple[int, ...], np.dtype[np.bool_]]]:
    return {}


@rule("battlefield/opacity")
def opacity(ground: Ground) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    """For each piece, return its effect on a line of sight. Screens let lines through up to VEIL cm in all."""
    classes = {"solid": SOLID, "screen": SCREEN}
    return np.array(
        [next((classes[tag] for tag in piece.tags if tag in classes), NOTHING) for piece in ground.pieces], np.int8
    )


VEIL = 5.0


@rule("battlefield/elevation")
def level(position: Position, x: float, y: float) -> float:
    """Return the height of the surface at a point, in cm: the top of a hill, else 0."""
    return max([hill.top for hill in position.ground.kept(hills) if is_over(hill, x, y)], default=0.0)


def hills(ground: Ground) -> tuple[Piece, ...]:
    """Return the pieces that models stand on top of."""
    return tuple(piece for piece in ground.pieces if "stand" in piece.tags)


def is_over(piece: Piece, x: float, y: float) -> bool:
    low_x, low_y, high_x, high_y = box(piece.outline)
    if not (low_x <= x <= high_x and low_y <= y <= high_y):
        return False
    return is_upright(piece.outline, (low_x, low_y, high_x, high_y)) or contains(piece.outline, x, y)


def is_free_ground(position: Position, at: Point, radius: float) -> bool:
    """Return whether a base fits: on the table, in no impassable piece, over no other base."""
    key = ("free", radius)
    if key not in position.cache:
        standing = [(m.x, m.y, m.profile.base_radius) for m in position.models if m.is_on_table]
        discs = np.array(standing, np.float64).reshape(-1, 3)
        barred = position.ground.kept(impassable_ground).prisms
        position.cache[key] = planner.going(position.ground, radius, discs, 0.0, barred)
    return planner.is_free(position.cache[key], *at)
