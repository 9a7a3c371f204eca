"""Chapter "orders": written in secret by both, turned up at once."""

from __future__ import annotations

from typing import Any

from campale.referee.ask import together
from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Form, Question
from campale.referee.rule import rule
from tests.conformance.drill.profile import units_of

MARCH, STAND = "march", "stand"


@rule("orders/secret")
async def write_orders(position: Position) -> None:
    written = await together({side: orders_of(position, side) for side in (0, 1) if units_of(position, side)})
    for side, orders in sorted(written.items()):
        rows = [unit.row for unit in units_of(position, side)]
        position.declare(f"secret-{side}", tuple(zip(rows, orders, strict=True)))


def orders_of(position: Position, side: int) -> Form:
    """One form for all the units of a side."""
    rows = [unit.row for unit in units_of(position, side)]

    def fields(filled: list[Any]) -> Question | None:
        if len(filled) == len(rows):
            return None
        return Choose(side, "order", (MARCH, STAND), about={"unit": rows[len(filled)]})

    return Form(side, "orders", fields, {"units": rows, "open": False})


@rule("orders/reveal")
def reveal_orders(position: Position) -> None:
    """All at once, in the order of the sides."""
    for side in (0, 1):
        orders = position.declared.get(f"secret-{side}", ())
        position.declare(f"secret-{side}", None)
        position.declare(f"orders-{side}", orders or None)
        position.reveal("orders-revealed", side=side, orders=[list(one) for one in orders])


def order_of(unit: Unit) -> str:
    """The open order of a unit; whoever has none stands."""
    orders: dict[int, str] = dict(unit.position.declared.get(f"orders-{unit.side}", ()))
    return orders.get(unit.row, STAND)
