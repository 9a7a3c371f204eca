"""Steps of forecasts, read off what is left."""

from __future__ import annotations

from campale.mechanics.steps import mixed, numbers, step


def test_numbers_are_read_off_what_is_left() -> None:
    found = numbers({"": 0.25, "a": 0.5, "b": 0.25}, len)
    assert step("hits", "a/b", found, is_main=True).chances == ((0, 0.25), (1, 0.75))
    assert mixed([(0.5, found), (0.5, numbers({"ab": 1.0}, len))]).tolist() == [0.125, 0.375, 0.5]
