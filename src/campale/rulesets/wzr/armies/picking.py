"""The army lists of the book, for building a force."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from campale.mechanics.armies import picking
from campale.mechanics.titles import in_both
from campale.referee.armies.building import ArmyList, Field, Kind
from campale.referee.offers import Choice
from campale.referee.rule import rule
from campale.rulesets.wzr.armies import lists
from campale.rulesets.wzr.armies.lists import (
    BROTHERHOOD,
    DARK_LEGION,
    HERE,
    LISTS,
    VEHICLES,
    Extra,
    UnitRow,
    factions,
    powers,
    weapons,
)
from campale.rulesets.wzr.armies.profile import Profile
from campale.rulesets.wzr.cards.building import COPIES
from campale.rulesets.wzr.cards.catalogue import Card, cards, ready_counts


@lru_cache(maxsize=1)
def army_lists() -> tuple[ArmyList, ...]:
    return picking.army_lists(map(lists.army_list, factions()), head, kinds, fields=of_the_army)


def head(of: lists.ArmyList) -> dict[str, str]:
    return {"ruleset": "wzr", "list": of.id}


def kinds(of: lists.ArmyList) -> Iterator[Kind]:
    return (kind(id, row, one.profiles[id], of) for one, id, row in fieldable(of))


@rule("army/faction", "abilities/alliance-agent", "abilities/doomtrooper-pair")
def fieldable(of: lists.ArmyList) -> list[tuple[lists.ArmyList, str, UnitRow]]:
    """What a faction may field: its own units, then those it hires, then the vehicles open to everybody."""
    found = [(of, id, row) for id, row in of.units.items()]
    hired = {DARK_LEGION: (), BROTHERHOOD: ("alliance-agent", "doomtrooper")}.get(of.id, ("alliance-agent",))
    for name in LISTS.names():
        other = lists.army_list(name)
        if name not in (of.id, VEHICLES):
            found += [(other, id, row) for id, row in other.units.items() if set(hired) & set(row.abilities)]
    every = lists.army_list(VEHICLES)
    return found + [(every, id, row) for id, row in every.units.items()]


def kind(id: str, row: UnitRow, profile: Profile, of: lists.ArmyList) -> Kind:
    more = row.commander.points if row.commander else 0
    return Kind(
        id=id,
        title=row.title.in_both,
        row={"unit": id},
        fields=fields(row, profile, of),
        prices=picking.prices(row.size, row.points, more),
        profile=profile,
    )


def fields(row: UnitRow, profile: Profile, of: lists.ArmyList) -> tuple[Field, ...]:
    swaps = {name: weapons()[name].title.in_both for name in row.swaps}
    extras = {name: title_of(name, one) for name, one in row.extras.items()}
    able = {name: powers()[name].title.in_both for name in of.powers} if "psychic" in profile.numbers else {}
    return (
        *picking.size(*row.size),
        *picking.several("weapons", "counts", swaps),
        *picking.several("equipment", "several", extras, name="extras"),
        *picking.several("options", "several", able, name="powers", most=profile.numbers.get("psychic", 0)),
        *((picking.unit("joins"),) if row.slot == "specialist" else ()),
    )


@rule("cards/deck-build", "cards/bound")
def of_the_army(of: lists.ArmyList) -> tuple[Field, ...]:
    """The deck field: cards bound to nobody, or to a unit that the faction may field."""
    able = {"", *(id for _, id, _ in fieldable(of))}
    offered = (card_offered(name, card) for name, card in cards().items() if card.bound in able)
    return (picking.pile("deck", offered, ready_counts(), max(COPIES.values())),)


def card_offered(name: str, card: Card) -> Choice:
    """A card to choose, with its kind, its burn symbols and its text."""
    kind, text = in_both(HERE, f"card-kind.{card.kind}"), in_both(HERE, f"card.{name}.text")
    about = {tongue: f"{kind[tongue]} ({card.cost}). {text[tongue]}" for tongue in kind}
    return Choice(name, in_both(HERE, f"card.{name}"), about=about)


def title_of(name: str, extra: Extra) -> dict[str, str]:
    return weapons()[name].title.in_both if extra.weapon else in_both(HERE, f"ability.{name}")
