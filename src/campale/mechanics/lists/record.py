"""The content of an army list from any program, before a book interprets it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from campale.referee.reading import FileError
from campale.referee.telling.spoken import Spoken, spoken

WORDS = Path(__file__).parent / "words"

MOST_BYTES = 10_000_000
MOST_SENT = 4_000_000
MOST_NODES = 60_000
MOST_DEPTH = 60
MOST_TEXT = 20_000
MOST_PASTED = 100_000
MOST_LINES = 2_000
MOST_UNITS = 60
MOST_MODELS = 60


class ListError(FileError):
    """The list cannot be read at all; ``messages`` say why and what to do, in both languages."""


def say(key: str, **values: Any) -> Spoken:
    """A message about a list, in both languages."""
    return spoken(WORDS, key, **values)


class Line(msgspec.Struct, frozen=True):
    """A line of a text, or a named part of a roster file: ``depth`` is its indentation."""

    text: str
    depth: int = 0


class ProfileListed(msgspec.Struct, frozen=True):
    """A profile in a file: its name and type, its values by name, and its line."""

    line: int
    name: str
    type: str
    values: dict[str, str]

    def is_of(self, types: Sequence[str]) -> bool:
        """Whether it is of one of the types; data files differ in capital letters."""
        return self.type.casefold() in {one.casefold() for one in types}

    def value(self, *names: str) -> str | None:
        """The value of the first of the names that it has, regardless of capital letters."""
        folded = {name.casefold(): text for name, text in self.values.items()}
        return next((folded[one.casefold()] for one in names if one.casefold() in folded), None)


class RuleListed(msgspec.Struct, frozen=True):
    """A rule printed for the model or unit that has it."""

    line: int
    name: str
    text: str


class Entry(msgspec.Struct, frozen=True):
    """A purchase; ``count`` is the total number, ``entries`` are the purchases for it.

    In a text it may also be a model.
    """

    line: int
    name: str
    count: int = 1
    points: int = 0
    profiles: tuple[ProfileListed, ...] = ()
    rules: tuple[RuleListed, ...] = ()
    keywords: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()

    def all(self) -> Iterator[Entry]:
        """The entry and everything bought for it."""
        yield self
        for one in self.entries:
            yield from one.all()


class UnitListed(msgspec.Struct, frozen=True):
    """A unit: its groups of models if the list gives them, and entries of no particular model.

    ``count``: its models, 0 if unknown. ``own_name``: the player's name for it.
    """

    line: int
    name: str
    count: int = 0
    points: int = 0
    own_name: str = ""
    models: tuple[Entry, ...] = ()
    entries: tuple[Entry, ...] = ()
    profiles: tuple[ProfileListed, ...] = ()
    rules: tuple[RuleListed, ...] = ()
    keywords: tuple[str, ...] = ()


class Aside(msgspec.Struct, frozen=True):
    """A part of the list that is not a unit: the detachment, the size of the battle, settings of the program."""

    line: int
    name: str
    value: str = ""


class ArmyListed(msgspec.Struct, frozen=True, kw_only=True):
    """A list.

    ``system``: the id of the game, if the file has one. ``total`` is its stated cost, ``added`` the sum of the costs of
    its parts, ``limit`` the size it was written for; 0: not stated.
    """

    program: str
    lines: tuple[Line, ...]
    units: tuple[UnitListed, ...]
    asides: tuple[Aside, ...] = ()
    name: str = ""
    faction: str = ""
    detachment: str = ""
    system: str = ""
    system_name: str = ""
    total: int = 0
    added: int = 0
    limit: int = 0
    has_profiles: bool = False


class Lines:
    """The lines of a list, in reading order."""

    def __init__(self) -> None:
        self.found: list[Line] = []

    def add(self, text: str, depth: int = 0) -> int:
        """The number of a new line. Raises ListError if there are too many."""
        if len(self.found) >= MOST_LINES:
            raise ListError(say("too-many-lines", most=MOST_LINES))
        self.found.append(Line(text[:300], depth))
        return len(self.found) - 1
