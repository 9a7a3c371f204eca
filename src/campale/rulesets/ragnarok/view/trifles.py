"""Questions whose answer cannot help, as far as the side that is asked can see, and actions not worth proposing.

Standing orders answer these questions for a player who wants to be asked only when it can matter. Actions without
effect, and those that would tire a model, are not proposed to a player. Nothing else uses this module.
"""

from __future__ import annotations

from campale.referee.position import Model, Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.rulesets.ragnarok.basics.physical import times_used
from campale.rulesets.ragnarok.basics.special import scouts_ahead
from campale.rulesets.ragnarok.bots.advice import is_of_use, lie_of, wasted_acts
from campale.rulesets.ragnarok.turn.commander import may_receive
from campale.rulesets.ragnarok.turn.tactical import END, HAND_OUT, cannot_choose, cannot_do, list_of_actions

KEEP = "no"
PREPARING = {"aim": "fire", "concentrate": "ability"}
"""The actions that only help another one, and that action."""


def needless(position: Position, question: Question) -> tuple[Plain] | None:
    """Return the answer given for the player; None if the player has to choose."""
    if question.prompt == "exploration-points":
        return points_without_use(question) or points_that_harm(question)
    return end_of_phase(position, question) if question.prompt == "act" else None


def vain(position: Position, question: Question, key: Plain) -> bool:
    """Return whether an action has no effect or tires its model, or a choice leads to no other action.

    All of these may be chosen all the same.
    """
    if question.prompt == "action":
        return key in vain_acts(position.model(int(str(question.about["model"]))))
    if question.prompt == "model" and key == HAND_OUT:
        return all(is_vain_gift(model) for model in position.on_table(int(str(question.side))))
    if question.prompt == "model" and isinstance(key, int):
        return not acts_worth_proposing(position.model(key))
    return question.prompt == "hand-out-to" and is_vain_gift(position.model(int(str(key))))


def vain_acts(model: Model) -> set[str]:
    """Return the actions that would have no effect, such as a shot out of range, or leave a fatigue marker.

    Actions that prepare nothing but these are among them.
    """
    vain = {name for name in list_of_actions(model.position) if times_used(model, name) > 0}
    if scouts_ahead(model) and times_used(model, "move") == 1:  # special/scout
        vain.discard("move")
    foes = lie_of(model.position, model.side).foes
    vain |= set(wasted_acts(model, foes)) | (set() if is_of_use(model, foes) else {"ability"})
    return vain | {before for before, act in PREPARING.items() if act in vain}


def acts_worth_proposing(model: Model) -> list[str]:
    vain = vain_acts(model)
    return [name for name in list_of_actions(model.position) if name not in vain and cannot_do(model, name) is None]


def is_vain_gift(model: Model) -> bool:
    """Return whether a model that its commander gave points could do nothing new with them."""
    if may_receive(model) is not None:
        return True
    vain, actions = vain_acts(model), list_of_actions(model.position)
    return all(name in vain or action.refusal(model) is not None for name, action in actions.items())


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
