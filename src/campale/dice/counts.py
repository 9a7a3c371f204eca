"""Chances of numbers of things, as arrays: the index is the number, the value its chance.

Equivalent dice that a rule reads one by one need only one run: for many such things, the number of successes is a sum
of independent ones. Forecasts use this to merge dice by counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Chances = NDArray[np.float64]

NONE: Chances = np.ones(1)
"""The number 0, for certain."""


def chances_of(numbers: Mapping[int, object]) -> Chances:
    """An array from the chance of each number."""
    made = np.zeros(max(numbers, default=0) + 1)
    for number, chance in numbers.items():
        made[number] += float(chance)  # type: ignore[arg-type]
    return made


def both(one: Chances, other: Chances) -> Chances:
    """The sum of two independent numbers."""
    return np.convolve(one, other)


def together(several: Iterable[Chances]) -> Chances:
    found = NONE
    for one in several:
        found = both(found, one)
    return found


def times(one: Chances, count: int) -> Chances:
    """The sum of several independent numbers with the same distribution."""
    found, square = NONE, one
    while count:
        if count % 2:
            found = both(found, square)
        count //= 2
        square = both(square, square) if count else square
    return found


def each(count: Chances, one: Chances) -> Chances:
    """The total for a random number of things, each of which gives ``one``."""
    found = np.zeros((len(count) - 1) * (len(one) - 1) + 1)
    power = NONE
    for chance in count:
        found[: len(power)] += chance * power
        power = both(power, one)
    return found


@lru_cache(maxsize=1024)
def certainly(number: int) -> Chances:
    """One number, for certain."""
    found = np.zeros(number + 1)
    found[number] = 1.0
    return found


def mixed(several: Iterable[tuple[float, Chances]]) -> Chances:
    """A mixture of numbers, each with its chance."""
    cases = list(several)
    if len(cases) == 1 and cases[0][0] == 1.0:
        return cases[0][1]
    found = np.zeros(max((len(numbers) for _, numbers in cases), default=1))
    for chance, numbers in cases:
        found[: len(numbers)] += chance * numbers
    return found


def pairs(count: Chances) -> tuple[tuple[int, float], ...]:
    """Every possible number with its chance."""
    return tuple((number, float(chance)) for number, chance in enumerate(count) if chance > 0)
