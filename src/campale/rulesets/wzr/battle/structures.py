"""Structures: what they are made of, what they withstand, through where one enters and sees (structures/*)."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from campale.referee.rule import rule
from campale.rulesets.wzr.armies.profile import Base
from campale.rulesets.wzr.battle.terrain import DOOR, INTACT, WINDOW
from campale.table.measure import gap_to_outline
from campale.table.shapes import TOLERANCE, Circle, Solid
from campale.table.terrain import Ground, Piece

ROW = "row-"
"""The tag of a piece's row in the table of AV and PS."""
ADMITS = "admits-"
"""The tag of a door with a base that it lets through."""
STOREY = 3.0
"""From one floor to the next, in inches."""
USUAL_DOOR: tuple[Base, ...] = ("small", "medium")


class Row(NamedTuple):
    """``av`` and ``ps`` of a kind of piece; ``floor``: what each floor above the ground floor adds to the PS."""

    av: int
    ps: int
    floor: int = 0


ROWS: dict[str, Row] = {
    "bunker": Row(20, 8),
    "brick": Row(18, 8, 2),
    "wooden": Row(16, 6, 2),
    "wall": Row(14, 6),
    "crates": Row(12, 4),
    "trees": Row(12, 4),
}
WALL_LENGTH, PER_INCH = 7.0, 2


@rule("structures/av-table", "structures/destructible")
def row_of(piece: Piece) -> Row | None:
    """The row of a piece; None: it cannot be attacked."""
    name = next((tag.removeprefix(ROW) for tag in piece.tags if tag.startswith(ROW)), "")
    return ROWS.get(name)


@rule("structures/av-table")
def av_of(piece: Piece) -> int:
    row = row_of(piece)
    return 0 if row is None else row.av


@rule("structures/av-table", "core/rounding")
def ps_of(piece: Piece) -> int:
    """Structure Points of a piece that stands whole; of a wall by complete inches beyond seven."""
    row = row_of(piece)
    if row is None:
        return 0
    upper = sum(floor.z > piece.z + TOLERANCE for floor in piece.floors)
    further = max(0, math.floor(length_of(piece) - WALL_LENGTH + TOLERANCE)) if f"{ROW}wall" in piece.tags else 0
    return row.ps + row.floor * upper + PER_INCH * further


def length_of(piece: Piece) -> float:
    """The longest side of the outline."""
    return max(math.dist(one, other) for one, other in pairwise((*piece.outline, piece.outline[0])))


# ---------------------------------------------------------------- Access Points


@rule("structures/intact")
def is_intact(piece: Piece) -> bool:
    """A building with a roof."""
    return INTACT in piece.tags


def is_access(piece: Piece) -> bool:
    return DOOR in piece.tags or WINDOW in piece.tags


@rule("structures/access-points", "structures/decide-before")
def access_points(ground: Ground, structure: Piece) -> tuple[Piece, ...]:
    """The doors and windows of a structure: those that are called after it, ``building-1.door-1``."""
    return tuple(p for p in ground.pieces if is_access(p) and p.name.partition(".")[0] == structure.name)


@rule("structures/access-points")
def admits(door: Piece, base: Base) -> bool:
    """Whether a door lets models on a base through; windows let nobody."""
    return DOOR in door.tags and f"{ADMITS}{base}" in door.tags


@rule("structures/no-access")
def is_closed(ground: Ground, structure: Piece) -> bool:
    """An intact structure without Access Points, which is impassable."""
    return is_intact(structure) and not access_points(ground, structure)


def is_inside(solid: Solid, structure: Piece) -> bool:
    """Whether the middle of a base is in a structure, on any floor of it, below its roof."""
    middle = Solid(Circle(0.0), solid.x, solid.y)
    below = solid.z < structure.top - TOLERANCE
    return below and gap_to_outline(middle, structure.outline) <= TOLERANCE
