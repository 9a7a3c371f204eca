"""A whole deployment as it is proposed: the prompts that belong to it, and the answers taken.

A ruleset names the prompts in its words under ``standing-orders.deployment``, and what they are called under
``standing-orders.deployment.title``. One that names none is deployed by hand.
"""

from __future__ import annotations

from campale.referee.lawful import NoAnswer
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.teller import Teller
from campale.screen.proposing import proposed
from campale.screen.shown import OrderKind

DEPLOYMENT, PROPOSED = "deployment", "proposed"
WORDS = f"standing-orders.{DEPLOYMENT}"


def deploying(teller: Teller) -> list[OrderKind]:
    """The prompts of the deployment as one kind for which orders can be given."""
    prompts = teller.words.messages.get(WORDS, "").split()
    return [OrderKind(DEPLOYMENT, teller.words.say(f"{WORDS}.title"), prompts=prompts)] if prompts else []


def taken(question: Question, teller: Teller) -> tuple[Plain] | None:
    """What is proposed, if anything is."""
    try:
        return (proposed(question, teller),)
    except NoAnswer:
        return None
