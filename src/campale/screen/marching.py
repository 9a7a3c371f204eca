"""A march under way: the steps that a player has ordered are taken as the questions for them come."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.marches import March, Step
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain


class Marching:
    """What is left of a march."""

    def __init__(self, march: March, steps: Sequence[Step]) -> None:
        self.march, self.left = march, list(steps)

    def lasts(self, position: Position) -> bool:
        return bool(self.left) and self.march.lasts(position)

    def answer(self, question: Question) -> tuple[Plain] | None:
        """The answer of the next step that is for this question and allowed; what comes before it has gone by.

        A step that must be taken and is refused ends the march.
        """
        for place, step in enumerate(self.left):
            if not step.is_for(question):
                continue
            given = step.given(question)
            if given is not None and question.refusal(given) is None:
                del self.left[: place + 1]
                return (given,)
            if step.must:
                self.left.clear()
                return None
        return None
