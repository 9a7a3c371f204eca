"""Chances of numbers: sums, powers, and each of a number of things; against icepool and by hand."""

from __future__ import annotations

import icepool
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campale.dice import counts

COIN = counts.chances_of({0: 0.5, 1: 0.5})


def of_icepool(die: icepool.Die[int]) -> dict[int, float]:
    return {int(number): float(die.probability(number)) for number in die.outcomes()}


def test_times_is_the_sum_of_as_many() -> None:
    third = counts.chances_of({0: 2 / 3, 1: 1 / 3})
    expected = of_icepool(7 @ (icepool.d6 >= 5))
    assert dict(counts.pairs(counts.times(third, 7))) == pytest.approx(expected)
    assert list(counts.times(third, 0)) == [1.0]


def test_both_and_together_add_what_is_independent() -> None:
    die = counts.chances_of(dict.fromkeys(range(1, 7), 1 / 6))
    assert dict(counts.pairs(counts.both(die, COIN))) == pytest.approx(of_icepool(icepool.d6 + icepool.coin(1, 2)))
    assert dict(counts.pairs(counts.together([die, die]))) == pytest.approx(of_icepool(2 @ icepool.d6))
    assert list(counts.together([])) == [1.0]


def test_each_of_a_number_of_things_gives_what_one_gives() -> None:
    three = counts.times(COIN, 3)
    expected = counts.times(counts.chances_of({0: 0.75, 1: 0.25}), 3)
    assert np.allclose(counts.each(three, COIN), expected)
    assert list(counts.each(counts.NONE, COIN)) == [1.0]


@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=4), st.integers(0, 150))
def test_chances_of_many_add_up_to_one(weights: list[float], count: int) -> None:
    one = counts.chances_of({number: weight / sum(weights) for number, weight in enumerate(weights)})
    assert abs(counts.times(one, count).sum() - 1.0) < 1e-12
    assert abs(counts.each(counts.times(COIN, count), one).sum() - 1.0) < 1e-12
