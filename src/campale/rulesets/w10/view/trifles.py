"""Questions whose answer cannot matter, as far as the side that is asked can see.

Standing orders answer them for a player who wants to be asked only when it can matter. Nothing else uses this module.
"""

from __future__ import annotations

from campale.referee.position import Position, Unit
from campale.referee.question import Order, Question
from campale.referee.refusal import Plain
from campale.rulesets.w10.armies.profile import Line
from campale.rulesets.w10.basics.units import members


def needless(position: Position, question: Question) -> tuple[Plain] | None:
    """Return the answer given for the player; None if the player has to choose."""
    if question.prompt == "profile-order" and isinstance(question, Order):
        return any_order(position, question)
    return None


def any_order(position: Position, question: Order) -> tuple[Plain] | None:
    """Return the order of weapon profiles as they are, if only their range and number distinguish them."""
    lines = lines_of(Unit(position, int(question.about["unit"])))
    found = [lines.get((str(key[0]), int(key[1]))) for key in question.items if isinstance(key, list | tuple)]
    if len(found) != len(question.items) or None in found:
        return None
    kinds = {(line.s, line.ap, line.d, line.skill, line.abilities) for line in found if line is not None}
    return (list(question.items),) if len(kinds) == 1 else None


def lines_of(unit: Unit) -> dict[tuple[str, int], Line]:
    """The profiles of the weapons of a unit, by weapon and number."""
    weapons = (weapon for model in members(unit) for weapon in model.profile.weapons)
    return {(weapon.id, number): line for weapon in weapons for number, line in enumerate(weapon.lines)}
