"""Army rosters as read from their files (muster/sequence)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from campale.mechanics.armies.files import ForceFiles, refuse_unknown, unknown
from campale.mechanics.armies.force import BuiltForce, ForceHead
from campale.mechanics.armies.rows import Count, Name, Word, Words
from campale.mechanics.armies.units import Bought, BoughtUnit, unknown_names
from campale.referee.reading import Written
from campale.referee.rule import rule
from campale.referee.telling.spoken import Spoken
from campale.rulesets.w10.abilities.vocabulary import Ability
from campale.rulesets.w10.armies.datasheets import (
    HERE,
    SHEETS,
    DetachmentRow,
    EnhancementRow,
    OwnSheets,
    SheetRow,
    Sheets,
    group_profiles,
    mixed,
    with_own,
)
from campale.rulesets.w10.armies.profile import Profile


class RosterRow(BoughtUnit, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit of a roster.

    ``weapons``: the number of models with each optional weapon; ``warlord``: its model is the WARLORD;
    ``enhancement``: the Enhancement of the Detachment that its model has.
    """

    weapons: dict[Word, Count] = msgspec.field(default_factory=dict)
    warlord: bool = False
    enhancement: Name = ""


class RosterFile(ForceHead, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A roster file.

    ``sheets``: the name of a file of datasheets that comes with the book; ``mixed``: other such files from which it
    takes units; ``own``: datasheets that the roster brings with it. Army rule and Detachment come from ``sheets``.
    """

    ruleset: Literal["w10"]
    sheets: Name = ""
    mixed: Words = ()
    own: OwnSheets = OwnSheets()
    detachment: Name = ""
    faction: Word
    units: Annotated[tuple[RosterRow, ...], msgspec.Meta(min_length=1, max_length=60)]


class UnitSpec(msgspec.Struct, frozen=True):
    """A unit as it goes to battle."""

    row: RosterRow
    sheet: SheetRow
    title: dict[str, str]
    profiles: tuple[Profile, ...]
    points: int


class Roster(BuiltForce[UnitSpec], frozen=True):
    """A roster; ``points`` is the size of battle it was mustered for."""

    sheets: Sheets
    faction: str
    detachment: str = ""

    @property
    @rule("t/points-total")
    def cost(self) -> int:
        return sum(one.points for one in self.units)


@rule("datasheet/wargear-options")
def armed(basic: Profile, sheet: SheetRow, options: Sequence[str]) -> Profile:
    """The profile with optional weapons in place of those they replace; unchanged without options."""
    bought = {sheet.options[one].replaces: sheet.options[one].weapon.weapon for one in options}
    return replace(basic, weapons=tuple(bought.get(one.id, one) for one in basic.weapons)) if bought else basic


@rule("muster/select-units")
def unit_spec(row: RosterRow, sheets: Sheets, detachment: DetachmentRow | None = None) -> UnitSpec:
    """The unit of a roster row; models with optional weapons come last."""
    sheet, basic = sheets.units[row.unit], sheets.profiles[row.unit]
    count = size_of(row, sheet)
    points = sheet.sizes.get(count, max(sheet.sizes.values()))
    bought = enhancement_of(row, detachment)
    points += bought.points if bought is not None else 0
    each = replace(basic, points=round(points / count))
    if row.warlord:
        each = replace(each, keywords=(*each.keywords, "warlord"))
    if bought is not None:
        each = replace(each, rules={**each.rules, row.enhancement: bought.ability})
    models = with_banner(with_champion(models_of(row, sheet, each, count), sheet), sheet)
    return UnitSpec(row, sheet, (row.name or sheet.title).in_both, models, points)


def enhancement_of(row: RosterRow, detachment: DetachmentRow | None) -> EnhancementRow | None:
    return None if detachment is None else detachment.enhancements.get(row.enhancement)


def size_of(row: RosterRow, sheet: SheetRow) -> int:
    """The number of models in a unit; groups of the datasheet, where there are any, determine it."""
    return sum(one.count for one in sheet.groups) or row.size or min(sheet.sizes)


@rule("datasheet/wargear-options")
def models_of(row: RosterRow, sheet: SheetRow, each: Profile, count: int) -> tuple[Profile, ...]:
    if sheet.groups:
        return group_profiles(each, sheet)
    return tuple(armed(each, sheet, taken) for taken in shared_out(row, sheet, count))


@rule("datasheet/wargear-options")
def shared_out(row: RosterRow, sheet: SheetRow, count: int) -> list[list[str]]:
    """The options of each model: one each while there are models enough, otherwise one in place of each weapon."""
    taken = [option for option, many in row.weapons.items() for _ in range(many)]
    found: list[list[str]] = [[] for _ in range(count)]
    whole = len(taken) <= count
    for replaced in dict.fromkeys("" if whole else sheet.options[one].replaces for one in taken):
        some = [one for one in taken if whole or sheet.options[one].replaces == replaced]
        for own, option in zip(reversed(found), reversed(some), strict=False):
            own.append(option)
    return found


@rule("c/unit-champion")
def with_champion(profiles: tuple[Profile, ...], sheet: SheetRow) -> tuple[Profile, ...]:
    """The models, the first of them as champion if the datasheet has one."""
    champion = sheet.champion
    if champion is None:
        return profiles
    first = profiles[0]
    ld = first.ld if champion.ld is None else champion.ld
    rules = {**first.rules, **champion.rules}
    return (replace(first, title=champion.title.in_both, ld=ld, rules=rules, is_champion=True), *profiles[1:])


@rule("datasheet/wargear-ability")
def with_banner(profiles: tuple[Profile, ...], sheet: SheetRow) -> tuple[Profile, ...]:
    """The models, of which one has the wargear that gives abilities: the first after the champion."""
    if not sheet.wargear:
        return profiles
    place = min(1, len(profiles) - 1)
    bearer = replace(profiles[place], rules={**profiles[place].rules, **sheet.wargear})
    return (*profiles[:place], bearer, *profiles[place + 1 :])


def bought_weapons(row: RosterRow, sheets: Sheets) -> Bought:
    return Bought("weapons", row.weapons, tuple(sheets.units[row.unit].options))


def built(file: RosterFile, written: Written, name: str) -> Roster:
    sheets = sheets_of(file, written)
    refuse_unknown(unknown_detachments(file, written, sheets))
    detachment = sheets.detachments.get(file.detachment)
    refuse_unknown(unknown_names(file.units, written, sheets.units, lambda row: bought_weapons(row, sheets)))
    units = tuple(unit_spec(row, sheets, detachment) for row in file.units)
    roster = Roster(name, file.name.in_both, file.points, units, sheets, file.faction, file.detachment)
    return with_army_rules(roster)


def unknown_detachments(file: RosterFile, written: Written, sheets: Sheets) -> Iterator[Spoken]:
    """Faults for a Detachment that the datasheets lack, and for Enhancements that the Detachment lacks."""
    if file.detachment and file.detachment not in sheets.detachments:
        yield unknown(written.where(("detachment",)), "not-known", file.detachment, sheets.detachments)
        return
    detachment = sheets.detachments.get(file.detachment)
    known = () if detachment is None else tuple(detachment.enhancements)
    for k, row in enumerate(file.units):
        if row.enhancement and row.enhancement not in known:
            yield unknown(written.where(("units", k, "enhancement")), "not-known", row.enhancement, known)


# ---------------------------------------------------------------- army rule and Detachment


@rule("keywords/detachment")
def is_in_force(roster: Roster) -> bool:
    """True if the Detachment is in force: every model has its keyword, apart from models that do not count."""
    detachment = roster.sheets.detachments.get(roster.detachment)
    if detachment is None:
        return False
    profiles = (profile for one in roster.units for profile in one.profiles)
    return not detachment.keyword or all(p.has(detachment.keyword) or is_left_out(p) for p in profiles)


@rule("keywords/detachment")
def is_left_out(profile: Profile) -> bool:
    return any(effect.detachment == "ignored" for one in profile.rules.values() for effect in one.do)


@rule("muster/faction-detachment", "e/stratagem-labels")
def with_army_rules(roster: Roster) -> Roster:
    """The roster with the army rule given to every model, and the Detachment's rules if it is in force."""
    given = dict(roster.sheets.army_rules)
    detachment = roster.sheets.detachments.get(roster.detachment)
    if detachment is not None and is_in_force(roster):
        given |= {**detachment.rules, **detachment.stratagems}
    if not given:
        return roster
    units = tuple(replace(one, profiles=with_rules(roster, one, given)) for one in roster.units)
    return replace(roster, units=units)


@rule("l/battleline-if")
def with_rules(roster: Roster, unit: UnitSpec, given: Mapping[str, Ability]) -> tuple[Profile, ...]:
    """The models with these rules, and with the keyword BATTLELINE where a rule gives it to their datasheet."""
    is_line = any(is_made_battleline(roster, unit, one) for one in given.values())
    more = ("battleline",) if is_line and not unit.profiles[0].has("battleline") else ()
    return tuple(replace(one, rules={**one.rules, **given}, keywords=(*one.keywords, *more)) for one in unit.profiles)


@rule("l/battleline-if")
def is_made_battleline(roster: Roster, unit: UnitSpec, ability: Ability) -> bool:
    """True if an ability makes a unit BATTLELINE; the WARLORD counts while mustering, though chosen later."""
    wanted = ability.condition.warlord_is
    if wanted and not any(one.row.warlord and one.row.unit == wanted for one in roster.units):
        return False
    return any(unit.row.unit in (effect.battleline or ()) for effect in ability.do)


def sheets_of(file: RosterFile, written: Written) -> Sheets:
    """The datasheets that a roster may use."""
    if file.sheets not in SHEETS.names() and (file.sheets or not file.own.units):
        refuse_unknown([unknown(written.where(("sheets",)), "not-known", file.sheets, SHEETS.names())])
    for k, one in enumerate(file.mixed):
        if one not in SHEETS.names():
            refuse_unknown([unknown(written.where(("mixed", k)), "not-known", one, SHEETS.names())])
    known = mixed((file.sheets, *file.mixed)) if file.sheets else None
    return with_own(known, file.own, file.name.in_both) if file.own.units or known is None else known


FORCES = ForceFiles(HERE / "forces", RosterFile, built)
