"""A form written as a generator: it yields one question after another, is sent what each understood, and returns.

    def declaration(unit):
        target = yield Choose(unit.side, "fire-at", targets(unit), "unit")
        return None if target is None else Volley(target, (yield Number(...)))

The generator must do nothing but ask: it is run anew for every field, with the answers given so far.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from campale.dice.odds import first_suggestion
from campale.referee.ask import ask
from campale.referee.question import Fields, Form, Question
from campale.referee.refusal import Plain

R = TypeVar("R")
Script = Callable[[], Generator[Question, Any, R]]


def run(script: Script[R], filled: Sequence[Any]) -> tuple[Question | None, R | None]:
    """The field after the answers, or what the script returns when they complete it."""
    steps = script()
    try:
        question = next(steps)
        for answer in filled:
            question = steps.send(answer)
    except StopIteration as ended:
        return None, ended.value
    finally:
        steps.close()
    return question, None


def fields_of(script: Script[R]) -> Fields:
    return lambda filled: run(script, filled)[0]


def form_of(side: int, prompt: str, script: Script[R], idle: list[Plain] | None = None, **about: Plain) -> Form:
    return Form(side, prompt, fields_of(script), about, idle)


async def fill_in_script(
    side: int, prompt: str, script: Script[R], idle: list[Plain] | None = None, **about: Plain
) -> R | None:
    """Ask the form, and give what its script returns. One without a question is not asked."""
    form = form_of(side, prompt, script, idle, **about)
    filled = [] if form.after([]) is None else await ask(form)
    return run(script, filled)[1]


def as_proposed(script: Script[R], answers: Sequence[Plain] = ()) -> R | None:
    """What a script returns if its fields after some answers are left as they are proposed first."""
    filled: list[Any] = []
    while (question := run(script, filled)[0]) is not None:
        answer = answers[len(filled)] if len(filled) < len(answers) else first_suggestion(question)
        filled.append(question.understood(answer))
    return run(script, filled)[1]
