"""Resource cards: how many are ready, and burning them (cards/resource-cards, cards/burn-uses)."""

from __future__ import annotations

from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks


@rule("cards/resource-cards")
def ready(position: Position, side: int) -> int:
    """How many Resource cards of a side lie face up."""
    return position.holds(side, marks.RESOURCES) - position.holds(side, marks.BURNED)


@rule("cards/burn-uses")
def burn(position: Position, side: int, cards: int = 1) -> None:
    """They are turned face down."""
    position.gain(side, marks.BURNED, cards)
