"""Chapter "charge": a unit goes into contact, and both strike."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics import attacks, units
from campale.mechanics.moves import contact
from campale.mechanics.moves.unit_moves import UnitMove
from campale.referee.ask import roll
from campale.referee.position import Model, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule

from .fire import wound
from .move import allowance, movement_of
from .orders import is_holding

DIE = 6


@rule("charge/declare")
async def charge(unit: Unit) -> bool:
    """Declare, go in, strike. Whether it was declared: then the unit neither moves nor fires."""
    target = await units.choose_enemy(unit, "charge", (on_hold, out_of_reach))
    if target is None:
        return False
    await go_in(unit, target)
    await strike(unit, target)
    await strike(target, unit)
    return True


@rule("charge/declare")
def on_hold(unit: Unit, target: Unit) -> Fault | None:
    return Fault() if is_holding(unit) else None


@rule("charge/declare")
def out_of_reach(unit: Unit, target: Unit) -> Fault | None:
    return units.too_far_away(unit, target, allowance(unit) + DIE)


@rule("charge/move")
async def go_in(unit: Unit, target: Unit) -> None:
    """A die farther than its movement; if nobody can end in contact, all stay."""
    far = allowance(unit) + (await roll(unit.side, "charge", unit=unit.row)).total
    await contact.into_contact(unit, units.members(target), movement_of(unit, far), "charge-move", (too_few,))


@rule("charge/move")
def too_few(move: UnitMove, enemies: Sequence[Model], most: int) -> Fault | None:
    return contact.fewer_in_contact(move, enemies, most)


@rule("charge/blows")
async def strike(unit: Unit, target: Unit) -> None:
    """A blow from each model in contact, which hits by its skill."""
    striking = [one for one in units.members(unit) if contact.in_contact(one.solid, units.members(target))]
    needs = [attacks.modified(one.profile.skill, ()) for one in striking]
    if striking:
        wound(unit, target, await attacks.roll_hits(unit.side, "blows", needs, unit=unit.row), "charge")
