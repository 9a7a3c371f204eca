"""The heading of a pasted text: the army, its faction and detachment, points, and the program that wrote it."""

from __future__ import annotations

import re
from typing import NamedTuple

from campale.mechanics.lists.matching import folded

POINTS = re.compile(
    r"(?P<points>\d{1,3}(?:[.,\u00a0\u202f ]\d{3})|\d{1,6})\s*(?:pts?|points?|punti)\b\.?", re.IGNORECASE
)
BRACKETS = re.compile(r"[\[(](?P<within>[^\[\]()]*)[\])]")
KEYED = re.compile(r"^(?P<mark>[+&]?)\s*(?P<key>[^:]{2,40}):\s*(?P<value>.*)$")
FENCE = re.compile(r"^[+=*_-]{3,}$")
SECTION_MARK = re.compile(r"^(?:#{1,4}|\+{1,2})\s")
BULLET = re.compile(r"^(?P<bullet>[•◦·‣▪○●*–-])\s*(?P<rest>.*)$")

SIZES = {
    **dict.fromkeys(("incursion", "incursione"), 1000),
    **dict.fromkeys(("strike force", "force de frappe", "forza d assalto", "forza d attacco"), 2000),
    **dict.fromkeys(("onslaught", "assaut", "massacro"), 3000),
}
KEYS = {
    "faction": ("faction keyword", "faction", "fazione"),
    "detachment": ("detachment", "detachement", "distaccamento"),
    "size": ("battle size", "taille de la bataille", "dimensione della battaglia"),
    "points": ("total army points", "total points", "punti totali"),
}
SIGNED = (
    ("exported with app version", "the official app"),
    ("created with battlescribe", "BattleScribe"),
    ("newrecruit", "New Recruit"),
    ("listforge", "ListForge"),
)

OF_POINTS = re.compile(r"\(\d{1,6} points\)", re.IGNORECASE)
ON_UNIT = re.compile(r"^[+&]\s*(?:[^:()]{4,20}:\s*)?(?P<name>[^()]+?)\s*\(on\s+(?P<unit>.+?)\)$", re.IGNORECASE)
LED_BY = re.compile(r"^\+\s*warlord:\s*(?P<unit>.+)$", re.IGNORECASE)


class Said(NamedTuple):
    """A heading's statement about a unit: an Enhancement by name, or the Warlord (``name`` is empty)."""

    name: str
    unit: str


class Priced(NamedTuple):
    """A line with points: the text before, the number, and the text after.

    ``is_more``: the points are added to others, as in ``(+15 pts)``.
    """

    name: str
    points: int
    rest: str
    is_more: bool


class Heading(NamedTuple):
    """The fields of a heading; 0 or empty if missing."""

    name: str = ""
    faction: str = ""
    detachment: str = ""
    total: int = 0
    limit: int = 0


def priced(text: str) -> Priced | None:
    """A line such as ``Name (100 pts): A, B`` or ``Name [100 pts]``; None for other lines."""
    for hit in BRACKETS.finditer(text):
        found, name = POINTS.search(hit["within"]), text[: hit.start()].rstrip()
        if found is not None and name:
            is_more = "+" in hit["within"][: found.start()]
            return Priced(name.strip(" :-–"), whole(found["points"]), text[hit.end() :].strip(" :-–\t"), is_more)
    return None


def whole(written: str) -> int:
    return int(re.sub(r"\D", "", written)[:7] or 0)


def keyed(text: str) -> tuple[str, str] | None:
    """The key and value of ``+ DETACHMENT: X``; the key by its usual name, if it has one."""
    hit = KEYED.match(text)
    if hit is None:
        return None
    said = folded(hit["key"])
    known = next((key for key, names in KEYS.items() if said in names), "")
    return (known or said, hit["value"].strip()) if known or hit["mark"] else None


def said_of_unit(text: str) -> Said | None:
    """``+ ENHANCEMENT: Old Song (on Char1: Lord)``, ``& Old Horn (on Char2: Lord)``, ``+ WARLORD: Char1: Lord``."""
    if (hit := ON_UNIT.match(text)) is not None:
        return Said(hit["name"], hit["unit"])
    hit = LED_BY.match(text)
    return Said("", hit["unit"]) if hit is not None else None


def is_section(text: str) -> bool:
    """A heading among the units: ``CHARACTERS``, ``## Battleline [300 pts]``, ``Epic Hero:``."""
    if SECTION_MARK.match(text):
        return True
    if priced(text) or BULLET.match(text):
        return False
    letters = [sign for sign in text if sign.isalpha()]
    if text.endswith(":"):
        return 1 <= len(text.split()) <= 4
    return len(letters) > 2 and all(sign.isupper() for sign in letters)


def heading_of(lines: list[str]) -> Heading:
    """The heading from the lines before the first unit, by their keys if they have any, otherwise by their order."""
    keys = dict(pair for one in lines if (pair := keyed(one)) is not None)
    costs = [found for one in lines if (found := priced(one.strip("# +"))) is not None]
    limit = next((one.points for one in costs if folded(one.name) in SIZES), 0)
    first = next((one for one in costs if folded(one.name) not in SIZES and not is_bare(one.name)), None)
    parts = [one.strip() for one in first.name.split(" - ")] if first is not None else []
    if keys:
        total = whole(keys.get("points", "")) or next((one.points for one in costs), 0)
        faction = last_part(keys.get("faction", "")) or (parts[-2] if len(parts) > 1 else "")
        sized = priced(keys.get("size", ""))
        limit = sized.points if sized is not None else limit
        return Heading(parts[-1] if parts else "", faction, keys.get("detachment", ""), total, limit)
    plain = [one for one in lines if priced(one.strip("# +")) is None and one.strip("# +-=_*") and one[0] not in "#+"]
    if len(parts) >= 3:
        return Heading(parts[0], parts[1], parts[2], first.points if first is not None else 0, limit)
    return Heading(
        first.name if first is not None else "",
        plain[0] if plain else "",
        plain[-1] if len(plain) > 1 else "",
        first.points if first is not None else 0,
        limit,
    )


def is_bare(name: str) -> bool:
    """Whether the text is a program's own heading, not a name."""
    return not folded(name) or "++" in name


def last_part(faction: str) -> str:
    """The second part of a name such as ``Imperium - Adepts of Dust``."""
    return faction.rpartition(" - ")[2].strip()


def program_of(text: str) -> str:
    """The program that wrote a text, by its signature or its form."""
    said = text.casefold()
    signed = next((program for mark, program in SIGNED if mark in said), "")
    if signed:
        return signed
    if "faction keyword:" in said and "+++" in said:
        return "New Recruit (WTC)"
    lines = text.splitlines()
    if any(one.lstrip("#").lstrip().startswith("++") and one.count("++") > 1 for one in lines):
        return "New Recruit"
    if any(one.count(" - ") > 1 and OF_POINTS.search(one) for one in lines):
        return "ListForge"
    return "text"
