"""The D20: modified values, tests, re-rolls (core/*)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from campale.dice.needs import Need, Part
from campale.referee.ask import roll
from campale.referee.chance import Rolled
from campale.referee.position import Model
from campale.referee.refusal import Plain
from campale.referee.rule import rule

FACES = 20
BEST, WORST = 1, 20


@rule("core/rounding")
def half(value: float) -> int:
    return math.ceil(value / 2)


def raises(rule: str, value: float) -> Part:
    """A modifier that is added to the value. ``needed`` drops it if it is 0."""
    return Part(rule, value, "raise")


@rule("core/test", "core/natural-results", "core/modifier-order")
def needed(base: int, parts: Sequence[Part] = ()) -> Need:
    """A D20 test that succeeds on the value or less: 1 always succeeds, 20 never.

    ``parts`` of kind "multiply" and "divide" apply first, each rounded up; those of kind "raise" are added after them.
    """
    live = tuple(part for part in parts if part.value or part.kind != "raise")
    return Need(base, live, always=(BEST,), never=(WORST,), at_most=True, rounds=True)


@lru_cache(maxsize=2048)
def telling(need: Need, *apart: int) -> tuple[tuple[int, ...], ...]:
    """The faces of a D20 in groups that no rule tells apart: successes, failures, and each face of ``apart``."""
    groups: dict[tuple[bool, int], list[int]] = {}
    for face in range(1, FACES + 1):
        groups.setdefault((need.is_met_by(face), face if face in apart else 0), []).append(face)
    return tuple(tuple(group) for group in groups.values())


async def d20(side: int, why: str, need: Need | None = None, **about: Plain) -> Rolled:
    """Roll one D20. The journal cites the rule of the function that calls for it."""
    return await roll(side, why, 1, FACES, need, () if need is None else telling(need), **about)


async def passes(model: Model, why: str, need: Need, **about: Plain) -> bool:
    """The owner tests for a model; return whether it passes. The journal cites the rule that calls for the test."""
    return (await d20(model.side, why, need, model=model.row, **about)).successes == 1


@rule("core/dice", "core/rounding")
def faces_over(part: int) -> tuple[tuple[int, ...], ...]:
    """The faces of a D20 that give the same D20/2 or D20/4, rounded up."""
    return tuple(tuple(range(first, min(first + part, FACES + 1))) for first in range(1, FACES + 1, part))


async def d20_over(side: int, why: str, part: int, **about: Plain) -> int:
    """Roll a D20/2 or D20/4, rounded up."""
    return math.ceil((await roll(side, why, 1, FACES, None, faces_over(part), **about)).faces[0] / part)


@rule("core/roll-off")
async def roll_off(why: str, modifiers: tuple[int, int] = (0, 0)) -> int:
    """The side with the higher D20 plus modifier. Ties are rolled again."""
    while True:
        one = (await roll(0, why, 1, FACES)).total + modifiers[0]
        other = (await roll(1, why, 1, FACES)).total + modifiers[1]
        if one != other:
            return int(other > one)
