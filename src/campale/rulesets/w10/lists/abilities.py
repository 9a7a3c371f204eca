"""Abilities in a file: those that the referee plays, and those kept as text and played by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from campale.mechanics.lists.fates import Fates
from campale.mechanics.lists.matching import folded, slug
from campale.mechanics.lists.record import Entry, UnitListed
from campale.referee.rule import rule
from campale.rulesets.w10.lists.format import known_format, say
from campale.rulesets.w10.lists.values import tidy
from campale.rulesets.w10.lists.weapons import NUMBERED, title

SAVE = re.compile(r"([2-6])\+")
COUNT = re.compile(r"\b(\d{1,2})\b")
LONGEST, MOST_RULES = 500, 24
KINDS = ("infantry", "mounted", "beast", "swarm", "vehicle", "monster", "character")
PARTS = re.compile(r"[^\w\s'’`-]|\n|\s[-–]\s")
"""What parts the names in a list of units: bullets and other signs, lines, and dashes between spaces."""

EVEN_IF = re.compile(r"\beven if\b", re.IGNORECASE)
"""The words after which a Leader's text names others that may already be attached to its unit."""

CAPITALS = re.compile(r"\b[A-Z][A-Z’' -]{2,}[A-Z]\b")


class Said(NamedTuple):
    """An ability as the list has it: a rule, or a profile with a description."""

    line: int
    name: str
    text: str


@dataclass
class Abilities:
    """The abilities of a unit, or of a group of its models.

    ``rules``: those kept as text, by id. ``only``: invulnerable saves by the (folded) names of the models that have
    them. ``leads``: the folded names of units of the list; ``beside``: names or keywords of Leaders
    that may already be with them; ``leading``: the lines that name them. ``capacity``,
    ``carries``: how many models may embark, and with which keywords.
    """

    core: list[str] = field(default_factory=list)
    rules: dict[str, dict[str, Any]] = field(default_factory=dict)
    invulnerable: int | None = None
    feel_no_pain: int | None = None
    only: dict[str, int] = field(default_factory=dict)
    leads: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    leading: list[int] = field(default_factory=list)
    capacity: int = 0
    carries: list[str] = field(default_factory=list)


def said_by(holder: UnitListed | Entry) -> Iterable[Said]:
    """Yield rules, and profiles that describe neither weapons nor models nor transports."""
    types = known_format().types
    yield from (Said(one.line, one.name, one.text) for one in holder.rules)
    for one in holder.profiles:
        if not one.is_of((*types.weapons, *types.unit, *types.transport)):
            yield Said(one.line, one.name, " ".join(one.values.values()))


def take(found: Abilities, said: Said, fates: Fates, units: Mapping[str, str]) -> None:
    """Add an ability to those found. ``units``: the names of the list's units by folded name."""
    name = tidy(said.name)
    plain = folded(re.sub(r"[\d+*\"]", "", name))
    if plain.startswith("invulnerable save"):
        take_invulnerable(found, said, fates)
    elif plain == "feel no pain" and SAVE.search(name):
        found.feel_no_pain = number_in(name)
        fates.played(said.line)
    elif plain == "leader":
        take_leader(found, said, units)
    elif (core := core_ability(name)) is not None:
        found.core.append(core)
        fates.played(said.line)
    else:
        keep(found, said, fates)


@rule("attack/invulnerable-save")
def take_invulnerable(found: Abilities, said: Said, fates: Fates) -> None:
    """Read an invulnerable save; its number is in the name or the text, and a name after it limits it to that model."""
    value = number_in(said.name) or number_in(said.text)
    if value is None:
        keep(found, said, fates)
        return
    whose = folded(re.sub(r"invulnerable save|[\d+*]", "", said.name, flags=re.IGNORECASE))
    if whose:
        found.only[whose] = value
    else:
        found.invulnerable = min(value, found.invulnerable or value)
    if "*" in said.name + said.text:
        fates.by_hand(said.line, say("conditional-save", save=f"{value}+"))
    fates.played(said.line)


