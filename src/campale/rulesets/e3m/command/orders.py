"""Orders: six of them, written in secret, shown when a unit acts by itself or a rule needs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from campale.referee.ask import together
from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.groups import is_in_command, number_in_army
from campale.rulesets.e3m.command.units import (
    FORCED,
    GAVE_GROUND,
    GROUP,
    ORDER,
    WATCHED,
    is_aboard,
    members,
    units_of,
)

FIRE, ASSAULT, READY, MARCH, RETREAT, HALT = "fire", "assault", "ready", "march", "retreat", "halt"
ORDERS = (FIRE, ASSAULT, READY, MARCH, RETREAT, HALT)
LIKELY = {FIRE: 3.0, ASSAULT: 3.0, READY: 2.0, MARCH: 2.0, RETREAT: 0.1, HALT: 0.4}
"""How often a sample draws each order. Any order may be drawn."""
NAMED = 8
"""How often the best order appears among the likely ones."""

ANY = 0.1
"""The weight, in imagined orders, of what is usual against what seems good."""

Advice = Callable[[Position, int], Mapping[int, Mapping[str, float]]]


SECRETS = "secret-0", "secret-1"


def secret(side: int) -> str:
    """The declaration with a side's orders that are not shown yet."""
    return SECRETS[side]


def hidden_order(unit: Unit) -> str | None:
    """The unit's order that is not shown yet, or None."""
    side = unit.position.unit_side[unit.row]
    for row, order in unit.position.declared.get(SECRETS[side], ()):
        if row == unit.row:
            return str(order)
    return None


def hidden_orders(position: Position, side: int) -> dict[int, str]:
    return dict(position.declared.get(secret(side), ()))


def order_of(unit: Unit) -> str:
    """The unit's order, shown or not. A unit without one is on Halt."""
    return hidden_order(unit) or str(unit.note(ORDER, HALT))


def is_shown(unit: Unit) -> bool:
    return hidden_order(unit) is None


@rule("orders/retreat-is-rout", "orders/retreat-voluntary")
def is_routed(unit: Unit) -> bool:
    """Whether the unit's Retreat is known. A voluntary one that is still hidden does not count."""
    return is_shown(unit) and unit.note(ORDER) == RETREAT


@rule("orders/halt-sources")
def is_halted(unit: Unit) -> bool:
    return unit.note(ORDER, HALT) == HALT and is_shown(unit)


def halted(position: Position) -> list[Unit]:
    """The units for which ``is_halted`` holds, in list order."""
    hidden = {row for side in (0, 1) for row in hidden_orders(position, side)}
    orders = position.of_units.noted(ORDER)
    return [unit for unit in position.units if unit.row not in hidden and orders.get(unit.row, HALT) == HALT]


def is_forced(unit: Unit) -> bool:
    return bool(unit.marks(FORCED))


# ---------------------------------------------------------------- step 2: writing and showing


@rule("orders/secret-orders")
async def write_orders(position: Position, advise: Advice) -> None:
    """Both sides write at once, one form each. Units out of command, routed or just rallied get no question."""
    tell_out_of_command(position)
    asked = {side: form for side in (0, 1) if (form := order_form(position, side, advise)) is not None}
    written = await together(asked)  # type: ignore[arg-type]
    for side in (0, 1):
        given = dict(zip(may_get_orders(position, side), written.get(side, ()), strict=True))
        for unit in units_of(position, side):
            if unit.row not in given and not unit.note(ORDER):
                unit.jot(ORDER, HALT)
        position.declare(secret(side), tuple(sorted(given.items())) or None)
    show_after_writing(position)


@rule("orders/halt-sources", "hierarchy/in-command")
def tell_out_of_command(position: Position) -> None:
    """Tell both sides which units get no order, and so will Halt, before anything is written."""
    without = [u.row for s in (0, 1) for u in units_of(position, s) if not u.note(ORDER) and not is_in_command(u)]
    if without:
        position.write("out-of-command", units=without)


@rule("orders/one-order", "hierarchy/in-command", "sequence/rally-success")
def may_get_orders(position: Position, side: int) -> list[int]:
    """The rows of the units in command without an order."""
    return [unit.row for unit in units_of(position, side) if not unit.note(ORDER) and is_in_command(unit)]


