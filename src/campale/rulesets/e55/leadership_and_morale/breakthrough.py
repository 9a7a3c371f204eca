"""Chapter 4.3: breakthroughs against units that break and leave a combat."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.units import NOBODY
from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.assault_phase import combat
from campale.rulesets.e55.definitions import characteristics
from campale.rulesets.e55.definitions.dice import sum_of
from campale.rulesets.e55.definitions.types import is_walker
from campale.rulesets.e55.definitions.units import BROKE_THROUGH, is_broken, members
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Wound

AT_LEAST, FOR_EACH = 2, 2


def contacts_of(unit: Unit) -> tuple[int, ...]:
    """Return the rows of the enemy units in its combat that touch a unit; a vehicle it touches is in no combat."""
    return tuple(enemy.row for enemy in combat.foes(unit) if combat.is_touching(unit, enemy))


@rule("4.2/breakthrough-eligible")
def begin_anew(position: Position) -> None:
    """Start another phase or sub-phase, in which every unit may break through once."""
    for unit in position.units:
        unit.mark(BROKE_THROUGH, 0)


@rule("7.16/walker-no-breakthrough")
def has_walker(unit: Unit) -> bool:
    return any(is_walker(model) for model in members(unit))


@rule("4.2/breakthrough-eligible", "4.2/broken-cannot-act")
def may_break_through(pursuer: Unit, broken: Unit) -> bool:
    """Return whether a unit may break through.

    It must touch no unit of that side except the broken one, and it may break through only once.
    """
    if not members(pursuer) or is_broken(pursuer) or pursuer.marks(BROKE_THROUGH) or has_walker(pursuer):
        return False
    return all(unit.row == broken.row for unit in combat.touched_by(pursuer))


@rule("4.2/breakthrough-eligible")
async def offer(broken: Unit, touched: Sequence[int]) -> None:
    """Offer a breakthrough against the rest of a broken unit to one of the enemy units that touched it."""
    able = [row for row in touched if may_break_through(Unit(broken.position, row), broken)]
    if not able or not members(broken):
        return
    row = await choose(1 - broken.side, "break-through", (*able, NOBODY), of="unit", target=broken.row)
    if row != NOBODY:
        await break_through(Unit(broken.position, row), broken)


@rule("4.3/breakthrough-roll")
async def break_through(pursuer: Unit, fugitive: Unit) -> None:
    """Roll one die plus initiative for each side; only a higher total saves the unit that falls back."""
    pursuer.mark(BROKE_THROUGH, 1)
    by = await sum_of(pursuer.side, "breakthrough-pursuer", 1, unit=pursuer.row, target=fugitive.row)
    by += characteristics.unit_value(pursuer, "i")
    against = await sum_of(fugitive.side, "breakthrough-fugitive", 1, unit=fugitive.row, by=pursuer.row)
    against += characteristics.unit_value(fugitive, "i")
    fugitive.position.write("breakthrough", unit=pursuer.row, target=fugitive.row, total=by, against=against)
    if by >= against:
        await run_down(pursuer, fugitive, by - against)


@rule("4.3/breakthrough-wounds")
async def run_down(pursuer: Unit, fugitive: Unit, difference: int) -> None:
    """Cause two wounds, and two more for each point of difference; no save is allowed."""
    wound = Wound(cause="breakthrough", by_unit=pursuer.row, cannot_be_saved=True)
    await resolving.take_wounds(fugitive, [wound] * (AT_LEAST + FOR_EACH * difference))
