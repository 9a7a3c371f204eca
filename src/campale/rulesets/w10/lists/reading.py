"""A list of another program as an army of this book, with the fate of every line (muster/sequence)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from campale.mechanics.lists.fates import Fates, sums
from campale.mechanics.lists.matching import folded, slug
from campale.mechanics.lists.reading import read_list
from campale.mechanics.lists.record import ArmyListed, ListError
from campale.referee.armies.lists import Check, ListAsked, ListRead
from campale.referee.rule import rule
from campale.rulesets.w10.lists.abilities import MOST_RULES, in_words
from campale.rulesets.w10.lists.format import known_format, say
from campale.rulesets.w10.lists.matches import Source, library, units_of
from campale.rulesets.w10.lists.sheets import Made, factions, sheet_of
from campale.rulesets.w10.lists.values import tidy
from campale.rulesets.w10.lists.weapons import Plain, title

UNNAMED = {"en": "Army from a list", "it": "Armata da una lista"}
MOST_POINTS = 20_000
LENGTHS, ROOM = (500, 250, 100, 40), 240_000
"""The text lengths to try, and the bytes allowed for datasheets, because an army file has a size limit."""

ARMY_RULES = ("force-rule", "army-rule")


def read_army(asked: ListAsked) -> ListRead:
    """Read a list; if it cannot be read at all, the result contains only the reasons."""
    try:
        listed = read_list(asked.data, known_format().system)
    except ListError as error:
        return ListRead("", "", (), (), (), None, error.messages)
    fates = Fates(listed.lines, asked.mends)
    for number, unit in enumerate(listed.units):
        fates.belongs(unit, number)
    made, source = made_of(listed, fates, asked)
    tell_asides(listed, fates)
    warlord = warlord_of(made, fates)
    made = with_army_rules(listed, made, warlord)
    force = force_of(listed, made, warlord, source)
    checks = [Check(is_right, text) for is_right, text in sums(listed.total, listed.added, listed.limit)]
    checks += [*counted(made), *fates.checks]
    mends = tuple(sorted(fates.mends.values(), key=lambda one: (not one.is_needed, one.line)))
    return ListRead(listed.program, tidy(listed.name)[:80], fates.read(), mends, tuple(checks), force)


def made_of(listed: ArmyListed, fates: Fates, asked: ListAsked) -> tuple[list[Made], Source | None]:
    """The units as datasheets, made from the file, or looked up by name."""
    names = {folded(one.name): tidy(one.name) for one in listed.units}
    if listed.has_profiles:
        return [sheet_of(unit, k, fates, names) for k, unit in enumerate(listed.units)], None
    return units_of(listed, fates, library(asked.known))


def tell_asides(listed: ArmyListed, fates: Fates) -> None:
    """Tell the fate of other lines: rules of the army are played by hand, the rest is noted."""
    for one in listed.asides:
        if one.name in ARMY_RULES:
            fates.by_hand(one.line, say("army-rule"))
        else:
            fates.noted(one.line)


def with_army_rules(listed: ArmyListed, made: list[Made], warlord: int | None) -> list[Made]:
    """Put the texts of army rules and the Detachment on the card of the WARLORD, or of the first unit."""
    bearer = warlord if warlord is not None else next((k for k, one in enumerate(made) if one.sheet is not None), None)
    texts = {
        slug(listed.lines[one.line].text): in_words(listed.lines[one.line].text, one.value)
        for one in listed.asides
        if one.name in ARMY_RULES and one.value and slug(listed.lines[one.line].text)
    }
    if bearer is None or not texts:
        return made
    one = made[bearer]
    assert one.sheet is not None
    rules = dict([*one.sheet.get("rules", {}).items(), *texts.items()][:MOST_RULES])
    changed = one._replace(sheet={**one.sheet, "rules": rules})
    return [changed if k == bearer else other for k, other in enumerate(made)]


@rule("muster/select-warlord")
def warlord_of(made: Sequence[Made], fates: Fates) -> int | None:
    """The index of the WARLORD's unit, from the list or else from the player."""
    named = next((k for k, one in enumerate(made) if one.is_warlord and one.sheet is not None), None)
    able = [k for k, one in enumerate(made) if one.sheet is not None and "character" in one.sheet.get("keywords", ())]
    if named is not None or not able:
        return named
    choices = [(str(k), tidy(made[k].unit.name)) for k in able]
    only = str(able[0]) if len(able) == 1 else ""
    chosen = fates.choose("warlord", made[able[0]].unit.line, say("warlord"), choices, only, is_needed=not only)
    return int(chosen) if chosen else None


# ---------------------------------------------------------------- the force


