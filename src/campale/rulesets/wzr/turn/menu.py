"""The menu: which action a model takes, and its details (actions/list)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from campale.mechanics.frames import Frame, push
from campale.referee.ask import fill_in
from campale.referee.position import Model
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.resources import cannot_have_third_ap
from campale.rulesets.wzr.close_combat.charging import charge_action
from campale.rulesets.wzr.close_combat.combat import combat_actions
from campale.rulesets.wzr.close_combat.engaged import is_engaged
from campale.rulesets.wzr.movement.leap import can_dive, dive_fields, leap_fields, leap_frames, no_leaper
from campale.rulesets.wzr.movement.moves import DIVE_FRAMES, RUN_FIELDS, RUN_FRAMES, WALK_FIELDS, WALK_FRAMES
from campale.rulesets.wzr.psychic.powers import CAST, CAST_FIELDS, CAST_FRAMES, can_cast, why_no_cast
from campale.rulesets.wzr.shooting.plan import RAPID, SHOOT
from campale.rulesets.wzr.shooting.shoot import (
    AIM,
    RAPID_FIELDS,
    RAPID_FRAMES,
    SHOOT_FIELDS,
    SHOOT_FRAMES,
    aim_frames,
    can_shoot,
    why_no_shot,
)
from campale.rulesets.wzr.squads.morale import may_execute
from campale.rulesets.wzr.squads.squads import is_stunned
from campale.rulesets.wzr.turn.actions import OF_ALL, OF_LISTS, Action
from campale.rulesets.wzr.turn.points import left, spend
from campale.rulesets.wzr.turn.sentry import SENTRY_BARS, sentry_frames
from campale.rulesets.wzr.turn.spying import can_spy, execution_fields, execution_frames, no_spy, spy_frames
from campale.rulesets.wzr.vehicles import firing, ram
from campale.rulesets.wzr.vehicles.driving import DRIVE_BARS, DRIVE_FIELDS, DRIVE_FRAMES, DRIVES, FULL, Drive

PASS = "pass"


@lru_cache(maxsize=1)
@rule("actions/list", "vehicles/actions-list")
def list_of_actions() -> dict[str, Action]:
    """Every action by name, in menu order."""
    actions = (
        *movement_on_foot(),
        charge_action(),
        *combat_actions(),
        *shooting_actions(),
        *vehicle_movement(),
        *quiet_actions(),
        diving(),
        another_ap(),
    )
    return {one.name: one for one in actions}


@rule("actions/list", "actions/walk", "actions/run", "abilities/leap")
def movement_on_foot() -> tuple[Action, ...]:
    """The movement actions of models other than vehicles, without dives, charges and runs over others."""
    return (
        Action("walk", 1, WALK_FRAMES, WALK_FIELDS, group="movement", engaged=True, in_reach=True),
        Action("run", 2, RUN_FRAMES, RUN_FIELDS, group="movement"),
        Action("leap", 1, leap_frames, leap_fields, (no_leaper,), group="movement", engaged=True, in_reach=True),
    )


@rule("actions/list", "actions/dive-for-cover")
def diving() -> Action:
    """Dive for Cover. It comes late in the menu: a model that has moved would sooner shoot or go on Sentry."""
    return Action(
        *("dive", 1, DIVE_FRAMES, dive_fields),
        is_possible=can_dive,
        otherwise=lambda model: Fault(model=model.row, rule="actions/dive-for-cover", word="no-cover-near"),
        group="movement",
    )


@rule("actions/list", "actions/sentry", "actions/rest", "abilities/espionage", "abilities/execution-hero")
def quiet_actions() -> tuple[Action, ...]:
    """The actions to which enemy Sentries may not react."""
    both: dict[str, Any] = {"engaged": True, "in_reach": True, "occasion": False}
    return (
        Action("sentry", 1, sentry_frames, restrictions=SENTRY_BARS, occasion=False, ends=True),
        Action(
            *("spy", 1, spy_frames),
            restrictions=(no_spy,),
            is_possible=can_spy,
            otherwise=not_by("abilities/espionage"),
            occasion=False,
        ),
        Action(
            *("execution", 1, execution_frames, execution_fields),
            is_possible=may_execute,
            otherwise=not_by("abilities/execution-hero"),
            **both,
        ),
        Action("rest", 1, rest_frames, is_possible=is_stunned, otherwise=not_by("actions/rest"), again=True, **both),
    )


def rest_frames(model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    return (("rest", model.row),)


@rule("actions/list", "actions/shoot", "actions/rapid-fire", "actions/aim", "psychic/blessing", "psychic/hindrance")
def shooting_actions() -> tuple[Action, ...]:
    """Shots, Aim, and casting blessings and hindrances."""
    return (
        Action(
            *(SHOOT, 1, SHOOT_FRAMES, SHOOT_FIELDS),
            is_possible=partial(can_shoot, SHOOT),
            otherwise=partial(why_no_shot, SHOOT),
            group="shooting",
        ),
        Action(
            *(RAPID, 2, RAPID_FRAMES, RAPID_FIELDS),
            is_possible=partial(can_shoot, RAPID),
            otherwise=partial(why_no_shot, RAPID),
            group="shooting",
        ),
        Action(AIM, 1, aim_frames, occasion=False, vehicle=True),
        Action(
            *(CAST, 1, CAST_FRAMES, CAST_FIELDS, (), can_cast, why_no_cast),
            engaged=True,
            in_reach=True,
            again=True,
            vehicle=True,
        ),
    )


@rule("cards/burn-third-ap")
def another_ap() -> Action:
    """A Resource for a third AP is not an action: it costs no AP and lets no Sentry react."""
    return Action(
        "third-ap",
        0,
        lambda model, details: (("third-ap", model.row),),
        restrictions=(cannot_have_third_ap,),
        engaged=True,
        in_reach=True,
        again=True,
        occasion=False,
    )


@rule("vehicles/actions-list")
def vehicle_movement() -> tuple[Action, ...]:
    """The movement actions of vehicles, and their fire."""
    return (*map(driven, DRIVES.values()), ramming(), *vehicle_fire())


@rule("vehicles/fire", "vehicles/torrent", "vehicles/fire-one")
def vehicle_fire() -> tuple[Action, ...]:
    """Fire with one weapon, or with all of them at once."""
    one = Action(
        firing.FIRE,
        1,
        firing.FIRE_FRAMES,
        firing.FIRE_FIELDS,
        (firing.has_fired,),
        firing.can_fire,
        group="fire",
        vehicle=True,
        trooper=False,
    )
    every = one._replace(name=firing.TORRENT, cost=2, is_possible=firing.can_fire_all)
    return one, every._replace(frames=firing.torrent_frames, fields=firing.torrent_fields)


def driven(one: Drive) -> Action:
    """A vehicle's movement action. Flat Out is a Special Vehicle Action and not for engaged vehicles."""
    is_special = one.name == FULL.name
    how = DRIVE_FRAMES[one.name], DRIVE_FIELDS[one.name], DRIVE_BARS[one.name]
    return Action(
        one.name,
        one.cost,
        *how,
        group="vehicle-movement",
        engaged=not is_special,
        in_reach=not is_special,
        vehicle=True,
        trooper=False,
    )


