"""Odds by playing on copies of a position, for attacks with few dice. Attacks with many dice are stages
(``campale.dice.stages``), which ``campale.dice.bags`` counts.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from msgspec.structs import replace

from campale.dice.odds import OddsError, exact, first_suggestion
from campale.mechanics.steps import numbers, step
from campale.mechanics.units import members
from campale.referee.looks import Forecast
from campale.referee.position import Position, Unit
from campale.referee.question import Question
from campale.referee.refusal import Plain


class Counting(NamedTuple):
    """A step of a forecast: its kind, its rule, and its number, read off a played copy and the result of the play."""

    kind: str
    rule: str
    read: Callable[[Position, Any], int]


def by_playing(
    position: Position,
    actor: int,
    target: int,
    play: Callable[[Position], Coroutine[Any, Any, Any]],
    steps: Sequence[Counting],
) -> Forecast:
    """The possible results of ``play(copy)`` by one model (row) on another; the last step is the main one.

    Decisions on the way take the first proposal. With too many branches there are no steps.
    """

    def read(copy: Position, given: Any) -> tuple[int, ...]:
        return tuple(one.read(copy, given) for one in steps)

    try:
        found = exact(position, play, first_suggestion, read)
    except OddsError:
        return Forecast(actor, target, (), (), gap="too-many")
    chances = {numbered: float(chance) for numbered, chance in found.outcomes.items()}
    told = tuple(
        step(one.kind, one.rule, numbers(chances, itemgetter(k)), is_main=one is steps[-1])
        for k, one in enumerate(steps)
    )
    return Forecast(actor, target, (), told, decided=found.decided)


Attack = Callable[[Unit, Unit], Coroutine[Any, Any, int]]
"""An attack of a unit on another; it returns the number of hits."""


def of_attack(unit: Unit, target: Unit, attack: Attack, hits: str, losses: str) -> Forecast:
    """Hits and models lost by an attack of a unit on another, each with its rule."""
    before = len(members(target))

    def play(copy: Position) -> Coroutine[Any, Any, int]:
        return attack(Unit(copy, unit.row), Unit(copy, target.row))

    def lost(copy: Position, _: int) -> int:
        return before - len(members(Unit(copy, target.row)))

    steps = (Counting("hits", hits, lambda _, given: int(given)), Counting("losses", losses, lost))
    return by_playing(unit.position, members(unit)[0].row, members(target)[0].row, play, steps)


class AtUnits(NamedTuple):
    """The odds of a unit's attacks on enemy units, for each such question by its prompt."""

    by_prompt: Mapping[str, Callable[[Unit, Unit], Forecast | None]]

    def between(self, position: Position, row: int, target: int) -> list[Forecast]:
        """Forecasts of what the unit of one model may do now to the unit of another (``Ruleset.forecasts``)."""
        one, other = position.model(row), position.model(target)
        if one.side == other.side or not (one.is_on_table and other.is_on_table):
            return []
        found = [self.of_prompt(prompt, one.unit, other.unit) for prompt in self.by_prompt]
        return [forecast for forecast in found if forecast is not None]

    def of_prompt(self, prompt: str, unit: Unit, target: Unit) -> Forecast | None:
        """The forecast for a prompt, with ``way.<prompt>`` as its words."""
        found = self.by_prompt[prompt](unit, target)
        return None if found is None else replace(found, ways=(prompt,))

    def of_answer(self, position: Position, question: Question, answer: Plain) -> Forecast | None:
        """The forecast for the chosen enemy unit (``Ruleset.forecast_of``)."""
        if question.prompt not in self.by_prompt or not isinstance(answer, int):
            return None
        unit = Unit(position, int(question.about["unit"]))
        return self.of_prompt(question.prompt, unit, Unit(position, answer))
