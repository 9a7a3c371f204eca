"""Options that a proposal passes over, because the advice to bots values another one more."""

from __future__ import annotations

from collections.abc import Callable

from campale.mechanics.judgement.advice import About, Advice
from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import Advised
from campale.rulesets.w10.basics.units import units_of
from campale.rulesets.w10.bots.abilities import ADVICE, NEVER, ability_named
from campale.rulesets.w10.bots.advice import DONE, at_whom, charge_gain, charge_needed
from campale.rulesets.w10.bots.prospects import WAYS

ACTS = ("move-unit", "reinforcements")
"""Questions that offer abilities beside units: an ability that takes a unit off the table is never proposed."""
SHOOTS = "shooting-unit"
"""A question that offers Stratagems beside units; they have a price, and none of them is proposed."""


def who_might_charge(position: Position, question: Question, about: About) -> Advice:
    """A charge is worth what it gains times the chance that the roll is enough in a straight line: quickly told."""
    assert isinstance(question, Choose)
    found: list[Advised] = [(DONE, 0.0)]
    for row in question.lawful():
        if isinstance(row, int):
            unit = Unit(position, row)
            foes = units_of(position, 1 - unit.side)
            found.append((row, max(WAYS.get(charge_needed(unit, foe), 0.0) * charge_gain(unit, foe) for foe in foes)))
    return found


VALUED: dict[str, Callable[[Position, Question, About], Advice]] = {
    **ADVICE,
    "shoot-at": at_whom,
    "charging-unit": who_might_charge,
}
"""Questions of which the option with the highest value is proposed."""


def vain(position: Position, question: Question, key: Plain) -> bool:
    """Whether a proposal is to be another option, if there is one."""
    if question.prompt in ACTS:
        return takes_away(position, key)
    if question.prompt == SHOOTS:
        return isinstance(key, tuple | list)
    if question.prompt not in VALUED or not isinstance(question, Choose):
        return False
    values = dict(VALUED[question.prompt](position, question, question.about))
    best = max((values[one] for one in question.lawful() if one in values), default=0.0)
    return values.get(key, best - 1.0) < best


def takes_away(position: Position, key: Plain) -> bool:
    """Whether an option of such a question is an ability that takes a unit off the table or elsewhere."""
    ability = ability_named(position, str(key[0])) if isinstance(key, tuple | list) else None
    return ability is not None and any(effect.act in NEVER for effect in ability.do)
