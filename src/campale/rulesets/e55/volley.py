"""To be written."""

from __future__ import annotations

from campale.referee.position import Position


async def volley_phase(position: Position) -> bool:
    return False
