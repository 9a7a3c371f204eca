"""What a deck must be before the battle (cards/deck-build, cards/copies, cards/bound)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from campale.mechanics.armies.faults import Breach, Restriction
from campale.referee.rule import rule
from campale.referee.telling.words import LANGUAGES, words
from campale.rulesets.wzr.armies.forces import Force
from campale.rulesets.wzr.armies.lists import HERE
from campale.rulesets.wzr.cards.catalogue import EQUIPMENT, STRATEGY, TACTIC, cards, deck_of, ready_deck

LEAST = 35
COPIES = {STRATEGY: 3, TACTIC: 5, EQUIPMENT: 3}


def deck_for(force: Force) -> tuple[str, ...]:
    """The names of the cards in a force's deck."""
    return ready_deck() if force.deck is None else deck_of(force.deck)


def title_of(name: str) -> dict[str, str]:
    """A card's title in each language."""
    return {tongue: words(tongue, HERE / "words").say(f"card.{name}") for tongue in LANGUAGES}


@rule("cards/deck-build")
def too_few_cards(force: Force, cap: int) -> Iterator[Breach]:
    found = len(deck_for(force))
    if found < LEAST:
        yield Breach(None, found, LEAST)


@rule("cards/copies")
def too_many_copies(force: Force, cap: int) -> Iterator[Breach]:
    """Limits the copies of one card, by its kind."""
    for name, count in Counter(deck_for(force)).items():
        most = COPIES[cards()[name].kind]
        if count > most:
            yield Breach(None, count, most, title_of(name))


@rule("cards/bound")
def bound_to_another(force: Force, cap: int) -> Iterator[Breach]:
    """Refuses a card bound to a unit that the army does not have."""
    units = {one.row.unit for one in force.units}
    for name, count in Counter(deck_for(force)).items():
        if cards()[name].bound not in ("", *units):
            yield Breach(None, count, 0, title_of(name))


DECK_RESTRICTIONS: tuple[Restriction, ...] = (too_few_cards, too_many_copies, bound_to_another)
