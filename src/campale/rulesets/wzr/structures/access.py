"""Access Points: doors and windows of a structure, and the bases they admit (structures/access-points)."""

from __future__ import annotations

from campale.referee.rule import rule
from campale.rulesets.wzr.armies.profile import Base
from campale.rulesets.wzr.battle.terrain import DOOR, INTACT, WINDOW
from campale.table.terrain import Ground, Piece

ADMITS = "admits-"
"""Prefix of a door's tag that names a base it admits."""
STOREY = 3.0
"""The height of one floor, in inches."""
USUAL_DOOR: tuple[Base, ...] = ("small", "medium")


def is_access(piece: Piece) -> bool:
    return DOOR in piece.tags or WINDOW in piece.tags


@rule("structures/access-points", "structures/decide-before")
def access_points(ground: Ground, structure: Piece) -> tuple[Piece, ...]:
    """The doors and windows of a structure: pieces named after it, such as ``building-1:door-1``."""
    return tuple(p for p in ground.pieces if is_access(p) and p.name.startswith(f"{structure.name}:"))


@rule("structures/access-points")
def admits(door: Piece, base: Base) -> bool:
    """Whether a door admits models on this base. Windows admit none."""
    return DOOR in door.tags and f"{ADMITS}{base}" in door.tags


@rule("structures/no-access")
def is_closed(ground: Ground, structure: Piece) -> bool:
    """Whether an intact structure has no Access Points, which makes it impassable."""
    return INTACT in structure.tags and not access_points(ground, structure)
