"""To be written."""

from __future__ import annotations

from campale.referee.position import Position


async def agree_on_scenery(position: Position) -> bool:
    return False


async def choose_edges(position: Position) -> bool:
    return False


async def write_reserves(position: Position) -> bool:
    return False


async def deploy(position: Position) -> bool:
    return False


async def move_scouts(position: Position) -> bool:
    return False
