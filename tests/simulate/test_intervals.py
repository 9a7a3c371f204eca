"""The intervals against values worked out elsewhere."""

from __future__ import annotations

import math

import pytest

from campale.simulate import mean, wilson
from campale.simulate.intervals import student


def test_wilson_agrees_with_the_printed_example() -> None:
    """8 of 10 at 95 %: 0.490 to 0.943."""
    found = wilson(8, 10)
    assert (found.value, found.low, found.high) == pytest.approx((0.8, 0.4902, 0.9433), abs=1e-4)


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (0, 12), (12, 12), (0.5, 1)])
def test_wilson_stays_within_nothing_and_everything(successes: float, trials: int) -> None:
    found = wilson(successes, trials)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0


def test_the_mean_with_students_interval() -> None:
    """1 to 5: mean 3, standard error 0.7071, t with 4 degrees of freedom 2.776."""
    found = mean([1, 2, 3, 4, 5])
    assert (found.value, found.low, found.high) == pytest.approx((3, 3 - 1.9632, 3 + 1.9632), abs=1e-3)


def test_one_value_tells_nothing_of_its_spread() -> None:
    assert mean([4.0]) == (4.0, -math.inf, math.inf)
    assert mean([]) == (0.0, 0.0, 0.0)


def test_students_t_goes_over_into_the_normal() -> None:
    assert student(30) == pytest.approx(2.042)
    assert student(60) == pytest.approx(2.000, abs=0.01)
    assert student(100_000) == pytest.approx(1.96, abs=0.001)
    assert str(wilson(1, 2)).startswith("0.500 [")
