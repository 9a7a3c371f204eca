"""The Fight phase: two steps in which units fight in turn (fight-phase/*)."""

from __future__ import annotations

from functools import partial

from campale.mechanics.alternation import next_side
from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import is_granted
from campale.rulesets.w10.abilities.moments import raise_moment
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.basics.across import is_across
from campale.rulesets.w10.basics.attached import what_is_left
from campale.rulesets.w10.basics.units import (
    CHARGED,
    FIRST,
    FOUGHT,
    NEXT,
    NO_BONUS,
    components,
    every,
    is_engaged,
    units_of,
)
from campale.rulesets.w10.fight.declaring import declare
from campale.rulesets.w10.fight.pile_in import consolidate, pile_in
from campale.rulesets.w10.windows.windows import open_window

FIRST_STEP, REMAINING = 1, 2


@rule("fight-phase/steps", "core-abilities/fights-first", "charge-phase/bonus")
def begin_fighting(position: Position) -> None:
    """Mark the units of the first step as the phase begins: eligible units with Fights First, and chargers."""
    position.now.update(step=FIRST_STEP, last=-1)
    for side in (0, 1):
        for unit in units_of(position, side):
            bonus = unit.marks(CHARGED) and not unit.marks(NO_BONUS)
            first = is_eligible(unit) and (bonus or has_first(unit))
            unit.mark(FIRST, int(bool(first)))


@rule("core-abilities/fights-first")
def has_first(unit: Unit) -> bool:
    """True if every model has Fights First, or the unit was given it."""
    return every(unit, "fights-first") or is_granted(unit, "fights-first")


@rule("fight-phase/eligible", "fight-phase/newly-eligible", "fight-phase/no-pass", "terrain/barricades-melee")
def is_eligible(unit: Unit) -> bool:
    """True for a unit that is engaged, across a barricade from an enemy, or charged this turn; once per phase."""
    return not unit.marks(FOUGHT) and (is_engaged(unit) or bool(unit.marks(CHARGED)) or is_across(unit))


@rule("fight-phase/steps", "fight-phase/newly-eligible")
def to_fight(position: Position, side: int) -> list[int]:
    """The rows of a side's units that may fight in the current step."""
    first = position.now["step"] == FIRST_STEP
    units = [unit for unit in units_of(position, side) if is_eligible(unit)]
    return [unit.row for unit in units if not first or unit.marks(FIRST)]


@rule("fight-phase/steps", "fight-phase/eligible")
def kept_from_fighting(position: Position, side: int) -> dict[Plain, Refusal | Fault | None]:
    """For the row of each unit that has not fought, why it cannot be selected now (None: it can)."""
    able = to_fight(position, side)
    waits = Fault(word="fight-barred.later", rule="fight-phase/steps")
    nobody = Fault(word="fight-barred.not-engaged", rule="fight-phase/eligible")
    return {
        unit.row: None if unit.row in able else waits if is_eligible(unit) else nobody
        for unit in units_of(position, side)
        if not unit.marks(FOUGHT)
    }


@rule("fight-phase/no-pass", "fight-phase/steps", "fight-phase/end")
async def fight_with_a_unit(position: Position, active: int) -> bool:
    """The next side selects a unit to fight, starting with the opponent of the active side; passing is not allowed.

    Returns False once the phase is over.
    """
    called = [unit.row for side in (0, 1) for unit in units_of(position, side) if unit.marks(NEXT)]
    if called:
        await fight_next(Unit(position, called[0]))
        return True
    last = int(position.now["last"])
    side = next_side(1 - active, None if last < 0 else last, lambda one: to_fight(position, one))
    if side is None:
        if position.now["step"] == REMAINING:
            return False
        position.now.update(step=REMAINING, last=-1)
        return True
    closed = partial(kept_from_fighting, position, side)
    row = await choose(side, "fighting-unit", to_fight(position, side), of="unit", closed=closed)
    await fight_next(Unit(position, int(row)))
    return True


@rule("stratagems/epic-challenge", "stratagems/counter-offensive")
async def fight_next(unit: Unit) -> None:
    """The selected unit fights, with a window for abilities and Stratagems before and after.

    If it has split in the meantime, each part has fought.
    """
    position, parts = unit.position, components(unit)
    position.now["last"] = unit.side
    unit.mark(NEXT, 0)
    await open_window(position, "chosen-to-fight", fighting=unit.row)
    await fight(unit)
    await raise_moment(position, "has-fought", units=tuple(parts))
    await open_window(position, "has-fought", fought=unit.row)


@rule("fight-phase/fight-sequence", "c/fight")
async def fight(unit: Unit) -> None:
    """Pile in, strike, consolidate."""
    unit.mark(FOUGHT, 1)
    parts = components(unit)
    await pile_in(unit)
    attacks = await declare(unit)
    if attacks:
        targets = list(dict.fromkeys(one.target for one in attacks))
        unit.position.write("fights", unit=unit.row, targets=targets)
        await resolve(unit, attacks)
    for one in what_is_left(unit.position, parts):
        await consolidate(one)
