"""A form written as a generator: it yields one question after another, is sent the value of each answer, and returns.

    def declaration(unit):
        target = yield Choose(unit.side, "fire-at", targets(unit), "unit")
        return None if target is None else Volley(target, (yield Number(...)))

The generator must only ask: it is run again for every field, with the answers so far.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, TypeVar

from campale.dice.odds import first_suggestion
from campale.referee.ask import ask
from campale.referee.question import Choose, Fields, Form, Question
from campale.referee.refusal import Plain

R = TypeVar("R")
Script = Callable[[], Generator[Question, Any, R]]


def run(script: Script[R], filled: Sequence[Any]) -> tuple[Question | None, R | None]:
    """The field after the answers, or the script's result if the answers complete it."""
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
    """Ask the form, and return the script's result. A form without a question is not asked."""
    form = form_of(side, prompt, script, idle, **about)
    filled = [] if form.after([]) is None else await ask(form)
    return run(script, filled)[1]


EACH = "each"
"""The answer of a player who decides model by model."""


def alike_or_each(
    side: int, prompt: str, options: Mapping[int, Sequence[Plain]], of: str
) -> Generator[Question, Any, dict[int, Any]]:
    """What each of several models does: one answer for all of them, or "each" and then one answer for each.

    ``options``: by row, what a model can do, at least one thing. With a single answer, a model that cannot do it does
    its first thing. Models without a choice are left out of the question. A script for ``fill_in_script``.
    """
    open_to = {row: list(own) for row, own in options.items() if len(own) > 1}
    found = {row: own[0] for row, own in options.items()}
    if not open_to:
        return found
    several = list(dict.fromkeys(one for own in open_to.values() for one in own))
    wanted = EACH
    if len(open_to) > 1:
        rows: list[Plain] = list(open_to)
        wanted = yield Choose(side, prompt, [*several, EACH], of, odds={EACH: 0.1}, about={"models": rows})
    for row, own in open_to.items():
        if wanted == EACH:
            found[row] = yield Choose(side, prompt, own, of, about={"models": [row]})
        elif wanted in own:
            found[row] = wanted
    return found


def as_proposed(script: Script[R], answers: Sequence[Plain] = ()) -> R | None:
    """The result of a script if its fields after some answers take the first proposal."""
    return as_answered(script, first_suggestion, answers)


def as_answered(script: Script[R], policy: Callable[[Any], Any], answers: Sequence[Plain] = ()) -> R | None:
    """The same with the fields after some answers answered by a policy."""
    filled: list[Any] = []
    while (question := run(script, filled)[0]) is not None:
        answer = answers[len(filled)] if len(filled) < len(answers) else policy(question)
        filled.append(question.understood(answer))
    return run(script, filled)[1]
