"""A replay: a battle from its beginning, answer by answer, as a viewer may see it.

The record is played again with its dice. One frame stands for one answer or one handful of dice that changed something
for the viewer; entries without a visible change leave no frame, so the number of frames betrays nothing either.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import structs

from campale.dice.sources import Source
from campale.referee.game import Game
from campale.referee.records.record import DOUBT, LATE, Entry, Mark, is_lapse
from campale.referee.ruleset import Ruleset, Setup
from campale.screen.journal import Journal
from campale.screen.motions import motions
from campale.screen.scene import Scene, changed, eyes, scene_of
from campale.screen.shown import Frame, Line, NoteShown, Replay


class Recorded:
    """The dice of a record: the secret ones are rolled at once, the others are given like answers, one by one."""

    def __init__(self, entries: deque[Entry]) -> None:
        self.left = entries

    def copy(self) -> Source:
        return self

    def answer(self, question: Any) -> Any:
        return self.left.popleft().answer if question.about.get("secret") else None


class Played(NamedTuple):
    """The played part of a battle: its beginning, every entry that still holds, and the secret dice."""

    ruleset: Ruleset
    setup: Setup
    seed: str
    line: tuple[Entry, ...]
    first: Mark | None
    unseen: dict[int, int | None]

    @classmethod
    def of(cls, game: Game) -> Played:
        """A snapshot of a game; later changes of the game do not affect it."""
        first = game.marks[0] if game.marks else None
        return cls(game.ruleset, game.setup, game.seed, tuple(game.line), first, dict(game.unseen))


def replay(played: Played, side: int | None, language: str, notes: Sequence[NoteShown] = ()) -> Replay:
    """A battle up to where it stood, as a side may see it. Raises ValueError for a record that does not fit."""
    ruleset, journal = played.ruleset, Journal(language, side)
    steps = stepping(played)
    at, again = next(steps)
    known = eyes(again, side, language)
    first = before = scene_of(known)
    lines, frames = journal.news(again, known)[1], []
    for at, again in steps:
        known = eyes(again, side, language)
        now = scene_of(known)
        frame = frame_of(at - hidden_from(side, again), before, now, *journal.news(again, known))
        if frame is not None:
            frames.append(structs.replace(frame, motions=motions(journal.fresh, known)))
        before = now
    begun = (first.table, first.pieces, first.models, first.units, first.tokens, first.standing)
    title = ruleset.title.get(language) or ruleset.name
    return Replay(ruleset.name, title, side, *begun, lines, frames, before.result, list(notes))


def hidden_from(side: int | None, game: Game) -> int:
    """The number of entries that a side does not know: the secret dice of others."""
    return sum(owner != side for owner in game.unseen.values())


def frame_of(at: int, before: Scene, now: Scene, cut: int | None, lines: list[Line]) -> Frame | None:
    """The frame between two scenes; None if nothing is visible."""
    told = changed(before, now)
    parts = (told.pieces, told.models, told.units, told.tokens, told.standing)
    if not lines and cut is None and not any(part for part in parts):
        return None
    return Frame(at, lines, cut, *parts)


def stepping(played: Played) -> Iterator[tuple[int, Game]]:
    """The battle played again from its beginning: the game after every entry, and the number of entries.

    It begins at the first known boundary: a battle begun under other versions has none before that.
    """
    start = played.first.at if played.first is not None else 0
    left = deque(played.line[start:])
    position = played.first.position.copy() if played.first is not None else None
    again = Game(
        played.ruleset,
        played.setup,
        played.seed,
        Recorded(left),
        marks="last",
        position=position,
        line=played.line[:start],
    )
    again.unseen |= {at: side for at, side in played.unseen.items() if at < start}
    yield len(again.line), again
    while left:
        put(again, left.popleft())
        yield len(again.line), again


def at_moment(played: Played, at: int, side: int | None) -> Game:
    """The game at the moment when a side knew this many entries. Raises ValueError if there is none."""
    for length, again in stepping(played):
        if length - hidden_from(side, again) >= at:
            return again
    raise ValueError(f"the record has no entry {at}")


def put(game: Game, entry: Entry) -> None:
    """Play one entry of a record. Raises ValueError if it does not fit the open question."""
    if entry.kind == "concede" and entry.side is not None:
        refusal = game.concede(entry.side)
    elif entry.kind in ("draw-agreed", "correct"):
        what: dict[str, Any] = {"draw": True} if entry.kind == "draw-agreed" else {"correction": entry.answer}
        by = entry.side if entry.side in (0, 1) else 0
        refusal = game.propose(by, what) or game.consent(1 - by)
    elif entry.kind == DOUBT and entry.side is not None:
        refusal = game.doubt(entry.side, entry.answer)
    elif entry.kind == LATE and entry.side is not None and is_lapse(entry.answer):
        refusal = game.lapse(entry.side, *entry.answer)
    else:
        refusal = game.answer(entry.side, entry.answer)
    if refusal is not None:
        raise ValueError(f"the record does not fit: {entry.kind} of side {entry.side} is refused ({refusal.rule})")
