"""What a side may not know (10.5/reserve-secrecy, 10.5/arrival-secrecy), and drawing it anew."""

from __future__ import annotations

from random import Random

from campale.referee.position import Position


def seen_by(side: int | None, position: Position) -> Position:
    return position


def imagine(position: Position, side: int, rng: Random) -> Position:
    return position
