"""Halt: lying down, what it protects from, and what a forced Halt costs."""

from __future__ import annotations

from campale.mechanics.frames import DOING, drop, push, stack
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.command.orders import HALT, halted, is_halted, replace_order
from campale.rulesets.e3m.command.units import CHARGED, FORCED, GIVEN_AWAY
from campale.rulesets.e3m.movement.sight import NONE

IN_THE_OPEN = 5
MOVES = ("route", "move-unit", "assault-move")
"""The frames of procedures that move a unit; the unit's row is their first value."""


@rule("orders/forced-halt", "orders/forced-halt-limits")
def force_to_halt(unit: Unit) -> None:
    """The unit stops where it is, drops a declared assault, and loses its remaining fire."""
    if not is_halted(unit):
        replace_order(unit, HALT, forced=True)
    elif not unit.marks(FORCED):
        unit.position.write("order-replaced", unit=unit.row, order=HALT, forced=True)
    unit.mark(FORCED, 1)
    drop_assault(unit)
    stop_moving(unit)


@rule("orders/forced-halt-limits", "fire/opportunity-aftermath")
def stop_moving(unit: Unit) -> None:
    """Cancel the rest of the unit's move. What the way so far has led to is still resolved."""
    position = unit.position
    ways = [frame for frame in stack(position) if frame[0] == "route" and frame[1] == unit.row]
    drop(position, lambda frame: frame[0] in MOVES and frame[1] == unit.row)
    push(position, *(("caught", *frame[1:]) for frame in ways))


@rule("fire/opportunity-windows", "vehicles/route-limits")
def end_move(unit: Unit) -> None:
    """The move of a vehicle ends where it stands: in place of the rest of its route, Ready enemies may fire."""
    position = unit.position
    frames = (("move-ended", unit.row) if frame[:2] == ("route", unit.row) else frame for frame in stack(position))
    position.declare(DOING, tuple(frames) or None)


@rule("orders/forced-halt-limits", "assault/defensive-fire-effects")
def drop_assault(unit: Unit) -> None:
    """Cancel the unit's declaration of an assault."""
    position = unit.position
    declared = position.declared.get("assaults", ())
    position.declare("assaults", tuple(one for one in declared if one[0] != unit.row) or None)
    unit.mark(CHARGED, 0)


@rule("orders/halt-vehicles")
def lies_down(model: Model) -> bool:
    """Whether a Halt protects the model; small and large vehicles are not protected."""
    return can_lie_down(model) and is_halted(model.unit)


@rule("orders/halt-vehicles")
def can_lie_down(model: Model) -> bool:
    return not model.profile.has_armour


def concealed(position: Position) -> tuple[int, ...]:
    """The rows of the units that a Halt may hide. Cached targets depend on them."""
    shown = set(position.of_units.rows_with(GIVEN_AWAY))
    return tuple(unit.row for unit in halted(position) if unit.row not in shown)


@rule("orders/halt-invisible", "orders/hidden-lost")
def is_invisible(model: Model, cover: int) -> bool:
    """Whether the shooter cannot see the model, which has this cover save against him (NONE: none)."""
    return cover != NONE and lies_down(model) and not model.unit.marks(GIVEN_AWAY)


@rule("orders/halt-save", "orders/hidden-lost")
def halt_save(model: Model, cover: int) -> int:
    """The save of a halted model against fire: in the open, and also in cover once its unit has fired."""
    if not lies_down(model):
        return NONE
    return IN_THE_OPEN if cover == NONE or model.unit.marks(GIVEN_AWAY) else NONE
