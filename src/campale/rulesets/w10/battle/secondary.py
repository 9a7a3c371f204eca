"""Secondary Mission cards of the second training roster (q/table-quarter, i/new-orders)."""

from __future__ import annotations

from campale.mechanics.units import NOBODY
from campale.referee.ask import draw
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.basics.units import members, units_of
from campale.rulesets.w10.battle.only_war import VP
from campale.rulesets.w10.windows.stratagem import About, Stratagem
from campale.table.measure import extent
from campale.table.shapes import TOLERANCE

WITH_CARDS = "only-war-cards"
CARD = "card"
"""The hand of a side: its active card, face up."""
QUARTER, HEIGHT = "quarter", "height"
DECK = (QUARTER, HEIGHT)
HIGH = 4.0

Quarter = tuple[int, int]


def has_cards(position: Position) -> bool:
    return position.now.get("mission") == WITH_CARDS


@rule("i/new-orders")
async def deal_cards(position: Position) -> None:
    """Deal each side one active card of its own deck of two."""
    for side in (0, 1) if has_cards(position) else ():
        (card,) = await draw(side, "card", DECK)
        show(position, side, str(card))


def show(position: Position, side: int, card: str) -> None:
    position.hold(side, CARD, (card,))
    position.write("card", side=side, card=card, wants=card)


def card_of(position: Position, side: int) -> str:
    held = position.hand(side, CARD)
    return str(held[0]) if held else ""


@rule("q/table-quarter")
def score_card(position: Position, side: int) -> None:
    """At the end of a side's turn, score 1VP if the condition of its card is true."""
    wanted = {QUARTER: holds_quarter, HEIGHT: stands_high}.get(card_of(position, side))
    if wanted is not None and wanted(position, side):
        position.gain(side, VP, 1)


# ---------------------------------------------------------------- conditions of the cards


@rule("q/table-quarter", "within/wholly-within")
def holds_quarter(position: Position, side: int) -> bool:
    """True if a unit of the side is wholly within a table quarter that no enemy unit is within."""
    theirs = {quarter for m in position.on_table(1 - side) for quarter in quarters_of(m)}
    return any(quarter not in theirs for unit in units_of(position, side) for quarter in wholly_in(unit))


@rule("q/table-quarter")
def quarters_of(model: Model) -> list[Quarter]:
    """The table quarters that a model is within; a model on a dividing line is within two, or four at the centre."""
    ground = model.position.ground
    west, south, east, north = extent(model.solid)
    across = [n for n, is_there in enumerate((west < ground.width / 2, east > ground.width / 2)) if is_there]
    along = [n for n, is_there in enumerate((south < ground.depth / 2, north > ground.depth / 2)) if is_there]
    return [(x, y) for x in across for y in along]


@rule("q/table-quarter", "within/wholly-within")
def wholly_in(unit: Unit) -> list[Quarter]:
    """The one quarter that all models of a unit are within; empty if there are several."""
    found = {quarter for m in members(unit) for quarter in quarters_of(m)}
    return list(found) if len(found) == 1 else []


@rule("l/ground-level")
def stands_high(position: Position, side: int) -> bool:
    """True if a model of the side is 4 inches or more above ground level."""
    return any(m.z >= HIGH - TOLERANCE for m in position.on_table(side))


# ---------------------------------------------------------------- i/new-orders


@rule("i/new-orders")
def may_exchange(position: Position, side: int, about: About) -> list[int]:
    """The Stratagem targets the active card, at the end of the side's own Command phase; it targets no unit."""
    return [NOBODY] if card_of(position, side) and side == int(position.now["side"]) else []


@rule("i/new-orders")
async def exchange(position: Position, side: int, target: int, about: About) -> None:
    """Exchange the active card for the other one of the deck."""
    show(position, side, next(card for card in DECK if card != card_of(position, side)))


NEW_ORDERS = Stratagem("new-orders", ("strategic-ploy",), 1, "command-ends", may_exchange, exchange, no_unit=True)