@rule("vehicles/ram")
def ramming() -> Action:
    how = ram.frames, ram.fields, ram.RAM_BARS, ram.is_possible
    return Action(ram.RAM, 3, *how, group="vehicle-movement", vehicle=True, trooper=False)


@rule("turn/model-activation", "actions/list")
def cannot_take(model: Model, name: str) -> Fault | Refusal | None:
    """Why the model cannot take an action now, or None."""
    if name == PASS:
        return None
    action = list_of_actions()[name]
    refusal = first_refusal(OF_LISTS, action, model) or first_refusal(action.restrictions, model)
    refusal = refusal or first_refusal(OF_ALL, action, model)
    if refusal is not None:
        return refusal
    return None if action.is_possible(model) else action.otherwise(model)


def not_by(rule: str) -> Callable[[Model], Fault]:
    """A fault by this rule: there is nothing to take the action on."""
    return lambda model: Fault(model=model.row, rule=rule)


def in_order(model: Model) -> list[str]:
    """The names of all actions, in menu order; for an engaged model those of combat come first."""
    actions = list_of_actions().values()
    fights = is_engaged(model)
    return [one.name for one in sorted(actions, key=lambda one: fights and one.group != "combat")]


def menu_fields(model: Model, filled: Sequence[Any]) -> Question | None:
    """Ask for the action, then for its details."""
    if not filled:
        names = [*in_order(model), PASS]
        about = {"model": model.row}
        return Choose(model.side, "action", names, "action", lambda name: cannot_take(model, name), about)
    return None if filled[0] == PASS else list_of_actions()[filled[0]].fields(model, filled[1:])


@rule("actions/list", "actions/pass")
async def take_action(model: Model) -> None:
    """The active model takes one action. If it passes, it loses its AP."""
    position = model.position
    about = {"model": model.row, "left": left(model)}
    name, *details = await fill_in(model.side, "act", lambda filled: menu_fields(model, filled), idle=[PASS], **about)
    position.write("action", model=model.row, action=name)
    if name == PASS:
        model.mark(marks.AP, 0)
        return
    action = list_of_actions()[name]
    spend(model, name, left(model) if action.ends else action.cost)
    after = (("reactions", model.row, name),) if action.occasion else ()
    push(position, *action.frames(model, details), *after, ("model", model.row))
