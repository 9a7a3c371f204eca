"""Leaders attached to units: they form one unit (core-abilities/leader*, f/while-leading*)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.position import ABOARD, RESERVE, TABLE, Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.basics.persisting import keep_effects
from campale.rulesets.w10.basics.units import APART, PHASE_FACTS, SHOCKED, TURN_FACTS, components, members

PART_OF = "stand-in-part-of"
"""By the row of a unit in which destroyed models act, the row of the unit that they are still part of."""


@rule("c/fight-on-death", "s/shoot-on-death")
def home_of(unit: Unit) -> Unit:
    """The unit that models which act on their death are part of; for all others their own unit."""
    row = unit.position.declared.get(f"{PART_OF}-{unit.row}")
    return unit if row is None else Unit(unit.position, int(row))


@rule("c/fight-on-death", "s/shoot-on-death")
def whole_of(unit: Unit) -> list[Model]:
    """The models of a unit; for models that act on their death also those that are left of their unit."""
    home = home_of(unit)
    return members(unit) if home.row == unit.row else [*members(unit), *members(home)]


def leaders(unit: Unit) -> list[Model]:
    """The models of the Leaders attached to a unit."""
    position = unit.position
    return [m for m in members(unit) if position.bought_with[m.row] != unit.row]


@rule("core-abilities/leader")
def bodyguard(unit: Unit) -> list[Model]:
    position = unit.position
    return [m for m in members(unit) if position.bought_with[m.row] == unit.row]


@rule("f/while-leading", "f/while-leading-two")
def is_attached(unit: Unit) -> bool:
    """True while Leaders and bodyguard form one unit; during attacks they stay so until the attacks are resolved."""
    return len(components(unit)) > 1


@rule("core-abilities/leader")
def attach(leader: Unit, to: Unit) -> None:
    """Let the models of a Leader join a unit, for all rules except those of destruction."""
    for model in leader.position.models:
        if model.bought_with == leader:
            leader.position.join(model, to)


@rule("core-abilities/leader", "u/two-characters-max")
def may_attach(leader: Model, to: Unit, already: Sequence[Model]) -> bool:
    """True if a Leader may join a unit: its datasheet names the unit, and one of two Leaders names the other.

    A third Leader never joins.
    """
    sheets = {m.profile.id for m in to.bought}
    if not sheets & set(leader.profile.leads):
        return False
    if not already:
        return True
    return len(already) == 1 and (are_named(leader, already[0]) or are_named(already[0], leader))


def are_named(one: Model, other: Model) -> bool:
    """True if the datasheet of ``one`` allows it to join a unit alongside ``other``."""
    return other.profile.id in one.profile.beside


@rule("core-abilities/leader-split", "e/persisting-attached", "f/while-leading-ends")
def separate_all(position: Position) -> None:
    """Split all attached units that have lost their last bodyguard or Leader model."""
    for row in sorted({unit for _, unit in position.moved()}):
        separate(Unit(position, row))


@rule("core-abilities/leader-split", "command-phase/attached-starting-strength")
def separate(unit: Unit) -> None:
    """Split a unit: each Leader stands alone if no bodyguard is left, the bodyguard if no Leader is.

    Models aboard a TRANSPORT or in Reserves count as left.
    """
    position = unit.position
    left = {position.bought_with[m.row] for m in alive(unit)}
    for row in components(unit):
        if row != unit.row and row not in left:
            Unit(position, row).mark(APART, 1)
            position.dropped("unit")
    if is_attached(unit) and unit.row not in left:
        for row in components(unit)[1:]:
            stand_alone(unit, Unit(position, row))


@rule("core-abilities/leader-split")
def what_is_left(position: Position, rows: Sequence[int]) -> list[Unit]:
    """The unit made up of these components, or the units it has split into; each continues what it began."""
    return [Unit(position, row) for row in rows if members(Unit(position, row))]


def alive(unit: Unit) -> list[Model]:
    """The models of a unit that are not destroyed, on the table or off it."""
    position = unit.position
    there = (TABLE, RESERVE, ABOARD)
    return [m for m in position.models if position.unit_of[m.row] == unit.row and position.where[m.row] in there]


def stand_alone(unit: Unit, own: Unit) -> None:
    """Make a component a unit of its own; it keeps what the attached unit did this turn and was given for the phase."""
    for model in [m for m in alive(unit) if m.bought_with == own]:
        unit.position.join(model, own)
    share_facts(unit, own)
    keep_effects(unit, own)


@rule("core-abilities/leader-split", "r/return-leader")
def share_facts(unit: Unit, own: Unit) -> None:
    """What an attached unit did this turn is true of each of its parts, and so of a Leader that returns alone."""
    for fact in (*TURN_FACTS, *PHASE_FACTS, SHOCKED):
        own.mark(fact, unit.marks(fact))
