"""What a side may not know: the cards in the other's hand and deck (cards/hand-limit, cards/deck-build)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.building import COPIES
from campale.rulesets.wzr.cards.catalogue import cards
from campale.rulesets.wzr.cards.in_play import in_play, name_of

BACK = "?"
"""A card of which only the back is seen."""
SIDES = (0, 1)


@rule("cards/hand-limit", "cards/deck-build")
def seen_by(side: int | None, position: Position) -> Position:
    """Backs in place of the other's cards; a side knows what is left in its own deck, not in which order."""
    for other in SIDES:
        if other != side:
            for name in (marks.HAND, marks.DECK):
                position.hold(other, name, (BACK,) * len(position.hand(other, name)))
    return position


@rule("cards/deck-build", "cards/copies")
def imagine(position: Position, side: int, rng: Random) -> Position:
    """The other's cards as they could be: any that a deck may have, but for those that have been seen."""
    other = 1 - side
    held, left = (len(position.hand(other, name)) for name in (marks.HAND, marks.DECK))
    unknown = list(unseen(position, other))
    dealt = rng.sample(unknown, min(len(unknown), held + left))
    dealt += rng.choices(list(cards()), k=held + left - len(dealt))
    position.hold(other, marks.HAND, sorted(dealt[:held]))
    position.hold(other, marks.DECK, sorted(dealt[held:]))
    return position


@rule("cards/copies", "cards/bound")
def unseen(position: Position, side: int) -> Iterator[str]:
    """Every copy that the deck of a side may have, but for those discarded and in play; none that is bound."""
    seen = Counter(str(name) for name in position.hand(side, marks.DISCARD))
    seen.update(name_of(one) for one in in_play(position, side))
    for name, card in cards().items():
        if not card.bound:
            yield from [name] * max(0, COPIES[card.kind] - seen[name])
