"""Army rosters as they come from their files (muster/sequence)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.files import ForceFiles, refuse_unknown, unknown
from campale.mechanics.armies.rows import Count, Name, Title, Word
from campale.mechanics.armies.units import Bought, BoughtUnit, unknown_names
from campale.referee.reading import Written
from campale.referee.rule import rule
from campale.rulesets.w10.armies.datasheets import (
    HERE,
    SHEETS,
    OwnSheets,
    SheetRow,
    Sheets,
    group_profiles,
    sheets_named,
    with_own,
)
from campale.rulesets.w10.armies.profile import Profile


class RosterRow(BoughtUnit, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``weapons``: how many models have which optional weapon; ``warlord``: its model is the WARLORD."""

    weapons: dict[Word, Count] = msgspec.field(default_factory=dict)
    warlord: bool = False


class RosterFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``sheets``: the datasheets that come with the book, by name; ``own``: those that the roster brings along."""

    ruleset: Literal["w10"]
    name: Title
    sheets: Name = ""
    own: OwnSheets = OwnSheets()
    faction: Word
    points: Annotated[int, msgspec.Meta(ge=1, le=20_000)]
    units: Annotated[tuple[RosterRow, ...], msgspec.Meta(min_length=1, max_length=60)]


class UnitSpec(msgspec.Struct, frozen=True):
    """A unit as it goes to battle."""

    row: RosterRow
    sheet: SheetRow
    title: dict[str, str]
    profiles: tuple[Profile, ...]
    points: int


class Roster(msgspec.Struct, frozen=True):
    """``points`` is the size of battle it was mustered for, ``cost`` what it is worth."""

    id: str
    title: dict[str, str]
    sheets: Sheets
    faction: str
    points: int
    units: tuple[UnitSpec, ...]

    @property
    @rule("t/points-total")
    def cost(self) -> int:
        return sum(one.points for one in self.units)


@rule("datasheet/wargear-options")
def armed(basic: Profile, sheet: SheetRow, option: str) -> Profile:
    """The profile with an optional weapon in place of the one that it replaces; without an option as it is."""
    if not option:
        return basic
    bought = sheet.options[option]
    weapons = tuple(bought.weapon.weapon if one.id == bought.replaces else one for one in basic.weapons)
    return replace(basic, weapons=weapons)


@rule("muster/select-units")
def unit_spec(row: RosterRow, sheets: Sheets) -> UnitSpec:
    """The models in the order of the roster: those with optional weapons stand last."""
    sheet, basic = sheets.units[row.unit], sheets.profiles[row.unit]
    count = size_of(row, sheet)
    points = sheet.sizes.get(count, max(sheet.sizes.values()))
    each = replace(basic, points=round(points / count))
    if row.warlord:
        each = replace(each, keywords=(*each.keywords, "warlord"))
    return UnitSpec(row, sheet, (row.name or sheet.title).in_both, models_of(row, sheet, each, count), points)


def size_of(row: RosterRow, sheet: SheetRow) -> int:
    """How many models a unit has; the groups of its datasheet say so, where there are any."""
    return sum(one.count for one in sheet.groups) or row.size or min(sheet.sizes)


@rule("datasheet/wargear-options")
def models_of(row: RosterRow, sheet: SheetRow, each: Profile, count: int) -> tuple[Profile, ...]:
    if sheet.groups:
        return group_profiles(each, sheet)
    options = [option for option, many in row.weapons.items() for _ in range(many)][:count]
    names = ["" for _ in range(count - len(options))] + options
    return tuple(armed(each, sheet, one) for one in names)


def bought_weapons(row: RosterRow, sheets: Sheets) -> Bought:
    return Bought("weapons", row.weapons, tuple(sheets.units[row.unit].options))


def built(file: RosterFile, written: Written, name: str) -> Roster:
    sheets = sheets_of(file, written)
    refuse_unknown(unknown_names(file.units, written, sheets.units, lambda row: bought_weapons(row, sheets)))
    units = tuple(unit_spec(row, sheets) for row in file.units)
    return Roster(name, file.name.in_both, sheets, file.faction, file.points, units)


def sheets_of(file: RosterFile, written: Written) -> Sheets:
    """The datasheets that a roster may use."""
    if file.sheets not in SHEETS.names() and (file.sheets or not file.own.units):
        refuse_unknown([unknown(written.where(("sheets",)), "not-known", file.sheets, SHEETS.names())])
    known = sheets_named(file.sheets) if file.sheets else None
    return with_own(known, file.own, file.name.in_both) if file.own.units or known is None else known


FORCES = ForceFiles(HERE / "forces", RosterFile, built)
