"""Chances of numbers of things, as arrays: the place is the number, the value its chance.

Dice that a rule reads each alone, and that nothing tells apart, need be run only once: of many such things the number
that comes through is the sum of as many independent ones. This is how forecasts merge dice by counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

Chances = NDArray[np.float64]

NONE: Chances = np.ones(1)
"""Nothing, for certain."""


def chances_of(numbers: Mapping[int, object]) -> Chances:
    """From the chance of each number."""
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
    """The sum of so many independent numbers that are alike."""
    found, square = NONE, one
    while count:
        if count % 2:
            found = both(found, square)
        count //= 2
        square = both(square, square) if count else square
    return found


def each(count: Chances, one: Chances) -> Chances:
    """Of a number of things, what comes of them when each gives ``one``."""
    found = np.zeros((len(count) - 1) * (len(one) - 1) + 1)
    power = NONE
    for chance in count:
        found[: len(power)] += chance * power
        power = both(power, one)
    return found


def pairs(count: Chances) -> tuple[tuple[int, float], ...]:
    """Every number that can come up, with its chance."""
    return tuple((number, float(chance)) for number, chance in enumerate(count) if chance > 0)
