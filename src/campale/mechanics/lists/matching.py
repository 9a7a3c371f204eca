"""Equivalent names in different spellings, and similar names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from heapq import nlargest
from typing import TypeVar

T = TypeVar("T")

GUESSES, LONGEST, MOST_COMPARED = 5, 40, 120
LEAST_ALIKE = 0.5
SIGNS = re.compile(r"[^0-9a-z]+")


def folded(name: str) -> str:
    """Without case, accents, apostrophes and other signs: ``Khârn’s  Blade`` is ``kharns blade``."""
    plain = unicodedata.normalize("NFKD", name.replace("’", "").replace("'", "").replace("`", ""))
    ascii_only = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return SIGNS.sub(" ", ascii_only.casefold()).strip()


def slug(name: str) -> str:
    """A name as an id: ``Anti-Infantry`` is ``anti-infantry``."""
    return folded(name).replace(" ", "-")[:60].strip("-")


def found(name: str, known: Mapping[str, T]) -> T | None:
    """The thing with a name (folded), singular or plural."""
    wanted = folded(name)
    return next((known[one] for one in (wanted, wanted.removesuffix("s"), f"{wanted}s") if one in known), None)


def guesses(name: str, known: Iterable[str], most: int = GUESSES) -> list[str]:
    """The known names most similar to one, the nearest first."""
    wanted = folded(name)
    rated = [(likeness(wanted, folded(one)), one) for one in worth_comparing(wanted, known)]
    return [one for rate, one in sorted(rated, key=lambda pair: (-pair[0], pair[1]))[:most] if rate >= LEAST_ALIKE]


def worth_comparing(wanted: str, known: Iterable[str]) -> list[str]:
    """The names that share most pairs of letters with one, because comparing very many takes long."""
    pairs = pairs_in(wanted)
    return nlargest(MOST_COMPARED, known, key=lambda one: len(pairs & pairs_in(folded(one))))


def pairs_in(text: str) -> set[str]:
    return {text[k : k + 2] for k in range(min(len(text), LONGEST))}


def likeness(one: str, other: str) -> float:
    """The similarity, between 0 and 1; a name contained in the other counts highly."""
    matcher = SequenceMatcher(None, one[:LONGEST], other[:LONGEST])
    ratio = matcher.ratio() if matcher.quick_ratio() >= LEAST_ALIKE else 0.0
    words = set(one.split()) & set(other.split())
    return max(ratio, 0.8 * len(words) / max(1, min(len(one.split()), len(other.split()))))
