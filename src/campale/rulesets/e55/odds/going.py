"""Damage to vehicles without the effects of a destroyed vehicle on others, which the odds leave out."""

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
    """A vehicle may explode among the fighters, and the odds do not cover the effects on all of them."""


@coroutine
def until_gone(vehicle: Model, inner: Coroutine[Any, Any, None]) -> Generator[Any, Any, bool]:
    """Play what happens to a vehicle until it is certain to be destroyed; return whether it is."""
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
    """Carry out one damage; a vehicle that explodes is simply gone."""
    vehicle = position.models[row]
    if vehicle.is_on_table and await until_gone(vehicle, damage.damage(vehicle, done)) and vehicle.is_on_table:
        casualties.lose(vehicle, done.cause, done.by_unit)


async def among_others(position: Position, _: Any, done: Damage, row: int) -> None:
    """Carry out one damage in a fight. Raises MayExplode."""
    vehicle = position.models[row]
    if vehicle.is_on_table and await until_gone(vehicle, damage.damage(vehicle, done)) and vehicle.is_on_table:
        raise MayExplode("an explosion")
