"""Lawful answers to any question: any one of them, or the only one."""

from __future__ import annotations

from random import Random
from typing import Any

from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain

MOST_TRIES = 40
PASSING = frozenset({"none", "no", "pass", "done", "end", "nobody", "hold"})
"""The keys that mean doing nothing."""
ENDING = frozenset({"done", "end"})
"""Those that end what may be done several times; screens list them last."""


class NoAnswer(Exception):
    """No legal answer to a question was found: a fault of the ruleset that asked it."""


def legal(question: Question, rng: Random) -> Plain:
    """An answer that the question accepts: a suggestion, or the first lawful sample. Raises NoAnswer if there is
    none."""
    for suggested in question.suggestions():
        if question.refusal(suggested) is None:
            return suggested
    for _ in range(MOST_TRIES):
        sampled = question.sample(rng)
        if question.refusal(sampled) is None:
            return sampled
    raise NoAnswer(f"nothing was found that the question '{question.prompt}' ({question.kind}) accepts")


def only_answer(question: Question) -> tuple[Plain] | None:
    """The only answer of a question; forms and places are not examined."""
    options = question.options()
    return (options[0],) if options is not None and len(options) == 1 else None


def is_passing(key: Plain) -> bool:
    """Whether a key means to do nothing."""
    first = word_alone(key)
    return first is None or (isinstance(first, str) and first in PASSING)


def is_ending(key: Plain) -> bool:
    """Whether a key means to do no more."""
    first = word_alone(key)
    return isinstance(first, str) and first in ENDING


def word_alone(key: Plain) -> Plain:
    """The key, or its only part."""
    return key[0] if isinstance(key, list | tuple) and len(key) == 1 else key


def idle_answer(question: Question) -> tuple[Plain] | None:
    """The answer that does nothing, or the only one; None if somebody has to decide."""
    if isinstance(question, Form):
        return idle_form(question)
    if not isinstance(question, Choose):
        stays = staying(question)
        return stays if stays is not None and question.refusal(stays[0]) is None else None
    lawful = [key for key in question.options() if question.refusal(key) is None]
    passing = [key for key in lawful if is_passing(key)]
    if passing:
        return (passing[0],)
    return (lawful[0],) if len(lawful) == 1 else None


def idle_form(form: Form) -> tuple[Plain] | None:
    if form.idle is not None and form.refusal(form.idle) is None:
        return (form.idle,)
    filled: list[Plain] = []
    while (field := form.field(filled)) is not None:
        answer = idle_answer(field)
        if answer is None:
            return None
        filled.append(answer[0])
    return (filled,) if form.refusal(filled) is None else None


def staying(question: Any) -> tuple[Plain] | None:
    """For a question about moves: the answer with which all models stay."""
    if question.kind == "move":
        return ([[], None],)
    if question.kind == "move-unit":
        return ([[[], None] for _ in question.about.get("models", ())],)
    return None
