"""Ratings of players from the results of their battles, with intervals.

The Plackett-Luce model of Weng and Lin (Journal of Machine Learning Research 12, 2011), as openskill has it.
Battles are taken in the order given, each at most once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from campale.simulate.intervals import Z95

Met = tuple[str, str, float]
"""Two players, and the score of the first: 1 won, 1/2 drawn, 0 lost."""


class Rating(NamedTuple):
    """A player's rating with its 95 % interval; a newcomer has 25 ± 16."""

    name: str
    value: float
    low: float
    high: float
    battles: int


def ratings(met: Sequence[Met]) -> list[Rating]:
    """The players' ratings, the best first."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known = {name: model.rating(name=name) for one in met for name in one[:2]}
    played = Counter(name for one in met for name in one[:2])
    for first, second, score in met:
        if first != second:
            teams = [[known[first]], [known[second]]]
            ([known[first]], [known[second]]) = model.rate(teams, scores=[score, 1.0 - score])
    found = [
        Rating(name, one.mu, one.mu - Z95 * one.sigma, one.mu + Z95 * one.sigma, played[name])
        for name, one in known.items()
    ]
    return sorted(found, key=lambda one: (-one.value, one.name))
