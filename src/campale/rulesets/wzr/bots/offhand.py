"""What a bot answers without playing anything through."""

from __future__ import annotations

from collections.abc import Callable

from campale.referee.position import Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.rulesets.wzr.bots import cards
from campale.rulesets.wzr.squads.squads import commander


def next_model(position: Position, question: Question) -> Plain:
    """The Commander, because the others must stay near him, and then one after the other.

    A player who thinks sees no farther than the end of a model's actions: whoever does most would go first, though the
    others of the squad act too.
    """
    assert isinstance(question, Choose)
    rows = [row for row in question.options() if isinstance(row, int)]
    leads = (commander(position.model(row).unit) for row in rows)
    return next((lead.row for lead in leads if lead is not None and lead.row in rows), rows[0] if rows else None)


ANSWERS: dict[str, Callable[[Position, Question], Plain]] = {**cards.ANSWERS, "next-model": next_model}


def offhand(position: Position, question: Question) -> tuple[Plain] | None:
    """The answer to a question about cards, or about which model acts next; None for any other."""
    answers = ANSWERS.get(question.prompt)
    return None if answers is None else (answers(position, question),)
