"""The record of a battle: its entries, the marks and hashes taken on the way, and its possible errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from campale.referee.position import Position
from campale.referee.question import unplain
from campale.referee.refusal import Plain

Marks = Literal["all", "last", "none"]

DOUBT = "doubt"
"""A die that settles a doubt at the table, apart from any question: the side that called for it, and its result."""
CHANCE_KINDS = frozenset({"roll", "direction", "draw", DOUBT})
ENDINGS = frozenset({"concede", "draw-agreed"})
BATTLE_ENTRIES = ENDINGS | {"correct"}
LATE = "late"
"""A clock has run out for a side: [the clock, how its question is answered for it, that answer or null]."""
CLOCKS, IN_PLACE = ("battle", "reaction"), ("lost", "passed", "proposed")
LONGEST_MARK = 60
TALK = frozenset({"propose", "consent", "decline"})


class Entry(msgspec.Struct, array_like=True):
    """One line of the record: the kind of question (or of act on the battle), the side, the answer."""

    kind: str
    side: int | None
    answer: Plain = None


class Mark(NamedTuple):
    """A boundary: the position there (never played on), how many entries and events lay before it, and the turn."""

    position: Position
    at: int
    events: int
    turn: Plain


class TurnHash(msgspec.Struct, array_like=True, frozen=True):
    """The hash of the position at the first boundary of a turn, and how many entries lay before it."""

    at: int
    turn: Plain
    state: str


class RefereeError(Exception):
    """A rule failed in an unforeseen way. The battle stands again at the question before."""


class Drift(Exception):
    """A replayed record does not fit the questions asked."""

    def __init__(self, what: str, at: int, detail: str) -> None:
        super().__init__(f"{what} differs at entry {at}: {detail}")
        self.what, self.at, self.detail = what, at, detail


def grained(answer: Plain) -> Plain:
    """The answer as it is recorded: numbers with a fraction on the grain of the position, tuples as lists."""
    if isinstance(answer, float):
        return round(float(answer), 4) if abs(answer) < 1e12 else float(answer)
    if isinstance(answer, list | tuple):
        return [grained(one) for one in answer]
    if isinstance(answer, dict):
        return {key: grained(one) for key, one in answer.items()}
    return answer


def effective(record: Sequence[Entry]) -> list[Entry]:
    """The entries of a record that still hold: without what was undone, and without talk."""
    line: list[Entry] = []
    for entry in record:
        if entry.kind == "undo":
            del line[entry.answer :]
        elif entry.kind not in TALK:
            line.append(entry)
    return line


def is_whole(value: Any, low: int, high: int) -> bool:
    """Whether a value is a whole number (not True or False) from ``low`` to ``high``, both included."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def are_bare(values: Sequence[Plain]) -> bool:
    return all(isinstance(n, int | float) and not isinstance(n, bool) and abs(n) < 1e6 for n in values)


def misdescribed(position: Position, changes: Plain) -> str:
    """The word for an unreadable correction; empty if its changes are readable.

    A change is ["move", row, x, y, z, facing] or ["mark", row, name, n].
    """
    if unplain(changes) is not None or not isinstance(changes, list) or not changes:
        return "correction.unreadable"
    return "" if all(is_change(position, change) for change in changes) else "correction.unreadable"


def is_change(position: Position, change: Plain) -> bool:
    if not isinstance(change, list) or len(change) < 2 or not is_whole(change[1], 0, len(position.names) - 1):
        return False
    if change[0] == "move":
        return len(change) == 6 and are_bare(change[2:])
    named = change[0] == "mark" and len(change) == 4 and isinstance(change[2], str)
    is_shown = named and change[2].isprintable() and len(change[2]) <= LONGEST_MARK
    return is_shown and is_whole(change[3], -(10**6), 10**6)


def correct(position: Position, entry: Entry) -> None:
    """Carry out a correction. Its entry belongs to the side that proposed it; in older records to nobody."""
    position.write("corrected", side=entry.side)
    for verb, row, *values in entry.answer:
        model = position.model(row)
        if verb == "move":
            position.move_to(model, *values, corrected=True)
        else:
            position.mark(model, *values, corrected=True)


def is_lapse(told: Plain) -> bool:
    """Whether the value is that of an entry for a clock that ran out."""
    if not isinstance(told, list) or len(told) != 3 or unplain(told[2]) is not None:
        return False
    return told[0] in CLOCKS and told[1] in IN_PLACE
