"""Weapons in a file: their profiles and abilities (datasheet/weapon-profile)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from campale.mechanics.lists.fates import Fates
from campale.mechanics.lists.matching import folded, slug
from campale.mechanics.lists.record import ProfileListed
from campale.referee.rule import rule
from campale.rulesets.w10.lists.format import known_format, say
from campale.rulesets.w10.lists.values import armour_penetration, is_nothing, reach, rolled, skill, tidy, whole

MODE = "➤"
MOST_MODES = 4
ANTI = re.compile(r"^anti[- ]+(?P<whom>.+?)\s+(?P<number>[2-6])\+?$", re.IGNORECASE)
NUMBERED = re.compile(r"^(?P<name>.*?)\s*(?P<number>\d{1,2}|\d?[dD][36](?:\+\d)?)?\+?\"?$")

Plain = dict[str, Any]
FIELDS: tuple[tuple[str, tuple[str, ...], Callable[[str], Any]], ...] = (
    ("range", ("Range",), reach),
    ("a", ("A",), rolled),
    ("skill", ("BS", "WS"), skill),
    ("s", ("S",), whole),
    ("ap", ("AP",), armour_penetration),
    ("d", ("D",), rolled),
)


@dataclass
class Arming:
    """The weapons of a unit by id, as they are found.

    ``owner``: the prefix of the names of its mends; ``by_hand``: weapon abilities that the referee does not play, each
    after the name of its weapon.
    """

    fates: Fates
    owner: str
    weapons: dict[str, Plain] = field(default_factory=dict)
    by_hand: list[str] = field(default_factory=list)

    def known(self, profiles: Sequence[ProfileListed]) -> list[str]:
        """The ids of the weapons that profiles describe."""
        found = weapons_of(profiles, self)
        self.weapons.update({one["id"]: one for one in found})
        return [one["id"] for one in found]


@rule("datasheet/several-profiles")
def weapons_of(profiles: Sequence[ProfileListed], arming: Arming) -> list[Plain]:
    """The weapons of an entry as a datasheet has them; profiles marked as modes form one weapon."""
    types = known_format().types
    armed = [one for one in profiles if one.is_of(types.weapons)]
    found: list[Plain] = []
    for name in dict.fromkeys((base_of(one), one.is_of(types.melee)) for one in armed):
        modes = [one for one in armed if (base_of(one), one.is_of(types.melee)) == name]
        lines = [line for one in modes if (line := line_of(one, arming, len(modes) > 1)) is not None]
        for one in modes[MOST_MODES:]:
            arming.fates.not_understood(one.line, say("too-many-modes", most=MOST_MODES))
        if lines:
            found.append(weapon(tidy(name[0]), lines[:MOST_MODES]))
    return found


def base_of(profile: ProfileListed) -> str:
    """The name of a profile's weapon: ``➤ Blade - strike`` is a mode of the Blade; others are weapons of their own."""
    name = profile.name.lstrip()
    if not name.startswith(MODE):
        return name
    return re.split(r"\s[-–]\s", name.removeprefix(MODE).strip())[0]


def mode_of(profile: ProfileListed) -> str:
    parts = re.split(r"\s[-–]\s", profile.name.replace(MODE, "").strip(), maxsplit=1)
    return tidy(parts[-1])[:80] or "?"


def weapon(name: str, lines: list[Plain]) -> Plain:
    """A weapon with an id made from its content, so that weapons with the same name and other values differ."""
    digest = hashlib.blake2b(msgspec.json.encode([name, lines]), digest_size=2).hexdigest()
    row: Plain = {"id": f"{slug(name)[:50] or 'weapon'}-{digest}", "title": title(name)}
    return {**row, **lines[0]} if len(lines) == 1 else {**row, "lines": lines}


def title(name: str) -> dict[str, str]:
    """The name in the file, for both languages."""
    written = tidy(name)[:80] or "?"
    return {"en": written, "it": written}


def line_of(profile: ProfileListed, arming: Arming, is_mode: bool) -> Plain | None:
    """A weapon profile; None where a value is neither readable nor given by the player."""
    line: Plain = {"name": title(mode_of(profile))} if is_mode else {}
    for key, names, parse in FIELDS:
        text = profile.value(*names) or ""
        name = f"{arming.owner}.{slug(profile.name)}.{key}"
        value = value_said(arming.fates, profile, name, names[0], text, parse)
        if value is UNREAD:
            return None
        line[key] = value
    line["abilities"] = abilities_of(profile, arming)
    arming.fates.played(profile.line)
    return {key: value for key, value in line.items() if value is not None and value != []}


UNREAD = object()


def value_said(
    fates: Fates, profile: ProfileListed, name: str, field: str, text: str, parse: Callable[[str], Any]
) -> Any:
    """A value from the file, or from the player where it cannot be read."""
    try:
        return parse(text)
    except ValueError:
        said = fates.text(name, profile.line, say("value-of", field=field, name=tidy(profile.name)), text, parse)
        if said is None:
            fates.not_understood(profile.line, say("unread-value", field=field, value=repr(text[:40])))
            return UNREAD
        return parse(said)


# ---------------------------------------------------------------- abilities


@rule("weapon-abilities/catalogue")
def abilities_of(profile: ProfileListed, arming: Arming) -> list[str]:
    """The abilities that the referee plays; the others are played by hand."""
    written = profile.value("Keywords") or ""
    found = []
    for one in [] if is_nothing(written) else written.replace("[", "").replace("]", "").split(","):
        known = ability(one.strip())
        if known is not None:
            found.append(known)
        elif one.strip():
            arming.fates.by_hand(profile.line, say("weapon-ability-by-hand", name=tidy(one)[:60]))
            arming.by_hand.append(f"{tidy(profile.name.replace(MODE, ''))}: {tidy(one)}"[:80])
    return list(dict.fromkeys(found))


@rule("weapon-abilities/anti")
def ability(written: str) -> str | None:
    """An ability as a datasheet writes it: ``Rapid Fire 1`` is ``rapid-fire 1``; None if unknown to the book."""
    anti = ANTI.match(tidy(written))
    if anti is not None:
        return f"anti-{slug(anti['whom'])} {anti['number']}+"
    hit = NUMBERED.match(tidy(written))
    known = known_format().weapons.get(folded(hit["name"]).replace(" ", "")) if hit is not None else None
    if hit is None or known is None:
        return None
    if not known.number:
        return known.id
    return f"{known.id} {hit['number']}" if (hit["number"] or "").isdecimal() else None