def order_form(position: Position, side: int, advise: Advice) -> Form | None:
    """The form for a side's orders. ``advise(position, side)`` gives the odds of good orders by the rows of units."""
    rows = may_get_orders(position, side)
    if not rows:
        return None

    def fields(filled: list[Any]) -> Question | None:
        if len(filled) == len(rows):
            return None
        unit = Unit(position, rows[len(filled)])
        good = advise(position, side).get(unit.row, {})
        likely = [order for order, share in good.items() for _ in range(round(NAMED * share))]
        group = {"group": number_in_army(unit.marks(GROUP))} if unit.marks(GROUP) else {}
        about = {"unit": unit.row, **group}
        return Choose(side, "order", orders_for(unit), "order", about=about, likely=likely, odds=LIKELY)

    return Form(side, "orders", fields, {"units": rows, "open": False}, [HALT] * len(rows))


@rule("orders/one-order", "orders/vehicle-orders")
def orders_for(unit: Unit) -> tuple[str, ...]:
    """The orders that a unit may get. Vehicles get orders like other units."""
    return ORDERS


@rule("orders/reveal")
def show_after_writing(position: Position) -> None:
    """Show the Halts or, by option, all orders."""
    for side in (0, 1):
        hidden = hidden_orders(position, side)
        shown = [row for row, order in hidden.items() if order == HALT or position.options.reveal_all]
        show(position, [Unit(position, row) for row in shown])


@rule("orders/reveal")
def show(position: Position, units: list[Unit]) -> None:
    """Show the hidden orders of these units."""
    for unit in units:
        hidden = hidden_orders(position, unit.side)
        if unit.row not in hidden:
            continue
        order = hidden.pop(unit.row)
        position.declare(secret(unit.side), tuple(sorted(hidden.items())) or None)
        unit.jot(ORDER, order)
        position.reveal("order-shown", unit=unit.row, order=order)


def replace_order(unit: Unit, order: str, **why: Plain) -> None:
    """Replace the unit's order, hidden or not, by a forced Halt or a rout."""
    position = unit.position
    hidden = hidden_orders(position, unit.side)
    hidden.pop(unit.row, None)
    position.declare(secret(unit.side), tuple(sorted(hidden.items())) or None)
    unit.jot(ORDER, order)
    position.reveal("order-replaced", unit=unit.row, order=order, **why)


# ---------------------------------------------------------------- what an order allows


@rule("orders/ready", "fire/opportunity-once")
def has_opportunity_fire(unit: Unit) -> bool:
    """Whether the unit is on Ready and has not spent or lost its one fire."""
    return order_of(unit) == READY and not unit.marks(WATCHED) and not unit.marks(GAVE_GROUND) and bool(members(unit))


@rule("orders/reveal", "fire/opportunity-windows")
def may_be_ready(unit: Unit) -> bool:
    """Whether it may be Ready as far as everybody knows: its order is hidden, or shown as Ready with its fire left."""
    if not members(unit) or is_forced(unit) or unit.marks(WATCHED) or unit.marks(GAVE_GROUND):
        return False
    return not is_shown(unit) or unit.note(ORDER) == READY


def has_hidden_order(unit: Unit) -> bool:
    """Whether, as far as the other side knows, the unit may have any order."""
    return not is_shown(unit) and bool(members(unit))


@rule("orders/halt-no-move", "orders/ready-no-move", "orders/march", "orders/assault", "orders/fire")
def may_move(unit: Unit) -> bool:
    """Whether the order lets the unit make a normal move. A Retreat has its own move."""
    return order_of(unit) in (FIRE, ASSAULT, MARCH) and not is_forced(unit)


@rule("vehicles/passengers", "orders/ready-no-move")
def may_get_out(unit: Unit) -> bool:
    """Whether a unit aboard may disembark by its order."""
    return is_aboard(unit) and order_of(unit) in (FIRE, ASSAULT, READY, MARCH) and not is_forced(unit)


# ---------------------------------------------------------------- what the other side may know


def seen_by(side: int | None, position: Position) -> Position:
    """The position without the other side's hidden orders: it shows which units have one, not which."""
    hiding = [one for one in (0, 1) if one != side and secret(one) in position.declared]
    if not hiding:
        return position
    shown = position.copy()
    for one in hiding:
        shown.declare(secret(one), tuple((row, "") for row, _ in position.declared[secret(one)]))
    return shown


def with_orders_drawn(position: Position, side: int, rng: Random, advise: Advice) -> Position:
    """A copy in which a side's hidden orders are drawn anew, good ones more often."""
    drawn = position.copy()
    rows = [row for row, _ in position.declared.get(secret(side), ())]
    kinds = [order for order in ORDERS if order != HALT]
    odds = advise(position, side)

    def weights(row: int) -> list[float]:
        return [odds.get(row, {}).get(order, 0.0) + ANY * LIKELY[order] for order in kinds]

    orders = [rng.choices(kinds, weights(row))[0] for row in rows]
    drawn.declare(secret(side), tuple(zip(rows, orders, strict=True)) or None)
    return drawn
