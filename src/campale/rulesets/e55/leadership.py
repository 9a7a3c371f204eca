"""To be written."""

from __future__ import annotations

from campale.referee.position import Position


async def tests_for_casualties(position: Position) -> bool:
    return False
