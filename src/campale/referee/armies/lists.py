"""Army lists that players bring from other programs: how a book reads one, line by line."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Fate = Literal["played", "by-hand", "not-understood", "noted"]
PLAYED: Fate = "played"
BY_HAND: Fate = "by-hand"
NOT_UNDERSTOOD: Fate = "not-understood"
NOTED: Fate = "noted"
FATES = (NOT_UNDERSTOOD, BY_HAND, PLAYED, NOTED)
"""The possible fates of a line, the worst first: not played until corrected; played by the players, shown by the
referee; played by the referee; without effect on play."""


class ListAsked(msgspec.Struct, frozen=True):
    """A list as received. ``known``: the player's own forces, whose units a text may name. ``mends``: the player's
    corrections of what was not understood, by the names of the ``Mend``.
    """

    data: bytes
    mends: dict[str, str] = {}
    known: tuple[dict[str, Any], ...] = ()


class LineRead(msgspec.Struct, frozen=True):
    """A line, its indentation, its fate, and the reason; ``unit``: the number of the unit that it belongs to."""

    text: str
    depth: int
    fate: Fate
    whys: tuple[str, ...] = ()
    unit: int | None = None


class MendChoice(msgspec.Struct, frozen=True):
    value: str
    title: str


class Mend(msgspec.Struct, frozen=True):
    """A correction that the player may or must give. A number is between ``least`` and ``most``; a text is written as
    on a datasheet. ``value``: the current value ("": none). ``is_needed``: without it, its subject is left out.
    """

    name: str
    line: int
    title: str
    kind: Literal["choose", "number", "text"]
    value: str = ""
    choices: tuple[MendChoice, ...] = ()
    least: float = 0
    most: float = 0
    is_needed: bool = False


class Check(msgspec.Struct, frozen=True):
    """A sum or count that was checked, as a sentence."""

    is_right: bool
    text: str


class ListRead(msgspec.Struct, frozen=True):
    """The result of reading a list. ``force`` is in the form of an army file; None: nothing can be fielded yet.

    Texts are spoken: they carry both languages (``referee.telling.spoken``).
    """

    program: str
    name: str
    lines: tuple[LineRead, ...]
    mends: tuple[Mend, ...]
    checks: tuple[Check, ...]
    force: dict[str, Any] | None
    refused: tuple[str, ...] = ()

    def count(self, fate: Fate) -> int:
        return sum(one.fate == fate for one in self.lines)
