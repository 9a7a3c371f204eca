"""What an action is: its cost, who may take it, its questions, and the frames it pushes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from campale.mechanics.frames import Frame
from campale.referee.position import Model
from campale.referee.question import Question
from campale.referee.refusal import Fault, Refusal, Restriction
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.engaged import is_engaged
from campale.rulesets.wzr.squads.coherency import is_coherent
from campale.rulesets.wzr.squads.squads import is_stunned
from campale.rulesets.wzr.turn.points import done, left

Group = Literal["", "movement", "shooting", "combat", "vehicle-movement", "fire"]


class Action(NamedTuple):
    """An action of the menu.

    ``fields(model, filled)``: the next question after its name, or None. ``frames(model, details)``: the frames that
    carry it out. ``restrictions(model)``: its own restrictions, besides those of all actions. ``is_possible``: whether
    it has anything to act on; ``otherwise(model)``: why not. ``engaged``: a model that began its activation engaged may
    take it; ``in_reach``: a model engaged now may. ``group``: actions that may exclude each other. ``again``: it may be
    repeated. ``occasion``: enemy Sentries may react after it. ``vehicle``: vehicles may take it; ``trooper``: other
    models may. ``ends``: it ends the activation.
    """

    name: str
    cost: int
    frames: Callable[[Model, Sequence[Any]], tuple[Frame, ...]]
    fields: Callable[[Model, Sequence[Any]], Question | None] = lambda model, filled: None
    restrictions: tuple[Restriction, ...] = ()
    is_possible: Callable[[Model], bool] = lambda model: True
    otherwise: Callable[[Model], Fault | Refusal] = lambda model: Fault(model=model.row, rule="actions/list")
    group: Group = ""
    engaged: bool = False
    in_reach: bool = False
    again: bool = False
    occasion: bool = True
    vehicle: bool = False
    trooper: bool = True
    ends: bool = False


@rule("core/stunned")
def must_rest(action: Action, model: Model) -> Fault | None:
    """A stunned model must first spend its AP on Rest."""
    return Fault(model=model.row) if is_stunned(model) and action.name not in FREE else None


@rule("turn/action-points")
def too_dear(action: Action, model: Model) -> Fault | None:
    return Fault(None, left(model), action.cost, model.row) if action.cost > left(model) else None


@rule("turn/action-once", "vehicles/action-once")
def done_already(action: Action, model: Model) -> Fault | None:
    return Fault(model=model.row) if action.name in done(model) and not action.again else None


OF_ENGAGED_VEHICLES = ("combat", "vehicle-movement")
"""The groups of actions that an engaged vehicle may take."""


@rule("close-combat/engaged-ap", "vehicles/tank-engaged")
def was_engaged(action: Action, model: Model) -> Fault | None:
    """A model that was engaged when activated has one AP, for a combat, movement or special action.

    A vehicle only fights or moves.
    """
    fits = action.engaged and (not model.profile.is_vehicle or action.group in OF_ENGAGED_VEHICLES)
    return Fault(model=model.row) if model.marks(marks.BEGAN_ENGAGED) and not fits else None


@rule("close-combat/engaged-ap", "actions/run", "actions/shoot", "actions/charge", "actions/sentry")
def is_in_reach(action: Action, model: Model) -> Fault | None:
    """Engaged models may not run, charge, shoot or go on Sentry."""
    return Fault(model=model.row) if not action.in_reach and is_engaged(model) else None


@rule("vehicles/actions-list", "actions/list")
def of_another_list(action: Action, model: Model) -> Fault | None:
    fits = action.vehicle if model.profile.is_vehicle else action.trooper
    return None if fits else Fault(model=model.row)


@rule("turn/action-once", "abilities/leap", "psychic/one-ranged-attack", "actions/rapid-fire")
def excluded(action: Action, model: Model) -> Fault | None:
    """Leap replaces Walk. A model takes either Shoot (with a weapon or a power) or Rapid Fire, once."""
    shoots = action.group == "shooting"
    barred = SHOTS if shoots else REPLACED.get(action.name, ())
    word = "one-shot" if shoots else "leap-or-walk"
    return Fault(model=model.row, word=word) if any(one in barred for one in done(model)) else None


@rule("squads/out-of-coherency")
def must_rejoin(action: Action, model: Model) -> Fault | None:
    """A model out of coherency must go back to its Commander; if engaged, it may fight instead."""
    fights = action.group == "combat" and is_engaged(model)
    return None if fights or action.name in BACK or is_coherent(model) else Fault(model=model.row)


REPLACED = {"leap": ("walk",), "walk": ("leap",)}
SHOTS = ("shoot", "rapid-fire")
FREE = ("rest", "third-ap")
BACK = ("walk", "run", "tactical", "attack-move", "rapid-move", *FREE)
RUNS = ("trample", "thunder-charge")


@rule("turn/action-once", "close-combat/trample-move")
def after_a_run(action: Action, model: Model) -> Fault | None:
    """Trample and Thunder Charge exclude every other movement action of the activation."""
    barred = action.group == "movement" and any(one in RUNS for one in done(model))
    return Fault(model=model.row, word="run-alone") if barred else None


BY_BERSERKERS = ("run", "charge", "combat", "rest", "third-ap")


@rule("abilities/berserk-actions")
def by_no_berserker(action: Action, model: Model) -> Fault | None:
    """A berserk model runs, charges and fights, including Special Combat Actions that do not move it."""
    fights = action.group == "combat" and action.name not in RUNS
    barred = model.marks(marks.BERSERK) and not fights and action.name not in BY_BERSERKERS
    return Fault(model=model.row) if barred else None


OF_LISTS = (of_another_list,)
"""The restriction that comes before an action's own ones."""
OF_ALL = (
    must_rest,
    done_already,
    excluded,
    was_engaged,
    is_in_reach,
    after_a_run,
    must_rejoin,
    by_no_berserker,
    too_dear,
)
"""The restrictions on every action, in this order, after its own ones."""
