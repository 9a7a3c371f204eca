"""What a screen proposes for an answer: legal, sensible, and the same however often it is asked."""

from __future__ import annotations

from random import Random

from campale.referee.lawful import legal
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.teller import Teller


def proposed(question: Question, teller: Teller) -> Plain:
    """What one key takes: an option of a kind that the words propose (``propose.<prompt>``), else what is suggested.

    Raises NoAnswer.
    """
    for key in favoured(question, teller):
        return key
    first = first_suggestion(question)
    return first[0] if first and question.refusal(first[0]) is None else legal(question, Random("proposal"))


def favoured(question: Question, teller: Teller) -> list[Plain]:
    """The suggested options of the kinds that the words propose, in the order of the kinds."""
    kinds = teller.words.messages.get(f"propose.{question.prompt}", "").split()
    if not kinds or not isinstance(question, Choose):
        return []
    options = [key for key in question.suggestions() if isinstance(key, list | tuple)]
    return [key for kind in kinds for key in options if key[0] == kind]


def first_suggestion(question: Question) -> list[Plain]:
    if type(question).suggestions is Form.suggestions:
        return [found for found in [next(question.filled_in(), None)] if found is not None]  # type: ignore[attr-defined]
    return question.proposals(1)
