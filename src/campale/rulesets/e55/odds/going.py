"""Damage to vehicles without what they do to others in going: that is not told."""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any

from campale.dice.odds import OddsError
from campale.referee.position import Model, Position
from campale.rulesets.e55.hits import casualties
from campale.rulesets.e55.vehicles import damage
from campale.rulesets.e55.vehicles.damage import Damage

EXPLODES = "explosion"


class MayExplode(OddsError):
    """A vehicle may explode among those who fight: what that does to all of them is not gone through."""


@coroutine
def until_gone(vehicle: Model, inner: Coroutine[Any, Any, None]) -> Generator[Any, Any, bool]:
    """Play what happens to a vehicle until it is sure to go."""
    answer = None
    while True:
        try:
            asked = inner.send(answer)
        except StopIteration:
            return not vehicle.is_on_table
        if not vehicle.is_on_table or getattr(asked, "prompt", "") == EXPLODES:
            inner.close()
            return True
        answer = yield asked


async def apart_from_others(position: Position, _: Any, done: Damage, row: int) -> None:
    """One damage; a vehicle that explodes is gone."""
    vehicle = position.models[row]
    if vehicle.is_on_table and await until_gone(vehicle, damage.damage(vehicle, done)) and vehicle.is_on_table:
        casualties.lose(vehicle, done.cause, done.by_unit)


async def among_others(position: Position, _: Any, done: Damage, row: int) -> None:
    """One damage in a fight. Raises MayExplode."""
    vehicle = position.models[row]
    if vehicle.is_on_table and await until_gone(vehicle, damage.damage(vehicle, done)) and vehicle.is_on_table:
        raise MayExplode("an explosion")
