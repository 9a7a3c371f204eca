"""The arsenal and the army lists as written in YAML, and the profiles built from them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import asdict, replace

from campale.mechanics.armies.rows import Count, Points, Title, Word, Words, looked_up, made_from
from campale.mechanics.named_files import NamedFiles
from campale.referee.reading import read_file
from campale.referee.rule import rule
from campale.rulesets.wzr.armies.profile import (
    Base,
    Blade,
    Damage,
    Distance,
    Number,
    Power,
    Profile,
    Slot,
    Vehicle,
    WarlordType,
    Weapon,
)

HERE = Path(__file__).parents[1]
VEHICLES = "vehicles"
"""The list that every faction may take from."""
DARK_LEGION, BROTHERHOOD = "dark-legion", "brotherhood"


class ArsenalFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[str, ...]
    weapons: dict[str, Weapon]
    blades: dict[str, Blade]
    powers: dict[str, Power]


class Stats(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    m: Number = 5
    cc: Number = 0
    rs: Number = 0
    st: Number = 0
    con: Number = 0
    wp: Number = 0
    ld: Number = 0
    w: Number = 1
    a: Number = 0
    impenetrable: Number = 0


class CommanderRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Squad Commander whose profile differs: what he costs more, what he has more, what changes."""

    title: Title
    points: Points = 0
    stats: dict[Word, Number] = {}
    abilities: Words = ()


class Swap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon instead of the first one, for one model, or for one in every ``per`` models."""

    points: Points
    per: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0


class Extra(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a whole squad buys for so many points a model: an ability, or one more weapon."""

    points: Points
    weapon: bool = False


class UnitRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of squad: ``size`` models, the first its Commander. ``model``: the name of a single model."""

    title: Title
    model: Title | None = None
    slot: Slot
    warlord: WarlordType = ""
    points: Points
    size: tuple[Count, Count] = (1, 1)
    base: Base = "small"
    hull: tuple[Distance, Distance] | None = None
    tall: Distance | None = None
    stats: Stats
    against: dict[Damage, int] = {}
    abilities: Words = ()
    weapons: Words = ()
    blades: Words = ()
    vehicle: Vehicle | None = None
    commander: CommanderRow | None = None
    swaps: dict[Word, Swap] = {}
    extras: dict[Word, Extra] = {}


class ListFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    list: Word
    title: Title
    rules: tuple[str, ...]
    units: dict[str, UnitRow]
    powers: dict[Word, Points] = {}


class ArmyList(msgspec.Struct, frozen=True):
    """An army list: what one faction fields, by id. ``powers``: the cost of each power its psychics may buy."""

    id: str
    title: dict[str, str]
    units: Mapping[str, UnitRow]
    profiles: Mapping[str, Profile]
    powers: Mapping[str, int]


LISTS = NamedFiles(HERE / "lists", ListFile, None, "no-army-list")


def factions() -> tuple[str, ...]:
    """The lists that an army can be built from."""
    return tuple(name for name in LISTS.names() if name != VEHICLES)


# ---------------------------------------------------------------- the arsenal


@lru_cache(maxsize=1)
def arsenal() -> ArsenalFile:
    return read_file(HERE / "arsenal.yaml", ArsenalFile)[0]


@lru_cache(maxsize=1)
@rule("core/weapon-profile", "starter-forces/weapons", "armoury/enforcer", "armoury/car24", "armoury/transfuser")
def weapons() -> dict[str, Weapon]:
    """Every ranged weapon by id."""
    return {id: replace(one, id=id) for id, one in arsenal().weapons.items()}


@lru_cache(maxsize=1)
@rule("core/melee-weapon-profile", "starter-forces/weapons")
def blades() -> dict[str, Blade]:
    return {id: replace(one, id=id) for id, one in arsenal().blades.items()}


@lru_cache(maxsize=1)
@rule("psychic/example-demnogonis-blast", "psychic/example-muawijhe-fury", "psychic/example-demnogonis-decay")
def powers() -> dict[str, Power]:
    return {id: replace(one, id=id) for id, one in arsenal().powers.items()}


def weapon_named(id: str) -> Weapon:
    return looked_up(id, weapons(), f"There is no weapon {id[:60]!r}.")


def blade_named(id: str) -> Blade:
    return looked_up(id, blades(), f"There is no melee weapon {id[:60]!r}.")


def power_named(id: str) -> Power:
    return looked_up(id, powers(), f"There is no power {id[:60]!r}.")


# ---------------------------------------------------------------- profiles


@rule("core/profile", "vehicles/profile-stats")
def profile_from(id: str, faction: str, row: UnitRow) -> Profile:
    """A profile built from a row. Fields of the row and of its statistics have the same names in the profile."""
    return made_from(
        row,
        Profile,
        id=id,
        title=(row.model or row.title).in_both,
        faction="" if faction == VEHICLES else faction,
        abilities=abilities_of(row),
        weapons=tuple(weapon_named(one) for one in row.weapons),
        blades=tuple(blade_named(one) for one in row.blades),
        **asdict(row.stats),
    )


@rule("abilities/doomtrooper-warlord")
def abilities_of(row: UnitRow) -> tuple[str, ...]:
    """The row's abilities. A Warlord is not a Doomtrooper."""
    return tuple(one for one in row.abilities if row.slot != "warlord" or one != "doomtrooper")


def commander_from(basic: Profile, row: UnitRow) -> Profile:
    """The profile of the Squad Commander."""
    own = row.commander
    if own is None:
        return replace(basic, is_commander=True)
    return replace(
        basic,
        title=own.title.in_both,
        points=basic.points + own.points,
        abilities=(*basic.abilities, *own.abilities),
        is_commander=True,
        **own.stats,
    )


@lru_cache(maxsize=8)
def army_list(name: str) -> ArmyList:
    """The army list with this name. Raises FileError."""
    file = LISTS.named(name)
    profiles = {id: profile_from(id, name, row) for id, row in file.units.items()}
    return ArmyList(name, file.title.in_both, file.units, profiles, file.powers)


@lru_cache(maxsize=1)
def units() -> dict[str, UnitRow]:
    """The rows of every list by id."""
    return {id: row for name in LISTS.names() for id, row in army_list(name).units.items()}


@lru_cache(maxsize=1)
def profiles() -> dict[str, Profile]:
    """Every profile by id. A Squad Commander's id is ``unit/commander``."""
    found = {id: one for name in LISTS.names() for id, one in army_list(name).profiles.items()}
    own = {f"{id}/commander": commander_from(found[id], row) for id, row in units().items() if row.commander}
    return {**found, **own}


def known_powers(name: str) -> Mapping[str, int]:
    """The cost of each power that the army's psychics may buy."""
    return army_list(name).powers
