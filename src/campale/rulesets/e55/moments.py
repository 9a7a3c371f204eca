"""Moments at which rules of other chapters have their say: named where they come, filled in by the book."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from campale.referee.position import Position

Effect = Callable[..., Awaitable[None]]

SUFFERED = "suffered"
"""A model has lived through unsaved wounds: the model, and how many."""

BLAST = "blast"
"""A vehicle has exploded: who is hit, unit by unit."""

EXPLODED = "exploded"
"""A vehicle has exploded, and those about it have taken their hits: the vehicle, and the outline of its hull."""

WRECKED = "wrecked"
"""A vehicle has become a wreck: the vehicle."""


async def at_moment(position: Position, moment: str, *about: Any) -> None:
    """What happens then, one effect after another, as the book has it (``book.MOMENTS``)."""
    for effect in position.ruleset.book.moments[moment]:
        await effect(*about)
