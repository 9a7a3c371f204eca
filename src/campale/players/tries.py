"""What a thinking player tries: a handful of different answers to a question of any kind, cheaply found."""

from __future__ import annotations

from random import Random

from campale.players.player import legal
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain

LISTED = frozenset({"choose", "order", "number", "allot"})
"""The kinds whose samples are as good as their suggestions, and cheaper."""


def only_answer(question: Question) -> tuple[Plain] | None:
    """The answer, when the question has no other; forms and places are not looked into."""
    options = question.options()
    return (options[0],) if options is not None and len(options) == 1 else None


def tries(question: Question, most: int, rng: Random) -> list[Plain]:
    """Up to ``most`` different answers: forms filled in, the options of a choice, else suggestions and samples."""
    if isinstance(question, Form):
        found = [] if question.idle is None else [question.idle]
        found += [filled(question, rng) for _ in range(most - len(found))]
    else:
        found = list(question.options() or question.suggestions())
        found = found if len(found) <= most else [found[0], *rng.sample(found[1:], most - 1)]
        found += [question.sample(rng) for _ in range(most - len(found))]
    return different(found) or [legal(question, rng)]


def different(answers: list[Plain]) -> list[Plain]:
    found: list[Plain] = []
    for one in answers:
        if one not in found:
            found.append(one)
    return found


def filled(form: Form, rng: Random) -> list[Plain]:
    """A form filled in at random, with what is suggested where a field lies on the table."""
    answers: list[Plain] = []
    while (field := form.field(answers)) is not None:
        answers.append(one_of(field, rng))
    return answers


def one_of(question: Question, rng: Random) -> Plain:
    """A quick answer: one of the likely options, or of the suggestions, or a sample."""
    if isinstance(question, Form):
        return filled(question, rng)
    if isinstance(question, Choose):
        return question.leaning(rng)
    suggested = [] if question.kind in LISTED else question.suggestions()
    return rng.choice(suggested) if suggested else question.sample(rng)
