"""The dice: tests against a number, amounts, roll-offs, and the exploration points that change rolled dice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from campale.dice.needs import Need, Part, halved, telling_sums
from campale.mechanics.dice import telling
from campale.referee.ask import choose, roll, roll_for
from campale.referee.chance import Rolled
from campale.referee.position import Position
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule

EVERY_FACE: tuple[tuple[int, ...], ...] = ()


class Die(NamedTuple):
    """One die of a pool: its face, and whether it met its number after all changes."""

    face: int
    passed: bool


@rule("tests/target-number", "tests/auto-one-six")
def needed_on_one(number: int, parts: Sequence[Part] = ()) -> Need:
    """Return what is needed of a single D6."""
    return Need(number, tuple(part for part in parts if part.value), always=(6,), never=(1,))


@rule("tests/target-number", "tests/auto-two-twelve")
def needed_on_two(number: int, parts: Sequence[Part] = ()) -> Need:
    """Return what is needed of the sum of two D6."""
    return Need(number, tuple(part for part in parts if part.value), always=(12,), never=(2,))


@lru_cache(maxsize=1024)
def chance_of_two(need: Need) -> float:
    """Return the chance that the sum of two D6 meets a need."""
    return sum(6 - abs(7 - total) for total in range(2, 13) if need.is_met_by(total)) / 36


async def pool(
    position: Position, side: int, why: str, count: int, need: Need, apart: tuple[int, ...] = (1, 6), **about: Plain
) -> list[Die]:
    """Roll dice for the same thing, each compared with one number."""
    tells = EVERY_FACE if richest(position) is not None else telling(need, *apart)
    rolled = await roll_for(side, why, [None] * count, needed=need, tells=tells, **about)  # dice/notation
    return await bent(position, rolled, need, side)


async def bent(position: Position, rolled: Rolled, need: Need, roller: int) -> list[Die]:
    """Return a side's dice after both sides may have spent exploration points on them."""
    deltas = await bend_dice(position, rolled, need, roller)
    needs = [need.with_part("exploration/points", delta) if delta else need for delta in deltas]
    return [Die(face, of.is_met_by(face)) for face, of in zip(rolled.faces, needs, strict=True)]


async def one_die(position: Position, side: int, why: str, need: Need, **about: Plain) -> Die:
    """Roll a single D6 for a test."""
    return (await pool(position, side, why, 1, need, **about))[0]


async def two_dice(position: Position, side: int, why: str, need: Need, **about: Plain) -> Rolled:
    """Roll the two D6 of a test that adds them."""
    tells = EVERY_FACE if richest(position) is not None else telling_sums(need)
    return await roll(side, why, 2, needed=need, tells=tells, total=True, **about)  # dice/notation


async def d3(position: Position, side: int, why: str, **about: Plain) -> int:
    """Roll an amount of D3."""
    face = (await roll(side, why, halved=True, **about)).total
    return await amount(position, read_as_d3(face), **about)


@rule("dice/d3")
def read_as_d3(face: int) -> int:
    """Halve a D6."""
    return halved(face)


async def d6(position: Position, side: int, why: str, **about: Plain) -> int:
    """Roll an amount of one D6."""
    return await amount(position, (await roll(side, why, **about)).total, **about)


async def two_d6(position: Position, side: int, why: str, **about: Plain) -> int:
    """Roll an amount of two D6 added."""
    return await amount(position, (await roll(side, why, 2, **about)).total, **about)


@rule("rolloffs/basic", "rolloffs/repeat")
async def roll_off(position: Position, why: str, first: int, bonuses: tuple[int, int] = (0, 0)) -> int:
    """Return the side that wins; a tie is rolled again until one side is higher."""
    while True:
        margin = await contest(position, why, first, bonuses)
        if margin != 0:
            return first if margin > 0 else 1 - first


@rule("rolloffs/basic", "dice/order")
async def contest(position: Position, why: str, first: int, bonuses: tuple[int, int] = (0, 0)) -> int:
    """Return by how much ``first`` wins one roll-off; its die is rolled first. Bonuses go by side."""
    one = (await roll(first, why, bonus=bonuses[first])).total + bonuses[first]
    other = (await roll(1 - first, why, bonus=bonuses[1 - first])).total + bonuses[1 - first]
    return await bend_contest(position, one, other, first)


