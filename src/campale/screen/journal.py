"""The journal line by line, with the dice; it is continued as the battle goes on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from campale.dice.needs import Need
from campale.referee.folding import COUNTED, sort_of
from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.position import Position
from campale.referee.refusal import Plain
from campale.referee.telling import transcript
from campale.referee.telling.teller import Teller
from campale.screen.laying import landed
from campale.screen.scene import Eyes, eyes
from campale.screen.sheet import rule_shown
from campale.screen.shown import DiceShown, Line, PartShown


class Seen(NamedTuple):
    """An event as a side sees it, and the number of earlier answers that the side knows of."""

    event: Event
    at: int


class Numbered(NamedTuple):
    """A line, the number of its first event, and whether it shares no event with the line before."""

    line: Line
    event: int
    stands_alone: bool


class Start(NamedTuple):
    """A line from which the journal can be continued: the numbers of game events, seen events, and lines before it."""

    events: int
    seen: int
    lines: int
    phase: str


UNSETTLED = 3
"""The number of last lines that may still change: the last, one that a turn joins, and a heading that may stay
empty."""


class Journal:
    """The journal of a battle for one side (None: the public) in one language."""

    def __init__(self, language: str, side: int | None) -> None:
        self.language, self.side = language, side
        self.lines: list[Line] = []
        self.events: list[Event] = []
        self.seen: list[Seen] = []
        self.fresh: Sequence[Seen] = ()
        """The events since the last update; empty if something was undone."""
        self.starts: list[int] = []
        self.told_from: list[Start] = [Start(0, 0, 0, "")]
        self.names: tuple[Sequence[str], Sequence[str]] = ((), ())

    def update(self, game: Game, known: Eyes | None = None) -> tuple[int, list[Line]]:
        """The number of earlier lines that stay, and the lines after them.

        The last lines are made again each time, because a line for several events may grow; all of them when a model or
        unit is added, because equal names are numbered.
        """
        known = known if known is not None else eyes(game, self.side, self.language)
        self.call_by(known.teller)
        before = len(self.seen)
        self.go_back(common(self.events, game.journal))
        is_back = len(self.seen) < before
        self.take(game)
        self.fresh = () if is_back else self.seen[before:]
        start = self.told_from[-1]
        told = list(numbered(self.seen[start.seen :], known, start.phase, not game.is_over))
        new = [one.line for one in told]
        old = self.lines[start.lines :]
        same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        self.lines[start.lines :] = new
        self.settle(told, start)
        return start.lines + same, new[same:]

    def news(self, game: Game, known: Eyes | None = None) -> tuple[int | None, list[Line]]:
        """The same for a message: None if all the lines stay."""
        before = len(self.lines)
        cut, lines = self.update(game, known)
        return (None if cut == before else cut), lines

    def go_back(self, length: int) -> None:
        """Forget the events of the game from a number on."""
        del self.events[length:]
        kept = bisect_left(self.starts, length)
        del self.seen[kept:], self.starts[kept:]
        while len(self.told_from) > 1 and self.told_from[-1].events >= length:
            self.told_from.pop()

    def call_by(self, teller: Teller) -> None:
        """Forget lines with outdated names."""
        if self.names != (teller.names, teller.units):
            self.names = (teller.names, teller.units)
            del self.told_from[1:]

    def take(self, game: Game) -> None:
        """Take the new events, as the side sees them."""
        journal = game.position.journal
        hidden = [at for at, side in sorted(game.unseen.items()) if side != self.side]
        for number in range(len(self.events), len(game.journal)):
            event = game.journal[number]
            self.events.append(event)
            seen = event.as_seen_by(self.side)
            if seen is not None and journal is not None:
                at = journal.ats[number]
                self.seen.append(Seen(seen, at - bisect_left(hidden, at)))
                self.starts.append(number)

    def settle(self, told: Sequence[Numbered], since: Start) -> None:
        """Remember the headings, and the last line before which nothing will change."""
        phase, last = since.phase, settled(told)
        for place, one in enumerate(told[: last + 1]):
            if (one.line.level or place == last) and (place or one.event):
                seen = since.seen + one.event
                self.told_from.append(Start(self.starts[seen], seen, since.lines + place, phase))
            phase = one.line.phase


def settled(told: Sequence[Numbered]) -> int:
    """The last line from which the journal can be continued; -1 if there is none."""
    places = range(len(told) - UNSETTLED, -1, -1)
    return next((place for place in places if told[place].stands_alone), -1)


def common(told: Sequence[Event], events: Sequence[Event]) -> int:
    """The number of common first events. They are the same objects as long as nothing was undone."""
    low, high = 0, min(len(told), len(events))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if told[middle - 1] is events[middle - 1] else (low, middle - 1)
    return low


def lines(game: Game, side: int | None, language: str) -> list[Line]:
    """Everything that has happened so far, as a side may know it."""
    return Journal(language, side).update(game)[1]


# ---------------------------------------------------------------- lines


def numbered(seen: Sequence[Seen], known: Eyes, phase: str, goes_on: bool) -> Iterator[Numbered]:
    """The lines of some events, with the phase that they belong to; the first begins in ``phase``."""
    teller, events = known.teller, [one.event for one in seen]
    told = list(transcript.with_facings(transcript.lines(events, teller), events, teller))
    before: transcript.Line | None = None
    for line in transcript.without_empty_chapters(told, goes_on):
        phase = {0: phase, 1: "", 2: line.text}[line.level]
        apart = before is None or not shares_a_line(before, line, teller)
        yield Numbered(line_shown(line, seen[line.event].at, phase, known), line.event, apart)
        before = line


def shares_a_line(before: transcript.Line, line: transcript.Line, teller: Teller) -> bool:
    """Whether the first event of a line is told together with the last event of the line before, or may yet be."""
    last, first = before.of[-1], line.of[0]
    if {last.kind, first.kind} <= COUNTED:
        return True
    sort = sort_of(first, teller.at(first))
    return sort is not None and sort == sort_of(last, teller.at(last))


def line_shown(line: transcript.Line, at: int, phase: str, known: Eyes) -> Line:
    """A line; for a roll it says whose dice they are and their purpose, and the dice have the rest."""
    teller = known.teller.at(line.of[0])
    dice = dice_shown(line.of[0].values, teller) if line.of[0].kind == "roll" else None
    text = line.text if dice is None else transcript.actor(line.of[0].values, teller)
    models = about(line.of, teller)
    rules = [rule_shown(rule, teller) for rule in line.rules]
    side = side_of(line.of[0].values, models, known.position)
    laid = landed(line.of, known.position.ruleset)
    return Line(text, line.level, rules, models, side, dice, at, phase, laid)


def about(events: Iterable[Event], teller: Teller) -> list[int]:
    """The models that some events name, directly or by their unit."""
    rows: dict[int, None] = {}
    for event in events:
        for field, value in event.values.items():
            for number in value if isinstance(value, list | tuple) else (value,):
                if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
                    rows |= dict.fromkeys(named(field, number, teller.at(event)))
    return list(rows)


def named(field: str, number: int, teller: Teller) -> Sequence[int]:
    if field in teller.fields["unit"]:
        return teller.rows_of(number)
    return (number,) if field in teller.fields["model"] and number < len(teller.names) else ()


def side_of(values: dict[str, Plain], models: Sequence[int], position: Position) -> int | None:
    """The side of an event: the one it names, otherwise that of its first model."""
    side = values.get("side")
    if isinstance(side, int):
        return side
    return position.side_of[models[0]] if models and models[0] < len(position.side_of) else None


# ---------------------------------------------------------------- dice


def dice_shown(values: dict[str, Any], teller: Teller) -> DiceShown:
    needed = values.get("needed")
    need = msgspec.convert(needed, Need) if needed else None
    faces, is_sum = list(values["answer"]), len(values["answer"]) > 1 and transcript.is_summed(values, teller)
    met = [] if need is None else [need.is_met_by(sum(faces))] if is_sum else list(need.are_met_by(tuple(faces)))
    parts = [] if need is None else [part_shown(part, teller) for part in need.parts]
    face, base = ("", "") if need is None else (need.written(need.face), need.written(need.base))
    why = teller.value("why", values["why"])
    total = sum(faces) if is_sum else None
    return DiceShown(why, values["sides"], faces, face, parts, met, total, base if parts else "")


def part_shown(part: Any, teller: Teller) -> PartShown:
    return PartShown(teller.change(part), rule_shown(part.rule, teller))
