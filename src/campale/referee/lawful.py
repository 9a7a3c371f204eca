"""Lawful answers to any question: one of them, and the only one where there is no other."""

from __future__ import annotations

from random import Random

from campale.referee.question import Question
from campale.referee.refusal import Plain

MOST_TRIES = 40


class NoAnswer(Exception):
    """No legal answer to a question was found: a fault of the ruleset that asked it."""


def legal(question: Question, rng: Random) -> Plain:
    """An answer that the question accepts: one it suggests, or the first good sample. Raises NoAnswer where none is."""
    for suggested in question.suggestions():
        if question.refusal(suggested) is None:
            return suggested
    for _ in range(MOST_TRIES):
        sampled = question.sample(rng)
        if question.refusal(sampled) is None:
            return sampled
    raise NoAnswer(f"nothing was found that the question '{question.prompt}' ({question.kind}) accepts")


def only_answer(question: Question) -> tuple[Plain] | None:
    """The answer, when the question has no other; forms and places are not looked into."""
    options = question.options()
    return (options[0],) if options is not None and len(options) == 1 else None
