"""A list of another program as an army of this book, with the fate of every line (muster/sequence)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from campale.mechanics.lists.fates import Fates, sums
from campale.mechanics.lists.matching import folded, slug
from campale.mechanics.lists.reading import read_list
from campale.mechanics.lists.record import ArmyListed, ListError
from campale.referee.lists import Check, ListAsked, ListRead
from campale.referee.rule import rule
from campale.rulesets.w10.lists.format import known_format, say
from campale.rulesets.w10.lists.matches import Library, library, matched
from campale.rulesets.w10.lists.sheets import Made, factions, sheet_of
from campale.rulesets.w10.lists.values import tidy
from campale.rulesets.w10.lists.weapons import Plain, title

UNNAMED = {"en": "Army from a list", "it": "Armata da una lista"}
MOST_POINTS = 20_000
ARMY_RULES = ("force-rule", "army-rule")


def read_army(asked: ListAsked) -> ListRead:
    """What is made of a list; of one that cannot be read at all only why."""
    try:
        listed = read_list(asked.data, known_format().system)
    except ListError as error:
        return ListRead("", "", (), (), (), None, error.messages)
    fates = Fates(listed.lines, asked.mends)
    for number, unit in enumerate(listed.units):
        fates.belongs(unit, number)
    made = made_of(listed, fates, asked)
    tell_asides(listed, fates)
    warlord = warlord_of(made, fates)
    force = force_of(listed, made, warlord)
    checks = [Check(is_right, text) for is_right, text in sums(listed.total, listed.added, listed.limit)]
    checks += [*counted(made), *fates.checks]
    mends = tuple(sorted(fates.mends.values(), key=lambda one: (not one.is_needed, one.line)))
    return ListRead(listed.program, tidy(listed.name)[:80], fates.read(), mends, tuple(checks), force)


def made_of(listed: ArmyListed, fates: Fates, asked: ListAsked) -> list[Made]:
    """The units as datasheets: of what the file carries, or of those that are known by name."""
    names = {folded(one.name): tidy(one.name) for one in listed.units}
    if listed.has_profiles:
        return [sheet_of(unit, k, fates, names) for k, unit in enumerate(listed.units)]
    known: Library = library(asked.known)
    return [matched(unit, k, fates, known) for k, unit in enumerate(listed.units)]


def tell_asides(listed: ArmyListed, fates: Fates) -> None:
    """Rules of the army are the players'; the rest is noted."""
    for one in listed.asides:
        if one.name in ARMY_RULES:
            fates.by_hand(one.line, say("army-rule"))
        else:
            fates.noted(one.line)


@rule("muster/select-warlord")
def warlord_of(made: Sequence[Made], fates: Fates) -> int | None:
    """The number of the unit whose model is the WARLORD: the list says so, or the player."""
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
def force_of(listed: ArmyListed, made: Sequence[Made], warlord: int | None) -> dict[str, Any] | None:
    """The army as its file has it, without the units that were left out; None if that leaves nobody."""
    sheets, rows = dict[str, Plain](), list[Plain]()
    ids: dict[int, str] = {}
    for k, one in enumerate(made):
        if one.sheet is not None:
            ids[k] = named(one, sheets)
            sheets[ids[k]] = one.sheet
    if not sheets:
        return None
    for k, id in ids.items():
        for field, names in (("leads", made[k].leads), ("beside", made[k].beside)):
            if found := [other for n, other in ids.items() if name_of(made[n]) in names]:
                sheets[id] = {**sheets[id], field: list(dict.fromkeys(found))[:20]}
        own = made[k].unit.own_name
        row = {"unit": id, **({"name": title(own)} if tidy(own) else {}), **(made[k].row or {})}
        rows.append({**row, "warlord": True} if k == warlord else row)
    name = title(listed.name) if tidy(listed.name) else UNNAMED
    shared = shared_faction([made[k] for k in ids], listed.faction)
    faction = shared or slug(listed.faction) or "army"
    size = listed.limit or listed.total or listed.added
    return {
        "ruleset": "w10",
        "name": name,
        "own": {"units": sheets, **({} if shared else {"faction": [faction]})},
        "faction": faction,
        "points": min(max(size, 1), MOST_POINTS),
        "units": rows,
    }


def name_of(one: Made) -> str:
    """Folded, in English: the datasheet's, whatever the list calls the unit."""
    return folded(one.sheet["title"]["en"] if one.sheet is not None else one.unit.name)


def named(one: Made, sheets: dict[str, Plain]) -> str:
    """The id of a datasheet: that of another which is the same, else the name of the unit, with a number if need be."""
    same = next((id for id, sheet in sheets.items() if sheet == one.sheet), None)
    if same is not None:
        return same
    usual = slug(name_of(one))[:50] or "unit"
    return next(id for n in range(1, len(sheets) + 2) if (id := usual if n == 1 else f"{usual}-{n}") not in sheets)


@rule("core-concepts/faction-keywords", "muster/faction-detachment")
def shared_faction(made: Sequence[Made], said: str) -> str:
    """The faction keyword that most units share, first of all that which the list names; "" where they have none."""
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
    """How many units and models go to battle, and how many were left out."""
    left = sum(one.sheet is None for one in made)
    models = sum((one.row or {}).get("size") or one.sheet["points"][0][0] for one in made if one.sheet is not None)
    found = [Check(True, say("counted", units=len(made) - left, models=models))]
    if left:
        found.append(Check(False, say("units-left-out", count=left)))
    return found
