"""Fair dice on the server: commitments, publication, explanation."""

from __future__ import annotations

from campale.referee.fair import LONGEST_SEED, Fair, commitment, game_seed, new_seed
from campale.server.told import told

__all__ = ["LONGEST_SEED", "Fair", "commitment", "explained", "game_seed", "new_seed"]


def explained(language: str) -> str:
    """How players can check the dice, in two sentences."""
    return told(language, "fair-dice")
