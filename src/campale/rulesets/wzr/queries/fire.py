"""The shots of a query: the ways to shoot on offer, and one volley for each shot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from campale.dice.odds import first_suggestion
from campale.mechanics.frames import push, run_all
from campale.mechanics.queries.layout import ATTACKER, TARGET
from campale.referee.looks import Forecast
from campale.referee.odds_queries import Query, Title, Volley
from campale.referee.position import Position
from campale.rulesets.wzr.armoury.weapons import Gun, rof_is_fixed, rof_of
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.odds.attack_odds import Firing
from campale.rulesets.wzr.odds.fire_odds import forecast, plan_at
from campale.rulesets.wzr.queries.counting import RULES, counted, is_over, left_by, make_ready
from campale.rulesets.wzr.shooting.declaring import usable
from campale.rulesets.wzr.shooting.plan import RAPID, Plan, frame
from campale.rulesets.wzr.shooting.shoot import DECLARED, STUN
from campale.rulesets.wzr.turn.sequence import PROCEDURES

NO_LOCATION = "none"


class Manner(NamedTuple):
    """How all shots are made: the action, aimed or not (at which location), a Resource for RoF +1 or not."""

    action: str
    aimed: bool = False
    burned: bool = False
    location: str = NO_LOCATION


def guns(position: Position, action: str) -> dict[str, Gun]:
    """The attacker's guns that can fire at the target, by key."""
    model, target = position.model(ATTACKER), position.model(TARGET)
    return {gun.key: gun for gun in usable(model, action) if plan_at(gun, target) is not None}


def title_of(gun: Gun) -> Title:
    """The title of the weapon or power. A further way to fire adds its range and template."""
    thing = gun.weapon or gun.power
    assert thing is not None
    title: Title = gun.model.profile.titled.get(gun.key, thing.title.in_both)
    return title


def declared(gun: Gun, manner: Manner) -> Plan:
    """The declared attack, all of it at the target."""
    plan = plan_at(gun, gun.model.position.model(TARGET))
    assert plan is not None
    burned = int(manner.burned and not rof_is_fixed(gun))
    extra = burned + int(manner.action == RAPID)
    tests = 1 if gun.fire.area else rof_of(gun, extra)
    location = "" if manner.location == NO_LOCATION or gun.is_power or gun.fire.area else manner.location
    return plan.but(
        action=manner.action,
        targets=(TARGET,) * tests,
        extra=extra,
        burned=burned,
        aimed=manner.aimed,
        location=location,
    )


def query(position: Position, manner: Manner, chosen: Sequence[Gun]) -> Query:
    """The query: one shot after another, each from where the attacker stands."""
    pay(position, max(gun.fire.burn for gun in chosen) + int(manner.burned))
    volleys = tuple(volley_of(gun, declared(gun, manner)) for gun in chosen)
    scatters = any(gun.fire.is_circle for gun in chosen) and not position.model(TARGET).profile.is_vehicle
    return Query(position, volleys, first_suggestion, counted(position, scatters), 1, RULES)


def pay(position: Position, cards: int) -> None:
    """Give the attacker's side this many Resource cards."""
    position.gain(0, marks.RESOURCES, cards - position.holds(0, marks.RESOURCES))
    position.forget()


def volley_of(gun: Gun, plan: Plan) -> Volley:
    """One volley. A stun grenade hurts no model, so what it leaves behind is not reported."""
    after = None if STUN in gun.rules else partial(left_after, plan)
    return Volley((title_of(gun),), partial(told, plan), partial(play, plan), after)


def told(plan: Plan, position: Position) -> Forecast:
    nothing = Forecast(ATTACKER, TARGET, (), ())
    return nothing if is_over(position) else forecast(position, plan) or nothing


def left_after(plan: Plan, position: Position) -> list[tuple[Position, float]]:
    return [(position, 1.0)] if is_over(position) else list(left_by(position, Firing(position, plan).ends()))


async def play(plan: Plan, position: Position) -> Position:
    """Play the attack as the referee does, with all its consequences."""
    if not is_over(position):
        push(position, frame(DECLARED, plan))
        await run_all(position, PROCEDURES)
        make_ready(position)
    return position
