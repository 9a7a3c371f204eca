"""Attacker and target of a query: a model of a shipped force, a profile of the lists, or an inline profile."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from campale.mechanics.queries.fields import Asked, Fields
from campale.mechanics.queries.profiles import read_inline
from campale.referee.odds_queries import Part, Pick, Title
from campale.rulesets.wzr.armies import staging
from campale.rulesets.wzr.armies.forces import FORCES, SquadSpec
from campale.rulesets.wzr.armies.lists import HERE, LISTS, army_list, profiles
from campale.rulesets.wzr.armies.profile import Profile

FIELDS = Fields(HERE)


@lru_cache(maxsize=1)
def of_forces() -> dict[str, Profile]:
    """The models of the shipped forces; equal models of a squad appear once."""
    found: dict[str, Profile] = {}
    for name in FORCES.names():
        for squad in FORCES.named(name).units:
            for key, one in members_of(squad):
                found.setdefault(f"{name}:{key}", one)
    return found


def members_of(squad: SquadSpec) -> Iterator[tuple[str, Profile]]:
    """Models with their names: the squad, plus ``/commander``, or plus ``/`` and the weapon that differs."""
    called, plain = squad.row.called, squad.profiles[min(1, len(squad.profiles) - 1)]
    yield called, plain
    for one in squad.profiles:
        if one.is_commander:
            yield f"{called}/commander", one
        elif one.weapons[:1] != plain.weapons[:1]:
            yield f"{called}/{one.weapons[0].id}", one


@lru_cache(maxsize=1)
def picks() -> tuple[Pick, ...]:
    """The picks: models under the titles of their forces, then profiles under the titles of their lists."""
    shipped = [Pick(key, title_of(key, one), FORCES.named(key.split(":")[0]).title) for key, one in of_forces().items()]
    titles = {id: army.title for army in map(army_list, LISTS.names()) for id in army.profiles}
    listed = [Pick(key, one.title, titles[key.split("/")[0]]) for key, one in profiles().items()]
    return (*shipped, *listed)


def title_of(key: str, one: Profile) -> Title:
    """The profile's title, plus the weapon that differs from the rest of the squad."""
    _, is_other, what = key.partition("/")
    if not is_other or what == "commander":
        return one.title
    weapon = one.weapons[0].title.in_both
    return {language: f"{said}, {weapon[language]}" for language, said in one.title.items()}


def model_of(part: Part, default: str) -> Asked:
    """Ask for a model; a generator of fields that returns the profile."""
    chosen = yield FIELDS.figure(part, default, picks(), "core/model-categories")
    if not isinstance(chosen, str):
        return read_inline(part, chosen, inline)
    return of_forces().get(chosen) or profiles()[chosen]


def inline(plain: Any) -> Profile:
    """A profile written as in scenario files. Raises TypeError if it is not a table."""
    if not isinstance(plain, dict):
        raise TypeError("one profile is a table of keys and values")
    return staging.profile(plain)
