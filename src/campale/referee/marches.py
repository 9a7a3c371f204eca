"""A march: models that the rules ask for one after another, sent on their ways by one answer.

The rules know nothing of it. A book tells where its models could all go, and which answers to its questions take them
there; each of these is given when its question comes, judged as any other, and goes into the record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from campale.referee.position import Position
from campale.referee.question import Choose, MoveUnit, Question
from campale.referee.refusal import Plain

MARCH = "march"
"""The option by which a player sends several models on their ways at once."""


class Step(NamedTuple):
    """An answer of a march, for the question with this prompt about this unit or model (a field, and its row).

    ``answer`` is given as it is, or found when the question comes (None: the player is asked). A step that ``must``
    be taken ends the march if it is refused; any other is passed over.
    """

    prompt: str
    field: str
    row: int
    answer: Plain | Callable[[Question], Plain]
    must: bool = True

    def is_for(self, question: Question) -> bool:
        return question.prompt == self.prompt and question.about.get(self.field) == self.row

    def given(self, question: Question) -> Plain:
        return self.answer(question) if callable(self.answer) else self.answer


class March(NamedTuple):
    """The ways of several models as one question; what they do afterwards; and the steps that follow from both.

    ``after(ways)`` asks what the models do when they have arrived (None: nothing is left to be done). ``lasts`` tells
    whether the march can still go on.
    """

    question: MoveUnit
    after: Callable[[Plain], Choose | None]
    steps: Callable[[Plain, Plain], Sequence[Step]]
    lasts: Callable[[Position], bool]
