"""Bases and heights, which no list contains: usual ones by keywords and wounds, and what the player enters."""

from __future__ import annotations

from collections.abc import Collection

from campale.mechanics.lists.fates import Fates
from campale.rulesets.w10.lists.format import Size, known_format, say

LEAST_BASE, MOST_BASE = 20, 200
LEAST_HEIGHT, MOST_HEIGHT = 0.5, 12


def usual(keywords: Collection[str], wounds: int) -> Size:
    """The first row of the table whose keywords are all present and whose wounds are reached."""
    return next(
        one for one in known_format().sizes if wounds >= one.wounds and all(word in keywords for word in one.keywords)
    )


def size_of(fates: Fates, line: int, owner: str, name: str, keywords: Collection[str], wounds: int) -> dict[str, float]:
    """The base in millimetres and the height in inches, usual or entered by the player."""
    like = usual(keywords, wounds)
    base = fates.number(f"{owner}.base", line, say("base-of", name=name), like.base, LEAST_BASE, MOST_BASE)
    height = fates.number(f"{owner}.height", line, say("height-of", name=name), like.height, LEAST_HEIGHT, MOST_HEIGHT)
    found = {"base": round(base or like.base), "height": round(height or like.height, 2)}
    if found == {"base": like.base, "height": round(like.height, 2)}:
        fates.played(line, say("usual-size", **found))
    return found
