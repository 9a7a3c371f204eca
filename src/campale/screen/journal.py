"""The journal line by line, with the dice as they fell; told further as the battle goes on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from campale.dice.needs import Need
from campale.referee import transcript
from campale.referee.game import Game
from campale.referee.journal import Event
from campale.referee.position import Position
from campale.referee.refusal import Plain
from campale.referee.teller import Teller
from campale.screen.laying import landed
from campale.screen.scene import Eyes, eyes
from campale.screen.sheet import rule_shown
from campale.screen.shown import DiceShown, Line, PartShown


class Seen(NamedTuple):
    """An event as a side sees it, and after how many answers it happened, of those that the side knows of."""

    event: Event
    at: int


class Numbered(NamedTuple):
    """A line, and the number of the first event that it tells."""

    line: Line
    event: int


class Chapter(NamedTuple):
    """A heading: how many events of the game, events that are seen, and lines lie before it."""

    events: int
    seen: int
    lines: int
    phase: str


class Journal:
    """What was told of a battle to one side (None: the public) in one language."""

    def __init__(self, language: str, side: int | None) -> None:
        self.language, self.side = language, side
        self.lines: list[Line] = []
        self.events: list[Event] = []
        self.seen: list[Seen] = []
        self.fresh: Sequence[Seen] = ()
        """What has happened since it was told last; nothing where something was taken back."""
        self.starts: list[int] = []
        self.chapters: list[Chapter] = [Chapter(0, 0, 0, "")]
        self.names: tuple[Sequence[str], Sequence[str]] = ((), ())

    def update(self, game: Game, known: Eyes | None = None) -> tuple[int, list[Line]]:
        """How many of the lines told so far stay, and those that come after them.

        The last chapter is told anew each time, so that what is told together in one line may grow; all of it where a
        model or unit has come, as names are numbered where there are several of one.
        """
        known = known if known is not None else eyes(game, self.side, self.language)
        self.call_by(known.teller)
        before = len(self.seen)
        self.go_back(common(self.events, game.journal))
        is_back = len(self.seen) < before
        self.take(game)
        self.fresh = () if is_back else self.seen[before:]
        chapter = self.chapters[-1]
        told = list(numbered(self.seen[chapter.seen :], known, chapter.phase, not game.is_over))
        new = [one.line for one in told]
        old = self.lines[chapter.lines :]
        same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        self.lines[chapter.lines :] = new
        self.begin_chapters(told, chapter)
        return chapter.lines + same, new[same:]

    def news(self, game: Game, known: Eyes | None = None) -> tuple[int | None, list[Line]]:
        """The same for a message: None where all the lines stay."""
        before = len(self.lines)
        cut, lines = self.update(game, known)
        return (None if cut == before else cut), lines

    def go_back(self, length: int) -> None:
        """Forget the events of the game from a number on."""
        del self.events[length:]
        kept = bisect_left(self.starts, length)
        del self.seen[kept:], self.starts[kept:]
        while len(self.chapters) > 1 and self.chapters[-1].events >= length:
            self.chapters.pop()

    def call_by(self, teller: Teller) -> None:
        """Forget what was told by other names than those of today."""
        if self.names != (teller.names, teller.units):
            self.names = (teller.names, teller.units)
            del self.chapters[1:]

    def take(self, game: Game) -> None:
        """The events since, as the side sees them."""
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

    def begin_chapters(self, told: Sequence[Numbered], since: Chapter) -> None:
        """Remember where the last heading is: what lies before it is told."""
        phase = since.phase
        for place, one in enumerate(told):
            if one.line.level and (place or one.event):
                seen = since.seen + one.event
                self.chapters.append(Chapter(self.starts[seen], seen, since.lines + place, phase))
            phase = one.line.phase


def common(told: Sequence[Event], events: Sequence[Event]) -> int:
    """How many events both begin with. They are the very same objects, as far as nothing was taken back."""
    low, high = 0, min(len(told), len(events))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if told[middle - 1] is events[middle - 1] else (low, middle - 1)
    return low


def lines(game: Game, side: int | None, language: str) -> list[Line]:
    """All that has happened so far, as a side may know it."""
    return Journal(language, side).update(game)[1]


# ---------------------------------------------------------------- lines


def numbered(seen: Sequence[Seen], known: Eyes, phase: str, goes_on: bool) -> Iterator[Numbered]:
    """The lines of some events, with the phase that they belong to; the first begins in ``phase``."""
    teller, events = known.teller, [one.event for one in seen]
    told = list(transcript.with_facings(transcript.lines(events, teller), events, teller))
    for line in transcript.without_empty_chapters(told, goes_on):
        phase = {0: phase, 1: "", 2: line.text}[line.level]
        yield Numbered(line_shown(line, seen[line.event].at, phase, known), line.event)


def line_shown(line: transcript.Line, at: int, phase: str, known: Eyes) -> Line:
    """A line; that of a roll says whose dice they are and what for, the rest is in its dice."""
    teller = known.teller.at(line.of[0])
    dice = dice_shown(line.of[0].values, teller) if line.of[0].kind == "roll" else None
    text = line.text if dice is None else transcript.actor(line.of[0].values, teller)
    models = about(line.of, teller)
    rules = [rule_shown(rule, teller) for rule in line.rules]
    side = side_of(line.of[0].values, models, known.position)
    laid = landed(line.of, known.position.ruleset)
    return Line(text, line.level, rules, models, side, dice, at, phase, laid)


def about(events: Iterable[Event], teller: Teller) -> list[int]:
    """The models that some events name, by themselves or by their unit."""
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
    """The side that an event is of: the one it names, else that of its first model."""
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
    base = "" if need is None else f"≤{need.base}" if need.at_most else f"{need.base}+"
    why = teller.value("why", values["why"])
    return DiceShown(why, values["sides"], faces, base, parts, met, sum(faces) if is_sum else None)


def part_shown(part: Any, teller: Teller) -> PartShown:
    return PartShown(teller.change(part), rule_shown(part.rule, teller))
