"""The Charge phase (charge-phase/sequence)."""

from __future__ import annotations

from functools import partial

from campale.mechanics.answers import DONE
from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.charge.charging import charge, kept_from_charging, to_charge
from campale.rulesets.w10.windows.windows import options_of, use

MENU = "charge-menu"


@rule("charge-phase/sequence")
async def charge_with_a_unit(position: Position, side: int) -> bool:
    """Select one unit to charge, use a Stratagem, or end the phase; return whether more may follow."""
    left = to_charge(position, side)
    if not left:
        return False
    plays = options_of(position, side, MENU, {})
    options = [*(unit.row for unit in left), *plays, DONE]
    odds = {DONE: 0.4, **dict.fromkeys(plays, 0.2)}
    closed = partial(kept_from_charging, position, side)
    chosen = await choose(side, "charging-unit", options, of="act", odds=odds, closed=closed)
    if chosen == DONE:
        return False
    if isinstance(chosen, tuple):
        await use(position, side, str(chosen[0]), int(chosen[1]), {})
        return True
    unit = Unit(position, int(chosen))
    await charge(unit)
    return bool(to_charge(position, side))
