"""Questions whose answer cannot help, as far as the side that is asked can see, and actions without effect.

Standing orders answer these questions for a player who wants to be asked only when it can matter, and actions without
effect are not proposed to a player. Nothing else uses this module.
"""

from __future__ import annotations

from campale.referee.position import Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.rulesets.ragnarok.turn.actions import without_effect
from campale.rulesets.ragnarok.turn.tactical import END, HAND_OUT, cannot_choose, cannot_do, list_of_actions

KEEP = "no"


def needless(position: Position, question: Question) -> tuple[Plain] | None:
    """Return the answer given for the player; None if the player has to choose."""
    if question.prompt == "exploration-points":
        return points_without_use(question) or points_that_harm(question)
    return end_of_phase(position, question) if question.prompt == "act" else None


def vain(position: Position, question: Question, key: Plain) -> bool:
    """Return whether an action would leave its model as it is. It may be declared all the same."""
    return question.prompt == "action" and key in without_effect(position.model(int(str(question.about["model"]))))


def end_of_phase(position: Position, question: Question) -> tuple[Plain] | None:
    """Return the end of the tactical phase if no model can act any more and no points can be handed out."""
    side = question.side
    if side is None:
        return None
    names = list_of_actions(position)
    if any(cannot_do(model, name) is None for model in position.on_table(side) for name in names):
        return None
    return ([END],) if cannot_choose(position, side, HAND_OUT) is not None else None


def points_without_use(question: Question) -> tuple[Plain] | None:
    """Return "no points" if a roll-off is already won, or not even all the points would level it.

    Only the side that is asked has any points, so that the other cannot answer with its own.
    """
    own, against = question.about.get("own"), question.about.get("against")
    if not isinstance(question, Choose) or not isinstance(own, int) or not isinstance(against, int):
        return None
    most = max(key[1] for key in question.options() if isinstance(key, list | tuple))
    return (KEEP,) if own > against or own + most < against else None


def points_that_harm(question: Question) -> tuple[Plain] | None:
    """Return "no points" if points could only reverse one's own successes, or the other side's failures."""
    roller = question.about.get("roller")
    if not isinstance(question, Choose) or roller is None:
        return None
    changes = [key[1] for key in question.options() if isinstance(key, list | tuple)]
    helps = any((change > 0) == (roller == question.side) for change in changes)
    return None if helps else (KEEP,)
