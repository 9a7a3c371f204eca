"""Attacker and target of a query: a model of a shipped force, a profile of the lists, or one written inline."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from campale.mechanics.queries.fields import Fields
from campale.mechanics.queries.profiles import picks_of, read_inline
from campale.referee.odds_queries import Part, Pick, Title
from campale.rulesets.ragnarok.armies import staging
from campale.rulesets.ragnarok.armies.arsenal import FACTIONS, HERE, army_list, equipment, profiles, weapons
from campale.rulesets.ragnarok.armies.forces import FORCES, Trooper, trooper
from campale.rulesets.ragnarok.armies.profile import BARE_HANDS, Equipment, Profile, Weapon

FIELDS = Fields(HERE)


@lru_cache(maxsize=1)
def cards() -> dict[str, Trooper]:
    """Return the models of the shipped forces, like ones once, by ``force:profile`` and their additions."""
    found: dict[str, Trooper] = {}
    for name in FORCES.names():
        for one in FORCES.named(name).units:
            field = (one.expert,) if one.expert else ()
            found.setdefault(f"{name}:{'.'.join((one.basic.id, *one.additions, *field))}", one)
    return found


@lru_cache(maxsize=1)
def picks() -> tuple[Pick, ...]:
    """Return models under the titles of their forces, then profiles under those of their lists."""
    of_forces = [(key, title_of(one), FORCES.named(key.split(":")[0]).title) for key, one in cards().items()]
    return picks_of(of_forces, map(army_list, FACTIONS))


def things() -> dict[str, Weapon | Equipment]:
    """Return everything that can be added to a model."""
    return {**weapons(), **equipment()}


def title_of(one: Trooper) -> Title:
    """Return the title of a model's profile, with its additions."""
    more = [things()[id].title for id in one.additions]
    return {
        tongue: ", ".join((one.name or said, *(title[tongue] for title in more)))
        for tongue, said in one.profile.title.items()
    }


def model_of(part: Part, default: str) -> Any:
    """Ask for a model and its additions: a generator of fields that returns the profile."""
    chosen = yield FIELDS.figure(part, default, picks(), "models/factions")
    if not isinstance(chosen, str):
        return read_inline(part, chosen, inline)
    more = tuple(Pick(id, one.title) for id, one in things().items() if id != BARE_HANDS.id)
    adds = yield FIELDS.several(f"{part}-adds", part, more, "army/options", titled="adds")
    one = cards().get(chosen) or trooper(chosen)
    return trooper(one.basic.id, (*one.additions, *adds), expert=one.expert).profile


def inline(plain: Any) -> Profile:
    """Return a profile written as in scenario files."""
    if not isinstance(plain, dict):
        raise TypeError("one profile is a table of keys and values")
    return staging.profile(plain)


def bodyguards() -> tuple[str, ...]:
    """Return the profiles that may take a hit for another model."""
    return tuple(id for id, one in profiles().items() if one.has("bodyguard"))
