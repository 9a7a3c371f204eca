"""What a deck must be before the battle (cards/deck-build, cards/copies, cards/bound)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from campale.referee.rule import rule
from campale.rulesets.wzr.cards.catalogue import EQUIPMENT, STRATEGY, TACTIC, cards

LEAST = 35
COPIES = {STRATEGY: 3, TACTIC: 5, EQUIPMENT: 3}


class DeckFault(NamedTuple):
    """What is wrong with a deck: the rule, the card (empty: the whole deck), how many there are, and may be."""

    rule: str
    card: str
    found: int
    limit: int
    bound: str = ""


@rule("cards/deck-build")
def too_small(deck: Sequence[str]) -> list[DeckFault]:
    return [] if len(deck) >= LEAST else [DeckFault("cards/deck-build", "", len(deck), LEAST)]


@rule("cards/copies")
def too_many(deck: Sequence[str]) -> list[DeckFault]:
    """Copies of one card, by its kind."""
    found = ((name, count, COPIES[cards()[name].kind]) for name, count in Counter(deck).items())
    return [DeckFault("cards/copies", name, count, limit) for name, count, limit in found if count > limit]


@rule("cards/bound")
def bound_elsewhere(deck: Sequence[str], units: Collection[str]) -> list[DeckFault]:
    """Cards that are bound to a unit which the army has not."""
    counted = ((name, count, cards()[name].bound) for name, count in Counter(deck).items())
    return [DeckFault("cards/bound", name, count, 0, to) for name, count, to in counted if to and to not in units]


def deck_faults(deck: Sequence[str], units: Collection[str]) -> list[DeckFault]:
    """All that is wrong with a deck, for an army with these units by their ids."""
    return [*too_small(deck), *too_many(deck), *bound_elsewhere(deck, units)]
