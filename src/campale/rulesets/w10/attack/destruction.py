"""Destroyed models, and the consequences (destroyed/*, core-abilities/deadly-demise)."""

from __future__ import annotations

from campale.referee.position import FALLEN, GONE, Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.index import usable
from campale.rulesets.w10.abilities.uses import is_left
from campale.rulesets.w10.basics.attached import home_of
from campale.rulesets.w10.basics.units import units_of

FALLS = "falls"
STAND_IN = "stand-in"
"""By side, the rows of the units in which destroyed models act; they count for nothing else."""
UNHEARD = ("no-room", "coherency")
"""The causes of losses that trigger nothing."""
FELL = "fell"
"""The rows of destroyed models whose Deadly Demise has not been rolled yet."""


@rule("destroyed/model", "destroyed/unit", "destroyed/by")
def destroy(model: Model, cause: str, by: int) -> None:
    """Remove a model; the loss is credited to an enemy model, or to none (-1)."""
    position = model.position
    killer = by if by >= 0 and position.side_of[by] != model.side else -1
    waits = has_last_deed(model, cause)
    position.remove(model, cause, killer, fallen=waits)
    if waits or model.profile.can("deadly-demise") or model.profile.capacity:
        position.declare(FELL, (*position.declared.get(FELL, ()), model.row))
    tell_of_unit(model)


@rule("destroyed/unit", "command-phase/attached-destroyed")
def tell_of_unit(model: Model) -> None:
    """Record a unit as destroyed with its last model; an attached unit's Leader and bodyguard count separately."""
    own = model.bought_with
    if all(m.where in (GONE, FALLEN) for m in own.bought):
        model.position.write("unit-destroyed", unit=own.row)


@rule("c/fight-on-death", "s/shoot-on-death")
def has_last_deed(model: Model, cause: str) -> bool:
    """True if an ability may let a model act before it is removed, given the cause of its destruction."""
    able = [one for one in usable(model, FALLS) if is_left(model.position, one)]
    return any(one.ability.condition.attack in ("", cause) for one in able)


@rule("s/set-up-impossible", "core-concepts/coherency-end-of-turn", "a/add-models-no-room")
def triggers_nothing(model: Model) -> bool:
    """True for a destroyed model whose destruction triggers no rule: it found no room, or broke coherency."""
    losses = reversed(model.position.losses)
    return next((loss.cause in UNHEARD for loss in losses if loss.model == model.row), False)


def fallen(position: Position) -> list[Model]:
    return [position.model(row) for row in position.declared.get(FELL, ())]


@rule("c/fight-on-death-timing")
def is_stand_in(unit: Unit) -> bool:
    """True if the models of a unit are already destroyed and act once more: nothing can harm them."""
    return home_of(unit).row != unit.row


@rule("c/fight-on-death-timing", "b/target-of-attack")
def foes_of(position: Position, side: int) -> list[Unit]:
    """The enemy units of a side; models that act on their death take no attacks."""
    return [unit for unit in units_of(position, 1 - side) if not is_stand_in(unit)]
