"""What players read: keyed messages in English and Italian, the referee's own and each ruleset's."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import msgspec

from campale.referee.refusal import Plain

LANGUAGES = ("en", "it")
PLACEHOLDER = re.compile(r"\{(\w+)(?:\|[^|{}]*\|[^|{}]*)?\}")
"""A placeholder for a value, ``{count}``, or for a word in singular and plural by it, ``{count|die|dice}``."""


class Words:
    """The messages of a language: those of a ruleset first, then the referee's."""

    __slots__ = ("_fields", "language", "messages")

    def __init__(self, language: str, messages: dict[str, str]) -> None:
        self.language = language
        self.messages = messages
        self._fields: dict[str, frozenset[str]] = {}

    def fields(self, key: str) -> frozenset[str]:
        """The names of the values that a message needs."""
        if key not in self._fields:
            self._fields[key] = frozenset(PLACEHOLDER.findall(self.messages.get(key, "")))
        return self._fields[key]

    def has(self, key: str) -> bool:
        return key in self.messages

    def say(self, key: str, **values: Plain) -> str:
        """The message with its values filled in; the key itself if there is no message."""
        message = self.messages.get(key)
        if message is None:
            return key
        return PLACEHOLDER.sub(lambda found: self.placed(found[0], values.get(found[1], "")), message)

    def placed(self, place: str, value: Plain) -> str:
        """The text for a placeholder: the value, or the singular or plural word that fits it."""
        _, *words_by_number = place[1:-1].split("|")
        text = self.shown(value)
        return words_by_number[0 if text == "1" else 1] if words_by_number else text

    def shown(self, value: Plain) -> str:
        """A value as readers see it: Italian numbers have a comma, and numbers below zero the minus sign."""
        if isinstance(value, float):
            return self.with_comma(f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−"))
        if isinstance(value, list | tuple):
            return ", ".join(self.shown(one) for one in value)
        return str(value).replace("-", "−") if isinstance(value, int) else str(value)

    def number(self, value: float, places: int) -> str:
        """The number with exactly this many decimal places."""
        return self.with_comma(f"{value:.{places}f}")

    def percent(self, value: float, sign: str = "") -> str:
        """A share (1 is the whole) in per cent, with a plus sign if ``sign`` is ``+``."""
        return self.with_comma(f"{value:{sign}.1%}")

    def with_comma(self, digits: str) -> str:
        return digits.replace(".", ",") if self.language == "it" else digits


@lru_cache(maxsize=32)
def words(language: str, *folders: Path) -> Words:
    """The words of a language from the folders' ``<language>.json``, earlier folders first, then the referee's own."""
    messages: dict[str, str] = {}
    for folder in (Path(__file__).parents[1] / "words", *reversed(folders)):
        path = folder / f"{language}.json"
        if path.exists():
            messages.update(msgspec.json.decode(path.read_bytes(), type=dict[str, str]))
    return Words(language, messages)
