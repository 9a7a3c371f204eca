"""The datasheets that come with the book, as they are written in YAML, and the profiles made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.rows import Count, Points, Save, Title, Word, Words, made_from
from campale.mechanics.named_files import NamedFiles
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.vocabulary import Ability, check_lent
from campale.rulesets.w10.armies.profile import Line, Number, Profile, Skill, Weapon

HERE = Path(__file__).parents[1]


class WeaponRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon with one profile in its own row, or with several ``lines``."""

    id: Word
    title: Title
    lines: Annotated[tuple[Line, ...], msgspec.Meta(max_length=4)] = ()
    range: Annotated[float, msgspec.Meta(gt=0, le=120)] | None = None
    a: str = ""
    skill: Skill = None
    s: Number = 0
    ap: Annotated[int, msgspec.Meta(ge=-6, le=0)] = 0
    d: str = "1"
    abilities: Words = ()

    @property
    @rule("datasheet/several-profiles", "datasheet/weapon-profile")
    def weapon(self) -> Weapon:
        alone = () if self.lines else (made_from(self, Line, name=None),)
        return Weapon(self.id, self.title.in_both, self.lines or alone)


class OptionRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``weapon`` replaces ``replaces`` for one model in every ``per``; ``all``: for all models or none."""

    replaces: Word
    per: Count
    weapon: WeaponRow
    all: bool = False


class ChampionRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first model of a unit, if it differs from the rest: its title, Leadership and own abilities."""

    title: Title
    ld: Number | None = None
    rules: dict[Word, Ability] = {}


