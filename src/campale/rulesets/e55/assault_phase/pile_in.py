"""Pile-ins of units that were charged (3.3.1), and of all units locked in a combat after its result (3.3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from campale.referee.ask import ask, choose
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.assault_phase import combat
from campale.rulesets.e55.assault_phase.contact import Rush
from campale.rulesets.e55.assault_phase.obligations import carry_out, is_fixed, rush_question, slowing_ways, stays
from campale.rulesets.e55.definitions.types import is_walker
from campale.rulesets.e55.definitions.units import CHARGED, CHARGED_WHOM, active, is_engaged, units_on_table
from campale.rulesets.e55.movement_phase import movement, rough

PILE_IN = 6.0
ENOUGH = -1
PILED = "piled-in"


async def defence_phase(position: Position) -> bool:
    """Pile in one of the charged units, if its owner likes."""
    if await defend(position):
        return True
    position.declare(PILED, None)
    return False


@rule("3.3.1/defender-pile-in")
async def defend(position: Position) -> bool:
    """Let the owner pick one of the charged units, or stop."""
    done: tuple[int, ...] = position.declared.get(PILED) or ()
    able = [unit.row for unit in charged_units(position) if unit.row not in done and has_to_move(unit, foe_rows(unit))]
    row = await choose(1 - active(position), "pile-in-next", (*able, ENOUGH), of="unit")
    if row == ENOUGH:
        return False
    position.declare(PILED, (*done, row))
    unit = Unit(position, row)
    await pile_in(unit, foe_rows(unit))
    return True


@rule("3.3.1/defender-pile-in")
def charged_units(position: Position) -> list[Unit]:
    """Return the engaged units of the other side that were charged in this turn."""
    charged = {
        int(row)
        for unit in units_on_table(position, active(position))
        if unit.marks(CHARGED)
        for row in unit.note(CHARGED_WHOM) or ()
    }
    return [unit for unit in units_on_table(position, 1 - active(position)) if unit.row in charged and is_engaged(unit)]


def foe_rows(unit: Unit) -> list[int]:
    return [foe.row for foe in combat.foes(unit)]


def has_to_move(unit: Unit, foes: Sequence[int]) -> bool:
    """Return whether any model of the unit is out of contact, or may turn on the spot."""
    if not foes:
        return False
    rush = Rush(unit, foes, PILE_IN)
    return any(not stays(rush, model) for model in rush.models) or may_turn(unit)


@rule("7.16/walker-rotates")
def may_turn(unit: Unit) -> bool:
    """Return whether the unit has a walker able to turn on the spot in a pile-in, in contact or not."""
    return any(is_walker(model) and not is_fixed(model) for model in unit.models)


@rule("3.3.1/defender-pile-in", "3.3.2/pile-in")
async def pile_in(unit: Unit, foes: Sequence[int]) -> None:
    """Move up to 6 inches into contact with the enemies of the combat (rows), with the obligations of a charge."""
    if not has_to_move(unit, foes):
        return
    limit = PILE_IN - await rough.reduction(unit, slowing_ways(unit, foes, PILE_IN), PILE_IN)
    rush = Rush(unit, foes, limit)
    answer: Any = await ask(rush_question(rush, "pile-in"))
    paths = carry_out(rush, answer, "pile-in")
    combat.lock(unit, foes)
    await movement.test_ground(unit, paths, False)
