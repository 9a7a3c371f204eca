"""What a thinking player tries: a handful of different answers to a question of any kind, cheaply found."""

from __future__ import annotations

from itertools import islice
from random import Random

from campale.players.player import legal
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.spatial import Spatial

PROPOSALS = 3
"""How many proposals are looked at where a line goes on."""

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
    elif isinstance(question, Choose):
        found = [*islice(question.lawful(), 1), *islice(question.drawn(rng), most)]
        return different(found)[:most]
    else:
        found = list(question.options() or question.suggestions())
        found = found if len(found) <= most else [found[0], *rng.sample(found[1:], most - 1)]
        found += [question.sample(rng) for _ in range(most - len(found))]
    return different(found) or [legal(question, rng)]


def quick(question: Question, rng: Random) -> Plain:
    """What goes on a line already begun: one of the first proposals where it lies on the table, else a sample."""
    if isinstance(question, Spatial):
        proposed = question.proposals(PROPOSALS)
        return rng.choice(proposed) if proposed else question.sample(rng)
    return question.leaning(rng) if isinstance(question, Choose) else question.sample(rng)


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
