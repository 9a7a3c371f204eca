"""What an answer would call for, told before it is given: ground that slows, tests that follow."""

from __future__ import annotations

from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.teller import Teller
from campale.screen.proposing import foretold
from campale.screen.shown import ForetoldShown, RuleShown


def foretold_shown(question: Question | None, answer: Plain, teller: Teller) -> list[ForetoldShown]:
    """Of a lawful answer, in sentences, each with its rule."""
    found = [] if question is None else foretold(question, answer)
    return [
        ForetoldShown(
            teller.filled(f"foretold.{one.kind}", one.values), RuleShown(one.rule, teller.rule(one.rule)), one.at
        )
        for one in found
    ]
