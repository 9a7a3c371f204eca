"""What can be asked of a book without a battle: the fields of a query about odds, and what it is once filled in.

A book writes its form as a generator: it yields one ``Field`` after another, each hanging on those before, is sent what
was filled in, and returns what is asked (``Posed``): a position in which the two stand as the query has it, and the
volleys that are resolved in it one after another. Whoever shows the form need not know the book.

Names that are alike in all books: ``kind``, ``attacker``, ``attacker-...``, ``target``, ``target-...``, ``distance``,
``cover``, ``weapons`` (in the order in which they are fired), and ``policy-...`` for what players decide on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from campale.referee.looks import Forecast
from campale.referee.misfits import told_of
from campale.referee.position import Position
from campale.referee.refusal import Plain
from campale.referee.words import LANGUAGES, words

Title = dict[str, str]
Kind = Literal["choice", "several", "number", "counted", "figure"]
Part = Literal["attacker", "target", "table", "attack", "policy", "option"]
Policy = Callable[[Any], Any]
"""What answers the decisions of players: it is handed a question and gives an answer to it."""


class Pick(msgspec.Struct, frozen=True):
    """One thing that may be chosen. ``under``: the heading under which it is listed, if any."""

    value: str | int | bool
    title: Title
    under: Title = {}


class Field(msgspec.Struct, frozen=True):
    """One thing that is asked.

    ``kind`` says what an answer looks like: ``choice``: the value of one of the picks; ``several``: a list of values;
    ``number``: a number ``between`` two, in steps (``unit``: of what); ``counted``: a list of [value, how many], the
    order counting, each ``between`` two; ``figure``: a value, or a profile written inline in the forces' vocabulary.
    """

    name: str
    title: Title
    kind: Kind
    part: Part
    default: Plain
    picks: tuple[Pick, ...] = ()
    rule: str = ""
    between: tuple[float, float] = (0.0, 0.0)
    step: float = 1.0
    unit: str = ""


class InquiryError(ValueError):
    """What was filled in cannot be set out: the field at fault, and why, in both languages."""

    def __init__(self, name: str, why: Title) -> None:
        super().__init__(why["en"])
        self.name = name
        self.why = why


@dataclass(frozen=True)
class Volley:
    """One attack of a query, with the titles of its weapons.

    ``forecast`` is the very function that the table's forecasts are made by. ``play`` is what the referee plays on a
    position, to its end; it gives the position that came of it. ``after`` gives the positions that can come of it, each
    with its chance; equal ones are one (None: that is not told). ``piece`` plays the next piece of ``play`` alone, from
    what the piece before handed on (None: from the beginning); it gives the position and what is handed on, None when
    all is done. What is handed on is plain data: with an equal position the same follows.
    """

    of: tuple[Title, ...]
    forecast: Callable[[Position], Forecast]
    play: Callable[[Position], Coroutine[Any, Any, Any]]
    after: Callable[[Position], Sequence[tuple[Position, float]]] | None = None
    piece: Callable[[Position, Any], Coroutine[Any, Any, tuple[Position, Any]]] | None = None


async def all_pieces(piece: Callable[[Position, Any], Coroutine[Any, Any, Any]], position: Position) -> Position:
    """Piece after piece to the end."""
    handed_on: Any = None
    while True:
        position, handed_on = await piece(position, handed_on)
        if handed_on is None:
            return position


@dataclass(frozen=True)
class Posed:
    """A query set out. ``counted`` reads numbers off a position that was played to the end, by the kinds of steps.

    The first of them counts the models of the target that are lost, of ``all_of_them``. ``notes`` are keys of the words
    (``odds.note.<key>``) of what must be said with the result, with their rules.
    """

    position: Position
    volleys: tuple[Volley, ...]
    policy: Policy
    counted: Mapping[str, Callable[[Position], int]]
    all_of_them: int
    rules: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[tuple[str, str], ...] = ()


Script = Generator[Field, Any, Posed]


@dataclass(frozen=True)
class Inquiries:
    """What a book can be asked: ``script(ruleset)`` is its form, under the options of that ruleset."""

    script: Callable[[Any], Script]


@lru_cache(maxsize=4096)
def in_both(folder: Path, key: str) -> Title:
    """A message of a book in both languages."""
    return {tongue: words(tongue, folder / "words").say(key) for tongue in LANGUAGES}


def trouble_of(name: str, folder: Path, key: str, **values: Plain) -> InquiryError:
    """An error at a field, told by the book's words under ``odds.trouble.<key>``."""
    why = {tongue: words(tongue, folder / "words").say(f"odds.trouble.{key}", **values) for tongue in LANGUAGES}
    return InquiryError(name, why)


def misfit(name: str, error: Exception) -> InquiryError:
    """An error at a field whose plain data could not be read, in both languages."""
    return InquiryError(name, told_of(error))