@rule("undecided/die")
def no_doubt(position: Position, side: int) -> Fault | None:
    """Refuse a die for an undecided question outside the tactical phase; within it, either player may ask for one."""
    return None if position.now.get("phase") == "tactical" else Fault()


@rule("undecided/die")
async def decide_by_die(position: Position, side: int) -> None:
    """Roll a die for a doubt at the table: 1-3 the first reading, 4-6 the second.

    Its only effect is a line in the log.
    """
    die = (await roll(side, "dispute")).total
    position.write("dispute", side=side, reading=1 if die <= 3 else 2)


# ---------------------------------------------------------------- exploration/points


def richest(position: Position) -> int | None:
    """Return the side with exploration points left; only the winner of the exploration roll ever has any."""
    return next((side for side in (0, 1) if position.holds(side, "exploration") > 0), None)


@rule("exploration/points")
async def bend_dice(position: Position, rolled: Rolled, need: Need, roller: int) -> list[int]:
    """Let points be spent on single dice of a side, where that changes a die's result."""
    deltas = [0] * len(rolled.faces)
    while (side := richest(position)) is not None:
        offers = dice_to_bend(rolled, need, deltas, position.holds(side, "exploration"))
        spent = await spend(position, side, offers, faces=rolled.faces, roller=roller) if offers else None
        if spent is None:
            break
        deltas[spent[0]] += spent[1]
    return deltas


def dice_to_bend(rolled: Rolled, need: Need, deltas: Sequence[int], points: int) -> list[tuple[int, int]]:
    """For every die that points can turn, return (its index, the least change)."""
    offers = []
    for place, face in enumerate(rolled.faces):
        bent_so_far = need.with_part("exploration/points", deltas[place])
        change = turning(bent_so_far, face, points)
        if change:
            offers.append((place, change))
    return offers


def turning(need: Need, natural: int, points: int) -> int:
    """Return the least change, at most ``points`` either way, that reverses a natural roll's result; 0 if none does."""
    is_met = need.is_met_by(natural)
    step = -1 if is_met else 1
    for size in range(1, points + 1):
        if need.with_part("exploration/points", step * size).is_met_by(natural) != is_met:
            return step * size
    return 0


@rule("exploration/points")
async def bend_total(position: Position, natural: int, need: Need) -> bool:
    """Return whether a total meets its number after points have been spent on it."""
    total = natural
    while (side := richest(position)) is not None:
        change = turning(need, natural, position.holds(side, "exploration"))
        spent = await spend(position, side, [(0, change)], total=total) if change else None
        if spent is None:
            break
        total += spent[1]
        need = need.with_part("exploration/points", spent[1])
    return need.is_met_by(natural)


@rule("exploration/points")
async def amount(position: Position, natural: int, **about: Plain) -> int:
    """Return an amount after points have been spent on it; never below 0."""
    side = richest(position)
    if side is None:
        return natural
    points = position.holds(side, "exploration")
    offers = [(0, change) for change in range(-min(points, natural), points + 1) if change]
    spent = await spend(position, side, offers, total=natural, **about)
    return natural if spent is None else max(0, natural + spent[1])


@rule("exploration/points")
async def bend_contest(position: Position, one: int, other: int, first: int) -> int:
    """Return the margin of a roll-off after points have been spent on the own die.

    ``one`` is the total of ``first``.
    """
    margin, side = one - other, richest(position)
    if side is None:
        return margin
    own, against, sign = (one, other, 1) if side == first else (other, one, -1)
    offers = [(0, more) for more in range(1, position.holds(side, "exploration") + 1)]
    spent = await spend(position, side, offers, own=own, against=against)
    return margin if spent is None else margin + sign * spent[1]


async def spend(position: Position, side: int, offers: list[tuple[int, int]], **about: Plain) -> tuple[int, int] | None:
    """Ask whether points are spent, and on which die; points spent are gone."""
    chosen = await choose(side, "exploration-points", ["no", *offers], of="bend", **about)
    if chosen == "no":
        return None
    place, change = int(chosen[0]), int(chosen[1])
    position.gain(side, "exploration", -abs(change))
    left = position.holds(side, "exploration")
    position.write("raised" if change > 0 else "lowered", side=side, points=abs(change), left=left)
    return place, change
