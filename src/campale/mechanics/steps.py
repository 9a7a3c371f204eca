"""Steps of forecasts, read off the possible results of stages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from campale.dice import counts
from campale.dice.counts import Chances, chances_of
from campale.referee.looks import Step


def numbers(values: Mapping[Any, float], counted: Callable[[Any], int]) -> Chances:
    """The chances of a number counted in values."""
    found: dict[int, float] = {}
    for value, chance in values.items():
        number = counted(value)
        found[number] = found.get(number, 0.0) + chance
    return chances_of(found)


def mixed(several: Iterable[tuple[float, Chances]]) -> Chances:
    """The chances of a number that differ between several cases, each with its own chance."""
    found: dict[int, float] = {}
    for chance, each in several:
        for number, share in enumerate(each.tolist()):
            if share:
                found[number] = found.get(number, 0.0) + chance * share
    return chances_of(found)


def step(kind: str, rule: str, chances: Chances, *, is_main: bool = False) -> Step:
    return Step(kind, rule, counts.pairs(chances), is_main)
