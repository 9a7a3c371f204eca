"""Facing (3.1.4): a unit faces an enemy unit, wherever that unit goes; vehicles face where their hulls point."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

from campale.referee.ask import ask, choose, fill_in
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.measuring import exact_of_models
from campale.rulesets.e55.definitions.sight import sees
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import (
    COMBAT,
    FACES,
    aboard,
    faced_by,
    is_engaged,
    members,
    units_aboard,
    units_on_table,
)

LOOKED_FOR = 3
LIKELIEST = 0.8
NOBODY = -1
"""What a unit faces if no enemy was on the table when it had to choose: it chooses as soon as there is one."""


# ---------------------------------------------------------------- facing units


@rule("3.1.4/facing-choice", "7.2/vehicle-orientation")
def takes_a_facing(unit: Unit) -> bool:
    """Return whether the unit, on the table or aboard, has a model that is not a vehicle."""
    return any(not is_vehicle(model) for model in [*members(unit), *aboard(unit)])


def choosers(position: Position, side: int) -> list[Unit]:
    """Return the units of a side that take a facing, including those inside transports, in roster order."""
    rows = [unit.row for unit in (*units_on_table(position, side), *units_aboard(position, side))]
    return [unit for row in sorted(set(rows)) if takes_a_facing(unit := Unit(position, row))]


def enemies_of(unit: Unit) -> list[int]:
    """Return the rows of the enemy units on the table, seen or unseen."""
    return [other.row for other in units_on_table(unit.position, 1 - unit.side)]


def likeliest(unit: Unit) -> list[int]:
    """Return the same rows, with the likeliest choice first: of the nearest few, the first that the unit sees."""
    kept, key = unit.position.cache, ("enemies", unit.row)
    if key not in kept:
        found = sorted(units_on_table(unit.position, 1 - unit.side), key=partial(likelihood, unit))
        seen = next((other for other in found[:LOOKED_FOR] if members(unit) and sees(unit, other)), None)
        kept[key] = [other.row for other in sorted(found, key=lambda other: other != seen)]
    return list(kept[key])


class Facing(Choose):
    """The enemy unit that a unit faces. Distances and sight are computed only for a proposal."""

    __slots__ = ("unit",)

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit.side, "face", partial(enemies_of, unit), "unit", about={"unit": unit.row})
        self.unit = unit

    def suggestions(self) -> list[Plain]:
        return [*likeliest(self.unit)]

    def leaning(self, rng: Random, without: Sequence[Plain] = ()) -> Plain:
        """Return usually the likeliest enemy, now and then the next."""
        likely = [row for row in likeliest(self.unit) if row not in without] or likeliest(self.unit)
        return likely[0] if len(likely) < 2 or rng.random() < LIKELIEST else likely[1]


def likelihood(unit: Unit, enemy: Unit) -> tuple[bool, float, int]:
    """Return a sort key: the nearest enemies first, those engaged in combats of other units last."""
    elsewhere = is_engaged(enemy) and enemy.marks(COMBAT) != unit.marks(COMBAT)
    return elsewhere, exact_of_models(where_it_is(unit), members(enemy)), enemy.row


def where_it_is(unit: Unit) -> list[Model]:
    """Return the models that a unit's distances are measured from: its own, or the transport around it."""
    return members(unit) or [carrier for model in aboard(unit)[:1] if (carrier := model.aboard_of) is not None]


def face(unit: Unit, row: int) -> None:
    faced = row + 1 if row >= 0 else NOBODY
    if row >= 0 and faced != unit.marks(FACES):
        unit.position.write("faces", unit=unit.row, target=row)
    unit.mark(FACES, faced)


# ---------------------------------------------------------------- choosing


@rule("3.1.4/facing-choice", "7.10/embarked-facing")
async def facing_phase(position: Position) -> bool:
    """Ask the active player which enemy unit each of their units faces from now on."""
    side = int(position.now["side"])
    units = choosers(position, side)
    rows = [unit.row for unit in units]
    enemies = [row for unit in units[:1] for row in enemies_of(unit)]
    if len(enemies) < 2:
        for unit in units:
            face(unit, enemies[0] if enemies else -1)
        return False
    named = await fill_in(side, "face", partial(next_facing, position, rows), units=rows)
    for row, enemy in zip(rows, named, strict=True):
        face(Unit(position, row), enemy)
    return False


def next_facing(position: Position, rows: Sequence[int], filled: list[Any]) -> Question | None:
    if len(filled) == len(rows):
        return None
    unit = Unit(position, rows[len(filled)])
    return Facing(unit)


@rule("3.1.4/facing-choice")
async def choose_facing(unit: Unit) -> None:
    """Ask a unit's owner at once which enemy unit it faces."""
    enemies = enemies_of(unit)
    if takes_a_facing(unit):
        face(unit, (enemies[0] if len(enemies) == 1 else await ask(Facing(unit))) if enemies else NOBODY)


# ---------------------------------------------------------------- 3.1.4/facing-target-removed


@rule("3.1.4/facing-target-removed")
def has_lost_what_it_faced(unit: Unit) -> bool:
    """Return whether a unit must choose again.

    The unit it faced has left the table, or there was no enemy when it had to choose and now there is one.
    """
    faced = faced_by(unit)
    if faced is None:
        return unit.marks(FACES) == NOBODY and bool(units_on_table(unit.position, 1 - unit.side))
    return not members(faced)


async def settle_facings(position: Position) -> None:
    """Let every unit whose faced unit is off the table face another, the active player's units first."""
    side = int(position.now["side"])
    for owner in (side, 1 - side):
        for unit in choosers(position, owner):
            if has_lost_what_it_faced(unit):
                await choose_facing(unit)


# ---------------------------------------------------------------- 3.1.4/facing-start


@rule("3.1.4/facing-start")
async def face_at_the_start(position: Position) -> bool:
    """Let each unit face the nearest enemy unit; its owner picks among equally near ones, the first player first."""
    first = int(position.now["first"])
    for side in (first, 1 - first):
        for unit in choosers(position, side):
            nearest = nearest_enemies(unit)
            face(unit, await choose(side, "face", nearest, of="unit", unit=unit.row) if nearest else -1)
    return False


def nearest_enemies(unit: Unit) -> list[int]:
    own = where_it_is(unit)
    found = [
        (exact_of_models(own, members(other)), other.row) for other in units_on_table(unit.position, 1 - unit.side)
    ]
    return [row for far, row in found if far == min(found)[0]]
