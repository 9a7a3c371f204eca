"""Units of texts, which carry no profiles: looked up by name in the book's and the player's datasheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby, islice
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from campale.mechanics.answers import NONE
from campale.mechanics.lists.fates import Fates
from campale.mechanics.lists.matching import folded, found, guesses
from campale.mechanics.lists.record import MOST_MODELS, MOST_UNITS, ArmyListed, Entry, UnitListed
from campale.mechanics.lists.texts import CHOSEN, ENHANCEMENT
from campale.referee.rule import rule
from campale.rulesets.w10.armies.datasheets import SHEETS, SheetRow, sheets_named
from campale.rulesets.w10.lists.format import say
from campale.rulesets.w10.lists.groups import MOST_COPIES, is_melee, share_out
from campale.rulesets.w10.lists.sheets import MOST_GROUPS, Made, is_warlord
from campale.rulesets.w10.lists.values import tidy
from campale.rulesets.w10.lists.weapons import Plain

MOST_CHOICES = 200


class Known(NamedTuple):
    """A datasheet that a text may name: its title and its form in a force.

    ``leads``, ``beside``: the folded names of the units it may lead, and of Leaders it may join. ``file``, ``id``: its
    place in the book; "": it is the player's.
    """

    title: dict[str, str]
    plain: Plain
    leads: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    file: str = ""
    id: str = ""


class Source(NamedTuple):
    """Files of the book that contain all datasheets of a list.

    ``sheets``: the file that most are from, whose army rule and Detachment are in force; ``mixed``: the others.
    ``enhancements``: ids and points of the Detachment's Enhancements, by folded name.
    """

    sheets: str
    mixed: tuple[str, ...] = ()
    detachment: str = ""
    enhancements: Mapping[str, tuple[str, int]] = {}


Library = dict[str, Known]
"""Datasheets by folded name; those of the player take the place of the book's."""


def library(forces: Sequence[dict[str, Any]]) -> Library:
    """The known datasheets; units of forces that cannot be read are skipped, and those that no army can have."""
    own: Library = {}
    for force in forces:
        found = force.get("own", {}).get("units", {}) if isinstance(force.get("own"), dict) else {}
        units = dict(islice(found.items(), MOST_UNITS)) if isinstance(found, dict) else {}
        for plain in units.values():
            try:
                row = msgspec.convert(plain, SheetRow)
            except (msgspec.ValidationError, ValueError):
                continue
            own.setdefault(folded(row.title.en), Known(row.title.in_both, plain, *joining(row, units)))
    return {**shipped(), **own}


@lru_cache(maxsize=1)
def shipped() -> Library:
    """The datasheets of the book by English and Italian name, with the faction of their file."""
    by_name: Library = {}
    for name in SHEETS.names():
        sheets = sheets_named(name)
        for id, row in sheets.units.items():
            plain = msgspec.to_builtins(row, str_keys=True)
            plain["keywords"] = [*row.keywords, *sheets.faction]
            for title in row.title.in_both.values():
                known = {other: {"title": one.title.in_both} for other, one in sheets.units.items()}
                by_name.setdefault(folded(title), Known(row.title.in_both, plain, *joining(row, known), name, id))
    return by_name


