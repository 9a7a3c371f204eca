"""How a bot values abilities that are used at a moment."""

from __future__ import annotations

from collections.abc import Callable

from campale.mechanics.judgement.advice import About, Advice
from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import Advised
from campale.rulesets.w10.abilities.vocabulary import Ability
from campale.rulesets.w10.basics.units import distance, engaged_with, members, price_of
from campale.rulesets.w10.bots.prospects import melee_value, shooting_values

PASS, KEEP = "pass", "no"
LITTLE = 1.0
NEAR = 12.0
"""Enemies at this distance, in inches, or less are equally within reach."""
STAYS = -1.0
"""The value to a bot of leaving the table or being set up again."""
NEVER = ("reserves", "redeploy", "move", "set-up-again", "replace")


def ability_named(position: Position, name: str) -> Ability | None:
    return next((profile.rules[name] for profile in position.profiles if name in profile.rules), None)


def which_ability(position: Position, question: Question, about: About) -> Advice:
    """Advise the ability with the highest value; abilities that carry the unit away get a negative one."""
    assert isinstance(question, Choose)
    found: list[Advised] = [(PASS, 0.0)]
    for key in question.candidates:
        if isinstance(key, tuple | list):
            found.append((key, worth_of(position, str(key[0]), int(key[1]), int(key[2]))))
    return found


def worth_of(position: Position, name: str, owner: int, picked: int) -> float:
    ability = ability_named(position, name)
    acts = {effect.act for effect in ability.do} if ability is not None else set()
    if acts & set(NEVER):
        return STAYS
    unit = Unit(position, owner if owner >= 0 else picked) if max(owner, picked) >= 0 else None
    if unit is not None and acts & {"shoot-again", "shoot-back"}:
        return max(shooting_values(unit).values(), default=0.0)
    if unit is not None and "fight-alone" in acts:
        return max((melee_value(unit, foe) / len(members(unit)) for foe in engaged_with(unit)), default=0.0)
    return LITTLE if picked < 0 else LITTLE + unit_worth(Unit(position, picked)) / 100.0


def on_whom(position: Position, question: Question, about: About) -> Advice:
    """Value each candidate unit by its points, and an enemy the more the nearer it is to a unit of the side asked."""
    assert isinstance(question, Choose)
    units = [Unit(position, int(str(row))) for row in question.candidates]
    return [(unit.row, unit_worth(unit) / far_off(unit, question.side)) for unit in units]


def far_off(unit: Unit, side: int | None) -> float:
    """The distance in inches to the nearest enemy model, at least 12; 1 for a unit of the side itself."""
    enemies = unit.position.on_table(1 - unit.side)
    if unit.side == side or not enemies:
        return 1.0
    return max(NEAR, min(distance(one, other) for one in members(unit) for other in enemies))


def unit_worth(unit: Unit) -> float:
    return sum(price_of(m) for m in members(unit))


def use_it(position: Position, question: Question, about: About) -> Advice:
    """Advise using a free ability as soon as it helps."""
    assert isinstance(question, Choose)
    found: list[tuple[Plain, float]] = [(key, 0.0 if key == KEEP else 1.0) for key in question.candidates]
    return found


ADVICE: dict[str, Callable[[Position, Question, About], Advice]] = {
    "ability": which_ability,
    "ability-on": on_whom,
    "treat-hit": use_it,
    "no-damage": use_it,
}
