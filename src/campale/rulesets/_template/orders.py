"""Chapter "orders": what each side writes in secret, and when the other learns it."""

from __future__ import annotations

from campale.mechanics.secrets import Secret
from campale.referee.position import Position, Unit
from campale.referee.rule import rule

ADVANCE, HOLD = "advance", "hold"
ORDERS = Secret("order", (ADVANCE, HOLD))


@rule("orders/secret")
async def write_orders(position: Position) -> bool:
    """One question to both sides; the answers are kept apart and released together."""
    await ORDERS.write(position)
    return False


@rule("orders/reveal")
def reveal_order(unit: Unit) -> bool:
    """Turn the order of its side up, unless it lies open already."""
    return ORDERS.turn_up(unit.position, unit.side)


def is_holding(unit: Unit) -> bool:
    return ORDERS.shown(unit.position, unit.side) == HOLD
