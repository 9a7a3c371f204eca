"""To be written."""

from __future__ import annotations

from campale.referee.position import Position


async def defence_phase(position: Position) -> bool:
    return False
