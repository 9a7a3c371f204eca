"""The arsenal and the army lists as written in YAML, and the profiles built from them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.rows import Count, Points, Save, Title, Word, Words, looked_up, made_from
from campale.mechanics.named_files import NamedFiles
from campale.referee.reading import read_file
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.profile import (
    Armour,
    Characteristic,
    Equipment,
    Gear,
    Kind,
    Mount,
    Mounting,
    Profile,
    Role,
    Weapon,
)

HERE = Path(__file__).parents[1]


class ArsenalFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[str, ...]
    weapons: dict[str, Weapon]


class MountRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    weapon: Word
    side: Mounting = "turret"
    is_main: bool = False


class Stats(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The characteristics. ``bare_t`` is the Toughness against instant death, if it differs."""

    ws: Characteristic = 0
    bs: Characteristic = 0
    s: Characteristic = 0
    t: Characteristic = 0
    bare_t: Characteristic | None = None
    w: Characteristic = 1
    i: Characteristic = 0
    a: Characteristic = 0
    ld: Characteristic = 0
    save: Save = None
    front: Armour = 0
    side: Armour = 0
    rear: Armour = 0


class UnitRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of unit: models of one profile, their number within ``size``.

    ``heavy``: heavy weapons, of which it may have one for every five models; ``tenth``: weapons for one in ten.
    """

    title: Title
    kind: Kind
    gear: Gear = ""
    role: Role = "unit"
    stats: Stats
    invulnerable: Save = None
    is_heavy: bool = False
    is_fearless: bool = False
    is_open_topped: bool = False
    capacity: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    points: Points
    weapons: Annotated[tuple[Word | MountRow, ...], msgspec.Meta(max_length=8)] = ()
    equipment: tuple[Equipment, ...] = ()
    size: tuple[Count, Count] = (1, 1)
    heavy: Words = ()
    tenth: Words = ()

    @property
    @rule("hierarchy/special-models")
    def is_special(self) -> bool:
        """Whether it is a single model with its own profile, which may be attached to a unit."""
        return self.role != "unit" and self.size[1] == 1


class ListFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    list: Word
    title: Title
    radius: Annotated[float, msgspec.Meta(gt=0, le=48)]
    rules: tuple[str, ...]
    units: dict[str, UnitRow]
    grenades: bool = True
    group_size: tuple[Count, Count] = (2, 4)


class ArmyList(msgspec.Struct, frozen=True):
    """What one army may field, by id. ``radius`` is the command radius of its leaders, in inches."""

    id: str
    title: dict[str, str]
    radius: float
    grenades: bool
    group_size: tuple[int, int]
    units: Mapping[str, UnitRow]
    profiles: Mapping[str, Profile]


LISTS = NamedFiles(HERE / "lists", ListFile, None, "no-army-list")


@lru_cache(maxsize=1)
@rule("base-weapons/small-arms-table", "base-weapons/heavy-table", "base-weapons/close-combat")
def weapons() -> dict[str, Weapon]:
    """Every weapon by id."""
    file, _ = read_file(HERE / "arsenal.yaml", ArsenalFile)
    return {id: replace(one, id=id) for id, one in file.weapons.items()}


def mount_from(row: str | MountRow, where: str) -> Mount:
    one = MountRow(row) if isinstance(row, str) else row
    weapon = looked_up(one.weapon, weapons(), f"{where}: there is no weapon {one.weapon[:60]!r}.")
    return Mount(weapon, one.side, one.is_main)


@rule("base-profile/characteristics", "armies/list-format")
def profile_from(id: str, army: str, row: UnitRow) -> Profile:
    """A profile built from a row. Fields of the row and of its statistics have the same names in the profile."""
    stats = msgspec.structs.asdict(row.stats)
    stats["bare_t"] = row.stats.t if row.stats.bare_t is None else row.stats.bare_t
    mounts = tuple(mount_from(one, id) for one in row.weapons)
    return made_from(row, Profile, id=id, army=army, mounts=mounts, **stats)


@lru_cache(maxsize=8)
@rule("hierarchy/army-lists", "hierarchy/command-radius-table", "hierarchy/radius-other-armies")
def army_list(name: str) -> ArmyList:
    """The army list with this name. Raises FileError."""
    file = LISTS.named(name)
    profiles = {id: profile_from(id, name, row) for id, row in file.units.items()}
    return ArmyList(name, file.title.in_both, file.radius, file.grenades, file.group_size, file.units, profiles)


def is_special(profile: Profile) -> bool:
    """Whether a model with this profile is a special one, by its list."""
    return profile.army in LISTS.names() and army_list(profile.army).units[profile.id].is_special


@lru_cache(maxsize=1)
def profiles() -> dict[str, Profile]:
    """Every profile by ``list/unit``."""
    return {f"{name}/{id}": one for name in LISTS.names() for id, one in army_list(name).profiles.items()}
