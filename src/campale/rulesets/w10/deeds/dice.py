"""The dice that an ability rolls before it does anything (d/d66, d/double, t/triple, s/discard-*)."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from campale.dice.needs import Need
from campale.referee.ask import roll, roll_for
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.acts import Drawn
from campale.rulesets.w10.abilities.index import Carried
from campale.rulesets.w10.abilities.moments import Use

WHY = "ability"


class Result(NamedTuple):
    """The result of the dice: does anything happen, the value for a table, and the number of equal dice."""

    happens: bool = True
    value: int = 0
    alike: int = 0


async def drawn_for(use: Use) -> Result:
    drawn = use.one.ability.drawn
    if drawn is None:
        return Result()
    if drawn.as_tens:
        return Result(value=await d66(use))
    dice = await roll(use.side, WHY, drawn.count, needed=need_of(drawn), unit=use.unit.row)
    left = discarded(list(dice.ascending), drawn)
    most = max(Counter(left).values(), default=0)
    return Result(dice.successes > 0 and (not drawn.alike or is_alike(most, drawn.alike)), sum(left), most)


def need_of(drawn: Drawn) -> Need | None:
    return Need(drawn.on) if drawn.count == 1 and drawn.on > 1 else None


@rule("d/d66")
async def d66(use: Use) -> int:
    """A D66: tens from the first die, units from the second."""
    tens, units = (await roll_for(use.side, WHY, ("tens", "units"), unit=use.unit.row)).faces
    return 10 * tens + units


@rule("s/discard-dice", "s/discard-doubles", "r/highest-die", "r/lowest-die")
def discarded(faces: list[int], drawn: Drawn) -> list[int]:
    """The dice left after discards, lowest first; which of two equal dice is discarded makes no difference."""
    for which in drawn.discard:
        faces = faces[:-1] if which == "highest" else faces[1:]
    return faces


@rule("d/double", "t/triple")
def is_alike(most: int, wanted: int) -> bool:
    return most >= wanted


async def how_many(one: Carried, side: int, count: int, unit: int) -> int:
    """The number of models for which the dice of an ability succeed."""
    on = 1 if one.ability.drawn is None else one.ability.drawn.on
    return (await roll(side, WHY, count, needed=Need(on), unit=unit)).successes
