"""Questions whose answer cannot matter, as far as the side that is asked can see.

Standing orders answer them for a player who wants to be asked only when it can matter. Nothing else uses this module.
"""

from __future__ import annotations

from campale.referee.position import Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain


def needless(position: Position, question: Question) -> tuple[Plain] | None:
    """Return the answer given for the player; None if the player has to choose."""
    if question.prompt == "next-model" and isinstance(question, Choose):
        return the_only_model(question)
    return None


def the_only_model(question: Choose) -> tuple[Plain] | None:
    """Return the one model of a squad that has not acted: it may still pass."""
    rows = [key for key in question.lawful() if isinstance(key, int)]
    return (rows[0],) if len(rows) == 1 else None
