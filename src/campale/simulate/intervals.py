"""Confidence intervals for counts and measurements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

Z95 = 1.959964
T95: tuple[float, ...] = (
    12.706,
    4.303,
    3.182,
    2.776,
    2.571,
    2.447,
    2.365,
    2.306,
    2.262,
    2.228,
    2.201,
    2.179,
    2.160,
    2.145,
    2.131,
)
T95 += (2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)
"""Student's t at 95 %, two-sided, for 1 to 30 degrees of freedom."""


class Interval(NamedTuple):
    """An estimate and the 95 % interval round it."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def wilson(successes: float, trials: int) -> Interval:
    """Wilson's interval of a share; half a success is a draw."""
    if trials == 0:
        return Interval(0.0, 0.0, 1.0)
    share, square = successes / trials, Z95 * Z95
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    spread = Z95 / (1 + square / trials) * math.sqrt(share * (1 - share) / trials + square / (4 * trials**2))
    return Interval(share, max(0.0, min(middle - spread, share)), min(1.0, max(middle + spread, share)))


def mean(values: Sequence[float]) -> Interval:
    """The mean with Student's interval; for a single value the interval is unknown."""
    count = len(values)
    if count == 0:
        return Interval(0.0, 0.0, 0.0)
    middle = sum(values) / count
    if count == 1:
        return Interval(middle, -math.inf, math.inf)
    variance = sum((value - middle) ** 2 for value in values) / (count - 1)
    spread = student(count - 1) * math.sqrt(variance / count)
    return Interval(middle, middle - spread, middle + spread)


def student(freedom: int) -> float:
    """Student's t at 95 %, two-sided; above the table, the first term of its expansion about the normal."""
    if freedom <= len(T95):
        return T95[freedom - 1]
    return Z95 + (Z95**3 + Z95) / (4 * freedom)
