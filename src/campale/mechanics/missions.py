"""Winning a battle: by points, by survivors, by holding places (every book's missions)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from campale.referee.position import Model, Position, Result
from campale.table.measure import gap_to_point
from campale.table.shapes import TOLERANCE, Point

POINTS = "points"
"""The pool with the points that a side has scored."""


def scored(position: Position) -> list[int]:
    """The points of both sides."""
    return [position.holds(side, POINTS) for side in (0, 1)]


def ahead(score: Sequence[float], least: float = 0.0) -> int | None:
    """The side that leads by at least ``least`` points; None if neither does."""
    lead = score[0] - score[1]
    return None if lead == 0 or abs(lead) < least else int(lead < 0)


def finish_by_score(position: Position, rule: str, score: Sequence[int], least: float = 0.0) -> None:
    """End the battle: the side that is ahead has won, otherwise it is a draw."""
    position.finish(Result(ahead(score, least), rule, {"score": list(score)}))


def wiped_out(left: Callable[[int], object], rule: str, score: Sequence[int] | None = None) -> Result | None:
    """The result if a side has nobody ``left(side)``; None if both have somebody. A draw if neither has."""
    first, second = bool(left(0)), bool(left(1))
    if first and second:
        return None
    winner = None if first == second else int(second)
    return Result(winner, rule) if score is None else Result(winner, rule, {"score": list(score)})


def finish_if_over(position: Position, rule: str, is_last: bool) -> None:
    """End the battle if a side has nobody on the table, or after the last turn; then the side with more points wins."""
    score = scored(position)
    result = wiped_out(position.on_table, rule, score)
    if result is not None:
        position.finish(result)
    elif is_last:
        finish_by_score(position, rule, score)


def only_side_near(
    position: Position, at: Point, reach: float, counts: Callable[[Model], bool] | None = None
) -> int | None:
    """The only side with a counting model within this distance of a point; None if neither or both have one."""
    near = {
        m.side
        for m in position.on_table()
        if gap_to_point(m.solid, *at) <= reach + TOLERANCE and (counts is None or counts(m))
    }
    return near.pop() if len(near) == 1 else None
