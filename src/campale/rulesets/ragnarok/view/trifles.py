"""Questions of which no answer can change anything, as far as the side that is asked can see.

Standing orders answer them for a player who wants to be asked only when it can matter; nobody else looks here.
"""

from __future__ import annotations

from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.rulesets.ragnarok.turn.tactical import END, HAND_OUT, cannot_choose, cannot_do, list_of_actions


def needless(position: Position, question: Question) -> tuple[Plain] | None:
    """The end of the tactical phase, where nobody can do anything any more and no points can be handed out."""
    side = question.side
    if question.prompt != "act" or side is None:
        return None
    names = list_of_actions(position)
    if any(cannot_do(model, name) is None for model in position.on_table(side) for name in names):
        return None
    return ([END],) if cannot_choose(position, side, HAND_OUT) is not None else None
