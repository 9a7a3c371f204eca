"""What a unit may still do in this turn, by its order and the step in hand."""

from __future__ import annotations

from campale.rulesets.e3m.bots.squads import Squad
from campale.rulesets.e3m.command.orders import ASSAULT, FIRE, HALT, MARCH, READY, has_opportunity_fire
from campale.rulesets.e3m.command.units import ADVANCED, CHARGED, FORCED, PREPARED, STATIONARY, vehicle_of
from campale.rulesets.e3m.vehicles.damage import can_drive

STEPS = (
    *("start", "recovery", "command", "preparatory", "movement", "declarations", "defensive", "advancing"),
    *("assault", "melees"),
)
DONE_MOVING = "done-moving"


def is_before_end_of(one: Squad, step: str) -> bool:
    """Whether a step of the turn is still to come, or in hand."""
    phase = str(one.unit.position.now.get("phase"))
    return STEPS.index(phase) <= STEPS.index(step) if phase in STEPS else True


def is_held(one: Squad) -> bool:
    return one.is_routed or bool(one.unit.marks(FORCED))


def has_move(one: Squad, order: str) -> bool:
    """Whether it may still make a normal move with an order."""
    if is_held(one) or order not in (FIRE, ASSAULT, MARCH) or not is_before_end_of(one, "movement"):
        return False
    vehicle = vehicle_of(one.unit)
    if one.unit.marks(DONE_MOVING) or one.unit.marks(STATIONARY):
        return False
    return vehicle is None or can_drive(vehicle)


def has_preparatory_fire(one: Squad, order: str) -> bool:
    return order == FIRE and is_before_end_of(one, "preparatory") and not one.unit.marks(PREPARED)


def has_watch(one: Squad, order: str) -> bool:
    """Opportunity fire, of which the turn is not over."""
    return order == READY and (one.order != READY or has_opportunity_fire(one.unit))


def has_advancing_fire(one: Squad, order: str) -> bool:
    return order in (ASSAULT, HALT) and is_before_end_of(one, "advancing") and not one.unit.marks(ADVANCED)


def has_assault(one: Squad, order: str) -> bool:
    """Whether it may still declare an assault, or has declared one that is not fought out."""
    step = "assault" if one.unit.marks(CHARGED) else "declarations"
    return order == ASSAULT and is_before_end_of(one, step)
