"""The Shooting phase (shooting-phase/sequence)."""

from __future__ import annotations

from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.basics.units import SHOT
from campale.rulesets.w10.shooting.declaring import declare
from campale.rulesets.w10.shooting.eligible import guns_of, spend, to_shoot
from campale.rulesets.w10.shooting.targets import shots_of, targets_of

DONE = "done"


@rule("shooting-phase/sequence", "h/has-shot")
async def shoot_with_a_unit(position: Position, side: int) -> bool:
    """One unit is selected, names its targets and shoots; or the phase is done. Whether more may follow."""
    left = able(position, side)
    if not left:
        return False
    chosen = await choose(side, "shooting-unit", [*left, DONE], of="unit", odds={DONE: 0.1})
    if chosen == DONE:
        return False
    unit = Unit(position, int(chosen))
    unit.mark(SHOT, 1)
    declared = await declare(unit)
    if declared:
        targets = list(dict.fromkeys(target for _, target in declared))
        position.write("shoots", unit=unit.row, targets=targets)
        shots = [shots_of(gun, Unit(position, target)) for gun, target in declared]
        for gun, _ in declared:
            spend(gun)
        await resolve(unit, shots)
    return bool(able(position, side))


def able(position: Position, side: int) -> list[int]:
    """The rows of the eligible units that have a target at all."""
    return [unit.row for unit in to_shoot(position, side) if targets_of(position, side, guns_of(unit))]
