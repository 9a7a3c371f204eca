"""The Shooting phase (shooting-phase/sequence)."""

from __future__ import annotations

from functools import partial

from campale.mechanics.answers import DONE
from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.moments import raise_moment
from campale.rulesets.w10.attack.resolve import resolve
from campale.rulesets.w10.basics.units import SHOT, components, units_of
from campale.rulesets.w10.shooting.again import let_targets_answer
from campale.rulesets.w10.shooting.declaring import Declared, aimed, declare
from campale.rulesets.w10.shooting.eligible import guns_of, lent_guns, to_shoot, why_not_eligible
from campale.rulesets.w10.shooting.targets import has_target
from campale.rulesets.w10.windows.windows import options_of, use

MENU = "shooting-menu"


@rule("shooting-phase/sequence", "stratagems/grenade")
async def shoot_with_a_unit(position: Position, side: int) -> bool:
    """Select one unit to shoot, use a Stratagem, or end the phase; return whether more may follow."""
    left, plays = able(position, side), options_of(position, side, MENU, {})
    if not left and not plays:
        return False
    odds = {DONE: 0.1, **dict.fromkeys(plays, 0.3)}
    closed = partial(kept_from_shooting, position, side)
    chosen = await choose(side, "shooting-unit", [*left, *plays, DONE], of="act", odds=odds, closed=closed)
    if chosen == DONE:
        return False
    if isinstance(chosen, tuple):
        await use(position, side, str(chosen[0]), int(chosen[1]), {})
        return True
    unit = Unit(position, int(chosen))
    unit.mark(SHOT, 1)
    await shoot(unit, await declare(unit))
    return bool(able(position, side) or options_of(position, side, MENU, {}))


@rule("shooting-phase/sequence", "h/has-shot")
async def shoot(unit: Unit, declared: Declared) -> None:
    """Choose the targets, let the target units respond, then make the attacks.

    If the unit has split in the meantime, each part has shot.
    """
    position = unit.position
    if not declared:
        return
    targets = list(dict.fromkeys(target for _, target in declared))
    position.write("shoots", unit=unit.row, targets=targets)
    declared, parts = await let_targets_answer(unit, declared), components(unit)
    await resolve(unit, await aimed(unit, declared))
    used = sorted({(gun.model.row, gun.weapon) for gun, _ in declared if gun.lender is None})
    await raise_moment(position, "has-shot", units=tuple(parts), used=tuple(used))


def able(position: Position, side: int) -> list[int]:
    """The rows of the eligible units that have at least one target."""
    return [unit.row for unit in to_shoot(position, side) if sees_a_target(unit)]


def sees_a_target(unit: Unit) -> bool:
    return has_target(unit.position, unit.side, [*guns_of(unit), *lent_guns(unit)])


@rule("shooting-phase/eligible", "shooting-phase/select-targets")
def kept_from_shooting(position: Position, side: int) -> dict[Plain, Refusal | Fault | None]:
    """For the row of each unit that has not been selected to shoot, why it cannot be (None: it can)."""
    nobody = Refusal("shooting-phase/select-targets", word="shooting-barred.nobody")
    return {
        unit.row: why_not_eligible(unit) or (None if sees_a_target(unit) else nobody)
        for unit in units_of(position, side)
        if not unit.marks(SHOT)
    }
