"""Questions whose answer cannot matter, as far as the side that is asked can see.

Standing orders answer them for a player who wants to be asked only when it can matter. Nothing else uses this module.
"""

from __future__ import annotations

from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.rulesets.e3m.command.orders import RETREAT, has_hidden_order, order_of

BY_GROUP = ("move-unit", "declare-unit")
"""Questions which unit of a group does something next; the unit that is named may still do nothing."""


def needless(position: Position, question: Question) -> tuple[Plain] | None:
    """Return the answer given for the player; None if the player has to choose."""
    if question.prompt in BY_GROUP and isinstance(question, Choose):
        return the_only_unit(position, question)
    return None


def the_only_unit(position: Position, question: Choose) -> tuple[Plain] | None:
    """Return the one unit left to name, if that neither shows its order nor lets it retreat.

    A unit that is a group of its own has been named already, so it shows its order in any case.
    """
    rows = [key for key in question.lawful() if isinstance(key, int)]
    if len(rows) != 1:
        return None
    unit = Unit(position, rows[0])
    is_alone = int(question.about.get("group", 0)) < 0
    would_show = has_hidden_order(unit) and not is_alone
    return None if would_show or order_of(unit) == RETREAT else (rows[0],)
