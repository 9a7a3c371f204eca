"""The melee attacks of a query: the arms and actions on offer, and one volley for each attack."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from campale.dice.odds import first_suggestion
from campale.mechanics.frames import push, run_all
from campale.mechanics.queries.layout import ATTACKER, TARGET
from campale.mechanics.titles import in_both
from campale.referee.looks import Forecast
from campale.referee.odds_queries import Query, Title, Volley
from campale.referee.position import Model, Position
from campale.rulesets.wzr.armies.lists import HERE
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.attack import Attack, attacks_of, candidates, frames_of, may_add_attack
from campale.rulesets.wzr.close_combat.charge import onset_of
from campale.rulesets.wzr.close_combat.charging import attacks_after
from campale.rulesets.wzr.close_combat.combat import cannot_fight
from campale.rulesets.wzr.close_combat.strength import BARE, Arm, arms
from campale.rulesets.wzr.odds.melee_odds import Striking, forecast
from campale.rulesets.wzr.queries.counting import RULES, counted, is_over, left_by, make_ready
from campale.rulesets.wzr.queries.fire import pay
from campale.rulesets.wzr.turn.sequence import PROCEDURES


def actions(position: Position) -> list[str]:
    """Combat and the Special Combat Actions that can be used on the target."""
    model = position.model(ATTACKER)
    return [] if cannot_fight(model) is not None else [name for name in attacks_after(model) if able(position, name)]


def able(position: Position, name: str) -> dict[str, Arm]:
    """The arms that can strike the target in an action, by id."""
    model = position.model(ATTACKER)
    found = [one for one in arms(model) if name == "combat" or one.kind != "grenade"]
    return {one.id: one for one in found if TARGET in candidates(model, one, name)}


def title_of(model: Model, arm: Arm) -> Title:
    if arm.id == BARE:
        return in_both(HERE, "arm.bare")
    things = (*model.profile.blades, *model.profile.weapons)
    return next(one.title.in_both for one in things if one.id == arm.id)


def declared(position: Position, name: str, arm: Arm, has_charged: bool, burned: bool) -> Attack:
    """The declared attack, all of it at the target."""
    model = position.model(ATTACKER)
    onset = onset_in(position) if has_charged else ()
    pays = burned and may_add_attack(model, arm, name)
    attack = Attack(ATTACKER, name, arm.id, (), (), pays, onset)
    return attack._replace(targets=(TARGET,) * attacks_of(model, arm, attack))


def onset_in(position: Position) -> tuple[int, ...]:
    """The bonus of a charge on level ground. A vehicle counts as having moved far enough."""
    copy = position.copy()
    model = copy.model(ATTACKER)
    if model.profile.is_vehicle:
        model.jot(marks.MOVED, float(model.profile.m))
    return tuple(onset_of(model, copy.model(TARGET), False))


def query(position: Position, attacks: Sequence[Attack]) -> Query:
    """The query: one attack after another, as if over several turns."""
    pay(position, int(any(one.burned for one in attacks)))
    known = {one.id: one for one in arms(position.model(ATTACKER))}
    titles = [title_of(position.model(ATTACKER), known[one.arm]) for one in attacks]
    volleys = tuple(volley_of(one, title) for one, title in zip(attacks, titles, strict=True))
    return Query(position, volleys, first_suggestion, counted(position), 1, RULES)


def volley_of(attack: Attack, title: Title) -> Volley:
    """One volley. For a throw or a hold, only the test is reported."""
    is_blow = attack.special is None or attack.special.effect == "hit"
    after = partial(left_after, attack) if is_blow else None
    return Volley((title,), partial(told, attack), partial(play, attack), after)


def told(attack: Attack, position: Position) -> Forecast:
    return Forecast(ATTACKER, TARGET, (), ()) if is_over(position) else forecast(position, attack)


def left_after(attack: Attack, position: Position) -> list[tuple[Position, float]]:
    return [(position, 1.0)] if is_over(position) else list(left_by(position, Striking(position, attack).ends()))


async def play(attack: Attack, position: Position) -> Position:
    """Play the attack as the referee does, with all its consequences."""
    if not is_over(position):
        push(position, *frames_of(attack))
        await run_all(position, PROCEDURES)
        make_ready(position)
    return position
