"""Sentences that are English text, and carry their Italian for the code that shows them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from campale.referee.telling.words import words


class Spoken(str):
    """An English text; ``italian`` says the same. Texts made from it by other means are English only."""

    __slots__ = ("italian",)
    italian: str

    def __new__(cls, english: str, italian: str) -> Spoken:
        made = super().__new__(cls, english)
        made.italian = italian
        return made

    def __reduce__(self) -> tuple[type[Spoken], tuple[str, str]]:
        return Spoken, (str(self), self.italian)


def spoken(folder: Path, key: str, **values: Any) -> Spoken:
    """A message of a folder's words in both languages; spoken values are filled in in each language."""
    return Spoken(*(words(tongue, folder).say(key, **in_tongue(values, tongue)) for tongue in ("en", "it")))


def in_tongue(values: Mapping[str, Any], language: str) -> dict[str, str]:
    return {name: told(value if isinstance(value, str) else str(value), language) for name, value in values.items()}


def told(text: str, language: str) -> str:
    """A sentence in a language: the English text if it has no other."""
    return text.italian if isinstance(text, Spoken) and language == "it" else str(text)


def joined(parts: list[str], between: str = "; ") -> Spoken:
    """Several sentences joined into one."""
    return Spoken(*(between.join(told(one, tongue) for one in parts) for tongue in ("en", "it")))
