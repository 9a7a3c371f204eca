"""What an agent may do, as numbers: the options of a question, or its suggestions, in their own fixed order.

A form is filled in field by field, each field an action of its own. A question, or a field, with only one action is not
put to an agent.
"""

from __future__ import annotations

from random import Random

from campale.referee.lawful import legal
from campale.referee.question import Form, Question
from campale.referee.refusal import Plain

MOST_ACTIONS = 48
"""The most answers of one question that can be given; later ones, in the question's order, cannot."""


def actions_of(question: Question) -> list[Plain]:
    """The possible answers: all options if there are finitely many, otherwise the suggestions; at least one legal
    answer."""
    listed = question.options()
    found = question.suggestions() if listed is None else listed
    return found[:MOST_ACTIONS] or [legal(question, Random(0))]


class Asked:
    """What an agent is asked: a question, or the next field of a partly filled form."""

    def __init__(self, question: Question) -> None:
        self.whole = question
        self.answers: list[Plain] = []
        self.fields: list[Question] = []
        self.is_complete = False
        self.open_next()

    def open_next(self) -> None:
        """Go to the next question or field, past everything with only one answer."""
        while not self.is_complete:
            field = self.whole.field(self.answers) if isinstance(self.whole, Form) else self.whole
            if field is None:
                self.is_complete = True
                return
            self.question = field
            self.actions = actions_of(field)
            if len(self.actions) > 1:
                return
            self.fill_in(self.actions[0])

    def fill_in(self, answer: Plain) -> None:
        self.answers.append(answer)
        self.fields.append(self.question)
        self.is_complete = not isinstance(self.whole, Form)

    def take(self, action: int) -> None:
        """Answer the open question or field. Raises ValueError for a number that is not an action."""
        if self.is_complete or not 0 <= action < len(self.actions):
            what = "nothing is asked" if self.is_complete else f"'{self.question.prompt}' has {len(self.actions)}"
            raise ValueError(f"{action} is not the number of an action: {what} (see the action mask)")
        self.fill_in(self.actions[action])
        self.open_next()

    @property
    def answer(self) -> Plain:
        """The answer to the whole question, once it is complete."""
        return self.answers if isinstance(self.whole, Form) else self.answers[0]
