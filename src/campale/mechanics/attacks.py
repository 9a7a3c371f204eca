"""Attacks of many models: the need of each, and dice of the same need rolled together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from campale.dice.needs import Need, Part
from campale.referee.ask import roll
from campale.referee.refusal import Plain
from campale.referee.rule import rules_of

Modifier = Callable[..., int]
"""A modifier of a roll, 0 if it does not apply; marked with its rule."""


def modified(base: int, modifiers: Sequence[Modifier], *about: object) -> Need:
    """The need of a die: a number, and the modifiers that apply, each with its first rule."""
    found = [(one, one(*about)) for one in modifiers]
    return Need(base, tuple(Part(rules_of(one)[0], value) for one, value in found if value))


async def roll_hits(side: int, why: str, needs: Iterable[Need], **about: Plain) -> int:
    """Roll a die for each need, dice for the same need together. Returns how many are met."""
    hits = 0
    for need, count in Counter(needs).items():
        hits += (await roll(side, why, count, needed=need, **about)).successes
    return hits
