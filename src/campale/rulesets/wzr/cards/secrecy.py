"""What a side may not know: the cards in the other side's hand and deck (cards/hand-limit, cards/deck-build)."""

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
"""A card of which only the back is visible."""
SIDES = (0, 1)


@rule("cards/hand-limit", "cards/deck-build")
def seen_by(side: int | None, position: Position) -> Position:
    """Show the other side's cards as backs. A side knows what is left in its own deck, but not the order."""
    for other in SIDES:
        if other != side:
            for name in (marks.HAND, marks.DECK):
                position.hold(other, name, (BACK,) * len(position.hand(other, name)))
    return position


@rule("cards/deck-build", "cards/copies")
def imagine(position: Position, side: int, rng: Random) -> Position:
    """Deal possible cards to the other side: any that its deck may have, except those already seen."""
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
    """Every copy that a side's deck may have, except discarded ones and those in play. Bound cards are left out."""
    seen = Counter(str(name) for name in position.hand(side, marks.DISCARD))
    seen.update(name_of(one) for one in in_play(position, side))
    for name, card in cards().items():
        if not card.bound:
            yield from [name] * max(0, COPIES[card.kind] - seen[name])
