"""What a book advises its bots, question by question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.ruleset import Advised

Advice = Sequence[Advised]
About = Mapping[str, Any]
"""What a question is about, and the form of which it is a field."""
Adviser = Callable[[Position, Question, About], Advice]


def by_prompt(advisers: Mapping[str, Adviser], whole_forms: bool = True) -> Adviser:
    """An adviser that asks the one of a question's prompt, and has nothing to say of other questions.

    ``whole_forms``: whether a form is advised as a whole under its own prompt, and not only its fields.
    """

    def advise(position: Position, question: Question, about: About) -> Advice:
        adviser = advisers.get(question.prompt) if whole_forms or question.kind != "form" else None
        return () if adviser is None else adviser(position, question, about)

    return advise
