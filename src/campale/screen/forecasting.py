"""The odds of what may be done, stage by stage, computed from what a side sees and from nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

import msgspec

from campale.dice.odds import OddsError
from campale.referee.looks import Forecast, Step
from campale.referee.position import Position
from campale.referee.question import Form, Question
from campale.referee.refusal import Plain
from campale.referee.teller import Teller
from campale.screen import shown
from campale.screen.scene import Eyes, capital
from campale.screen.shown import RuleShown

CANNOT = (OddsError, LookupError, TypeError, ValueError, AttributeError, AssertionError)
"""What a rule may stumble over on a position in which something is left out."""

T = TypeVar("T")


def forecasts(seen: Eyes, row: int, target: int) -> list[shown.Forecast]:
    """What may come of everything that a model can do to another as things are; none where the book tells none."""
    hook = seen.position.ruleset.forecasts
    rows = range(len(seen.position.names))
    if hook is None or row not in rows or target not in rows:
        return []
    found: Sequence[Forecast] = on_the_seen(seen, lambda position: hook(position, row, target)) or ()
    return [told(one, seen.teller) for one in found]


def forecast_of(seen: Eyes, question: Question, answer: Plain) -> shown.Forecast | None:
    """What may come of an answer, if it has odds."""
    hook = seen.position.ruleset.forecast_of
    if hook is None:
        return None
    found = on_the_seen(seen, lambda position: hook(position, question, answer))
    return None if found is None else told(found, seen.teller)


def of_path(seen: Eyes, question: Question, path: Sequence[Sequence[Plain]], answer: Plain) -> shown.Forecast | None:
    """What may come of an answer at the end of a path: of the question as far as it is answered then."""
    if len(path) > 1:
        return None
    return forecast_of(seen, question, [*path[0], answer] if path else answer)


def with_forecasts(seen: Eyes, form: Question, fields: Sequence[shown.Field]) -> list[shown.Field]:
    """The fields of a form that is shown whole, each with what may come of it alone."""
    filled: list[Plain] = []
    found = []
    for field in fields:
        question = form.field(filled) if isinstance(form, Form) else None
        of_one = None if question is None else forecast_of(seen, question, field.answer)
        found.append(msgspec.structs.replace(field, forecast=of_one))
        filled.append(field.answer)
    return found


def on_the_seen(seen: Eyes, work: Callable[[Position], T]) -> T | None:
    """From the position as it is seen; if it cannot be played, from one in which what is hidden is imagined."""
    try:
        return work(seen.position)
    except CANNOT:
        ruleset = seen.position.ruleset
    try:
        return work(ruleset.imagine(seen.position.copy(), seen.side or 0, Random(0)))
    except CANNOT:
        return None


# ---------------------------------------------------------------- in words


def told(forecast: Forecast, teller: Teller) -> shown.Forecast:
    return shown.Forecast(
        title_of(forecast, teller),
        [stage(one, teller) for one in forecast.steps],
        policy_of(forecast, teller),
        left_out(forecast, teller),
    )


def left_out(forecast: Forecast, teller: Teller) -> str:
    """Why it ends where it does, and what it passes over on the way."""
    keys = [f"forecast.gap.{forecast.gap}"] if forecast.gap else []
    return " ".join(teller.words.say(key) for key in (*keys, *(f"forecast.note.{note}" for note in forecast.notes)))


def title_of(forecast: Forecast, teller: Teller) -> str:
    """What it is done with, and how."""
    parts = [teller.word("weapon", one) for one in forecast.of] + [teller.word("way", one) for one in forecast.ways]
    if forecast.dice:
        parts.append(teller.words.say("forecast.dice", count=forecast.dice))
    return capital(", ".join(parts))


def policy_of(forecast: Forecast, teller: Teller) -> str:
    if not forecast.decided:
        return ""
    what = dict.fromkeys(teller.word("forecast.decided", one) for one in forecast.decided)
    return teller.words.say("forecast.policy", what=", ".join(what))


def stage(step: Step, teller: Teller) -> shown.Stage:
    title = capital(teller.words.say(f"forecast.{step.kind}"))
    rule = RuleShown(step.rule, teller.rule(step.rule))
    return shown.Stage(title, step.mean, list(step.chances), rule, step.is_main)
