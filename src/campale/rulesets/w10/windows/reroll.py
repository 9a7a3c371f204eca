"""Command Re-roll, offered after a roll where it could matter (stratagems/command-reroll, re-rolls/*)."""

from __future__ import annotations

from campale.dice.needs import Need
from campale.referee.ask import choose, roll, roll_for
from campale.referee.chance import Rolled, face_of
from campale.referee.position import Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.basics.units import SHOCKED
from campale.rulesets.w10.windows.stratagem import Stratagem
from campale.rulesets.w10.windows.windows import RARELY, can_pay, spend, told_of

KEEP, AGAIN = "no", "again"


async def nothing(position: Position, side: int, target: int, about: dict[str, int]) -> None:
    """Do nothing: Command Re-roll is carried out where it is offered."""


def nobody(position: Position, side: int, about: dict[str, int]) -> tuple[int, ...]:
    return ()


REROLL = Stratagem("command-reroll", ("battle-tactic",), 1, "", nobody, nothing)


@rule("stratagems/command-reroll", "i/affected-command-reroll", "i/cannot-be-affected")
def may_reroll(unit: Unit) -> bool:
    """True if a roll for a unit may be re-rolled.

    The unit is not battle-shocked, and its side can pay and has not used Command Re-roll in this phase.
    """
    position = unit.position
    if not position.ruleset.book or REROLL not in position.ruleset.book.stratagems:
        return False
    return not unit.marks(SHOCKED) and can_pay(position, unit.side, REROLL, unit.row)


async def wanted(unit: Unit, why: str, **about: Plain) -> bool:
    """Ask whether the side of a unit pays for Command Re-roll, and pay."""
    odds = {KEEP: RARELY}
    key = await choose(unit.side, f"reroll-{why}", [KEEP, AGAIN], of="reroll", odds=odds, unit=unit.row, **about)
    if key == KEEP:
        return False
    spend(unit.position, unit.side, REROLL, unit.row)
    await told_of(unit.position, unit.side, unit.row)
    return True


@rule("stratagems/command-reroll", "re-rolls/once")
async def one_die(unit: Unit, why: str, rolled: Rolled) -> Rolled:
    """Re-roll one failed die of several, if it has not been re-rolled yet and some face would not fail."""
    if rolled.successes == rolled.count or not can_succeed(rolled) or not may_reroll(unit):
        return rolled
    failed = [k for k, is_met in enumerate(met(rolled)) if not is_met and k not in rolled.again]
    if not failed or not await wanted(unit, why, failed=len(failed)):
        return rolled
    return await anew(unit, rolled, failed[0])


def can_succeed(rolled: Rolled) -> bool:
    return rolled.needed is None or any(rolled.needed.is_met_by(face) for face in range(1, 7))


async def anew(unit: Unit, rolled: Rolled, place: int) -> Rolled:
    things = [rolled.things[place] if rolled.things else None]
    return rolled.with_again(
        (place,), await roll_for(unit.side, "command-reroll", things, rolled.needed, unit=unit.row)
    )


async def die_of_attack(unit: Unit, why: str, rolled: Rolled, critical: int = 0) -> Rolled:
    """Re-roll one hit or wound die: a failed one, or else a plain success, where criticals are worth more.

    ``critical``: the lowest face that is worth more than another success, 0 if none is.
    """
    if not critical or not may_reroll(unit) or has_failed(rolled):
        return await one_die(unit, why, rolled)
    return await plain_die(unit, why, rolled, critical)


def has_failed(rolled: Rolled) -> bool:
    """True if a die has failed that has not been re-rolled."""
    return any(not is_met and k not in rolled.again for k, is_met in enumerate(met(rolled)))


@rule("stratagems/command-reroll", "re-rolls/once", "c/critical-hit", "f/critical-wound")
async def plain_die(unit: Unit, why: str, rolled: Rolled, critical: int) -> Rolled:
    """Re-roll one success that is not critical."""
    plain = [k for k in range(rolled.count) if k not in rolled.again and face_of(rolled, k) < critical]
    if not plain or not await wanted(unit, f"plain-{why}", plain=len(plain)):
        return rolled
    return await anew(unit, rolled, plain[0])


def met(rolled: Rolled) -> list[bool]:
    need = rolled.needed or Need(1)
    return [need.is_met_by(face_of(rolled, place)) for place in range(rolled.count)]


@rule("stratagems/command-reroll", "re-rolls/all-dice")
async def total(unit: Unit, why: str, count: int, found: int) -> int:
    """Re-roll all dice of a summed roll."""
    if found >= 6 * count or not may_reroll(unit) or not await wanted(unit, why, rolled=found):
        return found
    return (await roll(unit.side, "command-reroll", count, total=True, unit=unit.row)).total