@rule("core-abilities/leader")
def take_leader(found: Abilities, said: Said, units: Mapping[str, str]) -> None:
    """Read the units that a Leader may lead, as far as they are in the list, and the Leaders that it may join there."""
    text, *besides = EVEN_IF.split(said.text)
    found.leads += named_in(text, units)
    for other in besides:
        found.beside += [*named_in(other, units), *(folded(one) for one in CAPITALS.findall(other))]
    found.leading.append(said.line)


def named_in(text: str, units: Iterable[str]) -> list[str]:
    parts = PARTS.split(text)
    return [one for one in units if one and any(is_named(one.split(), part) for part in parts)]


@rule("core-abilities/leader")
def is_named(name: Sequence[str], part: str) -> bool:
    """Whether a text names a unit, and not another with a longer name: ``Assault Guard`` is not ``Guard``."""
    words = [(word, raw.strip("'’`(")[:1].isupper()) for raw in part.split() for word in folded(raw).split()]
    said, ends = [word for word, _ in words], len(name)
    plural = [*name[:-1], f"{name[-1]}s"] if name else []
    for k in range(len(words) - ends + 1):
        beside = [words[n][1] for n in (k - 1, k + ends) if 0 <= n < len(words)]
        if said[k : k + ends] in (list(name), plural) and not any(beside):
            return True
    return False


def tell_leads(found: Abilities, fates: Fates, units: Mapping[str, str]) -> None:
    for line in found.leading:
        if found.leads:
            fates.played(line, say("leads", units=", ".join(units[one] for one in dict.fromkeys(found.leads))))
        else:
            fates.by_hand(line, say("leads-nobody"))


@rule("core-abilities/catalogue", "core-abilities/deadly-demise", "core-abilities/scouts", "core-abilities/firing-deck")
def core_ability(name: str) -> str | None:
    """An ability as a datasheet writes it: ``Scouts 6"`` is ``scouts 6``; None for an ability unknown to the book."""
    hit = NUMBERED.match(name)
    known = known_format().core.get(folded(hit["name"])) if hit is not None else None
    if hit is None or known is None or (known.number and not hit["number"]):
        return None
    return f"{known.id} {hit['number'].upper()}" if known.number else known.id


def keep(found: Abilities, said: Said, fates: Fates) -> None:
    """Keep an ability as text in the words of the file, to be played by hand."""
    if len(found.rules) >= MOST_RULES:
        fates.not_understood(said.line, say("too-many-abilities", most=MOST_RULES))
        return
    id, kept = slug(said.name) or f"ability-{len(found.rules) + 1}", in_words(said.name, said.text)
    if found.rules.get(id, kept) != kept:
        id = f"{id[:56]}-{len(found.rules) + 1}"
    found.rules[id] = kept
    fates.by_hand(said.line)


def in_words(name: str, text: str) -> dict[str, Any]:
    """An ability that is only text."""
    written = tidy(text)[:LONGEST] or tidy(name)[:80] or "?"
    return {"title": title(name), "text": {"en": written, "it": written}}


def number_in(text: str) -> int | None:
    hit = SAVE.search(text)
    return int(hit[1]) if hit is not None else None


@rule("transports/capacity")
def take_transport(found: Abilities, unit: UnitListed, fates: Fates) -> None:
    """Read a TRANSPORT's capacity and the keywords in capitals that may embark; the rest is played by hand."""
    for profile in (*unit.profiles, *(one for model in unit.models for one in model.profiles)):
        if not profile.is_of(known_format().types.transport):
            continue
        text = " ".join(profile.values.values())
        hit = COUNT.search(text)
        if hit is None:
            fates.not_understood(profile.line, say("no-capacity"))
            continue
        found.capacity = min(int(hit[1]), 60)
        named = [word for one in CAPITALS.findall(text.split(". ")[0]) for word in kinds_in(one)]
        found.carries = list(dict.fromkeys(named))[:10] or ["infantry"]
        fates.by_hand(profile.line, say("capacity", count=found.capacity, keywords=", ".join(found.carries)))


def kinds_in(capitals: str) -> list[str]:
    """The kinds of models in capitals: ``ADEPTS OF DUST INFANTRY`` is INFANTRY; without any, the whole name."""
    words = folded(capitals).split()
    return [one for one in KINDS if one in words] or [slug(capitals)]
