"""The odds of possible acts, stage by stage, computed only from what a side sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

import msgspec

from campale.dice.odds import OddsError
from campale.odds.answers import OWN, RISKY
from campale.referee.looks import Forecast, Step
from campale.referee.position import Position
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.screen import shown
from campale.screen.chaining import Chain
from campale.screen.scene import Eyes, capital
from campale.screen.sheet import at_path
from campale.screen.shown import RuleShown

CANNOT = (OddsError, LookupError, TypeError, ValueError, AttributeError, AssertionError)
"""The exceptions that a rule may raise on a position without its secrets."""

T = TypeVar("T")


def forecasts(seen: Eyes, row: int, target: int) -> list[shown.Forecast]:
    """The forecasts of everything that a model can do to another now; empty if the book gives none."""
    return [told(one, seen.teller) for one in against(seen.position, seen.side, row, target)]


def against(position: Position, side: int | None, row: int, target: int) -> Sequence[Forecast]:
    hook, rows = position.ruleset.forecasts, range(len(position.names))
    if hook is None or row not in rows or target not in rows:
        return ()
    return on_the_seen(position, side, lambda each: hook(each, row, target)) or ()


def forecast_of(seen: Eyes, question: Question, answer: Plain) -> shown.Forecast | None:
    """The forecast of an answer, if it has odds."""
    found = of_answer(seen.position, seen.side, question, answer)
    return None if found is None else told(found, seen.teller)


def of_answer(position: Position, side: int | None, question: Question, answer: Plain) -> Forecast | None:
    hook = position.ruleset.forecast_of
    return None if hook is None else on_the_seen(position, side, lambda each: hook(each, question, answer))


def of_path(seen: Eyes, question: Question, path: Sequence[Sequence[Plain]], answer: Plain) -> shown.Forecast | None:
    """The forecast of an answer at the end of a path, for the question as far as it is answered."""
    if len(path) > 1:
        return None
    return forecast_of(seen, question, [*path[0], answer] if path else answer)


def with_forecasts(seen: Eyes, form: Question, fields: Sequence[shown.Field]) -> list[shown.Field]:
    """The fields of a form that is shown whole, each with its own forecast."""
    filled: list[Plain] = []
    found = []
    for field in fields:
        question = form.field(filled) if isinstance(form, Form) else None
        of_one = None if question is None else forecast_of(seen, question, field.answer)
        found.append(msgspec.structs.replace(field, forecast=of_one))
        filled.append(field.answer)
    return found


def on_the_seen(position: Position, side: int | None, work: Callable[[Position], T]) -> T | None:
    """Forecast from the position as a side sees it or, if that cannot be played, from an imagined one."""
    try:
        return work(position)
    except CANNOT:
        ruleset = position.ruleset
    try:
        return work(ruleset.imagine(position.copy(), side or 0, Random(0)))
    except CANNOT:
        return None


# ---------------------------------------------------------------- options, weighed elsewhere


class Meant(NamedTuple):
    """An answer without its question, which stays with the table."""

    prompt: str
    side: int | None
    about: dict[str, Plain]
    answer: Plain

    @property
    def question(self) -> Question:
        return Choose(self.side, self.prompt, (), about=self.about)


def meant_by(question: Question, path: Sequence[Sequence[Plain]], answer: Plain) -> tuple[Meant, ...]:
    """The meanings of an answer at the end of a path: its own, and that of the form as far as it is filled in.

    The field is about everything that the form is about. Raises Astray.
    """
    field = at_path(question, path)
    if field is None:
        return ()
    if not path:
        return (Meant(field.prompt, field.side, field.about, answer),)
    form = at_path(question, path[:-1])
    assert form is not None
    alone = Meant(field.prompt, field.side, {**form.about, **field.about}, answer)
    if isinstance(form, Chain):
        return (alone._replace(about=field.about),)
    return alone, Meant(form.prompt, form.side, form.about, [*path[-1], answer])


def forecast_of_any(position: Position, side: int | None, meant: Sequence[Meant]) -> Forecast | None:
    """The forecast of the first meaning that has one."""
    found = (of_answer(position, side, one.question, one.answer) for one in meant)
    return next((one for one in found if one is not None), None)


# ---------------------------------------------------------------- in words


def told(forecast: Forecast, teller: Teller) -> shown.Forecast:
    return shown.Forecast(
        title_of(forecast, teller),
        [stage(one, teller) for one in forecast.steps],
        policy_of(forecast, teller),
        left_out(forecast, teller),
    )


def left_out(forecast: Forecast, teller: Teller) -> str:
    """Why a forecast ends where it does, and what it leaves out, if it gets anywhere."""
    keys = [f"forecast.gap.{forecast.gap}"] if forecast.gap else []
    notes = forecast.notes if forecast.steps else ()
    return " ".join(teller.words.say(key) for key in (*keys, *(f"forecast.note.{note}" for note in notes)))


def title_of(forecast: Forecast, teller: Teller) -> str:
    """The title: what is used, and how; against whom, if the book's words say it."""
    parts = [teller.word("weapon", one) for one in forecast.of] + [teller.word("way", one) for one in forecast.ways]
    if forecast.target != forecast.actor:
        parts += filter(None, [teller.filled("forecast.against", {"target": forecast.target})])
    if forecast.dice:
        parts.append(teller.words.say("forecast.dice", count=forecast.dice))
    return capital(", ".join(parts))


def policy_of(forecast: Forecast, teller: Teller) -> str:
    if not forecast.decided:
        return ""
    what = dict.fromkeys(teller.word("forecast.decided", one) for one in forecast.decided)
    return teller.words.say("forecast.policy", what=", ".join(what))


def stage(step: Step, teller: Teller) -> shown.Stage:
    key = f"forecast.{step.kind}"
    is_single = teller.words.has(f"{key}.one") and max((count for count, _ in step.chances), default=0) <= 1
    title = capital(teller.words.say(f"{key}.one" if is_single else key))
    alone = capital(teller.words.say(teller.key(f"{key}.single", key) or key, count=1))
    single = "" if is_single or alone == title else alone
    rule = RuleShown(step.rule, teller.rule(step.rule))
    is_risk = step.kind == OWN and sum(chance for count, chance in step.chances if count) > RISKY
    return shown.Stage(title, step.mean, list(step.chances), rule, step.is_main, is_risk, single)
