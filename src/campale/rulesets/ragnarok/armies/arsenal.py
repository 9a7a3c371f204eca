"""The starter arsenal and the two army lists, read once from their YAML files."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import get_args

import msgspec

from campale.mechanics.armies.rows import Title, looked_up, made_from
from campale.referee.reading import FileError, meant, read_file
from campale.referee.rule import rule
from campale.rulesets.ragnarok.armies.profile import (
    BARE_HANDS,
    Ability,
    Equipment,
    ExpertField,
    ModelType,
    Profile,
    Rule,
    SpecialRule,
    Weapon,
    WeaponKind,
    WeaponRule,
)

HERE = Path(__file__).parents[1]
FACTIONS = ("crucible_league", "barrow_host")


class WeaponRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: Title
    kind: WeaponKind
    pistol: bool = False
    range: float = 0.0
    rate: int = 0
    weight: float
    rules: tuple[str, ...] = ()
    cost: int | None = None
    source: str


class EquipmentRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: Title
    weight: float
    shield_save: int | None = None
    effect: str
    reserved_for: tuple[SpecialRule, ...] = ()
    cost: int | None = None
    source: str


class ArsenalFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rules: tuple[str, ...]
    weapons: dict[str, WeaponRow]
    equipment: dict[str, EquipmentRow]


class ProfileRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: Title
    is_hq: bool
    type: ModelType
    movement: float
    shooting_skill: int | None
    melee_skill: int
    constitution: int
    senses: int
    wounds: int
    attacks: int
    psyche: int
    charisma: int
    command_bonus: int = 0
    armour_save: int | None
    points: int
    special_rules: tuple[str, ...] = ()
    expert: ExpertField = ""
    abilities: tuple[Ability, ...] = ()
    weapons: tuple[str, ...] = ()
    equipment: tuple[str, ...] = ()
    source: str


class ArmyListFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    faction: str
    title: Title
    rules: tuple[str, ...]
    profiles: dict[str, ProfileRow]


class ArmyList(msgspec.Struct, frozen=True):
    """A faction and the profiles it may field, in the order of its list."""

    id: str
    title: dict[str, str]
    profiles: dict[str, Profile]

    def of_type(self, type: ModelType) -> tuple[Profile, ...]:
        return tuple(one for one in self.profiles.values() if one.type == type)


def keyword(written: str, known: tuple[str, ...], where: str) -> Rule:
    """Parse ``piercing 2`` as a rule with its number."""
    name, _, number = written.partition(" ")
    if name not in known or (number and not number.isdecimal()):
        raise FileError(f"{where}: {written!r} is not a rule with its number. {meant(name, known)}")
    return Rule(name, int(number or 0))


@rule("weapon-profile/fields")
def weapon_from(id: str, row: WeaponRow) -> Weapon:
    return made_from(row, Weapon, id=id, rules=tuple(keyword(one, get_args(WeaponRule), id) for one in row.rules))


@rule("equipment-profile/fields")
def equipment_from(id: str, row: EquipmentRow) -> Equipment:
    return made_from(row, Equipment, id=id)


@rule("profile/characteristics")
def profile_from(id: str, faction: str, row: ProfileRow) -> Profile:
    """Return a profile from its row, with keywords and equipment looked up."""
    return made_from(
        row,
        Profile,
        id=id,
        faction=faction,
        special_rules=tuple(keyword(one, get_args(SpecialRule), id) for one in row.special_rules),
        weapons=tuple(weapon_named(one) for one in row.weapons),
        equipment=tuple(equipment_named(one) for one in row.equipment),
    )


@lru_cache(maxsize=1)
def _arsenal() -> ArsenalFile:
    return read_file(HERE / "arsenal.yaml", ArsenalFile, HERE / "arsenal.schema.json")[0]


@lru_cache(maxsize=1)
@rule("arsenal/weapons")
def weapons() -> dict[str, Weapon]:
    """Return every weapon by its id, bare hands included."""
    sold = {id: weapon_from(id, row) for id, row in _arsenal().weapons.items()}
    return {**sold, BARE_HANDS.id: BARE_HANDS}


@lru_cache(maxsize=1)
@rule("arsenal/equipment")
def equipment() -> dict[str, Equipment]:
    return {id: equipment_from(id, row) for id, row in _arsenal().equipment.items()}


def weapon_named(id: str) -> Weapon:
    return looked_up(id, weapons(), f"There is no weapon {id[:60]!r}.")


def equipment_named(id: str) -> Equipment:
    return looked_up(id, equipment(), f"There is no equipment {id[:60]!r}.")


@lru_cache(maxsize=8)
@rule("models/factions", "models/crucible-league", "models/barrow-host")
def army_list(name: str) -> ArmyList:
    """Return the list of a faction, by the faction's id."""
    if name not in FACTIONS:
        raise FileError(f"There is no army list {name[:60]!r}. {meant(name, FACTIONS)}")
    schema = HERE / "lists" / "army-list.schema.json"
    read, _ = read_file(HERE / "lists" / f"{name}.yaml", ArmyListFile, schema)
    profiles = {id: profile_from(id, name, row) for id, row in read.profiles.items()}
    return ArmyList(name, read.title.in_both, profiles)


@lru_cache(maxsize=1)
def profiles() -> dict[str, Profile]:
    """Return every profile of every list, by id."""
    return {id: one for name in FACTIONS for id, one in army_list(name).profiles.items()}


def profile_named(id: str) -> Profile:
    return looked_up(id, profiles(), f"There is no profile {id[:60]!r}.")
