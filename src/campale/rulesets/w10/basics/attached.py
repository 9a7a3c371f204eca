"""Leaders attached to units: one unit while both live (core-abilities/leader*, f/while-leading*)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.position import Model, Position, Unit
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
    """Each Leader stands alone when no bodyguard is left; the bodyguard when no Leader is."""
    position = unit.position
    for row in components(unit):
        alive = [m for m in members(unit) if position.bought_with[m.row] == row]
        if row != unit.row and not alive:
            Unit(position, row).mark(APART, 1)
            position.dropped("unit")
    if is_attached(unit) and not bodyguard(unit):
        for row in components(unit)[1:]:
            stand_alone(unit, Unit(position, row))


def stand_alone(unit: Unit, own: Unit) -> None:
    """What the attached unit has done this turn is true of each; so is what Stratagems gave it for the phase."""
    for model in [m for m in members(unit) if m.bought_with == own]:
        unit.position.join(model, own)
    for fact in (*TURN_FACTS, *PHASE_FACTS, SHOCKED):
        own.mark(fact, unit.marks(fact))
    keep_effects(unit, own)
