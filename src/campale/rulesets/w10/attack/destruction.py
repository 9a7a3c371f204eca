"""Models destroyed, and what follows of it (destroyed/*, core-abilities/deadly-demise)."""

from __future__ import annotations

from campale.referee.position import FALLEN, GONE, Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.index import usable

FALLS = "falls"
STAND_IN = "stand-in"
"""By side, the row of the unit in which the destroyed fight: they count for no other."""
FELL = "fell"
"""The rows of models destroyed whose Deadly Demise is still to be rolled."""


@rule("destroyed/model", "destroyed/unit", "destroyed/by")
def destroy(model: Model, cause: str, by: int) -> None:
    """A model goes, to the account of a model of the other side or of nobody (-1)."""
    position = model.position
    killer = by if by >= 0 and position.side_of[by] != model.side else -1
    waits = has_last_deed(model, cause)
    position.remove(model, cause, killer, fallen=waits)
    if waits or model.profile.can("deadly-demise") or model.profile.capacity:
        position.declare(FELL, (*position.declared.get(FELL, ()), model.row))
    tell_of_unit(model)


@rule("destroyed/unit", "command-phase/attached-destroyed")
def tell_of_unit(model: Model) -> None:
    """A unit is destroyed with its last model; of an attached unit the Leader's and the bodyguard apart."""
    own = model.bought_with
    if all(m.where in (GONE, FALLEN) for m in model.position.models if m.bought_with == own):
        model.position.write("unit-destroyed", unit=own.row)


@rule("c/fight-on-death", "s/shoot-on-death")
def has_last_deed(model: Model, cause: str) -> bool:
    """Whether an ability may let it act before it is removed, destroyed so."""
    return any(one.ability.condition.attack in ("", cause) for one in usable(model, FALLS))


def fallen(position: Position) -> list[Model]:
    return [position.model(row) for row in position.declared.get(FELL, ())]


@rule("c/fight-on-death-timing")
def is_stand_in(unit: Unit) -> bool:
    """Whether those who stand in it are dead: nothing harms them any more."""
    return unit.position.declared.get(f"{STAND_IN}-{unit.side}") == unit.row
