"""The dice: single dice against a number, natural 1 and 6, d3, sums, random directions, re-rolls."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache

from campale.dice.needs import Need, Part
from campale.mechanics.dice import telling
from campale.referee.ask import direction, roll, roll_for
from campale.referee.chance import Rolled
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.table.shapes import Point, heading

TENTH = 0.1

Tells = Callable[[], Sequence[Hashable]]
"""Returns the outcome of the rule for every random direction, step by step (for exact odds)."""


@rule("1.1/auto-success-failure")
def needed(number: int, parts: Sequence[Part] = ()) -> Need:
    """Return the need of a single die that decides success or failure: a 6 always succeeds, a 1 never."""
    return Need(number, tuple(part for part in parts if part.value), always=(6,), never=(1,))


@rule("1.1/dice-notation")
def needed_at_most(number: int, parts: Sequence[Part] = ()) -> Need:
    """Return the need of two dice whose sum must not exceed a number: 2 always passes, 12 never."""
    return Need(number, tuple(part for part in parts if part.value), always=(2,), never=(12,), at_most=True)


async def pool(side: int, why: str, count: int, need: Need, apart: tuple[int, ...] = (), **about: Plain) -> Rolled:
    """Roll dice that are each compared with one number; ``apart`` are faces that a rule treats specially."""
    return await roll(side, why, count, needed=need, tells=telling(need, *apart), **about)


async def pool_for(
    side: int, why: str, things: Sequence[Hashable], need: Need, apart: tuple[int, ...] = (), **about: Plain
) -> Rolled:
    """The same, for things that have one die each: the result is read thing by thing."""
    return await roll_for(side, why, things, needed=need, tells=telling(need, *apart), **about)


async def one_die(side: int, why: str, need: Need, **about: Plain) -> bool:
    """Roll a single die against a number, and return whether it succeeds."""
    return bool((await pool(side, why, 1, need, **about)).successes)


async def second_rolls(side: int, why: str, rolled: Rolled, need: Need | None, **about: Plain) -> Sequence[bool]:
    """Roll the failed dice again, once each, and return for each die whether it succeeds in the end.

    Without a need, no die is rolled again.
    """
    failed = [place for place, success in enumerate(rolled.hits) if not success]
    if need is None or not failed:
        return rolled.hits
    again = await pool_for(side, why, [rolled.things[place] for place in failed], need, **about)  # 1.1/re-roll-once
    after = list(rolled.hits)
    for place, success in zip(failed, again.hits, strict=True):
        after[place] = success
    return after


async def sum_of(side: int, why: str, count: int, **about: Plain) -> int:
    """Roll dice and return their sum."""
    return (await roll(side, why, count, total=True, **about)).total  # 1.1/dice-notation


async def d3(side: int, why: str, **about: Plain) -> int:
    """Return 1, 2 or 3 with equal chances, drawn as a three-sided die."""
    return (await roll(side, why, sides=3, **about)).total  # 1.1/d3


async def random_direction(side: int, why: str, tells: Tells | None = None, **about: Plain) -> float:
    """Return a random direction in degrees over the full circle: 0 is +y, growing clockwise."""
    return await direction(side, why, TENTH, tells, **about)  # 1.1/random-direction


@lru_cache(maxsize=1)
def every_heading() -> tuple[Point, ...]:
    """Return the unit vector of each random direction, step by step."""
    return tuple(heading(step * TENTH) for step in range(round(360.0 / TENTH)))
