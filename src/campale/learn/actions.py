"""What an agent may do, as numbers: the options of a question, or its suggestions, in their own fixed order.

A form is filled in field by field, each field an action of its own. A question, or a field, that leaves one action
alone is not put to an agent.
"""

from __future__ import annotations

from random import Random

from campale.referee.lawful import legal
from campale.referee.question import Form, Question
from campale.referee.refusal import Plain

MOST_ACTIONS = 48
"""So many of the answers to one question can be given; those after them, in the question's order, cannot."""


def actions_of(question: Question) -> list[Plain]:
    """What may be answered: all options where they are finite, else the suggestions; at least one legal answer."""
    listed = question.options()
    found = question.suggestions() if listed is None else listed
    return found[:MOST_ACTIONS] or [legal(question, Random(0))]


class Asked:
    """What is open to an agent: a question, or the next field of a form of which the first are filled in."""

    def __init__(self, question: Question) -> None:
        self.whole = question
        self.answers: list[Plain] = []
        self.fields: list[Question] = []
        self.is_complete = False
        self.open_next()

    def open_next(self) -> None:
        """Go to what is asked next, past everything that can be answered in one way only."""
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
        """Answer what is open. Raises ValueError for a number that is none of the actions."""
        if self.is_complete or not 0 <= action < len(self.actions):
            what = "nothing is asked" if self.is_complete else f"'{self.question.prompt}' has {len(self.actions)}"
            raise ValueError(f"{action} is not the number of an action: {what} (see the action mask)")
        self.fill_in(self.actions[action])
        self.open_next()

    @property
    def answer(self) -> Plain:
        """The answer to the whole question, once it is complete."""
        return self.answers if isinstance(self.whole, Form) else self.answers[0]
