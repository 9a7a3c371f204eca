"""Saved games: one JSON file with all answers and dice, versions, and a hash of the position every turn.

Reading it again re-plays it to the same journal. A battle begun under other versions goes on from its last boundary,
and says that it cannot be verified.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import msgspec

import campale
from campale.dice.sources import ByHand, Seeded
from campale.referee.game import CHANCE_KINDS, TALK, Drift, Entry, Game, TurnHash, effective
from campale.referee.position import Position
from campale.referee.ruleset import Ruleset, Setup, load_ruleset

FORMAT = "campale-game"
VERSION = 1
LARGEST_FILE = 20_000_000
LONGEST_RECORD = 200_000


class SavedGameError(Exception):
    """A file that is not a saved game, or not a whole one; the message is for the user."""


class SavedGame(msgspec.Struct, omit_defaults=True):
    format: str
    version: int
    campale: str
    ruleset: str
    ruleset_hash: str
    setup: Setup
    seed: str
    dice: str
    record: list[Entry]
    hashes: list[TurnHash]
    boundary: str
    boundary_at: int
    held: dict[int, Any] = {}


class Report(msgspec.Struct, frozen=True):
    """What verifying found: identical, or the first thing that drifts, where, and how."""

    identical: bool
    what: str = ""
    at: int = -1
    detail: str = ""


def save(game: Game) -> bytes:
    """The game as the bytes of a file."""
    mark = game.marks[-1]
    saved = SavedGame(
        FORMAT,
        VERSION,
        campale.__version__,
        game.ruleset.name,
        game.ruleset.content_hash,
        game.setup,
        game.seed,
        "seeded" if isinstance(game.dice, Seeded) else "hand",
        game.record,
        game.hashes,
        base64.b64encode(mark.position.to_bytes()).decode(),
        mark.at,
        game.held,
    )
    return msgspec.json.encode(saved)


def read(data: bytes) -> SavedGame:
    """The parts of a saved game. Raises SavedGameError saying what is wrong with the file."""
    if len(data) > LARGEST_FILE:
        raise SavedGameError(f"the file is too large for a saved game ({len(data)} bytes, at most {LARGEST_FILE})")
    try:
        saved = msgspec.json.decode(data, type=SavedGame)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise SavedGameError(f"this is not a saved game of Campale, or it is damaged: {error}") from None
    if saved.format != FORMAT or saved.version != VERSION:
        raise SavedGameError(f"this file says it is '{saved.format}' version {saved.version}, not {FORMAT} {VERSION}")
    if len(saved.record) > LONGEST_RECORD:
        raise SavedGameError(f"the record has {len(saved.record)} entries; no battle has more than {LONGEST_RECORD}")
    check_undos(saved)
    return saved


def check_undos(saved: SavedGame) -> None:
    """Every undo of a record must go back to a place in it."""
    for number, entry in enumerate(saved.record):
        whole = isinstance(entry.answer, int) and not isinstance(entry.answer, bool)
        if entry.kind == "undo" and not (whole and 0 <= entry.answer <= number):
            raise SavedGameError(f"entry {number} of the record undoes to {entry.answer!r}, which is not a place in it")


def ruleset_of(saved: SavedGame) -> Ruleset:
    try:
        return load_ruleset(saved.ruleset)
    except KeyError as error:
        raise SavedGameError(str(error.args[0])) from None


def is_same_version(saved: SavedGame) -> bool:
    return saved.campale == campale.__version__ and saved.ruleset_hash == ruleset_of(saved).content_hash


def load(data: bytes, journal: bool = True) -> Game:
    """The game again, as it was when it was saved. Raises SavedGameError."""
    saved = read(data)
    try:
        game = replayed(saved, journal) if is_same_version(saved) else from_boundary(saved, journal)
    except SavedGameError:
        raise
    except Drift as drift:
        raise SavedGameError(f"the record of this game does not hold together: {drift}") from None
    except Exception as error:
        raise SavedGameError(f"this game cannot be re-played: {type(error).__name__}: {error}") from None
    game.record = saved.record
    game.held = {side: answer for side, answer in saved.held.items() if side in game.pending}
    if isinstance(game.dice, Seeded):
        game.dice.counter = chance_entries(saved)
    return game


def replayed(saved: SavedGame, journal: bool) -> Game:
    """The game played again from its record, from the beginning."""
    dice = Seeded(saved.seed) if saved.dice == "seeded" else ByHand()
    line = effective(saved.record)
    return Game(ruleset_of(saved), saved.setup, saved.seed, dice, journal, "all", line)


def from_boundary(saved: SavedGame, journal: bool) -> Game:
    """The game from its last boundary, for one begun under other versions."""
    ruleset = ruleset_of(saved).with_options(saved.setup.options)
    position = Position.from_bytes(ruleset, base64.b64decode(saved.boundary))
    at_boundary = ruleset.replacing(set_out=lambda _ruleset, _setup: position)
    dice = Seeded(saved.seed) if saved.dice == "seeded" else ByHand()
    since = effective(saved.record)[saved.boundary_at :]
    game = Game(at_boundary, saved.setup, saved.seed, dice, journal, "all", since)
    game.ruleset = ruleset
    return game


def chance_entries(saved: SavedGame) -> int:
    """How many of the seed's questions have been answered, undone ones included."""
    return sum(entry.kind in CHANCE_KINDS for entry in saved.record)


