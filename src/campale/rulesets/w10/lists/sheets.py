"""A datasheet made from a file's unit: characteristics, weapons, abilities, keywords, points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from campale.mechanics.lists.fates import Fates
from campale.mechanics.lists.matching import folded, slug
from campale.mechanics.lists.record import MOST_MODELS, Entry, ProfileListed, UnitListed
from campale.referee.rule import rule
from campale.rulesets.w10.lists.abilities import MOST_RULES, Abilities, said_by, take, take_transport, tell_leads
from campale.rulesets.w10.lists.format import known_format, say
from campale.rulesets.w10.lists.groups import Models, models_of
from campale.rulesets.w10.lists.sizes import size_of
from campale.rulesets.w10.lists.values import stat, tidy
from campale.rulesets.w10.lists.weapons import Arming, Plain, title

FACTION = "faction: "
WARLORD = "warlord"
MOST_KEYWORDS, MOST_POINTS, MOST_GROUPS, MOST_WEAPONS = 20, 5000, 20, 40


class Made(NamedTuple):
    """A unit as a datasheet; ``sheet`` None: it was left out.

    ``leads``: the folded names of the units that it may lead; ``beside``: the folded names or keywords of Leaders that
    it may join; ``row``: further fields of its row in the army; ``id``: the book's id of the datasheet.
    """

    unit: UnitListed
    sheet: Plain | None
    leads: tuple[str, ...] = ()
    is_warlord: bool = False
    row: Plain | None = None
    beside: tuple[str, ...] = ()
    id: str = ""


@rule("datasheet/model-profile", "datasheet/weapon-profile", "datasheet/wargear-ability")
def sheet_of(unit: UnitListed, number: int, fates: Fates, units: Mapping[str, str]) -> Made:
    """The datasheet of a unit. ``units``: the names of all units of the list by folded name."""
    owner = f"u{number}"
    arming = Arming(fates, owner)
    models = models_of(unit, arming)
    whole, own = abilities_of(unit, fates, units)
    for one in arming.by_hand[: MOST_RULES - len(whole.rules)]:
        whole.rules.setdefault(slug(one), {"title": title(one), "text": title(one)})
    stats = [stats_of(unit, one.entry, fates, f"{owner}.{k}") for k, one in enumerate(models)]
    tell_entries(unit, fates)
    warlord = any(is_warlord(one) for one in entries_of(unit))
    if not models or sum(one.count for one in unit.models) > MOST_MODELS:
        fates.not_understood(unit.line, say("no-models" if not models else "too-many-models", most=MOST_MODELS))
        return Made(unit, None)
    found = [one for one in stats if one is not None]
    groups = groups_of(unit, models, found, own, whole) if len(found) == len(stats) else []
    if len(found) < len(stats) or len(arming.weapons) > MOST_WEAPONS or len(groups) > MOST_GROUPS:
        fates.not_understood(unit.line, say("left-out"))
        return Made(unit, None)
    fates.played(unit.line)
    tell_what_is_cut(unit, fates)
    words = keywords(unit.keywords)
    base = size_of(fates, unit.line, owner, tidy(unit.name), words, found[0]["w"])
    sheet = {
        "title": title(unit.name),
        "points": [[sum(len(one.carried) for one in models), min(unit.points, MOST_POINTS)]],
        "stats": found[0],
        "keywords": words,
        **said_of(whole),
        **base,
        "weapons": list(arming.weapons.values()),
        "groups": groups,
    }
    leads, beside = (tuple(dict.fromkeys(names)) for names in (whole.leads, whole.beside))
    return Made(unit, bare(sheet), leads, warlord, beside=beside)


def tell_what_is_cut(unit: UnitListed, fates: Fates) -> None:
    """Tell of a unit with more keywords or points than a datasheet may have; the players keep count of the rest."""
    if len({slug(tidy(one)) for one in unit.keywords}) > MOST_KEYWORDS:
        fates.by_hand(unit.line, say("too-many-keywords", most=MOST_KEYWORDS))
    if unit.points > MOST_POINTS:
        fates.by_hand(unit.line, say("too-many-points", most=MOST_POINTS))


def bare(sheet: Plain) -> Plain:
    """The datasheet without empty fields, and without groups if all models are alike with each weapon once."""
    alone = sheet["groups"]
    ids = [one["id"] for one in sheet["weapons"]]
    if len(alone) == 1 and alone[0].get("weapons", []) == ids and len(alone[0]) <= 1 + bool(ids):
        sheet = {**sheet, "groups": []}
    return {key: value for key, value in sheet.items() if value not in (None, [], {}, 0) or key == "points"}


# ---------------------------------------------------------------- models


def stats_of(unit: UnitListed, model: Entry, fates: Fates, owner: str) -> Plain | None:
    """The characteristics of a model, from the file or the player; None while some are missing."""
    profile = profile_for(unit, model, fates, owner)
    line, called = (profile.line, profile.name) if profile is not None else (model.line, model.name)
    fates.played(model.line)
    found: Plain = {}
    for name, field in known_format().stats.items():
        text = (profile.value(field) if profile is not None else None) or "?"
        try:
            found[name] = stat(name, text)
        except ValueError:
            title = say("value-of", field=field, name=tidy(called))
            said = fates.text(f"{owner}.{name}", line, title, "" if text == "?" else text, partial(stat, name))
            if said is None:
                fates.not_understood(line, say("unread-value", field=field, value=repr(text[:40])))
                continue
            found[name] = stat(name, said)
    if profile is not None:
        fates.played(profile.line)
    return found if len(found) == len(known_format().stats) else None


def profile_for(unit: UnitListed, model: Entry, fates: Fates, owner: str) -> ProfileListed | None:
    """The profile of a model: its own, the unit's with the same name, the unit's only one, or the player's choice."""
    own, shared = models_in(model.profiles), models_in(unit.profiles)
    if own:
        return own[0]
    named = [one for one in shared if folded(one.name) == folded(model.name)]
    if named or len(shared) <= 1:
        return next(iter((*named, *shared)), None)
    choices = [(str(k), tidy(one.name)) for k, one in enumerate(shared)]
    chosen = fates.choose(f"{owner}.profile", model.line, say("which-profile", name=tidy(model.name)), choices, "0")
    return shared[int(chosen)]


