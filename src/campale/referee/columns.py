"""The parts of a position: counts and notes by row, effects, losses, markers on the table, the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from campale.referee.refusal import Plain

TABLE, RESERVE, ABOARD, FALLEN, GONE = range(5)
"""Where a model is: on the table, in reserve, aboard another, dead but still standing, gone."""


class Effect(msgspec.Struct, frozen=True):
    """A temporary effect: its rule, bearer, source, end, and value."""

    rule: str
    bearer: int
    source: int = -1
    until: str = ""
    value: Plain = None
    on: str = "model"


class Loss(msgspec.Struct, frozen=True):
    """A lost model: the cause, who caused it (the row of a model or a unit, see ``Ruleset.authors``), the moment."""

    model: int
    cause: str
    by: int = -1
    moment: tuple[Plain, ...] = ()


class Harm(msgspec.Struct, frozen=True):
    """Harm to a model, for statistics: the number of wounds, who caused it (rows as in ``Loss.by``), how.

    ``share`` is which part of all its wounds that was; ``turn`` is the turn as its ruleset names it.
    """

    model: int
    wounds: float
    share: float
    by: tuple[int, ...]
    cause: str
    turn: Plain
    is_lost: bool = False


class Token(msgspec.Struct, frozen=True):
    """A marker lying on the table."""

    kind: str
    x: float
    y: float
    z: float = 0.0
    side: int = -1
    value: Plain = None


class Result(msgspec.Struct, frozen=True):
    """How the battle ended: the winner (None: a draw), the rule that ended it, and the count behind it."""

    winner: int | None
    rule: str
    counts: dict[str, Plain] = {}


class Counters:
    """Whole numbers and notes by row, one column per name. Notes are immutable plain values, and rare.

    A copy shares all columns and notes with the original until either writes; ``own_columns`` and ``own_notes`` name
    those that nobody shares. Readers must not change them.
    """

    __slots__ = ("columns", "notes", "own_columns", "own_notes", "rows")

    def __init__(self, rows: int = 0) -> None:
        self.rows = rows
        self.own_columns: set[str] = set()
        self.own_notes: set[str] = set()
        self.columns: dict[str, list[int]] = {}
        self.notes: dict[str, dict[int, Plain]] = {}

    def copy(self) -> Counters:
        copied = Counters.__new__(Counters)
        copied.rows = self.rows
        copied.columns, copied.notes = self.columns.copy(), self.notes.copy()
        self.own_columns, self.own_notes = set(), set()
        copied.own_columns, copied.own_notes = set(), set()
        return copied

    def is_like(self, other: Counters) -> bool:
        """Whether both have the same plain data."""
        if self.rows != other.rows:
            return False
        return (self.columns == other.columns and self.notes == other.notes) or self.plain() == other.plain()

    def get(self, row: int, name: str) -> int:
        column = self.columns.get(name)
        return column[row] if column is not None else 0

    def set(self, row: int, name: str, value: int) -> None:
        column = self.columns.get(name)
        if column is None:
            if value == 0:
                return
            column = self.columns[name] = [0] * self.rows
            self.own_columns.add(name)
        elif name not in self.own_columns:
            column = self.columns[name] = column[:]
            self.own_columns.add(name)
        column[row] = value

    def named(self, row: int) -> list[str]:
        """The names for which a row has a count other than 0."""
        return [name for name, column in self.columns.items() if column[row]]

    def rows_with(self, name: str) -> list[int]:
        """The rows whose count of this name is other than 0."""
        return [row for row, count in enumerate(self.columns.get(name, ())) if count]

    def note(self, row: int, name: str, default: Plain = None) -> Plain:
        notes = self.notes.get(name)
        return default if notes is None else notes.get(row, default)

    def noted(self, name: str) -> Mapping[int, Plain]:
        """All notes of this name, by row."""
        return self.notes.get(name, {})

    def set_note(self, row: int, name: str, value: Plain) -> None:
        """Set a note; lists become tuples, because copies share it. None removes it."""
        notes = self.notes.get(name)
        if notes is None and value is None:
            return
        if name not in self.own_notes:
            notes = self.notes[name] = {} if notes is None else notes.copy()
            self.own_notes.add(name)
        assert notes is not None
        if value is None:
            notes.pop(row, None)
        else:
            notes[row] = tupled(value)

    def take(self, row: int, other: Counters) -> None:
        """Copy all counts and notes of a row from another object."""
        for name in other.named(row):
            self.set(row, name, other.get(row, name))
        for name, notes in other.notes.items():
            if row in notes:
                self.set_note(row, name, notes[row])

    def add_row(self) -> int:
        self.columns = {name: [*column, 0] for name, column in self.columns.items()}
        self.own_columns = set(self.columns)
        self.rows += 1
        return self.rows - 1

    def plain(self) -> list[Plain]:
        columns = {name: column for name, column in sorted(self.columns.items()) if any(column)}
        notes = {name: sorted(found.items()) for name, found in sorted(self.notes.items()) if found}
        return [self.rows, columns, notes]

    def fits(self, rows: int) -> bool:
        """Whether every column has this many rows, and all counts are whole."""
        return (
            self.rows == rows
            and all(len(c) == rows and all(isinstance(n, int) for n in c) for c in self.columns.values())
            and all(isinstance(row, int) and 0 <= row < rows for found in self.notes.values() for row in found)
        )

    @classmethod
    def from_plain(cls, plain: list[Any]) -> Counters:
        counters = cls(plain[0])
        counters.columns = {name: list(column) for name, column in plain[1].items()}
        counters.notes = {name: {row: tupled(v) for row, v in notes} for name, notes in plain[2].items()}
        return counters


def tupled(value: Plain) -> Plain:
    """The value with its lists as tuples: copies share it, and it is equal after saving and loading."""
    if not isinstance(value, list | tuple):
        return value
    return tuple([tupled(one) if isinstance(one, list | tuple) else one for one in value])
