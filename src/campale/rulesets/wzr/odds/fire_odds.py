"""The odds of ranged attacks that a model could make now, or that are partly declared."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from campale.dice.odds import OddsError, Policy
from campale.mechanics.script_form import as_proposed
from campale.referee.looks import Forecast
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.armoury.weapons import Gun, rof_of
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.engaged import is_engaged
from campale.rulesets.wzr.odds.attack_odds import Firing
from campale.rulesets.wzr.odds.harm import notes_of
from campale.rulesets.wzr.odds.piece_odds import on_piece
from campale.rulesets.wzr.odds.torrent_odds import of_torrent
from campale.rulesets.wzr.shooting.cover import NO_PIECE, cover
from campale.rulesets.wzr.shooting.declaring import declaration, to_reclaim, usable, why_not_laid
from campale.rulesets.wzr.shooting.plan import RAPID, SHOOT, Plan, gun_used
from campale.rulesets.wzr.shooting.targets import why_not
from campale.rulesets.wzr.vehicles.firing import FIRE, TORRENT, all_plans, by_weapon

SHOOTING = "shooting"
NAMES = (SHOOT, RAPID, FIRE)


def forecast(position: Position, plan: Plan, policy: Policy | None = None) -> Forecast | None:
    """The odds of one attack; None for an attack at a point when there is no enemy."""
    if plan.piece:
        return on_piece(position, plan, (SHOOTING,), policy)
    gun = gun_used(position, plan)
    target = plan.primary if plan.primary >= 0 else nearest_to(gun, plan)
    if target < 0:
        return None
    dice = len(plan.targets) if plan.targets and not gun.fire.area else rof_of(gun, plan.extra)
    begun = Forecast(plan.shooter, target, (plan.gun,), (), (SHOOTING,), dice=dice)
    try:
        firing = Firing(position, plan, policy)
        found = tuple(firing.steps())
    except OddsError:
        return replace(begun, gap="too-many")
    notes = notes_of(position, [row for row in plan.targets if row >= 0])
    return replace(begun, steps=found, decided=tuple(firing.decided), notes=notes)


def nearest_to(gun: Gun, plan: Plan) -> int:
    """The row of the enemy nearest to the point that a grenade is thrown at, or -1."""
    enemies = gun.model.position.on_table(1 - gun.model.side)
    nearest = min(enemies, key=lambda m: (m.x - plan.at[0]) ** 2 + (m.y - plan.at[1]) ** 2, default=None)
    return -1 if nearest is None else nearest.row


# ---------------------------------------------------------------- forecasts on request


@rule("shooting/legal-target", "shooting/reclaim-cover")
def fire_forecasts(position: Position, row: int, target: int) -> list[Forecast]:
    """What a model may shoot at another now: each gun, with all its attacks at that target, aimed if it has aimed."""
    model, aim = position.model(row), position.model(target)
    if model.side == aim.side or not (model.is_on_table and aim.is_on_table) or is_engaged(model):
        return []
    aimed = bool(model.marks(marks.AIMED))
    plans = [plan_at(gun, aim, aimed) for gun in usable(model, SHOOT)]
    found = [forecast(position, plan) for plan in plans if plan is not None]
    return [one for one in (*found, torrent_at(model, aim)) if one is not None]


@rule("vehicles/torrent", "actions/aim")
def torrent_at(model: Model, target: Model) -> Forecast | None:
    """All weapons of a vehicle at one enemy, each with its first usable way; None if fewer than two can fire.

    Aim goes to the first weapon.
    """
    if not model.profile.is_vehicle:
        return None
    plans = (next(filter(None, (plan_at(gun, target) for gun in guns)), None) for guns in by_weapon(model).values())
    aimed = bool(model.marks(marks.AIMED))
    found = tuple(plan.but(aimed=aimed and k == 0) for k, plan in enumerate(filter(None, plans)))
    return of_torrent(model.position, found) if len(found) > 1 else None


def plan_at(gun: Gun, target: Model, aimed: bool = False) -> Plan | None:
    """All attacks of a gun at one target, reclaiming the best piece; None if the target is not legal."""
    bare = Plan(shooter=gun.model.row, gun=gun.key, aimed=aimed)
    names = [name for name in (*to_reclaim(gun, [target]), NO_PIECE) if why_not(gun, target, name) is None]
    if not names:
        return None
    best = max(names, key=lambda name: cover(gun.model, target, name).part.value)
    if gun.fire.is_wedge:
        laid = bare.but(at=target.at, targets=(target.row,), reclaimed=best)
        return laid if why_not_laid(gun, laid, target.at) is None else None
    tests = 1 if gun.fire.area else rof_of(gun)
    return bare.but(targets=(target.row,) * tests, reclaimed=best)


def fire_forecast_of(position: Position, question: Question, answer: Plain) -> Forecast | None:
    """The odds of an attack as far as it is declared, filled in as the form proposes."""
    if question.prompt != "act" or not isinstance(answer, list | tuple) or not answer:
        return None
    if answer[0] == TORRENT:
        plans = as_proposed(partial(all_plans, position.model(int(question.about["model"]))), answer[1:])
        return of_torrent(position, plans) if plans else None
    if answer[0] not in NAMES:
        return None
    model = position.model(int(question.about["model"]))
    action = SHOOT if answer[0] == FIRE else str(answer[0])
    plan = as_proposed(partial(declaration, model, action), answer[1:])
    return None if plan is None else forecast(position, plan)
