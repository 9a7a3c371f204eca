"""To be written."""

from __future__ import annotations

from campale.referee.position import Position


async def facing_phase(position: Position) -> bool:
    return False


async def face_at_the_start(position: Position) -> bool:
    return False
