"""Questions whose answer cannot matter, as far as the side that is asked can see.

Standing orders answer them for a player who wants to be asked only when it can matter. Options that are pointless are
not proposed either. Nothing else uses this module.
"""

from __future__ import annotations

from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.rulesets.e3m.assault.declaring import possible_targets
from campale.rulesets.e3m.command.orders import RETREAT, has_hidden_order, order_of
from campale.rulesets.e3m.odds.assault_odds import into_contact

BY_GROUP = ("move-unit", "declare-unit")
"""Questions which unit of a group does something next; the unit that is named may still do nothing."""


def needless(position: Position, question: Question) -> tuple[Plain] | None:
    """Return the answer given for the player; None if the player has to choose."""
    if question.prompt in BY_GROUP and isinstance(question, Choose):
        return the_only_unit(position, question)
    return None


def vain(position: Position, question: Question, option: Plain) -> bool:
    """Whether an assault is declared on a unit into contact with which no way leads now."""
    if isinstance(option, bool) or not isinstance(option, int):
        return False
    if question.prompt == "assault-target":
        return into_contact(Unit(position, int(question.about["unit"])), [option]) is None
    if question.prompt == "declare-unit":
        unit = Unit(position, option)
        return all(into_contact(unit, [target]) is None for target in possible_targets(unit))
    return False


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