class Stats(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The characteristics in the order of the datasheet."""

    m: Annotated[int, msgspec.Meta(ge=1, le=60)] | None
    t: Number
    sv: Number
    w: Annotated[int, msgspec.Meta(ge=1, le=60)]
    ld: Number | None
    oc: Number


class GroupRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``count`` models of a unit whose models differ.

    ``weapons``: the weapons of the unit that they carry, a weapon named twice being carried twice. The other fields are
    characteristics, saves, keywords, abilities and a title of their own.
    """

    count: Count
    title: Title | None = None
    stats: Stats | None = None
    invulnerable: Save = None
    feel_no_pain: Save = None
    keywords: Words = ()
    abilities: Words = ()
    weapons: Annotated[tuple[Word, ...], msgspec.Meta(max_length=40)] = ()


class SheetRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A datasheet: the allowed numbers of models with their total cost, and the profile of a model.

    ``groups``: all models of a unit whose models are not alike.
    """

    title: Title
    costs: Annotated[tuple[tuple[Count, Points], ...], msgspec.Meta(min_length=1)] = msgspec.field(name="points")
    stats: Stats
    invulnerable: Save = None
    feel_no_pain: Save = None
    keywords: Words = ()
    abilities: Words = ()
    rules: Annotated[dict[Word, Ability], msgspec.Meta(max_length=24)] = {}
    leads: Words = ()
    beside: Words = ()
    capacity: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    carries: Words = ()
    rooms: tuple[tuple[Count, Words], ...] = ()
    champion: ChampionRow | None = None
    wargear: dict[Word, Ability] = {}
    base: Annotated[int, msgspec.Meta(ge=20, le=200)] = 32
    hull: tuple[float, float] | None = None
    height: Annotated[float, msgspec.Meta(gt=0, le=12)]
    weapons: Annotated[tuple[WeaponRow, ...], msgspec.Meta(max_length=40)] = ()
    options: dict[Word, OptionRow] = {}
    groups: Annotated[tuple[GroupRow, ...], msgspec.Meta(max_length=20)] = ()

    def __post_init__(self) -> None:
        """Raises ValueError if the groups do not add up to a size of the unit, or carry weapons it does not have."""
        check_lent({**self.rules, **(self.champion.rules if self.champion else {})})
        count = sum(one.count for one in self.groups)
        if self.groups and count not in self.sizes:
            raise ValueError(f"the groups of {self.title.en!r} have {count} models; its points name {[*self.sizes]}")
        known = {one.id for one in self.weapons}
        if strange := [id for one in self.groups for id in one.weapons if id not in known]:
            raise ValueError(f"{self.title.en!r} has no weapon {strange[0]!r}")

    @property
    def sizes(self) -> dict[int, int]:
        """For each number of models, their total cost."""
        return dict(self.costs)

    @property
    @rule("keywords/has")
    def is_character(self) -> bool:
        return "character" in self.keywords


class EnhancementRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    points: Points
    ability: Ability


class DetachmentRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Detachment. ``keyword``: it is in force only if all its models have this keyword."""

    title: Title
    keyword: str = ""
    rules: dict[Word, Ability] = {}
    stratagems: dict[Word, Ability] = {}
    enhancements: dict[Word, EnhancementRow] = {}

    def __post_init__(self) -> None:
        check_lent({**self.rules, **self.stratagems})


class OwnSheets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Datasheets that a roster brings with it."""

    faction: Words = ()
    units: Annotated[dict[Word, SheetRow], msgspec.Meta(max_length=60)] = {}


class SheetsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sheets: Word
    title: Title
    rules: tuple[str, ...]
    faction: Words
    units: dict[str, SheetRow]
    army_rules: dict[Word, Ability] = {}
    detachments: dict[Word, DetachmentRow] = {}

    def __post_init__(self) -> None:
        check_lent(self.army_rules)


class Sheets(msgspec.Struct, frozen=True):
    """The datasheets of one file by id, with a model profile for each, the army rule and the Detachments."""

    id: str
    title: dict[str, str]
    faction: tuple[str, ...]
    units: Mapping[str, SheetRow]
    profiles: Mapping[str, Profile]
    army_rules: Mapping[str, Ability] = {}
    detachments: Mapping[str, DetachmentRow] = {}


SHEETS = NamedFiles(HERE / "datasheets", SheetsFile, None, "no-army-list")


@rule("datasheet/model-profile", "training/use")
def profile_from(id: str, sheets: str, faction: tuple[str, ...], row: SheetRow) -> Profile:
    """The profile of a row; the row and its characteristics use the same field names as the profile."""
    stats = msgspec.structs.asdict(row.stats)
    weapons = tuple(one.weapon for one in row.weapons)
    return made_from(row, Profile, id=id, sheet=sheets, faction=faction, weapons=weapons, points=0, **stats)


@rule("datasheet/model-profile", "keywords/models-only")
def group_profiles(basic: Profile, row: SheetRow) -> tuple[Profile, ...]:
    """The models of a unit whose models differ; those of the first group keep the id of the datasheet."""
    found = []
    for k, group in enumerate(row.groups):
        stats = {} if group.stats is None else msgspec.structs.asdict(group.stats)
        weapons = tuple(one.weapon for id in group.weapons for one in row.weapons if one.id == id)
        own = replace(
            basic,
            id=f"{basic.id}.{k + 1}" if k else basic.id,
            title=(group.title or row.title).in_both,
            invulnerable=group.invulnerable or basic.invulnerable,
            feel_no_pain=group.feel_no_pain or basic.feel_no_pain,
            keywords=tuple(dict.fromkeys((*basic.keywords, *group.keywords))),
            abilities=tuple(dict.fromkeys((*basic.abilities, *group.abilities))),
            weapons=weapons,
            **stats,
        )
        found += [own] * group.count
    return tuple(found)


@lru_cache(maxsize=16)
def sheets_named(name: str) -> Sheets:
    """The datasheets of a file. Raises FileError."""
    file = SHEETS.named(name)
    profiles = profiles_of(file.units, name, file.faction)
    return Sheets(name, file.title.in_both, file.faction, file.units, profiles, file.army_rules, file.detachments)


def profiles_of(units: Mapping[str, SheetRow], sheets: str, faction: tuple[str, ...]) -> dict[str, Profile]:
    return {id: profile_from(id, sheets, faction, row) for id, row in units.items()}


def mixed(names: Sequence[str]) -> Sheets:
    """The datasheets of several files; the army rule and the Detachments are those of the first. Raises FileError."""
    first, *others = map(sheets_named, names)
    units, profiles = dict(first.units), dict(first.profiles)
    for one in others:
        units, profiles = {**one.units, **units}, {**one.profiles, **profiles}
    return replace(first, units=units, profiles=profiles)


def with_own(sheets: Sheets | None, own: OwnSheets, title: dict[str, str]) -> Sheets:
    """Datasheets of a file, or none, plus those of a roster, which replace others with the same id."""
    brought = profiles_of(own.units, sheets.id if sheets else "", own.faction)
    if sheets is None:
        return Sheets("", title, own.faction, own.units, brought)
    return replace(sheets, units={**sheets.units, **own.units}, profiles={**sheets.profiles, **brought})


@lru_cache(maxsize=1)
def profiles() -> dict[str, Profile]:
    """Every profile as ``sheets/unit``."""
    found = (sheets_named(name) for name in SHEETS.names())
    return {f"{one.id}/{id}": profile for one in found for id, profile in one.profiles.items()}


@lru_cache(maxsize=1)
def arsenal() -> dict[str, Weapon]:
    """Every weapon by id, of models and of options; if ids repeat, the last one counts."""
    sheets = [row for name in SHEETS.names() for row in sheets_named(name).units.values()]
    rows = [weapon for row in sheets for weapon in (*row.weapons, *(one.weapon for one in row.options.values()))]
    return {row.id: row.weapon for row in rows}
