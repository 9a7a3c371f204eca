"""The ladder of a club: Elo ratings from battles between two accounts, in the order in which they began."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

FIRST, STEP, SCALE = 1500.0, 24.0, 400.0
"""The rating of a newcomer; the most points that one battle moves; the lead in points that means ten to one."""


class Rated(msgspec.Struct):
    """An account on the ladder."""

    account: str
    rating: float = FIRST
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def battles(self) -> int:
        return self.won + self.drawn + self.lost


def expected(one: float, two: float) -> float:
    """The expected score of one rating against another: 1 for a win, a half for a draw."""
    return 1.0 / (1.0 + math.pow(10.0, (two - one) / SCALE))


def ladder(results: Iterable[tuple[str, str, float]]) -> list[Rated]:
    """The ratings of all accounts, the best first.

    ``results`` are (account, account, score of the first): 1, 0, or a half for a draw.
    """
    found: dict[str, Rated] = {}
    for first, second, score in results:
        one, two = (found.setdefault(name, Rated(name)) for name in (first, second))
        moved = STEP * (score - expected(one.rating, two.rating))
        one.rating += moved
        two.rating -= moved
        count(one, score)
        count(two, 1.0 - score)
    return sorted(found.values(), key=lambda rated: (-rated.rating, -rated.battles, rated.account))


def count(rated: Rated, score: float) -> None:
    if score == 1.0:
        rated.won += 1
    elif score == 0.0:
        rated.lost += 1
    else:
        rated.drawn += 1
