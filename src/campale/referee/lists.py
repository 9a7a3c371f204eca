"""Army lists that players bring from other programs: what a book makes of one, line by line."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Fate = Literal["played", "by-hand", "not-understood", "noted"]
PLAYED: Fate = "played"
BY_HAND: Fate = "by-hand"
NOT_UNDERSTOOD: Fate = "not-understood"
NOTED: Fate = "noted"
FATES = (NOT_UNDERSTOOD, BY_HAND, PLAYED, NOTED)
"""What may become of a line, the worst first: nobody plays it until it is mended; the players do, the referee shows it;
the referee does; it says nothing that is played."""


class ListAsked(msgspec.Struct, frozen=True):
    """A list as it came. ``known``: forces of the player's own, whose units a text may name. ``mends``: what he said of
    that which was not understood, by the names of the ``Mend``.
    """

    data: bytes
    mends: dict[str, str] = {}
    known: tuple[dict[str, Any], ...] = ()


class LineRead(msgspec.Struct, frozen=True):
    """A line, how far it stands in, its fate, and why; ``unit``: the number of the unit that it belongs to."""

    text: str
    depth: int
    fate: Fate
    whys: tuple[str, ...] = ()
    unit: int | None = None


class MendChoice(msgspec.Struct, frozen=True):
    value: str
    title: str


class Mend(msgspec.Struct, frozen=True):
    """Something that the player may say, or must. A number is between ``least`` and ``most``; a text is written as on a
    datasheet. ``value``: what holds now ("": nothing does). ``is_needed``: without it what it is about is left out.
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
    """Something that was added up or counted, in a sentence."""

    is_right: bool
    text: str


class ListRead(msgspec.Struct, frozen=True):
    """What was made of a list. ``force`` is as an army file has it; None: nothing of it can be fielded yet.

    Texts are spoken: they carry both languages (``referee.spoken``).
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
