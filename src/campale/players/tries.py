"""A handful of different answers to any kind of question, quickly found, for thinking players to try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random

from campale.referee.lawful import legal
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.spatial import Spatial

PROPOSALS = 3
"""The number of proposals considered when a line goes on."""

MOST_DRAWN = 3
"""The number of options drawn for each one tried; those tried least before are taken."""

LISTED = frozenset({"choose", "order", "number", "allot"})
"""The kinds whose samples are as good as their suggestions, and cheaper."""


def tries(question: Question, most: int, rng: Random, times: Mapping[str, int] | None = None) -> list[Plain]:
    """Up to ``most`` different answers: forms filled in, the options of a choice, else suggestions and samples.

    ``times``: how often answers (as ``repr`` writes them) were tried before; a choice prefers the least tried ones.
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
    """The first option if it was never tried, then options drawn at random, the least tried first."""

    def before(option: Plain) -> int:
        return times.get(repr(option), 0)

    first = [option for option in islice(question.lawful(), 1) if not before(option)]
    drawn = sorted(islice(question.drawn(rng), MOST_DRAWN * most), key=before)
    return different([*first, *drawn])[:most]


def quick(question: Question, rng: Random, among: int = PROPOSALS) -> Plain:
    """An answer to go on a line with: one of the first proposals if it lies on the table, else a sample."""
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
    """A form filled in at random after the ``begun`` answers; fields on the table get suggestions."""
    answers = list(begun)
    while (field := form.field(answers)) is not None:
        answers.append(one_of(field, rng))
    return answers


def one_of(question: Question, rng: Random) -> Plain:
    """A quick answer: a likely option, a suggestion, or a sample."""
    if isinstance(question, Form):
        return filled(question, rng)
    if isinstance(question, Choose):
        return question.leaning(rng)
    suggested = [] if question.kind in LISTED else question.suggestions()
    return rng.choice(suggested) if suggested else question.sample(rng)
