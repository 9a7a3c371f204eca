"""What a thinking player tries: a handful of different answers to a question of any kind, cheaply found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random

from campale.referee.lawful import legal
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.spatial import Spatial

PROPOSALS = 3
"""How many proposals are looked at where a line goes on."""

MOST_DRAWN = 3
"""Out of how many options, for one that is tried, those tried least are taken."""

LISTED = frozenset({"choose", "order", "number", "allot"})
"""The kinds whose samples are as good as their suggestions, and cheaper."""


def tries(question: Question, most: int, rng: Random, times: Mapping[str, int] | None = None) -> list[Plain]:
    """Up to ``most`` different answers: forms filled in, the options of a choice, else suggestions and samples.

    ``times``: how often answers (as ``repr`` writes them) were tried before; of a choice the others come first.
    """
    if isinstance(question, Form):
        found = [] if question.idle is None else [question.idle]
        found += [filled(question, rng) for _ in range(most - len(found))]
    elif isinstance(question, Choose):
        return options_tried(question, most, rng, times or {})
    else:
        found = list(question.options() or question.suggestions())
        found = found if len(found) <= most else [found[0], *rng.sample(found[1:], most - 1)]
        found += [question.sample(rng) for _ in range(most - len(found))]
    return different(found) or [legal(question, rng)]


def options_tried(question: Choose, most: int, rng: Random, times: Mapping[str, int]) -> list[Plain]:
    """The first option, and others as they are drawn; those that were tried least before the rest."""

    def before(option: Plain) -> int:
        return times.get(repr(option), 0)

    first = [option for option in islice(question.lawful(), 1) if not before(option)]
    drawn = sorted(islice(question.drawn(rng), MOST_DRAWN * most), key=before)
    return different([*first, *drawn])[:most]


def quick(question: Question, rng: Random, among: int = PROPOSALS) -> Plain:
    """What goes on a line already begun: one of the first proposals where it lies on the table, else a sample."""
    if isinstance(question, Spatial):
        wanted = rng.randrange(among)
        proposed = question.proposals(wanted + 1)
        if not proposed:
            return question.sample(rng)
        return proposed[wanted] if wanted < len(proposed) else rng.choice(proposed)
    return question.leaning(rng) if isinstance(question, Choose) else question.sample(rng)


def different(answers: list[Plain]) -> list[Plain]:
    found: list[Plain] = []
    for one in answers:
        if one not in found:
            found.append(one)
    return found


def filled(form: Form, rng: Random, begun: Sequence[Plain] = ()) -> list[Plain]:
    """A form filled in at random from where it is ``begun``, with what is suggested where a field lies on the table."""
    answers = list(begun)
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
