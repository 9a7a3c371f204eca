"""The cards: kinds, costs, and what they are played on (``cards.yaml``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from campale.mechanics.armies.rows import Name, Word, rows_from
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.vocabulary import Ability, On, Row

Kind = Literal["strategy", "tactic", "equipment"]
STRATEGY: Kind = "strategy"
TACTIC: Kind = "tactic"
EQUIPMENT: Kind = "equipment"


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A card of a deck.

    ``cost``: its burn symbols. ``bound``: the unit that an army needs to have it in a deck. ``ready``: how many copies
    the ready deck has. ``without_vehicles``: its target contains none. ``waiting``: the squad has yet to be activated
    in this turn. ``choose``: what is chosen with the target: one of its ranged weapons without a template, or one of
    its wounded models.
    """

    rules: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1, max_length=4)]
    kind: Kind
    cost: Annotated[int, msgspec.Meta(ge=1, le=8)]
    on: On
    do: Annotated[tuple[Row, ...], msgspec.Meta(max_length=8)]
    bound: Name = ""
    ready: Annotated[int, msgspec.Meta(ge=0, le=5)] = 2
    without_vehicles: bool = False
    waiting: bool = False
    choose: Literal["", "weapon", "wounded"] = ""

    def __hash__(self) -> int:
        return hash(self.rules)

    @property
    def rule(self) -> str:
        return self.rules[0]


@lru_cache(maxsize=1)
@rule("cards/squad-cards", "cards/resource-cards")
def cards() -> dict[str, Card]:
    """All cards that a deck may have, by name, without squad reference cards and Resource cards."""
    return rows_from(Path(__file__).parent / "cards.yaml", Card)


@lru_cache(maxsize=1)
def abilities() -> dict[str, Ability]:
    """The effects of cards in play, as abilities of their bearers."""
    return {name: Ability(rules=card.rules, do=card.do) for name, card in cards().items()}


@rule("starter-cards/list")
def ready_deck() -> tuple[str, ...]:
    """The ready deck of the starter set."""
    return deck_of(ready_counts())


@rule("starter-cards/list")
def ready_counts() -> Counter[str]:
    """How many copies of each card the ready deck has."""
    return Counter({name: card.ready for name, card in cards().items() if card.ready})


def deck_of(counts: Mapping[str, int]) -> tuple[str, ...]:
    """The names of a deck with these counts."""
    return tuple(name for name in sorted(counts) for _ in range(counts[name]))


def cheapest() -> int:
    """The cost of the cheapest card in the agreed set."""
    return min(card.cost for card in cards().values())


def rules_of(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(cards()[name].rule for name in names)
