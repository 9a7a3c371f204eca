"""Chapter 4.2: units that break, rally, or keep falling back. The move itself is in ``falling_back``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campale.referee.ask import choose
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e55.assault_phase import combat
from campale.rulesets.e55.definitions.dice import sum_of
from campale.rulesets.e55.definitions.types import is_beast, is_bike
from campale.rulesets.e55.definitions.units import (
    BROKEN,
    GROUND,
    active,
    is_broken,
    is_engaged,
    members,
    units_on_table,
)
from campale.rulesets.e55.leadership_and_morale import breakthrough, falling_back, leadership

BREAKING_DICE, FAST_DICE, RALLY_DICE = 2, 3, 1

Contacts = Mapping[int, tuple[int, ...]]
"""The rows of the enemy units that touched a unit (row) before it broke."""


# ---------------------------------------------------------------- breaking


@rule("4.2/break-sequence")
async def break_units(units: Sequence[Unit], contacts: Contacts) -> None:
    """Break units at the same moment: one after another, then the breakthroughs against them."""
    left = list(units)
    gone = []
    while left:
        unit = await next_to_break(left)
        left = [one for one in left if one.row != unit.row]
        await break_unit(unit)
        gone.append(unit)
    for unit in gone:
        await breakthrough.offer(unit, contacts.get(unit.row, ()))


async def next_to_break(units: Sequence[Unit]) -> Unit:
    """Return the unit to break next; its owner chooses, the active player first."""
    position = units[0].position
    first = [unit for unit in units if unit.side == active(position)] or list(units)
    row = await choose(first[0].side, "break-next", [unit.row for unit in first], of="unit")
    return Unit(position, row)


@rule("4.2/break-sequence")
async def break_unit(unit: Unit) -> None:
    """Make the unit get up, leave its combat and fall back; breakthroughs are offered separately."""
    position = unit.position
    position.write("break", unit=unit.row)
    gets_up(unit)
    foes = disengage(unit)
    unit.mark(BROKEN, 1)
    await fall_back_on_breaking(unit, foes)


@rule("4.2/break-gets-up")
def gets_up(unit: Unit) -> None:
    unit.mark(GROUND, 0)


@rule("4.2/break-disengages")
def disengage(unit: Unit) -> frozenset[int]:
    """Leave the combat; return the rows of its enemies, whose 1-inch zone does not stop the unit."""
    if not is_engaged(unit):
        return frozenset()
    foes = frozenset(foe.row for foe in combat.foes(unit))
    combat.leave(unit)
    return foes


@rule("4.2/break-fall-back")
async def fall_back_on_breaking(unit: Unit, foes: frozenset[int]) -> None:
    await fall_back(unit, await sum_of(unit.side, "fall-back", fall_back_dice(unit), unit=unit.row), foes)


@rule("1.2/mixed-units")
def fall_back_dice(unit: Unit) -> int:
    """Return the fewest dice among the unit's models."""
    return min(FAST_DICE if rides(model) or runs(model) else BREAKING_DICE for model in members(unit))


@rule("6.2/bike-fall-back")
def rides(model: Model) -> bool:
    return is_bike(model)


@rule("6.3/beast-fall-back")
def runs(model: Model) -> bool:
    return is_beast(model)


async def fall_back(unit: Unit, inches: int, foes: frozenset[int] = frozenset()) -> None:
    await falling_back.fall_back(unit, inches, foes)


# ---------------------------------------------------------------- rallying


def broken_units(position: Position, side: int) -> list[Unit]:
    return [unit for unit in units_on_table(position, side) if is_broken(unit)]


@rule("4.2/rally")
async def rally(unit: Unit) -> None:
    """Take a leadership test to rally; a broken unit does not fail it automatically."""
    if await leadership.plain_test(unit, "rally"):
        unit.mark(BROKEN, 0)
        unit.position.write("rally", unit=unit.row)
        return
    await keep_falling_back(unit)


@rule("4.2/broken-start-move")
async def keep_falling_back(unit: Unit) -> None:
    """Fall back by one die, whatever the type; an engaged unit stays."""
    if not is_engaged(unit):
        await fall_back(unit, await sum_of(unit.side, "broken-fall-back", RALLY_DICE, unit=unit.row))


# ---------------------------------------------------------------- restrictions on a broken unit


@rule("4.1/trigger-casualties")
def has_fled(unit: Unit) -> bool:
    """Return whether a unit is broken and in no combat: it cannot become broken again."""
    return is_broken(unit) and not is_engaged(unit)


@rule("4.2/broken-restrictions")
def cannot_go_to_ground(unit: Unit) -> Fault | None:
    return Fault(rule="4.2/broken-restrictions") if is_broken(unit) else None
