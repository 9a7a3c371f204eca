"""To be written."""

from __future__ import annotations

from campale.referee.position import Position
from campale.rulesets.e55.acting import Act


async def charge_phase(position: Position) -> bool:
    return False


ACTS: tuple[Act, ...] = ()
