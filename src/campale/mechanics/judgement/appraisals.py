"""The appraisal of a side: the sum of its terms, until the battle is won. A judgement, not a rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from campale.referee.position import Position

Terms = Callable[[Position, int], Mapping[str, float]]
"""Terms by name with their values for a side; terms against it are below 0."""


def by_terms(terms: Terms, won: float) -> Callable[[Position, int], float]:
    """An appraisal: higher is better for the side. ``won``: the value of a victory, above that of any position."""

    def appraise(position: Position, side: int) -> float:
        if position.result is None:
            return sum(terms(position, side).values())
        winner = position.result.winner
        return 0.0 if winner is None else won if winner == side else -won

    return appraise
