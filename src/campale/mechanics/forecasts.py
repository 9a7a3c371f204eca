"""The odds of what is played on copies of a position: for what rolls few dice. Attacks of many are stages
(``campale.dice.stages``), which ``campale.dice.bags`` counts.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NamedTuple

from campale.dice.odds import OddsError, exact, first_suggestion
from campale.mechanics.steps import numbers, step
from campale.referee.looks import Forecast
from campale.referee.position import Position


class Counting(NamedTuple):
    """A step of a forecast: its kind, its rule, and the number read off a copy and what was played there."""

    kind: str
    rule: str
    count: Callable[[Position, Any], int]


def by_playing(
    position: Position,
    actor: int,
    target: int,
    play: Callable[[Position], Coroutine[Any, Any, Any]],
    steps: Sequence[Counting],
) -> Forecast:
    """What ``play(copy)`` may come to, done by one (row) to another; the last of the steps stands for the whole.

    Decisions on the way are answered as is proposed first. Where there are too many branches it has no steps.
    """

    def read(copy: Position, given: Any) -> tuple[int, ...]:
        return tuple(one.count(copy, given) for one in steps)

    try:
        found = exact(position, play, first_suggestion, read)
    except OddsError:
        return Forecast(actor, target, (), (), gap="too-many")
    chances = {numbered: float(chance) for numbered, chance in found.outcomes.items()}
    told = tuple(
        step(one.kind, one.rule, numbers(chances, lambda numbered, k=k: int(numbered[k])), is_main=one is steps[-1])
        for k, one in enumerate(steps)
    )
    return Forecast(actor, target, (), told, decided=found.decided)
