"""Chapter "orders": what each side writes in secret, and when the other learns it."""

from __future__ import annotations

from random import Random

from campale.referee.ask import together
from campale.referee.position import Position
from campale.referee.question import Choose
from campale.referee.rule import rule

ADVANCE, HOLD = "advance", "hold"
ORDERS = (ADVANCE, HOLD)


@rule("orders/secret")
async def write_orders(position: Position) -> None:
    """One question to both sides; the answers are kept apart and released together."""
    written = await together({side: Choose(side, "order", ORDERS, about={"open": False}) for side in (0, 1)})
    for side, order in sorted(written.items()):
        position.declare(f"secret-{side}", order)


@rule("orders/reveal")
def reveal_order(position: Position, side: int) -> None:
    """Turn the order of a side up, unless it lies open already."""
    order = position.declared.get(f"secret-{side}")
    if order is not None:
        position.declare(f"secret-{side}", None)
        position.declare(f"order-{side}", order)
        position.reveal("order-revealed", side=side, order=order)


def is_holding(position: Position, side: int) -> bool:
    return position.declared.get(f"order-{side}") == HOLD


def drop_orders(position: Position) -> None:
    for side in (0, 1):
        position.declare(f"order-{side}", None)
        position.declare(f"secret-{side}", None)


@rule("orders/secret")
def seen_by(side: int | None, position: Position) -> Position:
    """The position without the orders that the side may not know."""
    for other in (0, 1):
        if other != side:
            position.declare(f"secret-{other}", None)
    return position


@rule("orders/secret")
def imagine(position: Position, side: int, rng: Random) -> Position:
    """The position with the other side's secret order drawn anew."""
    if position.declared.get(f"secret-{1 - side}") is not None:
        position.declare(f"secret-{1 - side}", rng.choice(ORDERS))
    return position
