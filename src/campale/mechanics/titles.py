"""Titles in every language, from the words of a book or of a mechanic."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from campale.referee.refusal import Plain
from campale.referee.telling.words import LANGUAGES, words


@lru_cache(maxsize=4096)
def in_both(folder: Path, key: str, **values: Plain) -> dict[str, str]:
    """A message in both languages, from the words in ``folder/words``."""
    return {tongue: words(tongue, folder / "words").say(key, **values) for tongue in LANGUAGES}
