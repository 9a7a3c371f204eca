"""The first position: both armies not yet on the table, the ground, and what has been agreed."""

from __future__ import annotations

from campale.referee.position import Position
from campale.referee.ruleset import Ruleset, Setup
from campale.table.terrain import Ground

WIDTH, DEPTH = 72.0, 48.0


def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    position = Position(ruleset, Ground(WIDTH, DEPTH))
    position.now.update(phase="scenery")
    return position
