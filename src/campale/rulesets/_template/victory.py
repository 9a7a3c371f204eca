"""Chapter "victory": when the battle is over, and who has won."""

from __future__ import annotations

from campale.referee.position import Position, Result
from campale.referee.rule import rule

from .profile import wounds_left

TURNS = 6


def judge(position: Position) -> None:
    """End the battle if a rule says so."""
    result = last_standing(position) or after_the_turns(position)
    if result is not None:
        position.finish(result)


def left(position: Position) -> dict[str, int]:
    return {str(side): len(position.on_table(side)) for side in (0, 1)}


def ahead(position: Position) -> int | None:
    first, second = left(position).values()
    return None if first == second else int(second > first)


@rule("victory/last-standing")
def last_standing(position: Position) -> Result | None:
    counts = left(position)
    return Result(ahead(position), "victory/last-standing", counts) if 0 in counts.values() else None


@rule("victory/turns")
def after_the_turns(position: Position) -> Result | None:
    return Result(ahead(position), "victory/turns", left(position)) if position.now["turn"] >= TURNS else None


def appraise(position: Position, side: int) -> float:
    """Wounds of ours left less theirs: what a player without a plan looks at."""
    return float(sum(wounds_left(m) * (1 if m.side == side else -1) for m in position.on_table()))
