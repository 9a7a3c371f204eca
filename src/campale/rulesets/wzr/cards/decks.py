"""Decks, hands, discard piles (cards/deck-per-player, cards/mulligan, cards/hand-limit, cards/control-draw).

A deck is a bag: drawing at random from it equals drawing from the top of a deck that was shuffled and cut.
"""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.frames import push
from campale.referee.ask import ask, confirm, draw, together
from campale.referee.position import Position
from campale.referee.question import Choose
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import for_side
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.in_play import discard
from campale.rulesets.wzr.cards.resources import burn, ready

FULL = 5
SIDES = (0, 1)
REDRAW, KEEP = "redraw", "keep"


@rule("setup/modes")
def is_advanced(position: Position) -> bool:
    """Whether the players have decks."""
    return bool(position.ruleset.options.advanced)


@rule("cards/hand-limit")
def hand_limit(position: Position, side: int) -> int:
    return for_side(position, "hand-limit", side, FULL)


# ---------------------------------------------------------------- drawing


@rule("cards/deck-per-player")
def lay_deck(position: Position, side: int, cards: Sequence[str]) -> None:
    position.hold(side, marks.DECK, sorted(cards))


@rule("cards/deck-per-player", "setup/sequence")
async def deal(position: Position) -> None:
    """Deal five cards to each player before the first turn."""
    for side in SIDES:
        await draw_cards(position, side, FULL)


@rule("cards/deck-per-player", "cards/deck-empty")
async def draw_cards(position: Position, side: int, count: int = 1) -> None:
    """Draw up to ``count`` cards from the deck to the hand. The other side sees their backs."""
    deck = list(position.hand(side, marks.DECK))
    drawn = await draw(side, "draw-card", deck, min(count, len(deck)), open=False)
    for name in drawn:
        deck.remove(name)
    if drawn:
        known: dict[str, Plain] = {"side": side, "count": len(drawn)}
        position.reveal("cards-drawn", seen_by=(side,), open_values=known, **known, card=drawn)
    position.hold(side, marks.DECK, deck)
    position.hold(side, marks.HAND, sorted([*position.hand(side, marks.HAND), *drawn]))


def throw_away(position: Position, side: int, name: str) -> None:
    """Discard a card from the hand."""
    hand = list(position.hand(side, marks.HAND))
    hand.remove(name)
    position.hold(side, marks.HAND, hand)
    discard(position, side, name)


@rule("cards/mulligan")
async def mulligan(position: Position) -> None:
    """Both players decide in secret and at once.

    A player who redraws discards all five cards and keeps the second hand.
    """
    asked = {side: Choose(side, "mulligan", (KEEP, REDRAW), about={"open": False}) for side in SIDES}
    chosen = await together(dict(asked))
    for side in SIDES:
        if chosen[side] == REDRAW:
            position.write("redraws", side=side)
            for name in position.hand(side, marks.HAND):
                throw_away(position, side, str(name))
            await draw_cards(position, side, FULL)


# ---------------------------------------------------------------- the hand in the Control Phase


@rule("cards/control-draw", "turn/control-phase")
async def control_draw(position: Position, side: int) -> None:
    """Draw one card, which is compulsory; then discard down to the limit and draw more for Resources."""
    await draw_cards(position, side)
    push(position, ("discard-down", side), ("draw-more", side))


@rule("cards/hand-limit", "cards/free-discard")
async def discard_down(position: Position, side: int) -> None:
    """Discard cards of the player's choice, one by one and for free, until the hand is within its limit."""
    hand = position.hand(side, marks.HAND)
    if len(hand) <= hand_limit(position, side):
        return
    question = Choose(side, "discard-down", list(dict.fromkeys(hand)), "card", about={"open": False})
    throw_away(position, side, str(await ask(question)))
    push(position, ("discard-down", side))


@rule("cards/control-draw-more", "cards/burn-draw")
async def draw_more(position: Position, side: int) -> None:
    """Draw one more card for each Resource burned, until the hand is full."""
    if may_draw(position, side) and await confirm(side, "draw-more", ready=ready(position, side)):
        await burn_to_draw(position, side)
        push(position, ("draw-more", side))


@rule("cards/burn-draw", "cards/control-draw-more", "cards/deck-empty")
def may_draw(position: Position, side: int) -> bool:
    """Whether a side could burn a Resource for a card. All of this is public."""
    is_full = len(position.hand(side, marks.HAND)) >= hand_limit(position, side)
    return not is_full and ready(position, side) > 0 and bool(position.hand(side, marks.DECK))


@rule("cards/burn-draw")
async def burn_to_draw(position: Position, side: int) -> None:
    burn(position, side, 1, "draw")
    await draw_cards(position, side)


@rule("cards/burn-discard")
def burn_to_discard(position: Position, side: int, name: str) -> None:
    burn(position, side, 1, "discard")
    throw_away(position, side, name)
