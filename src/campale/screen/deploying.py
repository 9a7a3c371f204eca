"""A whole deployment by proposals: its prompts, and the answers.

A ruleset names the prompts in its words under ``standing-orders.deployment``, and their title under
``standing-orders.deployment.title``. Without these, units are deployed by hand.
"""

from __future__ import annotations

from campale.referee.lawful import NoAnswer
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.telling.teller import Teller
from campale.screen.proposing import proposed
from campale.screen.shown import OrderKind

DEPLOYMENT, PROPOSED = "deployment", "proposed"
WORDS = f"standing-orders.{DEPLOYMENT}"


def deploying(teller: Teller) -> list[OrderKind]:
    """The prompts of the deployment as one kind for which orders can be given."""
    prompts = teller.words.messages.get(WORDS, "").split()
    return [OrderKind(DEPLOYMENT, teller.words.say(f"{WORDS}.title"), prompts=prompts)] if prompts else []


def taken(question: Question, teller: Teller) -> tuple[Plain] | None:
    """The proposed answer, if there is one."""
    try:
        return (proposed(question, teller),)
    except NoAnswer:
        return None
