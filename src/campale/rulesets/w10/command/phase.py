"""The Command phase (command-phase/*, t/battle-shock-*)."""

from __future__ import annotations

from campale.referee.ask import choose
from campale.referee.position import GONE, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.basics.dice import leadership_test
from campale.rulesets.w10.basics.units import SHOCKED, TESTED, is_below_half, units_of
from campale.rulesets.w10.windows.windows import CP, open_window


@rule("command-phase/gain-cp")
def begin_command(position: Position, side: int) -> None:
    """Both sides gain a command point; the units of the active side recover from battle-shock."""
    for one in (0, 1):
        position.gain(one, CP, 1)
    recover(position, side)


@rule("command-phase/recover", "t/battle-shock-duration", "repositioned/persisting")
def recover(position: Position, side: int) -> None:
    """The units of a side that are left recover, wherever they are: on the table, aboard or in reserve."""
    left = {model.unit.row for model in position.models if model.side == side and model.where != GONE}
    for row in sorted(left):
        Unit(position, row).mark(SHOCKED, 0)


@rule("command-phase/battle-shock-step", "command-phase/below-half-strength")
def to_test(position: Position, side: int) -> list[Unit]:
    """The units Below Half-strength that have not been tested in this step."""
    return [unit for unit in units_of(position, side) if is_below_half(unit) and not unit.marks(TESTED)]


@rule("command-phase/battle-shock-step")
async def battle_shock_step(position: Position, side: int) -> bool:
    """Test one unit, in the owner's order; return whether more are left."""
    left = to_test(position, side)
    if left:
        row = await choose(side, "battle-shock-unit", [unit.row for unit in left], of="unit")
        await battle_shock_test(Unit(position, int(row)))
    return len(left) > 1


@rule("t/battle-shock-test", "t/leadership-test", "t/battle-shock-extra")
async def battle_shock_test(unit: Unit) -> None:
    """Test a unit; a result below its Leadership leaves it battle-shocked until its next Command phase."""
    unit.mark(TESTED, 1)
    if not await leadership_test(unit, "battle-shock"):
        unit.mark(SHOCKED, 1)
        await open_window(unit.position, "test-failed", tested=unit.row)