def verify(data: bytes) -> Report:
    """Re-play a saved game, judging every answer, and tell the first thing that differs. Raises SavedGameError."""
    saved = read(data)
    if not is_same_version(saved):
        raise SavedGameError(
            f"this game was played under campale {saved.campale}, ruleset {saved.ruleset_hash}; here are "
            f"{campale.__version__} and {ruleset_of(saved).content_hash}: it can be continued, but not verified"
        )
    try:
        game = judged(saved)
    except Drift as drift:
        return Report(False, drift.what, drift.at, drift.detail)
    except ValueError as error:
        return Report(False, "set-up", 0, str(error))
    except Exception as error:
        return Report(False, "request", -1, f"{type(error).__name__}: {error}")
    return compared(saved, game)


class Renumbered(Seeded):
    """The numbers of a seed for a record in which some dice were undone: each with the counter it was drawn at."""

    __slots__ = ("_counters",)

    def __init__(self, seed: str, counters: list[int]) -> None:
        super().__init__(seed)
        self._counters = iter(counters)

    def answer(self, question: Any) -> Any:
        self.counter = next(self._counters, self.counter)
        return super().answer(question)


def counters_that_hold(record: list[Entry]) -> list[int]:
    """The place in the seed's stream of every die that was not undone."""
    line: list[int | None] = []
    drawn = 0
    for entry in record:
        if entry.kind == "undo":
            del line[entry.answer :]
        elif entry.kind not in TALK:
            line.append(drawn if entry.kind in CHANCE_KINDS else None)
            drawn += entry.kind in CHANCE_KINDS
    return [counter for counter in line if counter is not None]


def judged(saved: SavedGame) -> Game:
    """The game played again with every answer judged and every die drawn anew. Raises Drift."""
    seeded = saved.dice == "seeded"
    dice = Renumbered(saved.seed, counters_that_hold(saved.record)) if seeded else ByHand()
    line = effective(saved.record)
    return Game(ruleset_of(saved), saved.setup, saved.seed, dice, False, "all", line, judging=True)


def compared(saved: SavedGame, game: Game) -> Report:
    """The hashes of the turns, and of the last boundary, against the file's."""
    for recorded, found in zip(saved.hashes, game.hashes, strict=False):
        if recorded != found:
            return Report(False, "state hash", found.at, f"turn {found.turn}: {found.state}, recorded {recorded.state}")
    if len(saved.hashes) != len(game.hashes):
        return Report(False, "state hash", -1, f"{len(game.hashes)} turns, recorded {len(saved.hashes)}")
    here = base64.b64encode(game.marks[-1].position.to_bytes()).decode()
    if here != saved.boundary or game.marks[-1].at != saved.boundary_at:
        return Report(False, "state hash", saved.boundary_at, "the position at the last boundary differs")
    return Report(True)


def save_to(game: Game, path: Path) -> None:
    """Write the game to a file, whole or not at all."""
    partial = path.with_name(path.name + ".part")
    partial.write_bytes(save(game))
    partial.replace(path)


def read_file(path: Path) -> bytes:
    """The bytes of a file. Raises SavedGameError naming it if it cannot be read, or is far too large."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise SavedGameError(f"{path} is too large for a saved game")
        return path.read_bytes()
    except OSError as error:
        raise SavedGameError(f"cannot read {path}: {error.strerror}") from None
