"""Army lists: profiles, the units made of them, and the options of a unit. Read from YAML."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.rows import Count, Title, Word, Words
from campale.mechanics.named_files import NamedFiles
from campale.referee.reading import FileError
from campale.referee.rule import rule
from campale.rulesets.e55.armies.arsenal import (
    HERE,
    Arsenal,
    ProfileRow,
    arsenal,
    known,
    profile_from,
)
from campale.rulesets.e55.armies.points import points_of
from campale.rulesets.e55.armies.profile import Mount, Profile

SAMPLES = "samples"


class OptionRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Equipment that models of a unit may be given, or the profile that they may be turned ``into``.

    ``of``: which of its profiles may have it (default: the unit's own). The number of models: ``most``, one ``per`` so
    many models, or ``all`` of them together.
    """

    title: Title
    of: Word | None = None
    into: Word | None = None
    gives: Words = ()
    takes: Words = ()
    most: Count | None = None
    per: Count | None = None
    all: bool = False

    def limit(self, size: int) -> int:
        """Return how many models of a unit of that size may have the option."""
        if self.all:
            return size
        return self.most if self.most is not None else size // (self.per or 1)


class AlsoRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    profile: Word
    count: Count = 1


class UnitRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit: a number of models of a profile, and others that always come with them."""

    title: Title
    profile: Word
    least: Count = 1
    most: Count = 1
    also: Annotated[tuple[AlsoRow, ...], msgspec.Meta(max_length=10)] = ()
    keywords: Words = ()
    options: dict[Word, OptionRow] = {}


class ListFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    list: Word
    title: Title
    rules: tuple[str, ...]
    profiles: dict[str, ProfileRow]
    units: dict[str, UnitRow]


LISTS = NamedFiles(HERE / "lists", ListFile, "army-list.schema.json", "no-army-list")


class ArmyList(msgspec.Struct, frozen=True):
    """What an army may field: profiles and units by id, and the arsenal that arms them."""

    id: str
    title: dict[str, str]
    profiles: Mapping[str, Profile]
    units: Mapping[str, UnitRow]
    arsenal: Arsenal


@lru_cache(maxsize=8)
@rule("10/armies", "9/sample-units")
def army_list(name: str) -> ArmyList:
    read = LISTS.named(name)
    return extended(ArmyList(name, read.title.in_both, {}, {}, arsenal()), read.profiles, read.units)


def extended(of: ArmyList, profiles: Mapping[str, ProfileRow], units: Mapping[str, UnitRow]) -> ArmyList:
    """Return the list with further profiles and units, which replace those of the same id."""
    made = {id: profile_from(id, row, of.arsenal) for id, row in profiles.items()}
    more = replace(of, profiles={**of.profiles, **made}, units={**of.units, **units})
    for id, row in units.items():
        check_unit(id, row, more)
    return more


def check_unit(id: str, row: UnitRow, of: ArmyList) -> None:
    """Raise FileError for a unit that names something unknown, or whose 'most' is less than its 'least'."""
    named = [row.profile, *(one.profile for one in row.also)]
    named += [word for option in row.options.values() for word in (option.of, option.into) if word is not None]
    for word in named:
        known(word, of.profiles, id)
    for name, option in row.options.items():
        for thing in (*option.gives, *option.takes):
            known(thing, of.arsenal.weapons, f"{id}, {name}")
    if row.most < row.least:
        raise FileError(f"{id}: 'most' ({row.most}) is less than 'least' ({row.least}). Change one of them.")


@lru_cache(maxsize=1)
def profiles() -> dict[str, Profile]:
    """Return every profile of every list, by id."""
    return {id: one for name in LISTS.names() for id, one in army_list(name).profiles.items()}


@lru_cache(maxsize=4096)
def rearmed(basic: Profile, given: tuple[Mount, ...], taken: tuple[str, ...]) -> Profile:
    """Return the profile with weapons exchanged, and its points.

    The first weapon given takes the mount of the first taken.
    """
    left, seat = list(basic.mounts), None
    for id in taken:
        at = next(k for k, mount in enumerate(left) if mount.weapon.id == id)
        seat = seat or left[at]
        del left[at]
    new = list(given)
    if seat is not None and new:
        new[0] = replace(seat, weapon=new[0].weapon)
    made = replace(basic, mounts=(*new, *left))
    return replace(made, points=basic.points + points_of(made) - points_of(basic))


def has_all(profile: Profile, things: tuple[str, ...]) -> bool:
    """Return whether a profile carries all these weapons, as many of each id as given."""
    carried = [mount.weapon.id for mount in profile.mounts]
    return all(carried.count(one) >= things.count(one) for one in things)
