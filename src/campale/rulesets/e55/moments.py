"""Moments at which rules of other chapters act: named where they occur, and filled in by the book."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from campale.referee.position import Position

Effect = Callable[..., Awaitable[None]]

SUFFERED = "suffered"
"""A model has survived unsaved wounds. Passed on: the model, and how many wounds."""

BLAST = "blast"
"""A vehicle has exploded. Passed on: the hits on each unit."""

EXPLODED = "exploded"
"""A vehicle has exploded, and the blast is resolved. Passed on: the vehicle, and the outline of its hull."""

WRECKED = "wrecked"
"""A vehicle has become a wreck. Passed on: the vehicle."""


async def at_moment(position: Position, moment: str, *about: Any) -> None:
    """Apply the effects of a moment one after another, as the book lists them (``book.MOMENTS``)."""
    for effect in position.ruleset.book.moments[moment]:
        await effect(*about)
