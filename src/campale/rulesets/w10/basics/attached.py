"""Leaders attached to units: one unit while both live (core-abilities/leader*, f/while-leading*)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.position import ABOARD, RESERVE, TABLE, Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.basics.persisting import keep_effects
from campale.rulesets.w10.basics.units import APART, PHASE_FACTS, SHOCKED, TURN_FACTS, components, members


def leaders(unit: Unit) -> list[Model]:
    """The models of Leaders that are attached to a unit."""
    position = unit.position
    return [m for m in members(unit) if position.bought_with[m.row] != unit.row]


@rule("core-abilities/leader")
def bodyguard(unit: Unit) -> list[Model]:
    position = unit.position
    return [m for m in members(unit) if position.bought_with[m.row] == unit.row]


@rule("f/while-leading", "f/while-leading-two")
def is_attached(unit: Unit) -> bool:
    """Leaders and a bodyguard together; until they come apart, even while attacks are resolved that part them."""
    return len(components(unit)) > 1


@rule("core-abilities/leader")
def attach(leader: Unit, to: Unit) -> None:
    """The models of a Leader join a unit, for all rules but those of destruction."""
    for model in leader.position.models:
        if model.bought_with == leader:
            leader.position.join(model, to)


@rule("core-abilities/leader", "u/two-characters-max")
def may_attach(leader: Model, to: Unit, already: Sequence[Model]) -> bool:
    """Its datasheet names the unit; of two Leaders one must name the other, in whatever order; never a third."""
    position = leader.position
    sheets = {m.profile.id for m in position.models if m.bought_with == to}
    if not sheets & set(leader.profile.leads):
        return False
    if not already:
        return True
    return len(already) == 1 and (are_named(leader, already[0]) or are_named(already[0], leader))


def are_named(one: Model, other: Model) -> bool:
    """Whether the datasheet of one says that it may join a unit beside the other."""
    return other.profile.id in one.profile.beside


@rule("core-abilities/leader-split", "e/persisting-attached", "f/while-leading-ends")
def separate_all(position: Position) -> None:
    """Units whose last bodyguard or last Leader model is gone come apart."""
    for row in sorted({unit for _, unit in position.moved()}):
        separate(Unit(position, row))


@rule("core-abilities/leader-split", "command-phase/attached-starting-strength")
def separate(unit: Unit) -> None:
    """Each Leader stands alone when no bodyguard is left; the bodyguard when no Leader is. Who is aboard of a TRANSPORT
    or in Reserves is left.
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
    """The unit that was made up of these, or the units it has come apart into: each goes on with what it began."""
    return [Unit(position, row) for row in rows if members(Unit(position, row))]


def alive(unit: Unit) -> list[Model]:
    """The models of a unit that are not destroyed, on the table or off it."""
    position = unit.position
    there = (TABLE, RESERVE, ABOARD)
    return [m for m in position.models if position.unit_of[m.row] == unit.row and position.where[m.row] in there]


def stand_alone(unit: Unit, own: Unit) -> None:
    """What the attached unit has done this turn is true of each; so is what Stratagems gave it for the phase."""
    for model in [m for m in alive(unit) if m.bought_with == own]:
        unit.position.join(model, own)
    for fact in (*TURN_FACTS, *PHASE_FACTS, SHOCKED):
        own.mark(fact, unit.marks(fact))
    keep_effects(unit, own)
