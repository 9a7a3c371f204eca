"""Independent characters (8): how they leave units and join them, and what stays with them."""

from __future__ import annotations

from campale.referee.ask import choose
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.measuring import exact_of_models
from campale.rulesets.e55.definitions.types import can_fly, is_all_vehicles, is_character
from campale.rulesets.e55.definitions.units import (
    AFRAID,
    ALOFT,
    APART,
    ARRIVED,
    BARRED_BY,
    BARRED_FROM_CHARGE,
    BROKEN,
    COMBAT,
    DISEMBARKED,
    DONE,
    FACES,
    GROUND,
    MOVED,
    RAN,
    SHOT,
    is_broken,
    is_engaged,
    is_on_ground,
    members,
    units_on_table,
)
from campale.rulesets.e55.movement_phase.coherency import cut_off, keeping

__all__ = ["is_character", "set_free", "settle"]

JOINING = 2.0
FACTS = (MOVED, RAN, SHOT, BARRED_FROM_CHARGE, DONE, ARRIVED, DISEMBARKED)
"""What a model has done itself; it keeps these counts when it leaves a unit."""
STATES = (BROKEN, GROUND, COMBAT, AFRAID)
"""States of a unit, which its models share while they belong to it."""


# ---------------------------------------------------------------- leaving


@rule("1.1/unit-membership")
def who_may_leave(unit: Unit) -> list[Model]:
    """Return the characters that may leave a unit; none may leave a unit that cannot move."""
    if is_held(unit):
        return []
    return [model for model in members(unit) if is_character(model) and model.bought_with != unit]


def is_held(unit: Unit) -> bool:
    """Return whether a unit is engaged, on the ground or broken: it cannot be left by choice."""
    return is_engaged(unit) or is_on_ground(unit) or is_broken(unit)


@rule("1.1/effect-on-leaving")
def set_free(model: Model) -> None:
    """Make a character a unit of its own again, without its unit's states, but with what it has done itself."""
    left, own = model.unit, model.bought_with
    if left == own:
        return
    model.position.join(model, own)
    for name in (*STATES, FACES):
        own.mark(name, 0)
    own.mark(ALOFT, left.marks(ALOFT))  # 6.1.1/flying-modes
    if not model.marks(APART):
        hand_on_facts(left, own)


def hand_on_facts(giver: Unit, taker: Unit) -> None:
    for name in FACTS:
        taker.mark(name, max(taker.marks(name), giver.marks(name)))
    if giver.marks(BARRED_FROM_CHARGE):
        taker.jot(BARRED_BY, giver.note(BARRED_BY))


# ---------------------------------------------------------------- joining


@rule("8/independent-character")
def units_to_join(model: Model) -> list[Unit]:
    """Return the units near enough for a character to join, its current unit first.

    Units of vehicles, or of characters alone, cannot be joined.
    """
    found = [unit for unit in units_on_table(model.position, model.side) if takes_in(unit, model)]
    return sorted(found, key=lambda unit: (unit != model.unit, unit.row))


def takes_in(unit: Unit, model: Model) -> bool:
    others = [other for other in keeping(unit) if not is_character(other)]
    if not others or is_all_vehicles(unit):
        return False
    near = [other for other in members(unit) if other.row != model.row]
    return exact_of_models([model], near) < JOINING


@rule("8/independent-character")
def join(model: Model, unit: Unit) -> None:
    """Let a character join a unit; the unit now counts as having done what the character did."""
    if model.unit != unit:
        set_free(model)
        bring_mode(model, unit)
        end_effects_of(model.bought_with)
        model.position.join(model, unit)
    hand_on_facts(model.bought_with, unit)


@rule("1.1/effect-on-leaving")
def end_effects_of(own: Unit) -> None:
    """End what was put on a character's own unit, which it leaves by joining another; it does not return with it."""
    position = own.position
    for effect in [one for one in position.effects if one.on == "unit" and one.bearer == own.row]:
        position.end_effect(effect)


@rule("6.1.1/flying-modes")
def bring_mode(model: Model, unit: Unit) -> None:
    """Keep a flying character's mode among models that cannot fly; among models that can, it takes their mode."""
    if can_fly(model) and not any(can_fly(other) for other in members(unit)):
        unit.mark(ALOFT, model.unit.marks(ALOFT))


# ---------------------------------------------------------------- at the end of the movement phase


@rule("8/independent-character")
async def settle(position: Position, side: int) -> None:
    """Let characters that moved away leave, and those near units belong to one that the owner names."""
    part_from_units(position, side)
    waiting = [model for model in position.on_table(side) if is_character(model) and not is_held(model.unit)]
    while waiting:
        alone = [model for model in waiting if not await settle_one(model)]
        waiting = alone if len(alone) < len(waiting) else []  # a character that has joined may bring others in
    for model in position.models:
        if model.side == side:
            model.mark(APART, 0)


def part_from_units(position: Position, side: int) -> None:
    for unit in units_on_table(position, side):
        leaving = who_may_leave(unit)
        if leaving:
            lost = {model.row for model in cut_off(unit, models=members(unit))}
            for model in leaving:
                if model.row in lost:
                    set_free(model)


async def settle_one(model: Model) -> bool:
    """Return whether a character is near enough to a unit to belong to it."""
    near = [unit.row for unit in units_to_join(model)]
    if near:
        row = await choose(model.side, "belongs-to", near, of="unit", model=model.row)
        join(model, Unit(model.position, row))
    elif model.marks(APART) and model.unit != model.bought_with:
        hand_on_facts(model.bought_with, model.unit)
    return bool(near)
