"""Chapter 4.1: morale tests with their consequences, and their triggers."""

from __future__ import annotations

from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.assault_phase import combat
from campale.rulesets.e55.definitions.units import AT_PHASE_START, LOST_BEFORE, active, in_play, units_on_table
from campale.rulesets.e55.leadership_and_morale import breakthrough, rout
from campale.rulesets.e55.leadership_and_morale.leadership import morale_passed, needs_no_morale

QUARTER = 4
TESTED = "tested-for-losses"


# ---------------------------------------------------------------- 4.1/morale-test


@rule("4.1/morale-test")
async def morale_test(unit: Unit, why: str, modifier: int = 0) -> bool:
    """Take a morale test and apply its consequences; return False if the unit has broken."""
    touching = breakthrough.contacts_of(unit)
    if await morale_passed(unit, why, modifier):
        return True
    await rout.break_units([unit], {unit.row: touching})
    return False


async def tested_apart(unit: Unit, why: str) -> bool:
    """Take a morale test outside the fights. Units left without enemies in a combat consolidate."""
    passed = await morale_test(unit, why)
    await combat.settle(unit.position)
    return passed


@rule("4.1/trigger-overrun")
async def overrun(unit: Unit) -> bool:
    """Test the target of an overrun; a unit that has already fled cannot break again."""
    return rout.has_fled(unit) or await tested_apart(unit, "overrun")


@rule("4.1/trigger-lost-combat")
async def passed_after_losing(unit: Unit, by: int) -> bool:
    """Test a unit that lost a combat, with the difference off its leadership; it does not break here."""
    return await morale_passed(unit, "lost-combat", -by)


# ---------------------------------------------------------------- 4.1/trigger-casualties


def lost_in_phase(unit: Unit) -> int:
    """Return the losses of a unit since the phase began, counting models that belonged to it when they fell."""
    position = unit.position
    lost = position.losses[int(position.now.get(LOST_BEFORE, 0)) :]
    return sum(position.unit_of[one.model] == unit.row for one in lost)


@rule("4.1/trigger-casualties")
def has_lost_a_quarter(unit: Unit) -> bool:
    """Return whether the unit has lost more than 25% of the models that it had when the phase began."""
    lost = lost_in_phase(unit)
    return lost * QUARTER > (unit.marks(AT_PHASE_START) or lost + len(in_play(unit)))


@rule("4.1/trigger-casualties")
def must_test_for_losses(unit: Unit) -> bool:
    if rout.has_fled(unit):
        return False
    return has_lost_a_quarter(unit) and not needs_no_morale(unit)


def next_to_test(position: Position) -> list[Unit]:
    """Return the units of the side that tests next: the active player's first (3/decision-order)."""
    tested = position.declared.get(TESTED, ())
    for side in (active(position), 1 - active(position)):
        due = [u for u in units_on_table(position, side) if u.row not in tested and must_test_for_losses(u)]
        if due:
            return due
    return []


@rule("4.1/trigger-casualties", "3/decision-order")
async def tests_for_casualties(position: Position) -> bool:
    """Test one unit at the end of the movement or shooting phase; its owner chooses which, each once per phase.

    When all have tested, units that lost the last enemy of their combat in the phase leave it.
    """
    due = next_to_test(position)
    if not due:
        position.declare(TESTED, None)
        await combat.settle(position)
        return False
    row = await choose(due[0].side, "test-for-losses", [unit.row for unit in due], of="unit")
    position.declare(TESTED, (*position.declared.get(TESTED, ()), row))
    await tested_apart(Unit(position, row), "losses")
    return True
