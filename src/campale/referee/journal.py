"""The journal: typed events of keys and values, each with the rules in force and the sides that may see it."""

from __future__ import annotations

from typing import Any

import msgspec

from campale.referee.refusal import Plain


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """``kind`` is a key of the words; ``seen_by`` the sides that may see the values (None: everybody).

    ``open_values`` is what the others see; without it they do not learn that it happened. ``moved`` lists the models
    that were then in a unit other than the one they were bought with, each with that unit, both by row.
    """

    kind: str
    values: dict[str, Plain] = {}
    rules: tuple[str, ...] = ()
    seen_by: tuple[int, ...] | None = None
    open_values: dict[str, Plain] | None = None
    moved: tuple[tuple[int, int], ...] = ()

    def as_seen_by(self, side: int | None) -> Event | None:
        """The event as a side sees it (None: as the public does)."""
        if self.seen_by is None:
            return self
        if side in self.seen_by:
            return Event(self.kind, self.values, self.rules, moved=self.moved)
        return None if self.open_values is None else Event(self.kind, self.open_values, self.rules, moved=self.moved)


class Journal:
    """The events in order.

    A journal can be cut back when a decision is undone. ``ats`` gives for each event the length of the line of answers
    when it happened; ``at`` is its length now.
    """

    __slots__ = ("at", "ats", "events")

    def __init__(self, events: list[Event] | None = None, ats: list[int] | None = None) -> None:
        self.events = events if events is not None else []
        self.ats = ats if ats is not None else [0] * len(self.events)
        self.at = 0

    def __len__(self) -> int:
        return len(self.events)

    def write(self, event: Event) -> None:
        self.events.append(event)
        self.ats.append(self.at)

    def copy(self) -> Journal:
        return self.first(len(self.events))

    def first(self, length: int) -> Journal:
        """A journal of the first events."""
        return Journal(self.events[:length], self.ats[:length])

    def cut_to(self, length: int) -> None:
        del self.events[length:]
        del self.ats[length:]

    def as_seen_by(self, side: int | None) -> list[Event]:
        return [seen for event in self.events if (seen := event.as_seen_by(side)) is not None]

    def to_bytes(self) -> bytes:
        return msgspec.json.encode(self.events)


def late_event(question: Any, side: int, told: Any, is_told: bool) -> Event:
    """The journal's line for a clock that ran out; others learn the question only if ``is_told``."""
    clock, how, answer = told
    known = {"side": side, "clock": clock, "how": how}
    asked = {"kind": question.kind, "prompt": question.prompt, "about": question.about}
    whole = {**known, "asked": {**asked, "of": getattr(question, "of", "word")}, "answer": answer}
    if is_told:
        return Event("late", whole, question.rules)
    return Event("late", whole, question.rules, (side,), known)


def dice_event(question: Any, answer: Plain) -> Event:
    """The journal's line for an answer of chance; a draw is shown only to the side that drew.

    Only its own side learns of a ``secret`` one.
    """
    drawn = question.understood(answer) if question.kind == "draw" else answer
    values = {"why": question.prompt, "side": question.side, "answer": drawn, **question.about}
    values.update(question.extent())
    if question.about.get("secret"):
        return Event(question.kind, values, question.rules, () if question.side is None else (question.side,))
    if question.kind != "draw" or question.about.get("open", True):
        return Event(question.kind, values, question.rules)
    seen_by = () if question.side is None else (question.side,)
    return Event(question.kind, values, question.rules, seen_by, {**values, "answer": None})
