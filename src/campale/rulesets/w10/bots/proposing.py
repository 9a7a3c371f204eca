"""Options that a proposal passes over, because the advice to bots values another one more."""

from __future__ import annotations

from collections.abc import Callable

from campale.mechanics.judgement.advice import About, Advice
from campale.referee.position import Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.rulesets.w10.bots.abilities import ADVICE, NEVER, ability_named
from campale.rulesets.w10.bots.advice import at_whom

ACTS = ("move-unit", "reinforcements")
"""Questions that offer abilities beside units: an ability that takes a unit off the table is never proposed."""
VALUED: dict[str, Callable[[Position, Question, About], Advice]] = {**ADVICE, "shoot-at": at_whom}
"""Questions of which the option with the highest value is proposed."""


def vain(position: Position, question: Question, key: Plain) -> bool:
    """Whether a proposal is to be another option, if there is one."""
    if question.prompt in ACTS:
        return takes_away(position, key)
    if question.prompt not in VALUED or not isinstance(question, Choose):
        return False
    values = dict(VALUED[question.prompt](position, question, question.about))
    best = max((values[one] for one in question.lawful() if one in values), default=0.0)
    return values.get(key, best - 1.0) < best


def takes_away(position: Position, key: Plain) -> bool:
    """Whether an option of such a question is an ability that takes a unit off the table or elsewhere."""
    ability = ability_named(position, str(key[0])) if isinstance(key, tuple | list) else None
    return ability is not None and any(effect.act in NEVER for effect in ability.do)
