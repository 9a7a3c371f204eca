"""Whoever is asked about in a query: a model of a shipped force, a profile of the lists, or one written inline."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from campale.referee.inquiries import Field, Part, Pick, Title, in_both, misfit
from campale.referee.reading import FileError
from campale.rulesets.ragnarok import staging
from campale.rulesets.ragnarok.arsenal import FACTIONS, HERE, army_list, equipment, profiles, weapons
from campale.rulesets.ragnarok.forces import FORCES, Trooper, trooper
from campale.rulesets.ragnarok.profile import BARE_HANDS, Equipment, Profile, Weapon


@lru_cache(maxsize=1)
def cards() -> dict[str, Trooper]:
    """The models of the shipped forces, those that are alike once: ``force:profile`` and what was added to it."""
    found: dict[str, Trooper] = {}
    for name in FORCES.names():
        for one in FORCES.named(name).troopers:
            field = (one.expert,) if one.expert else ()
            found.setdefault(f"{name}:{'.'.join((one.basic.id, *one.additions, *field))}", one)
    return found


@lru_cache(maxsize=1)
def picks() -> tuple[Pick, ...]:
    """Models under the titles of their forces, then profiles under those of their lists."""
    of_forces = [Pick(key, title_of(one), FORCES.named(key.split(":")[0]).title) for key, one in cards().items()]
    of_lists = [
        Pick(id, profile.title, army_list(faction).title)
        for faction in FACTIONS
        for id, profile in army_list(faction).profiles.items()
    ]
    return (*of_forces, *of_lists)


def things() -> dict[str, Weapon | Equipment]:
    """Whatever can be added to a model."""
    return {**weapons(), **equipment()}


def title_of(one: Trooper) -> Title:
    """Its profile's title, with what was added to it."""
    more = [things()[id].title for id in one.additions]
    return {
        tongue: ", ".join((one.name or said, *(title[tongue] for title in more)))
        for tongue, said in one.profile.title.items()
    }


def said(key: str) -> Title:
    return in_both(HERE, f"odds.{key}")


def figure(part: Part, default: str) -> Any:
    """Who it is and what is added to it: a generator of fields that gives the profile."""
    chosen = yield Field(part, said(part), "figure", part, default, picks(), "models/factions")
    if not isinstance(chosen, str):
        return inline(part, chosen)
    more = tuple(Pick(id, one.title) for id, one in things().items() if id != BARE_HANDS.id)
    adds = yield Field(f"{part}-adds", said("adds"), "several", part, [], more, "army/options")
    one = cards().get(chosen) or trooper(chosen)
    return trooper(one.basic.id, (*one.additions, *adds), expert=one.expert).profile


def inline(part: Part, plain: Any) -> Profile:
    """As scenario files have a profile. Raises InquiryError."""
    try:
        if not isinstance(plain, dict):
            raise TypeError("one profile is a table of keys and values")
        return staging.profile(plain)
    except (FileError, msgspec.ValidationError, TypeError, ValueError, KeyError) as error:
        raise misfit(part, error) from None


def bodyguards() -> tuple[str, ...]:
    """The profiles that may take a hit for another."""
    return tuple(id for id, one in profiles().items() if one.has("bodyguard"))
