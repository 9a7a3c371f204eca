"""What is wrong with a query: where, why, and what to do, in either language."""

from __future__ import annotations

from pathlib import Path

import msgspec

from campale.dice.odds import OddsError
from campale.referee.refusal import Plain
from campale.referee.telling.words import Words, words

WORDS = Path(__file__).parent / "words"


def own_words(language: str) -> Words:
    return words(language, WORDS)


class Trouble(msgspec.Struct, frozen=True):
    """One error: a key of the words, the name of the field (empty: none), and values; titles are in both languages."""

    key: str
    field: str = ""
    values: dict[str, Plain] = {}

    def told(self, language: str) -> str:
        values = {name: one.get(language, "") if isinstance(one, dict) else one for name, one in self.values.items()}
        return own_words(language).say(f"trouble.{self.key}", field=self.field, **values)


BREAKS = (
    OddsError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    AssertionError,
    ArithmeticError,
    RecursionError,
)
"""The exceptions that rules may raise on an invented profile."""


class QueryError(ValueError):
    """A query that cannot be answered."""

    def __init__(self, *troubles: Trouble) -> None:
        super().__init__("; ".join(one.told("en") for one in troubles))
        self.troubles = troubles

    def told(self, language: str) -> str:
        return "\n".join(one.told(language) for one in self.troubles)


def broken(error: BaseException, field: str = "") -> Trouble:
    """The trouble for a rule that failed."""
    what = " ".join(str(error).split())[:200] or type(error).__name__
    return Trouble("breaks-down", field, {"error": "".join(sign for sign in what if sign.isprintable())})
