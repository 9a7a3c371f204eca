"""The costs of an answer before it is given: slowing ground, tests."""

from __future__ import annotations

from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.screen.proposing import foretold
from campale.screen.shown import ForetoldShown, RuleShown


def foretold_shown(question: Question | None, answer: Plain, teller: Teller) -> list[ForetoldShown]:
    """The costs of a lawful answer, as sentences, each with its rule."""
    found = [] if question is None else foretold(question, answer)
    return [
        ForetoldShown(
            teller.filled(f"foretold.{one.kind}", one.values), RuleShown(one.rule, teller.rule(one.rule)), one.at
        )
        for one in found
    ]
