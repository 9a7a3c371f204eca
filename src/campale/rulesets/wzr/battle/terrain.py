"""Terrain as the rules see it: open, light, heavy, impassable; obstacles by height (movement/terrain-types)."""

from __future__ import annotations

from campale.referee.rule import rule
from campale.table.terrain import Piece

LIGHT, HEAVY, IMPASSABLE = "light", "heavy", "impassable"
SOLID = "solid"
"""It hides what lies behind it; area terrain never hides a target wholly."""
LINEAR = "linear"
"""A wall, crate or barricade: an obstacle by its height."""
INTACT, RUIN, DOOR, WINDOW = "intact", "ruin", "door", "window"
LADDER = "ladder"
"""A ladder or stairs, by which one climbs at half the price."""
ROW = "row-"
"""Begins the tag with the row of the table of AV and PS that a piece has (``structures.pieces``)."""
ROWS = ("bunker", "brick", "wood", "wall", "crates", "trees")
TAGS = (LIGHT, HEAVY, IMPASSABLE, SOLID, LINEAR, INTACT, RUIN, DOOR, WINDOW, LADDER, *(ROW + row for row in ROWS))


@rule("movement/terrain-types")
def is_area(piece: Piece) -> bool:
    return SOLID not in piece.tags and INTACT not in piece.tags
