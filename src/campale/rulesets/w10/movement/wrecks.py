"""Passengers of a destroyed TRANSPORT (transports/destroyed*, transports/emergency)."""

from __future__ import annotations

from campale.dice.needs import Need
from campale.referee.ask import order, roll
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.attack.damage import mortal_wounds
from campale.rulesets.w10.basics.units import MOVED, NO_CHARGE, PICKED, SHOCKED, members
from campale.rulesets.w10.movement.transports import (
    EMERGENCY,
    REACH,
    places_out,
    riding,
    riding_units,
    set_out_of,
)
from campale.rulesets.w10.windows.windows import open_window

HURT, HURT_IN_EMERGENCY = 1, 3


@rule("transports/destroyed", "transports/destroyed-aftermath", "transports/emergency", "stratagems/fire-overwatch")
async def passengers_get_out(carrier: Model) -> None:
    """Set up all passengers before any die is rolled; survivors are battle-shocked and do not charge.

    Then the enemy may answer, as to any unit that has been set up.
    """
    position = carrier.position
    rows = [unit.row for unit in riding_units(carrier)]
    hurt: list[tuple[Unit, int]] = []
    for row in await order(carrier.side, "get-out-order", rows, of="unit", vehicle=carrier.row):
        unit = Unit(position, int(row))
        hurt.append((unit, await get_out_of_wreck(carrier, unit)))
    for unit, most in hurt:
        await roll_for_survivors(unit, most)
    for unit, _ in hurt:
        await open_window(position, "enemy-moves", mover=unit.row)


@rule("transports/emergency", "transports/destroyed")
async def get_out_of_wreck(carrier: Model, unit: Unit) -> int:
    """Set up a unit within 3 inches, or within 6 where there is no room; return the highest face that hurts."""
    models = riding(unit, carrier)
    for reach, most in ((REACH, HURT), (EMERGENCY, HURT_IN_EMERGENCY)):
        if places_out(carrier, models, reach) is not None:
            await set_out_of(carrier, unit, reach)
            return most
    await set_out_some(carrier, unit)
    return HURT_IN_EMERGENCY


@rule("transports/emergency", "s/set-up-impossible")
async def set_out_some(carrier: Model, unit: Unit) -> None:
    """Set up as many models as find room; the others are destroyed."""
    models = riding(unit, carrier)
    while models and places_out(carrier, models, EMERGENCY) is None:
        carrier.position.remove(models.pop(), "no-room")
    if models:
        await set_out_of(carrier, unit, EMERGENCY)


@rule("transports/destroyed", "transports/destroyed-aftermath")
async def roll_for_survivors(unit: Unit, most: int) -> None:
    """Roll a die for each model; survivors are battle-shocked, count as having moved, and do not charge this turn."""
    models = members(unit)
    if not models:
        return
    dice = await roll(unit.side, "wreck", len(models), needed=Need(most + 1), unit=unit.row)
    await mortal_wounds(unit, dice.count - dice.successes, -1, "wreck")
    for fact in (SHOCKED, MOVED, PICKED, NO_CHARGE):
        unit.mark(fact, 1)
