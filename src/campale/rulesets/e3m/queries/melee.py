"""The melee of a query: two units in contact, fought once, with the tests of the loser."""

from __future__ import annotations

from functools import partial
from typing import Any

from campale.dice.odds import first_suggestion
from campale.mechanics.frames import DOING, stack
from campale.mechanics.queries import counting
from campale.mechanics.queries.decisions import answering, filled_by
from campale.mechanics.queries.fields import Asked
from campale.mechanics.queries.layout import ATTACKER, TARGET
from campale.referee.looks import Forecast
from campale.referee.odds_queries import Policy, Query, Volley
from campale.referee.position import Position, Unit
from campale.referee.question import Form
from campale.rulesets.e3m.assault.melee import BLOWS, GRENADE, fight_out, is_against_vehicle, melees
from campale.rulesets.e3m.assault.moves import ATTACKER as IS_ATTACKER
from campale.rulesets.e3m.assault.moves import CHARGED_IN
from campale.rulesets.e3m.assault.result import lost_test, settle
from campale.rulesets.e3m.command.orders import is_routed
from campale.rulesets.e3m.command.units import members
from campale.rulesets.e3m.odds.melee_odds import of_melee
from campale.rulesets.e3m.queries.fire import newly
from campale.rulesets.e3m.queries.profiles import FIELDS

MELEE = "melee"
ROWS = (ATTACKER, TARGET)
RULES = {
    **dict.fromkeys(("losses", "losses-back"), "base-melee/casualties"),
    "breaks": "assault/defender-loses",
    "breaks-back": "assault/attacker-loses",
}


def begin(position: Position, has_charged: bool) -> None:
    """Mark the attacker as the assaulting unit, with or without the charge bonus."""
    attacker = Unit(position, ATTACKER)
    attacker.mark(IS_ATTACKER, 1)
    attacker.mark(CHARGED_IN, int(has_charged))
    position.forget()
    if ROWS not in melees(position) or not all(model.profile.fights for model in members(attacker)):
        raise FIELDS.fault("attacker", "no-melee")


def policy_field(position: Position) -> Asked:
    """Ask, if any model has them, whether grenades are thrown at a vehicle; return the policy."""
    carried = {
        item for model in position.models for item in ("krak-grenades", "fusion-charges") if model.profile.carries(item)
    }
    if not carried or not any(model.profile.has_armour for model in position.models):
        return first_suggestion
    used = yield FIELDS.choice("policy-grenades", "policy", (GRENADE, BLOWS), "base-weapons/grenades")
    return answering({"grenades": partial(uses, used)}, first_suggestion)


def uses(wanted: str, question: Any) -> Any:
    """The same choice for all models; the form's fields have the same name."""
    if isinstance(question, Form):
        return filled_by(partial(uses, wanted), question)
    options = question.options()
    return wanted if wanted in options else options[0]


def query(position: Position, policy: Policy) -> Query:
    volley = Volley((FIELDS.title("kind.melee"),), partial(forecast, policy), play)
    own, foes = (counting.rows_of(position, side) for side in (0, 1))
    found = {"losses": counting.lost(foes)}
    if not is_against_vehicle(position, ROWS):
        tests = {"breaks": newly(position, 1, is_routed), "breaks-back": newly(position, 0, is_routed)}
        found |= {"losses-back": counting.lost(own), **tests}
    return Query(position, (volley,), policy, found, len(foes), RULES)


def forecast(policy: Policy, position: Position) -> Forecast:
    return of_melee(position, ROWS, Unit(position, ATTACKER), Unit(position, TARGET), policy)


async def play(position: Position) -> Position:
    """Play the melee as the referee does, with the losers' tests, but without moving any model."""
    fight, inflicted = await fight_out(position, ROWS)
    if is_against_vehicle(position, ROWS):
        return position
    position.declare(DOING, None)
    settle(fight, ROWS, inflicted)
    for kind, row, *values in reversed(stack(position)):
        if kind == "lose" and not is_routed(Unit(position, int(row))):
            await lost_test(position, int(row), int(values[1]))
    return position
