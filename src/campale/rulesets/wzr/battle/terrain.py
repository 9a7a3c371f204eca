"""Terrain in the rules: open, light, heavy, impassable; obstacles by height (movement/terrain-types)."""

from __future__ import annotations

from campale.referee.rule import rule
from campale.table.terrain import Piece

LIGHT, HEAVY, IMPASSABLE = "light", "heavy", "impassable"
SOLID = "solid"
"""The piece hides what lies behind it. Area terrain never hides a target completely."""
LINEAR = "linear"
"""A wall, crate or barricade: an obstacle by its height."""
INTACT, RUIN, DOOR, WINDOW = "intact", "ruin", "door", "window"
LADDER = "ladder"
"""A ladder or stairs: climbing by it costs half."""
ROW = "row-"
"""Prefix of the tag that names a piece's row in the table of AV and PS (``structures.pieces``)."""
ROWS = ("bunker", "brick", "wood", "wall", "crates", "trees")
TAGS = (LIGHT, HEAVY, IMPASSABLE, SOLID, LINEAR, INTACT, RUIN, DOOR, WINDOW, LADDER, *(ROW + row for row in ROWS))


@rule("movement/terrain-types")
def is_area(piece: Piece) -> bool:
    return SOLID not in piece.tags and INTACT not in piece.tags
