"""Characteristics as written on datasheets, read as the book has them; unreadable ones raise a ValueError."""

from __future__ import annotations

import re

from campale.referee.rule import rule
from campale.rulesets.w10.armies.amounts import amount

NUMBER = re.compile(r"^(-?[0-9]{1,3})\s*(?:\"|″|”|''|\+)*$")
NOTHING = frozenset({"", "-", "–", "—", "n/a", "na"})
MOST, MOST_INCHES = 60, 120
AP_LEAST = -6


def tidy(text: str) -> str:
    """The text on one line, without invisible characters."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def is_nothing(text: str) -> bool:
    return tidy(text).casefold() in NOTHING


def whole(text: str, least: int = 0, most: int = MOST) -> int:
    """A whole number: ``3+``, ``6"``, ``4``. Raises ValueError."""
    found = NUMBER.match(tidy(text).replace("−", "-"))
    if found is None or not least <= int(found[1]) <= most:
        raise ValueError(text[:40])
    return int(found[1])


@rule("datasheet/model-profile", "c/null-characteristics")
def stat(name: str, text: str) -> int | None:
    """A characteristic of a model; M may be a dash: the model cannot move; so may LD. Raises ValueError."""
    if name in ("m", "ld") and is_nothing(text):
        return None
    if name == "m":
        return whole(text, 1)
    if name == "oc" and is_nothing(text):
        return 0
    return whole(text, 1 if name == "w" else 0)


@rule("datasheet/weapon-profile", "datasheet/random-characteristics")
def rolled(text: str) -> str:
    """Attacks or Damage: ``2``, ``D6``, ``2D6+1``. Raises ValueError."""
    written = tidy(text).upper().replace(" ", "")
    amount(written)
    return written


@rule("datasheet/weapon-profile")
def reach(text: str) -> float | None:
    """The range in inches, or None for melee. Raises ValueError."""
    return None if tidy(text).casefold() == "melee" else float(whole(text, 1, MOST_INCHES))


@rule("datasheet/weapon-profile")
def skill(text: str) -> int | None:
    """Ballistic or Weapon Skill, or None if no roll to hit is made. Raises ValueError."""
    return None if is_nothing(text) else whole(text, 2, 6)


@rule("datasheet/weapon-profile")
def armour_penetration(text: str) -> int:
    """AP as zero or less, whatever sign is written. Raises ValueError."""
    return 0 if is_nothing(text) else -abs(whole(text, AP_LEAST, -AP_LEAST))
