"""Rolls that several books make alike (e3m base-general/dice, w10 core-concepts/roll-off)."""

from __future__ import annotations

from campale.referee.ask import roll


async def roll_off(why: str) -> int:
    """The side that rolls higher; ties are rolled again."""
    while True:
        one, other = (await roll(0, why)).total, (await roll(1, why)).total
        if one != other:
            return int(other > one)
