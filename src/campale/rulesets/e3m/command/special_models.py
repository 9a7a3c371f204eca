"""Special models and the commander: attached to a unit, or independent."""

from __future__ import annotations

from campale.mechanics.bases import within
from campale.referee.ask import choose
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.orders import HALT, RETREAT, is_routed
from campale.rulesets.e3m.command.units import (
    ORDER,
    SPECIAL,
    UNIT_LEADER,
    distance,
    is_aboard,
    is_vehicle,
    members,
    units_of,
)

JOINING = 2.0
STAY, LEAVE = "stay", "leave"


@rule("hierarchy/attach-detach", "hierarchy/special-models", "base-characters/attached", "hierarchy/unit-leader")
async def attach_or_detach(position: Position, side: int) -> None:
    """Ask for each special model of a side that has a choice. No model joins or leaves a routed unit.

    A unit that he joins keeps its own unit leader.
    """
    for model in [m for unit in units_of(position, side) for m in members(unit) if m.marks(SPECIAL)]:
        if is_bound(model.unit):
            continue
        options = [STAY, *ways_out(model), *units_to_join(model)]
        if len(options) < 2:
            continue
        chosen = await choose(side, "attach", options, of="attachment", odds={STAY: 4.0}, model=model.row)
        if chosen != STAY:
            position.join(model, model.bought_with if chosen == LEAVE else Unit(position, int(chosen)))
            model.mark(UNIT_LEADER, int(chosen == LEAVE))


@rule("hierarchy/attach-detach", "sequence/rally-success")
def is_bound(unit: Unit) -> bool:
    """Whether it has its order for the turn already: routed, or on Halt as it has just rallied. Nobody leaves it."""
    return unit.note(ORDER) in (RETREAT, HALT)


@rule("hierarchy/attach-detach")
def is_attached(model: Model) -> bool:
    return model.unit != model.bought_with


def ways_out(model: Model) -> list[Plain]:
    return [LEAVE] if is_attached(model) and model.is_on_table else []


@rule("hierarchy/attach-detach", "base-general/within")
def units_to_join(model: Model) -> list[Plain]:
    """The own units with a model within 2 inches, without armoured vehicles and other independent models."""
    if is_attached(model) or not model.is_on_table:
        return []
    found: list[Plain] = []
    for unit in units_of(model.position, model.side):
        if unit == model.unit or is_vehicle(unit) or is_aboard(unit) or is_special(unit) or is_routed(unit):
            continue
        if any(within(distance(model, m), JOINING) for m in members(unit)):
            found.append(unit.row)
    return found


def is_special(unit: Unit) -> bool:
    return all(m.marks(SPECIAL) for m in members(unit))
