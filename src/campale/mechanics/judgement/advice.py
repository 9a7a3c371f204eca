"""A book's advice to its bots, question by question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from campale.mechanics.units import units_of
from campale.referee.looks import Forecast
from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import Advised

Advice = Sequence[Advised]
About = Mapping[str, Any]
"""The values that a question is about, with those of the surrounding form."""
Adviser = Callable[[Position, Question, About], Advice]


def by_prompt(advisers: Mapping[str, Adviser], whole_forms: bool = True) -> Adviser:
    """An adviser that passes a question to the adviser for its prompt, and gives no advice on other questions.

    ``whole_forms``: whether a form gets advice as a whole under its own prompt, and not only for its fields.
    """

    def advise(position: Position, question: Question, about: About) -> Advice:
        adviser = advisers.get(question.prompt) if whole_forms or question.kind != "form" else None
        return () if adviser is None else adviser(position, question, about)

    return advise


def by_odds(forecast_of: Callable[[Position, Question, Plain], Forecast | None]) -> Adviser:
    """An adviser on choices: an option is worth the mean of the main step of its forecast."""

    def advise(position: Position, question: Question, about: About) -> Advice:
        options = question.options() or () if isinstance(question, Choose) else ()
        return [(option, expected(forecast_of(position, question, option))) for option in options]

    return advise


def expected(forecast: Forecast | None) -> float:
    """The mean of the main step; 0 without one."""
    main = None if forecast is None else forecast.main
    return 0.0 if main is None else main.mean


def exchange(unit: Unit, odds: Callable[[Unit, Unit], Forecast | None], caution: float) -> float:
    """The losses that a unit may cause from a place, less those it may suffer there, weighted by ``caution``.

    ``odds(unit, target)`` forecasts an attack; only the best enemy to attack counts, and the most dangerous one.
    """
    enemies = units_of(unit.position, 1 - unit.side)
    dealt = max((expected(odds(unit, one)) for one in enemies), default=0.0)
    suffered = max((expected(odds(one, unit)) for one in enemies), default=0.0)
    return dealt - caution * suffered


def by_ends(worth: Callable[[Unit], float]) -> Adviser:
    """An adviser on moves: a proposed move is worth as much as standing where it ends."""

    def advise(position: Position, question: Question, about: About) -> Advice:
        models, row = about["models"], int(about["unit"])

        def ending(answer: Plain) -> Unit:
            ends = {model: way[0][-1][:2] for model, way in zip(models, answer, strict=True) if way[0]}
            return Unit(position.supposing(ends), row)

        return [(answer, worth(ending(answer))) for answer in question.suggestions()]

    return advise


def by_unit(worth: Callable[[Unit], float]) -> Adviser:
    """An adviser on the choice of a unit, by the worth of each."""

    def advise(position: Position, question: Question, about: About) -> Advice:
        return [(row, worth(Unit(position, row))) for row in question.options() or () if isinstance(row, int)]

    return advise
