"""Writing a game to the database and reading it again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

import campale
from campale.referee.game import Drift, Entry, Game, Mark, TurnHash
from campale.referee.journal import Event, Journal
from campale.referee.records.record import CHANCE_KINDS, TALK
from campale.referee.records.saved import (
    FORMAT,
    VERSION,
    SavedGame,
    from_boundary,
    is_same_version,
    packed,
    put_held,
    replayed,
)
from campale.referee.ruleset import Setup, load_ruleset
from campale.server.database.schema import BattleRow
from campale.server.database.store import Written


class Keeper:
    """Keeps track of the stored part of a game: the first entries of its record, events, the last boundary."""

    def __init__(self, entries: int = 0, batches: int = 0, events: Sequence[Event] = ()) -> None:
        self.entries, self.batches = entries, batches
        self.events = list(events)
        self.mark: Mark | None = None
        self.has_taken_back = False
        """Whether reading the battle took back answers that only another version allowed."""

    def written(self, game: Game) -> Written:
        """Everything that has to be written."""
        fresh = game.record[self.entries :]
        cut = common(self.events, game.journal)
        events = game.journal[cut:]
        written = Written(entries=[{"number": n, "entry": text(e)} for n, e in enumerate(fresh, self.entries)])
        if events or cut < len(self.events):
            written.journal = [{"number": self.batches, "cut": cut, "events": text((ats_of(game)[cut:], events))}]
        if game.marks and game.marks[-1] is not self.mark:
            written.battle |= of_mark(game.marks[-1], game.hashes)
        return written

    def has_written(self, game: Game, written: Written) -> None:
        self.entries = len(game.record)
        self.batches += len(written.journal)
        for batch in written.journal:
            self.events[batch["cut"] :] = game.journal[batch["cut"] :]
        self.mark = game.marks[-1] if game.marks else None


def of_mark(mark: Mark, hashes: list[TurnHash]) -> dict[str, Any]:
    return {
        "boundary": packed(mark.position),
        "boundary_at": mark.at,
        "boundary_events": mark.events,
        "hashes": text(hashes),
    }


def common(old: Sequence[Event], new: Sequence[Event]) -> int:
    """The number of common first events. A journal mostly grows at its end."""
    if len(new) >= len(old) and (not old or new[len(old) - 1] is old[-1]):
        return len(old)
    pairs = enumerate(zip(old, new, strict=False))
    return next((n for n, (one, other) in pairs if one is not other and one != other), min(len(old), len(new)))


def text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


BRANCH = "+branch"
"""The ending of the version of a battle that branched off from another: it cannot be verified."""


def versions(book: str) -> tuple[str, str]:
    return campale.__version__, load_ruleset(book).content_hash


# ---------------------------------------------------------------- out of the database


def ats_of(game: Game) -> list[int]:
    journal = game.position.journal
    return [] if journal is None else journal.ats


def journal_of(batches: Sequence[tuple[int, str]]) -> Journal:
    """The journal as it was told, without the parts undone."""
    ats: list[int] = []
    events: list[Event] = []
    for cut, told in batches:
        ats[cut:], events[cut:] = msgspec.json.decode(told, type=tuple[list[int], list[Event]])
    return Journal(events, ats)


def saved_of(battle: BattleRow, setup: Setup, entries: Sequence[str]) -> SavedGame:
    """The rows of a battle as a saved game."""
    return SavedGame(
        FORMAT,
        VERSION,
        battle.campale,
        battle.book,
        battle.ruleset_hash,
        setup,
        battle.seed or "",
        "hand" if battle.dice == "real" else "seeded",
        [msgspec.json.decode(entry, type=Entry) for entry in entries],
        msgspec.json.decode(battle.hashes, type=list[TurnHash]),
        battle.boundary,
        battle.boundary_at,
        msgspec.json.decode(battle.held, type=dict[int, Any]),
    )


def game_of(saved: SavedGame, boundary_events: int, batches: Sequence[tuple[int, str]]) -> tuple[Game, Keeper]:
    """The game as it stood, with its journal. A game begun under other versions continues from its last boundary."""
    known, has_dropped = len(saved.record), False
    if is_same_version(saved):
        game = replayed(saved, True, False)
        events = game.journal
    else:
        journal = journal_of(batches)
        events = journal.events
        game = from_boundary(saved, journal.first(boundary_events))
        game.unseen = {**rolled_in_secret(journal.first(boundary_events)), **game.unseen}
        has_dropped = drops_held(game, saved)
    put_held(game, saved.held)
    game.proposal = open_proposal(game.record)
    keeper = Keeper(known, len(batches), events)
    keeper.has_taken_back = has_dropped or [entry.kind for entry in game.record[known : known + 1]] == ["undo"]
    keeper.mark = game.marks[-1] if is_same_version(saved) and game.marks else None
    return game, keeper


def drops_held(game: Game, saved: SavedGame) -> bool:
    """Drop answers that wait for those of other sides, if this version does not accept them. Returns whether it did."""
    try:
        put_held(game, saved.held)
    except Drift:
        saved.held = {}
        return True
    return False


def rolled_in_secret(journal: Journal) -> dict[int, int | None]:
    """The record's indices of secret dice, with their sides."""
    return {
        at - 1: next(iter(event.seen_by), None)
        for at, event in zip(journal.ats, journal.events, strict=True)
        if event.kind in CHANCE_KINDS and event.seen_by is not None and event.open_values is None
    }


def open_proposal(record: Sequence[Entry]) -> tuple[int, dict[str, Any]] | None:
    """The last proposal, if it has been neither accepted nor declined."""
    last = next((entry for entry in reversed(record) if entry.kind in TALK), None)
    if last is None or last.kind != "propose" or last.side is None:
        return None
    return last.side, last.answer
