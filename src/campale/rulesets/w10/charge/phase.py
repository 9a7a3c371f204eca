"""The Charge phase (charge-phase/sequence)."""

from __future__ import annotations

from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.charge.charging import charge, to_charge

DONE = "done"


@rule("charge-phase/sequence")
async def charge_with_a_unit(position: Position, side: int) -> bool:
    """One unit is selected and charges; or the phase is done. Whether more may follow."""
    left = to_charge(position, side)
    if not left:
        return False
    chosen = await choose(side, "charging-unit", [*(one.row for one in left), DONE], of="unit", odds={DONE: 0.4})
    if chosen == DONE:
        return False
    await charge(Unit(position, int(chosen)))
    return bool(to_charge(position, side))
