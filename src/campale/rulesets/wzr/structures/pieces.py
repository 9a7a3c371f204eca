"""Which pieces can be damaged, with their AV and structure points (structures/destructible, structures/av-table)."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.wzr.battle.terrain import INTACT, ROW
from campale.table.terrain import Piece

PIECES = "pieces"
"""The declaration of the PS that pieces have lost, each (name, points)."""
STOREY = 3.0
WALL_LENGTH = 7.0
MORE = 2
"""PS for each floor above the ground floor, and for each further inch of a wall."""
LEAST_AVV = 3


class Row(NamedTuple):
    av: int
    ps: int


TABLE: dict[str, Row] = {
    "bunker": Row(20, 8),
    "brick": Row(18, 8),
    "wood": Row(16, 6),
    "wall": Row(14, 6),
    "crates": Row(12, 4),
    "trees": Row(12, 4),
}


@rule("structures/destructible", "structures/av-table")
def row_of(piece: Piece) -> str | None:
    """The piece's row in the table; None if it cannot be attacked."""
    return next((tag.removeprefix(ROW) for tag in piece.tags if tag.startswith(ROW)), None)


@rule("structures/intact")
def is_intact(piece: Piece) -> bool:
    return INTACT in piece.tags


@rule("structures/av-table")
def av_of(piece: Piece) -> int:
    row = row_of(piece)
    return 0 if row is None else TABLE[row].av


@rule("structures/av-table", "core/rounding")
def full_ps(piece: Piece) -> int:
    """A piece's initial PS. A building has more by its floors, a wall by its full inches beyond 7."""
    row = row_of(piece)
    if row is None:
        return 0
    if row in ("brick", "wood"):
        return TABLE[row].ps + MORE * upper_floors(piece)
    if row == "wall":
        return TABLE[row].ps + MORE * max(0, math.floor(length_of(piece) - WALL_LENGTH + 1e-9))
    return TABLE[row].ps


@rule("structures/intact")
def upper_floors(piece: Piece) -> int:
    """The number of floors above the ground floor, without the roof."""
    heights = {floor.z for floor in piece.floors if floor.z > piece.z}
    return len([z for z in heights if z < piece.top - 1e-6])


def length_of(piece: Piece) -> float:
    """The piece's longest side, in inches."""
    corners = (*piece.outline, piece.outline[0])
    return round(max(math.dist(one, other) for one, other in pairwise(corners)), 6)


def ps_lost(position: Position, name: str) -> int:
    return int(dict(position.declared.get(PIECES, ())).get(name, 0))


@rule("structures/attack-damage")
def ps_of(position: Position, piece: Piece) -> int:
    """The PS that a piece has left."""
    return max(0, full_ps(piece) - ps_lost(position, piece.name))


@rule("structures/avv-minimum")
def is_too_weak(avv: int) -> bool:
    """Whether the weapon can never damage structures: AVV 2 or less."""
    return avv < LEAST_AVV
