"""Casualties (1.1/casualty) and units that cease to exist (1.1/unit-ceases)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from campale.referee.ask import ask
from campale.referee.position import GONE, Effect, Model, Position, Unit
from campale.referee.question import Allot
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.definitions import characteristics
from campale.rulesets.e55.definitions.characteristics import CHANGE
from campale.rulesets.e55.definitions.measuring import exact
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import (
    AT_PHASE_START,
    BARRED_BY,
    CHARGED_WHOM,
    DESTROYED,
    ELIMINATED,
    FACED_THEN,
    FACES,
    HEAVY_FIRE_BY,
    LOST,
    OUTLIVED,
    REAR_CHARGED_BY,
    handles,
    in_play,
    is_lost,
    members,
    of_other_side,
)
from campale.rulesets.e55.movement_phase import facing
from campale.rulesets.e55.movement_phase.coherency import linked_groups
from campale.rulesets.e55.unit_types import special

# ---------------------------------------------------------------- leaving the table


@rule("1.1/casualty")
def lose(model: Model, cause: str, by_unit: int = -1) -> None:
    """Remove a model for the rest of the game, and credit the loss to a unit."""
    if not is_lost(model):
        model.position.remove(model, cause, by=by_unit)


@rule("2.3.2/unsaved-wound")
def lose_wound(model: Model, cause: str, by_unit: int = -1) -> None:
    """Take one wound off a model for good; with none left it is a casualty."""
    model.add(LOST, 1)
    model.position.harm(model, 1, cause, (by_unit,))
    if characteristics.value(model, "w") <= 0:
        lose(model, cause, by_unit)


@rule("1.3/zero-wounds-or-toughness", "1.3/unit-zero")
def remove_the_worn_out(position: Position) -> None:
    """Remove, one by one, the models whose own wounds or toughness have been brought to 0."""
    for model in position.on_table():
        if not is_vehicle(model) and is_worn_out(model):
            lose(model, "worn-out")


def is_worn_out(model: Model) -> bool:
    profile = model.profile
    if not model.position.effects and not model.marks(LOST) and profile.t != 0 and profile.w != 0:
        return False
    names = (name for name in ("t", "w") if getattr(model.profile, name) is not None)
    return any(characteristics.value(model, name) == 0 for name in names)


def change(bearer: Model | Unit, name: str, by: int, until: str = "", kind: str = "add") -> None:
    """Change a characteristic of a model, or of all models of a unit, for a while; a 0 takes effect at once."""
    on = "model" if isinstance(bearer, Model) else "unit"
    value: tuple[Plain, ...] = (name, by, kind)
    bearer.position.begin(Effect(CHANGE, bearer.row, until=until, value=value, on=on))
    remove_the_worn_out(bearer.position)


class Fate(NamedTuple):
    """What has become of a model (row): its counts, or None if it is gone."""

    row: int
    left: Any


def fate_of(model: Model) -> Fate:
    if not model.is_on_table:
        return Fate(model.row, None)
    return Fate(model.row, tuple(sorted((name, model.marks(name)) for name in model.marked())))


# ---------------------------------------------------------------- losses in a group


async def choose_losses(unit: Unit, group: Sequence[Model], count: int) -> list[int]:
    """Let the owner choose which of a group of identical models are lost; not asked if all are."""
    rows = [model.row for model in group]
    if count >= len(rows):
        return rows

    def proposal(rng: Random | None) -> list[int]:
        return rng.sample(rows, count) if rng is not None else least_missed(unit, group, count)

    items = ["casualty"] * count
    about: dict[str, Plain] = {"unit": unit.row}
    chosen: list[int] = await ask(Allot(unit.side, "choose-losses", items, rows, taken_twice, proposal, about))
    return chosen


def taken_twice(given: list[int]) -> Refusal | None:
    return first_refusal((same_model_twice,), given)


@rule("2.3.2/identical-models")
def same_model_twice(given: list[int]) -> Fault | None:
    """Refuse a choice in which a model is taken twice: every failed save takes another model of the group."""
    twice = next((row for row in given if given.count(row) > 1), None)
    return None if twice is None else Fault(measured=given.count(twice), limit=1, model=twice)


def least_missed(unit: Unit, group: Sequence[Model], count: int) -> list[int]:
    """Return the models farthest from the enemy whose loss keeps the others in coherency."""
    enemies = [model for other in of_other_side(unit) for model in members(other)]
    far = {model.row: min((exact(model, enemy) for enemy in enemies), default=0.0) for model in group}
    chosen: list[int] = []
    left = members(unit)
    waiting = sorted(group, key=lambda model: (-far[model.row], -model.row))
    for _ in range(count):
        goes = next((model for model in waiting if hold_together(unit, [m for m in left if m != model])), waiting[0])
        waiting.remove(goes)
        left = [model for model in left if model.row != goes.row]
        chosen.append(goes.row)
    return chosen


def hold_together(unit: Unit, models: Sequence[Model]) -> bool:
    """Return whether a chain of links joins all the models."""
    return len(linked_groups(unit, models)) == 1


# ---------------------------------------------------------------- units that cease to exist


@rule("1.1/unit-ceases")
def set_survivors_free(position: Position) -> None:
    """Make each character left alone a unit of its own, in the state of the unit that ceased to exist."""
    rows = zip(position.unit_of, position.bought_with, strict=True)
    for unit in handles(position, sorted({host for host, own in rows if host != own})):
        models = in_play(unit)
        guests = [model for model in models if model.bought_with != unit]
        if guests and all(special.has(model, "independent-character") for model in models):
            for model in guests:
                set_free(model, unit)


def set_free(model: Model, unit: Unit) -> None:
    """Let a character go on alone, with the counts and notes of its former unit."""
    own = model.bought_with
    columns = model.position.of_units.columns
    for name in [name for name in columns if name not in (AT_PHASE_START, ELIMINATED, FACES)]:
        own.mark(name, unit.marks(name))
    for name in (BARRED_BY, FACED_THEN, HEAVY_FIRE_BY, REAR_CHARGED_BY, CHARGED_WHOM, DESTROYED):
        own.jot(name, unit.note(name))
    own.mark(AT_PHASE_START, 1)
    own.jot(OUTLIVED, unit.row)
    own.mark(FACES, facing.NOBODY)
    model.position.join(model, own)


def mark_eliminated(position: Position) -> None:
    for side in range(2):
        for unit in handles(position, eliminated_units(position, side)):
            if not unit.marks(ELIMINATED):
                unit.mark(ELIMINATED, 1)


def home_of(model: Model) -> int:
    """Return the row of the unit with which a model is counted as eliminated; a character counts alone."""
    return model.bought_with.row if special.has(model, "independent-character") else model.unit.row


@rule("1.1/unit-ceases", "10.2/mission-annihilation")
def eliminated_units(position: Position, side: int) -> list[int]:
    """Return the rows of a side's units whose models are all casualties. Units in reserve are not among them.

    Cached until something moves, unless there are effects, which may change who is a character.
    """
    if position.effects:
        return all_gone(position, side)
    kept, key = position.layout, ("eliminated", side)
    if key not in kept:
        kept[key] = all_gone(position, side)
    found: list[int] = kept[key]
    return list(found)


def all_gone(position: Position, side: int) -> list[int]:
    sides, where = position.side_of, position.where
    homes = [(home_of(model), where[model.row] != GONE) for model in position.models if sides[model.row] == side]
    return sorted({home for home, _ in homes} - {home for home, is_left in homes if is_left})


async def settle(position: Position) -> None:
    """Finish a resolution: remove models worn out, free survivors, mark eliminated units, and settle facings."""
    remove_the_worn_out(position)
    set_survivors_free(position)
    mark_eliminated(position)
    await facing.settle_facings(position)
