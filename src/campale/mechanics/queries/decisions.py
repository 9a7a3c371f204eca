"""How a query answers the decisions of players: some by fields of its form, the others as usual."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

from campale.referee.odds_queries import Policy

Answers = Mapping[str, Callable[[Any], Any]]
"""By the prompt of a question, the function that answers it."""


def answering(answers: Answers, usual: Policy, forms: Container[str] = ()) -> Policy:
    """A policy. Forms with one of the prompts ``forms`` are filled in field by field, each with its own answer."""

    def decide(question: Any) -> Any:
        if question.prompt in forms:
            return filled_by(decide, question)
        return answers.get(question.prompt, usual)(question)

    return decide


def filled_by(decide: Policy, form: Any) -> list[Any]:
    filled: list[Any] = []
    while (field := form.field(filled)) is not None:
        filled.append(decide(field))
    return filled
