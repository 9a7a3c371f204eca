"""The form of a query about odds, which needs no battle: its fields, and the query that they make once filled in.

A book writes its form as a generator: it yields one ``Field`` after another, each of which may depend on those before,
is sent the value that was filled in, and returns a ``Query``: a position with attacker and target as the form has them,
and the volleys that are resolved there one after another. Code that shows the form need not know the book.

All books use these field names: ``kind``, ``attacker``, ``attacker-...``, ``target``, ``target-...``, ``distance``,
``cover``, ``weapons`` (in the order of fire), and ``policy-...`` for the decisions of players on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from campale.referee.looks import Forecast
from campale.referee.position import Position
from campale.referee.refusal import Plain

Title = dict[str, str]
Kind = Literal["choice", "several", "number", "counted", "figure"]
Part = Literal["attacker", "target", "table", "attack", "policy", "option"]
Policy = Callable[[Any], Any]
"""Answers the decisions of players: from a question to an answer."""


class Pick(msgspec.Struct, frozen=True):
    """One of the values to choose from. ``under``: the heading under which it is listed, if any."""

    value: str | int | bool
    title: Title
    under: Title = {}


class Field(msgspec.Struct, frozen=True):
    """A field of the form.

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


class FieldError(ValueError):
    """A value that cannot be used: the name of the field, and the reason, in both languages."""

    def __init__(self, name: str, why: Title) -> None:
        super().__init__(why["en"])
        self.name = name
        self.why = why


@dataclass(frozen=True)
class Volley:
    """An attack of a query, with the titles of its weapons.

    ``forecast`` is the same function that makes the table's forecasts. ``play`` plays the attack on a position to its
    end and returns the position that resulted. ``after`` returns the positions that can result, each once and with its
    chance (None: unknown). ``piece`` plays only the next piece of ``play``, from the value that the piece before handed
    on (None: from the beginning); it returns the position and the value to hand on, None when all is done. That value
    is plain data: an equal value and an equal position continue alike.
    """

    of: tuple[Title, ...]
    forecast: Callable[[Position], Forecast]
    play: Callable[[Position], Coroutine[Any, Any, Any]]
    after: Callable[[Position], Sequence[tuple[Position, float]]] | None = None
    piece: Callable[[Position, Any], Coroutine[Any, Any, tuple[Position, Any]]] | None = None


async def all_pieces(piece: Callable[[Position, Any], Coroutine[Any, Any, Any]], position: Position) -> Position:
    """Play piece after piece to the end."""
    handed_on: Any = None
    while True:
        position, handed_on = await piece(position, handed_on)
        if handed_on is None:
            return position


@dataclass(frozen=True)
class Query:
    """A query that can be answered. ``counted``: kinds of steps, each with a function that reads its number off a
    position in which all volleys were played.

    The first of them counts the models of the target that are lost, out of ``all_of_them``. ``rules``: kinds of steps
    with their rule ids. ``notes``: words (``odds.note.<key>``) that must be shown with the answer, with their rule ids.
    """

    position: Position
    volleys: tuple[Volley, ...]
    policy: Policy
    counted: Mapping[str, Callable[[Position], int]]
    all_of_them: int
    rules: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[tuple[str, str], ...] = ()


Script = Generator[Field, Any, Query]
"""A form: it yields fields, is sent their values, and returns the query."""
