"""Chapter "victory"."""

from __future__ import annotations

from campale.referee.position import ABOARD, TABLE, Position, Result
from campale.referee.rule import rule
from tests.conformance.drill.profile import wounds_left

TURNS = 4


def wounds(position: Position, side: int) -> int:
    return sum(wounds_left(m) for m in position.models if m.side == side and m.where in (TABLE, ABOARD))


@rule("victory/wounds")
def result(position: Position) -> Result | None:
    left = [wounds(position, side) for side in (0, 1)]
    if position.now["turn"] < TURNS and all(left):
        return None
    winner = None if left[0] == left[1] else int(left[1] > left[0])
    return Result(winner, "victory/wounds", {str(side): left[side] for side in (0, 1)})


def appraise(position: Position, side: int) -> float:
    return float(wounds(position, side) - wounds(position, 1 - side))