def joining(row: SheetRow, units: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The folded names of the units that a datasheet may lead, and of the Leaders it may join."""
    names = {id: folded(str(one["title"]["en"])) for id, one in units.items() if is_titled(one)}
    leads, beside = ([names[id] for id in ids if id in names] for ids in (row.leads, row.beside))
    return tuple(leads), tuple(beside)


def is_titled(plain: Any) -> bool:
    return isinstance(plain, dict) and isinstance(plain.get("title"), dict) and "en" in plain["title"]


def units_of(listed: ArmyListed, fates: Fates, known: Library) -> tuple[list[Made], Source | None]:
    """The units of a text, and the book's files that they come from, if all are from the book."""
    sheets = [
        found(unit.name, known) or asked_for(unit, f"u{number}.sheet", fates, known)
        for number, unit in enumerate(listed.units)
    ]
    source = source_of([one for one in sheets if one is not None], listed.detachment)
    return [matched(unit, one, fates, source) for unit, one in zip(listed.units, sheets, strict=True)], source


@rule("muster/faction-detachment", "muster/enhancements")
def source_of(sheets: Sequence[Known], detachment: str) -> Source | None:
    """The files of a list, with the Detachment that it names, or the only one there is."""
    if not sheets or not all(one.file for one in sheets):
        return None
    main, *mixed = (name for name, _ in Counter(one.file for one in sheets).most_common())
    known = sheets_named(main).detachments
    named = {folded(title): id for id, row in known.items() for title in row.title.in_both.values()}
    chosen = named.get(folded(detachment)) or (next(iter(known)) if len(known) == 1 else "")
    bought = known[chosen].enhancements if chosen else {}
    enhancements = {
        folded(title): (id, row.points) for id, row in bought.items() for title in row.ability.title.in_both.values()
    }
    return Source(main, tuple(mixed), chosen, enhancements)


@rule("datasheet/model-profile", "muster/select-units")
def matched(unit: UnitListed, sheet: Known | None, fates: Fates, source: Source | None) -> Made:
    """The unit by its datasheet; an unknown unit is left out until the player identifies it."""
    if sheet is None:
        leave(unit, fates)
        return Made(unit, None)
    fates.played(unit.line)
    told = Told(unit, sheet.plain, fates, source.enhancements if source is not None else {})
    plain = {key: value for key, value in told.sheet().items() if key not in ("leads", "beside")}
    plain = with_price(unit, plain, told, fates, source is not None)
    return Made(unit, plain, sheet.leads, told.is_warlord, told.row(), sheet.beside, sheet.id)


@rule("t/points-total", "muster/enhancements")
def with_price(unit: UnitListed, plain: Plain, told: Told, fates: Fates, is_of_the_book: bool) -> Plain:
    """The datasheet with its price, checked against the list.

    Datasheets and Enhancements of the book cost what the book says; for other Enhancements the list gives the price.
    """
    price = next((points for size, points in plain["points"] if size == told.count), None)
    if price is None or price + told.enhancement_points == unit.points:
        return plain
    if told.is_enhanced and not is_of_the_book and unit.points > price:
        return {**plain, "points": [[told.count, unit.points]]}
    wanted = price + told.enhancement_points
    fates.check(False, say("points-of", name=tidy(unit.name), points=unit.points, wanted=wanted))
    return plain


def asked_for(unit: UnitListed, name: str, fates: Fates, known: Library) -> Known | None:
    near = guesses(unit.name, known)
    order = [*near, *(one for one in sorted(known) if one not in near)][:MOST_CHOICES]
    choices = [(one, known[one].title["en"]) for one in order]
    title = say("which-sheet", name=tidy(unit.name))
    chosen = fates.choose(name, unit.line, title, [*choices, (NONE, say("leave-out"))], is_needed=True)
    fates.mends[name] = replace(fates.mends[name], is_needed=not chosen)
    return known.get(chosen)


def leave(unit: UnitListed, fates: Fates) -> None:
    """Leave a unit out: its line says what to do, and the lines below it count as not understood."""
    fates.not_understood(unit.line, say("no-sheet", name=tidy(unit.name)))
    for one in (inner for entry in unit.entries for inner in entry.all()):
        fates.not_understood(one.line, say("with-its-unit"))


# ---------------------------------------------------------------- the lines of a unit in a text


class Told:
    """The lines below a unit in a text, compared with its datasheet."""

    def __init__(
        self, unit: UnitListed, plain: Plain, fates: Fates, enhancements: Mapping[str, tuple[str, int]]
    ) -> None:
        self.unit, self.plain, self.fates, self.enhancements = unit, plain, fates, enhancements
        self.enhancement, self.enhancement_points = "", 0
        self.weapons = by_title(plain.get("weapons", ()))
        self.options = {name: id for id, one in options_of(plain) for name in names_of(one["weapon"])}
        self.is_warlord = self.is_enhanced = False
        self.bought: dict[str, int] = {}
        self.models: list[tuple[str, int, list[tuple[str, int]]]] = []
        for entry in unit.entries:
            self.read(entry)

    def read(self, entry: Entry) -> None:
        """Read a line below the unit: models with their weapons, or something that the unit has."""
        if CHOSEN in entry.keywords:
            self.chosen(entry)
        elif entry.entries or not entry.name or self.is_model(entry):
            named = [one for inner in entry.entries for one in (inner.entries if not inner.name else (inner,))]
            carried = [one for inner in named for one in (inner.entries if CHOSEN in inner.keywords else (inner,))]
            self.fates.played(entry.line)
            found = [(id, one.count) for one in carried if (id := self.item(one)) is not None]
            self.models.append((entry.name, entry.count, found))
        else:
            self.item(entry)

    def chosen(self, entry: Entry) -> None:
        """Read an item followed by brackets: its whole name, its name alone, or each thing in the brackets is known."""
        whole = replace(entry, name=f"{entry.name} ({', '.join(one.name for one in entry.entries)})", keywords=())
        if found(whole.name, self.weapons) or found(whole.name, self.options):
            self.item(whole)
        elif found(entry.name, self.weapons) or found(entry.name, self.options):
            self.item(entry)
        else:
            for one in entry.entries:
                self.item(one)

    def is_model(self, entry: Entry) -> bool:
        titles = [self.plain["title"], *(one["title"] for one in self.plain.get("groups", ()) if one.get("title"))]
        return found(entry.name, {folded(name): True for title in titles for name in title.values()}) is not None

    def item(self, entry: Entry) -> str | None:
        """The id of a weapon, or None for other items; in any case the line gets its fate."""
        option, weapon = found(entry.name, self.options), found(entry.name, self.weapons)
        if is_warlord(entry):
            self.is_warlord = True
            self.fates.played(entry.line)
        elif folded(entry.name) in self.enhancements:
            self.is_enhanced = True
            self.enhancement, self.enhancement_points = self.enhancements[folded(entry.name)]
            self.fates.played(entry.line)
        elif ENHANCEMENT in entry.keywords:
            self.is_enhanced = True
            self.fates.by_hand(entry.line, say("enhancement"))
        elif option is not None:
            self.bought[option] = min(self.bought.get(option, 0) + entry.count, MOST_MODELS)
            self.fates.played(entry.line)
        elif weapon is not None:
            self.fates.played(entry.line)
            return weapon
        else:
            near = ", ".join(guesses(entry.name, titles_of(self.plain), 3))
            key = "no-such-thing-but" if near else "no-such-thing"
            self.fates.not_understood(
                entry.line, say(key, name=tidy(entry.name), unit=self.plain["title"]["en"], near=near)
            )
        return None

    @property
    def count(self) -> int:
        """The number of models: from the text, otherwise from its points, otherwise the smallest size."""
        told = sum(count for _, count, _ in self.models)
        by_points = next((size for size, points in self.plain["points"] if points == self.unit.points), 0)
        least = min(size for size, _ in self.plain["points"])
        return min(
            self.unit.count if self.unit.count > 1 else told or by_points or self.unit.count or least, MOST_MODELS
        )

    def row(self) -> Plain:
        """Further fields of its row in the army: size, Enhancement and options."""
        found: Plain = {} if self.plain.get("groups") else {"size": max(1, self.count)}
        found |= {"enhancement": self.enhancement} if self.enhancement else {}
        return {**found, **({"weapons": self.bought} if self.bought else {})}

    def sheet(self) -> Plain:
        """The datasheet; a player's own, or one with groups, gets the groups of the text."""
        if not self.plain.get("groups") and not self.is_own:
            return self.plain
        groups = self.groups()
        if not groups:
            return self.plain
        count = sum(one["count"] for one in groups)
        return {**self.plain, "points": [[count, self.unit.points]], "groups": groups}

    @property
    def is_own(self) -> bool:
        return "options" not in self.plain

    def groups(self) -> list[Plain]:
        """The groups that the text describes; empty if it does not describe all models."""
        like = {folded(one["title"]["en"]): one for one in self.plain.get("groups", ()) if one.get("title")}
        found = []
        for name, count, carried in self.models:
            if not 1 <= count <= MOST_MODELS or not carried:
                return []
            kept = {key: value for key, value in like.get(folded(name), {}).items() if key not in ("count", "weapons")}
            armed = groupby(self.armed(count, carried))
            found += [{**kept, "count": len(list(some)), "weapons": each[:40]} for each, some in armed]
        return found if len(found) <= MOST_GROUPS and sum(one["count"] for one in found) <= MOST_MODELS else []

    @rule("datasheet/wargear-options")
    def armed(self, count: int, carried: Sequence[tuple[str, int]]) -> list[list[str]]:
        """The weapons of each of several models; a text that numbers nothing tells what each of them has."""
        if all(many <= 1 for _, many in carried):
            return [[id for id, _ in carried]] * count
        melee = {one["id"] for one in self.plain.get("weapons", ()) if is_melee(one)}
        found = [list[str]() for _ in range(count)]
        for id, many in carried:
            share_out(found, id, min(many, count * MOST_COPIES), melee)
        return found


def options_of(plain: Plain) -> list[tuple[str, Plain]]:
    return list(plain.get("options", {}).items())


def titles_of(plain: Plain) -> list[str]:
    weapons = [*plain.get("weapons", ()), *(one["weapon"] for _, one in options_of(plain))]
    return [one["title"]["en"] for one in weapons]


def names_of(weapon: Plain) -> list[str]:
    return [folded(name) for name in weapon["title"].values()]


def by_title(weapons: Sequence[Plain]) -> dict[str, str]:
    return {name: one["id"] for one in weapons for name in names_of(one)}
