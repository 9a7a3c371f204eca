"""The stopping rule, checked after fixed batches of pairs.

A pair's score is first's mean over both seats; a pair in which a battle stalled or failed has none. The check is made
when all pairs up to the end of a batch are in, and uses only those: so the end depends only on the plan, whichever
worker played what.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from campale.lab.plan import Plan
from campale.simulate.intervals import Z95, Interval, mean

Scores = Mapping[int, float | None]
"""First's score by the number of the battle; None if it has none."""


class Stopping:
    """The rule at work: it is given every score, in any order. ``limit``: where to stop, once that is known."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.scores: dict[int, float | None] = {}
        self.limit: int | None = None
        self.pairs = 0
        """How many pairs have been looked at."""
        self.missing = 0
        self._begin_batch()

    def add(self, number: int, score: float | None) -> None:
        if number in self.scores:
            return
        self.scores[number] = score
        if self.plan.pair_of(number) < self._end:
            self.missing -= 1
            while self.missing == 0 and self.limit is None and self.plan.precision is not None:
                self._look()

    @property
    def _end(self) -> int:
        """The first pair after the batch in progress."""
        most = self.plan.battles // 2
        step = most if self.plan.precision is None else self.plan.precision.batch // 2
        return min(most, self.pairs + step)

    def _begin_batch(self) -> None:
        wanted = range(self.pairs * self.plan.per_pair, self._end * self.plan.per_pair)
        self.missing = sum(number not in self.scores for number in wanted)

    def _look(self) -> None:
        """A batch is whole."""
        self.pairs = self._end
        precision = self.plan.precision
        if precision is None:
            return
        if self.pairs >= self.plan.battles // 2:
            self.limit = self.plan.total
        elif 2 * self.pairs >= precision.least and self.widest() <= precision.half_width:
            self.limit = self.pairs * self.plan.per_pair
        self._begin_batch()

    def widest(self) -> float:
        """Half the widest of the intervals that must become narrow, over the pairs checked."""
        precision, variants = self.plan.precision, range(len(self.plan.variants))
        if precision is not None and precision.of == "difference":
            return max(half_width(differences(self.plan, self.scores, one, self.pairs), 2.0) for one in variants[1:])
        return max(half_width(pair_scores(self.plan, self.scores, one, self.pairs), 1.0) for one in variants)


def half_width(values: Sequence[float], reach: float) -> float:
    """Half of Student's 95 % interval of a mean of values that lie within a ``reach``.

    Never less than the interval of a share after the same number of trials without a success: equal results are no
    proof of certainty.
    """
    if len(values) < 2:
        return math.inf
    found = mean(values)
    return max(found.high - found.value, least_width(len(values), reach))


def least_width(count: int, reach: float) -> float:
    return reach * Z95**2 / (2 * (count + Z95**2))


def pair_score(plan: Plan, scores: Scores, variant: int, pair: int) -> float | None:
    number = pair * plan.per_pair + 2 * variant
    one, other = scores.get(number), scores.get(number + 1)
    return None if one is None or other is None else (one + other) / 2


def pair_scores(plan: Plan, scores: Scores, variant: int, pairs: int) -> list[float]:
    """The scores of a variant's first pairs."""
    found = (pair_score(plan, scores, variant, pair) for pair in range(pairs))
    return [one for one in found if one is not None]


def differences(plan: Plan, scores: Scores, variant: int, pairs: int) -> list[float]:
    """The scores of a variant less variant 0's of the same pairs."""
    both = ((pair_score(plan, scores, variant, k), pair_score(plan, scores, 0, k)) for k in range(pairs))
    return [one - other for one, other in both if one is not None and other is not None]


def estimate(values: Sequence[float], reach: float) -> Interval:
    """The mean with the rule's interval, limited to possible values."""
    value, wide = mean(values).value, half_width(values, reach)
    return Interval(value, max(1.0 - reach, value - wide), min(1.0, value + wide))