@rule("muster/sequence", "t/points-total")
def force_of(
    listed: ArmyListed, made: Sequence[Made], warlord: int | None, source: Source | None
) -> dict[str, Any] | None:
    """The army as its file has it, without units left out; None if no unit remains."""
    going = {k: one for k, one in enumerate(made) if one.sheet is not None}
    if not going:
        return None
    shared = shared_faction(list(going.values()), listed.faction)
    faction = shared or slug(listed.faction) or "army"
    if source is not None:
        ids, datasheets = {k: one.id for k, one in going.items()}, of_the_book(source)
    else:
        ids, own = own_sheets(going)
        own = fitting(own)
        datasheets = {"own": {"units": own, **({} if shared else {"faction": [faction]})}}
    size = listed.limit or listed.total or listed.added
    return {
        "ruleset": "w10",
        "name": title(listed.name) if tidy(listed.name) else UNNAMED,
        **datasheets,
        "faction": faction,
        "points": min(max(size, 1), MOST_POINTS),
        "units": [row_of(going[k], id, k == warlord) for k, id in ids.items()],
    }


def row_of(one: Made, id: str, is_warlord: bool) -> Plain:
    own = {"name": title(one.unit.own_name)} if tidy(one.unit.own_name) else {}
    return {"unit": id, **own, **(one.row or {}), **({"warlord": True} if is_warlord else {})}


def of_the_book(source: Source) -> Plain:
    """The files of the book that an army takes all its units from, and its Detachment."""
    more = {"mixed": list(source.mixed)} if source.mixed else {}
    return {"sheets": source.sheets, **more, **({"detachment": source.detachment} if source.detachment else {})}


def own_sheets(going: dict[int, Made]) -> tuple[dict[int, str], dict[str, Plain]]:
    """The ids of the datasheets by index of the unit, and the datasheets that an army brings along by id."""
    sheets, ids = dict[str, Plain](), dict[int, str]()
    for k, one in going.items():
        assert one.sheet is not None
        ids[k] = named(one, sheets)
        sheets[ids[k]] = one.sheet
    for k, id in ids.items():
        leads = [other for n, other in ids.items() if name_of(going[n]) in going[k].leads]
        beside = [other for n, other in ids.items() if going[n].leads and is_called(going[n], going[k].beside)]
        for field, found in (("leads", leads), ("beside", beside)):
            if found:
                sheets[id] = {**sheets[id], field: list(dict.fromkeys(found))[:20]}
    return ids, sheets


@rule("u/two-characters-max")
def is_called(one: Made, names: Sequence[str]) -> bool:
    """Whether a Leader has one of some names, or has one of them as a keyword."""
    words = one.sheet.get("keywords", ()) if one.sheet is not None else ()
    return name_of(one) in names or any(slug(name) in words for name in names)


def fitting(sheets: dict[str, Plain]) -> dict[str, Plain]:
    """The datasheets, with texts short enough for an army file."""
    return next(
        (found for most in LENGTHS if len(msgspec.json.encode(found := cut(sheets, most))) <= ROOM), cut(sheets, 1)
    )


def cut(sheets: dict[str, Plain], most: int) -> dict[str, Plain]:
    return {id: {**sheet, **cut_rules(sheet.get("rules", {}), most)} for id, sheet in sheets.items()}


def cut_rules(rules: dict[str, Any], most: int) -> Plain:
    short = {
        id: {**one, "text": {tongue: text[:most] for tongue, text in one["text"].items()}} for id, one in rules.items()
    }
    return {"rules": short} if rules else {}


def name_of(one: Made) -> str:
    """The folded English name of the datasheet, whatever the list calls the unit."""
    return folded(one.sheet["title"]["en"] if one.sheet is not None else one.unit.name)


def named(one: Made, sheets: dict[str, Plain]) -> str:
    """The id of a datasheet: that of an identical one, otherwise the unit's name, numbered if necessary."""
    same = next((id for id, sheet in sheets.items() if sheet == one.sheet), None)
    if same is not None:
        return same
    usual = slug(name_of(one))[:50] or "unit"
    return next(id for n in range(1, len(sheets) + 2) if (id := usual if n == 1 else f"{usual}-{n}") not in sheets)


@rule("core-concepts/faction-keywords", "muster/faction-detachment")
def shared_faction(made: Sequence[Made], said: str) -> str:
    """The faction keyword that most units share, preferring the one the list names; "" without any."""
    counted = Counter(word for one in made for word in factions_of(one))
    return max(counted, key=lambda word: (counted[word], word == slug(said)), default="")


def factions_of(one: Made) -> list[str]:
    known = factions(one.unit)
    return known or [word for word in (one.sheet or {}).get("keywords", ()) if word not in COMMON]


COMMON = frozenset(
    {
        *("infantry", "vehicle", "monster", "mounted", "beast", "swarm", "character", "epic-hero", "battleline"),
        *("dedicated-transport", "transport", "fly", "aircraft", "towering", "titanic", "fortification", "psyker"),
        *("grenades", "smoke", "walker"),
    }
)


# ---------------------------------------------------------------- checks


@rule("f/starting-strength", "t/points-total")
def counted(made: Sequence[Made]) -> list[Check]:
    """Check how many units and models go to battle, and how many were left out."""
    left = sum(one.sheet is None for one in made)
    models = sum((one.row or {}).get("size") or one.sheet["points"][0][0] for one in made if one.sheet is not None)
    found = [Check(True, say("counted", units=len(made) - left, models=models))]
    if left:
        found.append(Check(False, say("units-left-out", count=left)))
    return found
