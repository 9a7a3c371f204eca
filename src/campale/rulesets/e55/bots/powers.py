"""Which psychic powers a bot casts, and on which units: never one that adds nothing. It is a judgement, not a rule."""

from __future__ import annotations

from campale.mechanics.judgement.advice import About, Advice
from campale.referee.position import Position, Unit
from campale.referee.question import Question
from campale.referee.ruleset import WASTE
from campale.rulesets.e55.armies.profile import Power
from campale.rulesets.e55.bots.forecast import not_saved
from campale.rulesets.e55.bots.outlook import is_vehicle, outlook_of
from campale.rulesets.e55.bots.plans import plan_of
from campale.rulesets.e55.definitions.units import MOVED, is_broken
from campale.rulesets.e55.psychic_powers.powers import in_force
from campale.rulesets.e55.psychic_powers.psychic import aimed_at, is_target, power_of
from campale.rulesets.e55.turn.acting import Key, model_of

SHARE = {"ward": 0.1, "haste": 0.05, "dread": 0.05, "overrun": 0.1}
"""The worth of a power, as a share of its target's worth."""


def on_whom(position: Position, question: Question, about: About) -> Advice:
    """Advise the unit on which a power does most."""
    model = position.model(int(about["model"]))
    power = next(one for one in model.profile.powers if one.id == about["power"])
    return [(unit.row, worth_on(power, unit)) for unit in aimed_at(model, power)]


def does_something(position: Position, key: Key) -> bool:
    """Return whether a power has a target on which it does anything."""
    model, power = model_of(position, key), power_of(position, key)
    return any(worth_on(power, unit) > 0.0 and is_target(model, power, unit) for unit in aimed_at(model, power))


def worth_on(power: Power, unit: Unit) -> float:
    """Return the worth of casting a power on a unit, in points; ``WASTE`` if it adds nothing."""
    squad = outlook_of(unit.position).squads.get(unit.row)
    if squad is None or adds_nothing(power, unit):
        return WASTE
    if power.kind == "smite":
        return not_saved(squad.kinds[0][0], None) * squad.worth / len(squad.rows)
    return SHARE[power.kind] * squad.worth


def adds_nothing(power: Power, unit: Unit) -> bool:
    """Return whether a power would be useless.

    It is if an equally good one is in force, if a unit to be hastened has moved already or stays where it is, or if a
    unit to be broken is broken.
    """
    if power.kind == "overrun":
        return is_broken(unit)
    if power.kind == "haste" and (unit.marks(MOVED) or stays(unit)):
        return True
    there = in_force(unit, power.kind)
    return any(number <= power.value if power.kind == "ward" else number >= power.value for number in there)


def stays(unit: Unit) -> bool:
    """Return whether a unit has no reason to go anywhere in this turn; vehicles, which drive, are not hastened."""
    view = outlook_of(unit.position)
    one = view.squads.get(unit.row)
    return one is None or is_vehicle(one) or plan_of(unit.position, view, one) is None