def models_in(profiles: Sequence[ProfileListed]) -> list[ProfileListed]:
    return [one for one in profiles if one.is_of(known_format().types.unit)]


def groups_of(
    unit: UnitListed, models: Sequence[Models], stats: Sequence[Plain], own: Sequence[Abilities], whole: Abilities
) -> list[Plain]:
    """The groups of models; where there are too many, those that are alike are put together."""
    found = []
    for one, each, has in zip(models, stats, own, strict=True):
        name = tidy(one.entry.name)
        group: Plain = {
            "title": title(name) if folded(name) != folded(unit.name) else None,
            "stats": each if each != stats[0] else None,
            "invulnerable": has.invulnerable or whole.only.get(folded(name)),
            "feel_no_pain": has.feel_no_pain,
            "abilities": has.core,
            "keywords": [word for word in keywords(one.entry.keywords) if word not in keywords(unit.keywords)],
        }
        said = {key: value for key, value in group.items() if value not in (None, [])}
        found += [{"count": count, **said, **({"weapons": ids} if ids else {})} for count, ids in one.groups]
    return found if len(found) <= MOST_GROUPS else together(found)


def together(groups: Sequence[Plain]) -> list[Plain]:
    """The groups with those that differ in nothing but their number put together."""
    found: list[Plain] = []
    for one in groups:
        like = next((other for other in found if {**other, "count": 0} == {**one, "count": 0}), None)
        if like is None:
            found.append(dict(one))
        else:
            like["count"] += one["count"]
    return found


# ---------------------------------------------------------------- abilities and keywords


def abilities_of(unit: UnitListed, fates: Fates, units: Mapping[str, str]) -> tuple[Abilities, list[Abilities]]:
    """The abilities of the unit with everything bought for it, and those of each group of models."""
    whole = Abilities()
    holders: list[UnitListed | Entry] = [unit, *(one for entry in unit.entries for one in entry.all())]
    for holder in holders:
        for said in said_by(holder):
            take(whole, said, fates, units)
    own = []
    for model in unit.models:
        has = Abilities(rules=whole.rules)
        for entry in model.all():
            for said in said_by(entry):
                take(has, said, fates, units)
        own.append(has)
        whole.leads += has.leads
        whole.beside += has.beside
        whole.leading += has.leading
        whole.only.update(has.only)
    take_transport(whole, unit, fates)
    tell_leads(whole, fates, units)
    share(whole, own)
    return whole, own


def share(whole: Abilities, own: Sequence[Abilities]) -> None:
    """Move abilities that all models have to the unit."""
    for core in list(own[0].core) if own else []:
        if all(core in one.core for one in own):
            whole.core.append(core)
    for one in own:
        one.core = [core for core in one.core if core not in whole.core]
    if len(own) == 1:
        whole.invulnerable = whole.invulnerable or own[0].invulnerable
        whole.feel_no_pain = whole.feel_no_pain or own[0].feel_no_pain
        own[0].invulnerable = own[0].feel_no_pain = None
        if whole.only and whole.invulnerable is None:
            whole.invulnerable = min(whole.only.values())
            whole.only.clear()


def said_of(whole: Abilities) -> Plain:
    found: dict[str, Any] = {"invulnerable": whole.invulnerable, "feel_no_pain": whole.feel_no_pain}
    found |= {"abilities": list(dict.fromkeys(whole.core))[:MOST_KEYWORDS], "rules": whole.rules}
    return found | {"capacity": whole.capacity, "carries": whole.carries}


@rule("keywords/has", "core-concepts/faction-keywords")
def keywords(written: Sequence[str]) -> list[str]:
    """Keywords as the book writes them: ``Epic Hero`` is ``epic-hero``; without the word before a faction's name."""
    found = [slug(tidy(one)[len(FACTION) if tidy(one).casefold().startswith(FACTION) else 0 :]) for one in written]
    return list(dict.fromkeys(one for one in found if one))[:MOST_KEYWORDS]


@rule("core-concepts/faction-keywords")
def factions(unit: UnitListed) -> list[str]:
    return keywords([one for one in unit.keywords if tidy(one).casefold().startswith(FACTION)])


# ---------------------------------------------------------------- purchases


def entries_of(unit: UnitListed) -> list[Entry]:
    found = [inner for one in unit.entries for inner in one.all()]
    return found + [inner for model in unit.models for one in model.entries for inner in one.all()]


def is_warlord(entry: Entry) -> bool:
    return folded(entry.name) == WARLORD


def tell_entries(unit: UnitListed, fates: Fates) -> None:
    """Tell the fate of the lines of purchases, where their profiles do not determine it already."""
    types = known_format().types
    for one in entries_of(unit):
        if is_warlord(one) or any(profile.is_of(types.weapons) for profile in one.profiles):
            fates.played(one.line)
        elif one.profiles or one.rules:
            fates.by_hand(one.line)
        elif one.entries:
            fates.noted(one.line)
        else:
            fates.not_understood(one.line, say("empty-entry"))
