"""The dice: single dice against a number, natural 1 and 6, d3, sums, the random direction, second chances."""

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
"""What a rule makes of every random direction, step by step (for exact odds)."""


@rule("1.1/auto-success-failure")
def needed(number: int, parts: Sequence[Part] = ()) -> Need:
    """What is needed of a single die that decides success or failure: a 6 always does, a 1 never."""
    return Need(number, tuple(part for part in parts if part.value), always=(6,), never=(1,))


@rule("1.1/dice-notation")
def needed_at_most(number: int, parts: Sequence[Part] = ()) -> Need:
    """What is needed of the sum of two dice that must not exceed a number; 2 always passes, 12 never."""
    return Need(number, tuple(part for part in parts if part.value), always=(2,), never=(12,), at_most=True)


async def pool(side: int, why: str, count: int, need: Need, apart: tuple[int, ...] = (), **about: Plain) -> Rolled:
    """Dice that are read each alone against one number; ``apart`` are faces that a rule looks at."""
    return await roll(side, why, count, needed=need, tells=telling(need, *apart), **about)


async def pool_for(
    side: int, why: str, things: Sequence[Hashable], need: Need, apart: tuple[int, ...] = (), **about: Plain
) -> Rolled:
    """The same for things that have a die each: what comes of it is read thing by thing."""
    return await roll_for(side, why, things, needed=need, tells=telling(need, *apart), **about)


async def one_die(side: int, why: str, need: Need, **about: Plain) -> bool:
    """A single die against a number; whether it succeeded."""
    return bool((await pool(side, why, 1, need, **about)).successes)


async def second_rolls(side: int, why: str, rolled: Rolled, need: Need | None, **about: Plain) -> Sequence[bool]:
    """Die by die, whether it succeeds after those that failed have been rolled again, once each.

    Without a need none is.
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
    """Dice that are added together."""
    return (await roll(side, why, count, total=True, **about)).total  # 1.1/dice-notation


async def d3(side: int, why: str, **about: Plain) -> int:
    """1, 2 or 3 with equal chances, drawn as it is."""
    return (await roll(side, why, sides=3, **about)).total  # 1.1/d3


async def random_direction(side: int, why: str, tells: Tells | None = None, **about: Plain) -> float:
    """Degrees over the full circle, 0 being +y, growing clockwise."""
    return await direction(side, why, TENTH, tells, **about)  # 1.1/random-direction


@lru_cache(maxsize=1)
def every_heading() -> tuple[Point, ...]:
    """Which way each random direction points, step by step."""
    return tuple(heading(step * TENTH) for step in range(round(360.0 / TENTH)))
