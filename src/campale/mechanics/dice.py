"""Rolls that are the same in several books (e3m base-general/dice, w10 core-concepts/roll-off)."""

from __future__ import annotations

from functools import lru_cache

from campale.dice.needs import Need
from campale.referee.ask import roll

FACES = (1, 2, 3, 4, 5, 6)


@lru_cache(maxsize=1024)
def telling(need: Need, *apart: int) -> tuple[tuple[int, ...], ...]:
    """The faces of a D6 in groups that a rule treats alike: hits, misses, and the faces that it looks at."""
    groups: dict[tuple[bool, int], list[int]] = {}
    for face in FACES:
        groups.setdefault((need.is_met_by(face), face if face in apart else 0), []).append(face)
    return tuple(tuple(group) for group in groups.values())


async def roll_off(why: str) -> int:
    """The side that rolls higher; ties are rolled again."""
    while True:
        one, other = (await roll(0, why)).total, (await roll(1, why)).total
        if one != other:
            return int(other > one)
