"""How battles are decided: by points, by who is left, by who holds a place (every book's missions)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from campale.referee.position import Model, Position, Result
from campale.table.measure import gap_to_point
from campale.table.shapes import TOLERANCE, Point

POINTS = "points"
"""The pool in which a side has what it has scored."""


def scored(position: Position) -> list[int]:
    """The points of both sides."""
    return [position.holds(side, POINTS) for side in (0, 1)]


def ahead(score: Sequence[float], least: float = 0.0) -> int | None:
    """The side with more points, by ``least`` at the least; None where neither has."""
    lead = score[0] - score[1]
    return None if lead == 0 or abs(lead) < least else int(lead < 0)


def finish_by_score(position: Position, rule: str, score: Sequence[int], least: float = 0.0) -> None:
    """The battle ends: whoever is ahead has won, otherwise it is a draw."""
    position.finish(Result(ahead(score, least), rule, {"score": list(score)}))


def wiped_out(left: Callable[[int], object], rule: str, score: Sequence[int] | None = None) -> Result | None:
    """How a battle ends of which a side has nobody ``left(side)``; None while both have somebody.

    Where neither has anybody it is a draw.
    """
    first, second = bool(left(0)), bool(left(1))
    if first and second:
        return None
    winner = None if first == second else int(second)
    return Result(winner, rule) if score is None else Result(winner, rule, {"score": list(score)})


def finish_if_over(position: Position, rule: str, is_last: bool) -> None:
    """A side that has nobody on the table has lost; otherwise, after the last turn, whoever has more points has won."""
    score = scored(position)
    result = wiped_out(position.on_table, rule, score)
    if result is not None:
        position.finish(result)
    elif is_last:
        finish_by_score(position, rule, score)


def only_side_near(
    position: Position, at: Point, reach: float, counts: Callable[[Model], bool] | None = None
) -> int | None:
    """The side that alone has a model so near to a point, of those that count; None where neither or both have."""
    near = {
        m.side
        for m in position.on_table()
        if gap_to_point(m.solid, *at) <= reach + TOLERANCE and (counts is None or counts(m))
    }
    return near.pop() if len(near) == 1 else None
