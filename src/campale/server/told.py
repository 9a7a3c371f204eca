"""The server's own words, in the language of the request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from campale.referee.telling.words import LANGUAGES, words

FOLDER = Path(__file__).parent / "words"


def told(language: str, word: str, **values: Any) -> str:
    """A sentence of the server's words."""
    return words(language if language in LANGUAGES else LANGUAGES[0], FOLDER).say(word, **values)


def called(name: str, side: int, language: str) -> str:
    """The name of a side's player; a nameless player is called by his colour, in the reader's language."""
    return name or told(language, f"side.{side}")


def preferred(accepted: str) -> str:
    """The first accepted language (as browsers send them) that is known."""
    ranked: list[tuple[float, str]] = []
    for part in accepted[:200].split(","):
        name, _, weight = part.strip().partition(";q=")
        ranked.append((-weight_of(weight), name.partition("-")[0].casefold()))
    known = [name for _, name in sorted(ranked, key=lambda one: one[0]) if name in LANGUAGES]
    return known[0] if known else LANGUAGES[0]


def weight_of(text: str) -> float:
    try:
        return min(1.0, max(0.0, float(text))) if text else 1.0
    except ValueError:
        return 0.0
