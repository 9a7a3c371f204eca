"""The worth of a shot to a bot: the weapon, the target, a doubled rate.

It is a judgement, not a rule; but the rules decide whether a shot reaches, and what it costs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from campale.dice.needs import faces_met
from campale.mechanics.judgement.advice import About, Advice
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.ruleset import WASTE
from campale.rulesets.ragnarok.basics.measuring import beyond, distance
from campale.rulesets.ragnarok.basics.physical import is_able
from campale.rulesets.ragnarok.bots.prospects import fighter, saved
from campale.rulesets.ragnarok.shooting.fire import FIRE, REACTION, Shot, aiming_of, is_out_of_range, to_hit
from campale.rulesets.ragnarok.shooting.thrown import targets_of_throw
from campale.rulesets.ragnarok.shooting.weapon_rules import (
    SALVO,
    STEAM,
    rate_used,
    reach,
    scalding_hits,
    weapon_of,
)
from campale.rulesets.ragnarok.turn.actions import no_target

CHANCES = {need: sum(6 - abs(7 - total) for total in range(2, 13) if total >= need) / 36 for need in range(2, 14)}
"""The chance that two dice total at least the key."""
ROOTED = 1.0
"""The cost of not moving any more in this turn, in points."""


def hurt(shot: Shot, position: Position) -> float:
    """Return the average harm of a shot to its target, in points, by the number that it needs to hit."""
    shooter, target = position.model(shot.shooter), position.model(shot.target)
    weapon, foe = weapon_of(shooter, shot.weapon), fighter(target)
    hits = rate_used(weapon, shot.doubling) * faces_met(to_hit(aiming_of(position, shot))) / 6
    wounds = hits * (1.0 - saved(target.profile, weapon.value("piercing"), by_shield=True))
    return foe.worth * min(1.0, wounds / foe.left)


def kind_of_shot(shooter: Model) -> str:
    """Return what a model's shot is now: in the other side's turn it is a reaction."""
    return FIRE if shooter.position.now.get("side") == shooter.side else REACTION


def harm_to_oneself(shot: Shot, position: Position) -> float:
    """Return the average harm of steam to its shooter, or the cost of standing still for a salvo, in points."""
    shooter = position.model(shot.shooter)
    if shot.doubling == SALVO:
        return ROOTED
    weapon = weapon_of(shooter, shot.weapon)
    danger = scalding_hits(shooter, weapon, shot.doubling, 1)
    some_one = 1.0 - (5 / 6) ** rate_used(weapon, STEAM)
    own = fighter(shooter)
    return some_one * own.worth * min(1.0, danger * (1.0 - saved(shooter.profile)) / own.left)


def worth_of_shot(position: Position, shot: Shot) -> float:
    """Return the worth of a shot; ``WASTE`` if it is out of range or its target is not able."""
    target = position.model(shot.target)
    if not is_able(target) or is_out_of_range(position, shot):
        return WASTE
    return hurt(shot, position) - harm_to_oneself(shot, position)


def with_which_weapon(position: Position, question: Question, about: About) -> Advice:
    """Advise each weapon by its best shot; a thrown weapon names its target later."""
    model = position.model(int(about["model"]))
    enemies = position.on_table(1 - model.side)

    def best(k: int) -> float:
        shots = (Shot(model.row, enemy.row, k) for enemy in enemies if has_shot(model, enemy, k))
        return max((worth_of_shot(position, shot) for shot in shots), default=WASTE)

    found = [(k, best(k)) for k, weapon in enumerate(model.profile.weapons) if weapon.kind == "ranged"]
    if not has_any_throw(model, enemies):
        found += [(k, WASTE) for k, weapon in enumerate(model.profile.weapons) if weapon.kind == "thrown"]
    return found


def with_which_to_react(position: Position, question: Question, about: About) -> Advice:
    """Advise each weapon by its shot at the acting enemy, or by the chance of the throw."""
    model, target = position.model(int(about["model"])), position.model(int(about["target"]))

    def worth(k: int) -> float:
        if weapon_of(model, k).kind == "thrown":
            return chance_to_throw(model, target) * fighter(target).worth or WASTE
        return worth_of_shot(position, Shot(model.row, target.row, k, kind=REACTION))

    return [(k, worth(int(str(k)))) for k in question.options() or ()]


def at_whom(position: Position, question: Question, about: About) -> Advice:
    model, weapon = position.model(int(about["model"])), int(about["weapon"])
    rows = (enemy.row for enemy in position.on_table(1 - model.side))
    return [(row, worth_of_shot(position, Shot(model.row, row, weapon))) for row in rows]


def doubled_or_not(position: Position, question: Question, about: About) -> Advice:
    model, weapon, target = int(about["model"]), int(about["weapon"]), int(about["target"])
    ways, kind = question.options() or (), kind_of_shot(position.model(model))
    return [(way, worth_of_shot(position, Shot(model, target, weapon, kind=kind, doubling=way))) for way in ways]


def has_shot(model: Model, enemy: Model, k: int) -> bool:
    """Return whether one of a model's weapons reaches an enemy that it may shoot at."""
    within_reach = not beyond(distance(model, enemy), reach(model, weapon_of(model, k)))
    return within_reach and is_able(enemy) and no_target(model, enemy.row, k) is None


def at_whom_to_throw(position: Position, question: Question, about: About) -> Advice:
    """Advise the enemy with the most points that a throw is likely to reach."""
    thrower = position.model(int(about["model"]))
    worths = [(one, chance_to_throw(thrower, one)) for one in targets_of_throw(thrower)]
    return [(one.row, chance * fighter(one).worth if chance else WASTE) for one, chance in worths]


def has_any_throw(model: Model, enemies: Iterable[Model]) -> bool:
    """Return whether a throw may reach an able enemy in view, if the dice show the most."""
    if not model.profile.thrown_weapons or not any(chance_to_throw(model, enemy) for enemy in enemies):
        return False
    seen = {one.row for one in targets_of_throw(model)}
    return any(enemy.row in seen and chance_to_throw(model, enemy) for enemy in enemies)


def chance_to_throw(thrower: Model, target: Model) -> float:
    """Return the chance that a throw reaches an enemy; 0 for one that is not able."""
    short = distance(thrower, target) - thrower.profile.constitution * 10
    return chance_of_total(short) if is_able(target) else 0.0


def chance_of_total(least: float) -> float:
    """Return the chance that two dice total at least so much."""
    return CHANCES[min(13, max(2, math.ceil(least)))]


def has_any_shot(model: Model, enemies: Iterable[Model]) -> bool:
    ranged = [k for k, weapon in enumerate(model.profile.weapons) if weapon.kind == "ranged"]
    return any(has_shot(model, enemy, k) for enemy in enemies for k in ranged)
