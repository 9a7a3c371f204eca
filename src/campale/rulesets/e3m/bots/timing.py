"""What a unit may still do in this turn, by its order and the current step."""

from __future__ import annotations

from campale.mechanics.frames import Frame, stack
from campale.rulesets.e3m.bots.squads import UNKNOWN, Squad
from campale.rulesets.e3m.command.orders import ASSAULT, FIRE, HALT, MARCH, READY, has_opportunity_fire
from campale.rulesets.e3m.command.units import (
    ACTED,
    ADVANCED,
    CHARGED,
    FORCED,
    GOT_OUT,
    GROUP,
    PREPARED,
    STATIONARY,
    vehicle_of,
)
from campale.rulesets.e3m.movement.moves import MARCHING, assault_distance, normal_distance
from campale.rulesets.e3m.vehicles.damage import can_drive, may_fire

STEPS = (
    *("start", "recovery", "command", "preparatory", "movement", "declarations", "defensive", "advancing"),
    *("assault", "melees"),
)
DRIVEN = 24.0
"""How far a vehicle is expected to drive in a turn, in inches."""
DONE_MOVING = "done-moving"


def is_before_end_of(one: Squad, step: str) -> bool:
    """Whether a step is still to come, or is current and the unit or its group has not had its go."""
    position = one.unit.position
    phase = str(position.now.get("phase"))
    if phase not in STEPS:
        return True
    if phase == step:
        return not one.unit.marks(ACTED) or any(is_go_of(one, frame) for frame in stack(position))
    return STEPS.index(phase) < STEPS.index(step)


def is_go_of(one: Squad, frame: Frame) -> bool:
    """Whether the frame is the rest of the go of the unit's group."""
    group = one.unit.marks(GROUP) or -1 - one.unit.row
    return frame[0] in ("move-group", "declare-group", "assault-group") and frame[2] == group


def is_held(one: Squad) -> bool:
    return one.is_routed or bool(one.unit.marks(FORCED))


def has_move(one: Squad, order: str) -> bool:
    """Whether the unit may still make a normal move with this order."""
    if is_held(one) or order not in (FIRE, ASSAULT, MARCH, UNKNOWN) or not is_before_end_of(one, "movement"):
        return False
    vehicle = vehicle_of(one.unit)
    if one.unit.marks(DONE_MOVING) or one.unit.marks(STATIONARY):
        return False
    return vehicle is None or can_drive(vehicle)


def still_to_go(one: Squad, order: str) -> float:
    """How many inches the unit may still move in this turn."""
    if one.is_aboard:
        return 0.0
    found = reach_of_move(one, order) if has_move(one, order) else 0.0
    is_spent = one.unit.marks(CHARGED) or one.unit.marks("assaulted")
    if order == ASSAULT and not drives(one) and not is_held(one) and not is_spent:
        found += assault_distance(one.unit) if is_before_end_of(one, "assault") else 0.0
    return found


def reach_of_move(one: Squad, order: str) -> float:
    if is_rooted(one, order):
        return 0.0
    if drives(one):
        return DRIVEN
    return normal_distance(one.unit) * (MARCHING if order == MARCH else 1.0)


def is_rooted(one: Squad, order: str) -> bool:
    """Whether it stays: a vehicle that cannot drive, and a unit with heavy weapons that has fired or is to fire."""
    first = one.kinds[0][0]
    if first.profile.has_armour and not can_drive(first):
        return True
    if order != FIRE or not any(model.profile.is_heavy_weapon_model for model, _ in one.kinds):
        return False
    return bool(one.unit.marks(PREPARED)) or has_preparatory_fire(one, order)


def drives(one: Squad) -> bool:
    return bool(one.kinds[0][0].profile.drives)


def may_shoot(one: Squad) -> bool:
    """Whether it is no vehicle that is shaken or stunned."""
    first = one.kinds[0][0]
    return not first.profile.has_armour or may_fire(first)


def has_preparatory_fire(one: Squad, order: str) -> bool:
    is_to_come = is_before_end_of(one, "preparatory") and not one.unit.marks(PREPARED)
    return order == FIRE and is_to_come and may_shoot(one)


def has_watch(one: Squad, order: str) -> bool:
    """Whether opportunity fire is still to come in this turn."""
    return order == READY and (one.order != READY or has_opportunity_fire(one.unit)) and may_shoot(one)


def has_advancing_fire(one: Squad, order: str) -> bool:
    """Whether advancing fire is still to come: on Assault or Halt, or after getting out of a vehicle."""
    orders = (ASSAULT, HALT, FIRE, READY) if one.unit.marks(GOT_OUT) else (ASSAULT, HALT)
    is_to_come = is_before_end_of(one, "advancing") and not one.unit.marks(ADVANCED)
    return order in orders and is_to_come and may_shoot(one)


def has_assault(one: Squad, order: str) -> bool:
    """Whether the unit may still declare an assault, or has declared one that is not fought yet."""
    step = "assault" if one.unit.marks(CHARGED) else "declarations"
    return order == ASSAULT and is_before_end_of(one, step)
