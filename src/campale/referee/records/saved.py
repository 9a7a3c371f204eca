"""Saved games: one JSON file with all answers and dice, versions, and a hash of the position every turn.

Loading a file replays it to the same journal. A battle begun under other versions continues from its last boundary,
and reports that it cannot be verified.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

import campale
from campale.dice.sources import ByHand, Redrawn, Seeded, Source
from campale.referee.fair import Fair
from campale.referee.game import CHANCE_KINDS, TALK, Drift, Entry, Game, RefereeError, TurnHash, effective
from campale.referee.journal import Journal
from campale.referee.position import Position
from campale.referee.records.audit import places_of_line, played_again
from campale.referee.records.record import LATE, is_whole
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Setup, load_ruleset

FORMAT = "campale-game"
VERSION = 1
LARGEST_FILE = 20_000_000
LONGEST_RECORD = 200_000


class SavedGameError(Exception):
    """The file is not a saved game, or not a complete one; the message is for the user."""


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
    fair: Fair | None = None


class Report(msgspec.Struct, frozen=True):
    """The result of verifying: identical, or the first difference, its place and its nature.

    ``what`` is "request" (something else is asked), "options" (an answer is not allowed), "dice", "state hash" or
    "set-up"; or, for the source of the dice, "commitment" (the server's seed does not match its hash), "seal" (a
    player's seed does not match its hash), "seed" (the dice do not come from the seeds) or "hand" (they were typed
    in). ``at`` is the number of the entry in the file's record. Dice that were typed in (``dice`` is "hand") can be
    judged, but not drawn again. ``unchecked`` lists what the file gives no means to check: "dice" (typed in), "seeds"
    (the file does not contain them), "seals" (no hashes of the players' seeds), "clocks" (whether one had run out).
    """

    identical: bool
    what: str = ""
    at: int = -1
    detail: str = ""
    dice: str = "seeded"
    unchecked: tuple[str, ...] = ()


def save(game: Game, fair: Fair | None = None) -> bytes:
    """The game as the bytes of a file. Raises RefereeError for a game that keeps too little of itself, as clones do."""
    if not game.marks or not game.hashing:
        raise RefereeError("a copy made for thinking is not saved, nor is a battle that keeps no marks")
    mark = game.marks[-1]
    version, ruleset_hash = game.versions or (campale.__version__, game.ruleset.content_hash)
    saved = SavedGame(
        FORMAT,
        VERSION,
        version,
        game.ruleset.name,
        ruleset_hash,
        game.setup,
        game.seed,
        "seeded" if isinstance(game.dice, Seeded) else "hand",
        game.record,
        game.hashes,
        packed(mark.position),
        mark.at,
        game.held,
        fair,
    )
    return msgspec.json.encode(saved)


def packed(position: Position) -> str:
    """A position as text for a file."""
    return base64.b64encode(zlib.compress(position.to_bytes())).decode()


def unpacked(text: str) -> bytes:
    """The bytes of a packed position. Raises ValueError if the text is damaged, or unpacks to far too much."""
    opened = zlib.decompressobj()
    try:
        found = opened.decompress(base64.b64decode(text, validate=True), LARGEST_FILE)
    except zlib.error as error:
        raise ValueError(f"the position at the last boundary is damaged: {error}") from None
    if opened.unconsumed_tail or not opened.eof:
        raise ValueError("the position at the last boundary is cut short, or far too large")
    return found


def read(data: bytes) -> SavedGame:
    """The parts of a saved game. Raises SavedGameError saying what is wrong with the file."""
    if len(data) > LARGEST_FILE:
        raise SavedGameError(f"the file is too large for a saved game ({len(data)} bytes, at most {LARGEST_FILE})")
    try:
        saved = msgspec.json.decode(data, type=SavedGame)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise SavedGameError(f"this is not a Campale saved game, or it is damaged: {error}") from None
    if saved.format != FORMAT or saved.version != VERSION:
        raise SavedGameError(f"this file says it is '{saved.format}' version {saved.version}, not {FORMAT} {VERSION}")
    if saved.dice not in {"seeded", "hand"}:
        raise SavedGameError(f"the dice of a saved game are seeded or by hand, not '{saved.dice}'")
    if len(saved.record) > LONGEST_RECORD:
        raise SavedGameError(f"the record has {len(saved.record)} entries; no battle has more than {LONGEST_RECORD}")
    check_undos(saved.record)
    return saved


def check_undos(record: Sequence[Entry]) -> None:
    """Check that every undo of a record goes back to an entry that held at that time. Raises SavedGameError."""
    length = 0
    for number, entry in enumerate(record):
        if entry.kind == "undo":
            if not is_whole(entry.answer, 0, length):
                raise SavedGameError(
                    f"entry {number} of the record undoes to {entry.answer!r}, which is no place in it"
                )
            length = entry.answer
        elif entry.kind not in TALK:
            length += 1


def ruleset_of(saved: SavedGame) -> Ruleset:
    try:
        return load_ruleset(saved.ruleset)
    except KeyError as error:
        raise SavedGameError(str(error.args[0])) from None


def is_same_version(saved: SavedGame) -> bool:
    return saved.campale == campale.__version__ and saved.ruleset_hash == ruleset_of(saved).content_hash


def load(data: bytes, journal: bool = True, judging: bool = True) -> Game:
    """The game as it was when it was saved. Raises SavedGameError.

    Every answer and die is judged again; without ``judging`` (for one's own files) they are trusted.
    """
    saved = read(data)
    try:
        game = replayed(saved, journal, judging) if is_same_version(saved) else from_boundary(saved, journal)
        put_held(game, saved.held)
    except SavedGameError:
        raise
    except Drift as drift:
        raise SavedGameError(f"the record of this game contradicts itself: {drift}") from None
    except Exception as error:
        raise SavedGameError(f"this game cannot be replayed: {type(error).__name__}: {error}") from None
    return game


def replayed(saved: SavedGame, journal: bool, judging: bool) -> Game:
    """The game played again from its record, from the beginning. Raises Drift, LookupError, or what a rule raises."""
    line = effective(saved.record)
    game = Game(ruleset_of(saved), saved.setup, saved.seed, redrawing(saved), journal, "all", line, judging)
    game.record = saved.record
    if saved.dice == "seeded":
        game.dice = Seeded(saved.seed, chance_entries(saved))
    return game


def from_line(ruleset: Ruleset, setup: Setup, seed: str, line: list[Entry]) -> Game:
    """A battle with the dice of its seed, replayed from its entries, with all its marks. Raises Drift."""
    drawn = sum(entry.kind in CHANCE_KINDS for entry in line)
    game = Game(ruleset, setup, seed, Redrawn(seed, list(range(drawn))), True, "all", line, True)
    game.record, game.dice = list(line), Seeded(seed, drawn)
    return game


def redrawing(saved: SavedGame) -> Source:
    """The dice of the record as the seed gives them."""
    return Redrawn(saved.seed, counters_that_hold(saved.record)) if saved.dice == "seeded" else ByHand()


def put_held(game: Game, held: dict[int, Plain]) -> None:
    """Restore the answers that wait for those of other sides. Raises Drift if they are not allowed."""
    for side, answer in held.items():
        question = game.pending.get(side)
        if not game._is_together or question is None or len(held) >= len(game.pending):
            raise Drift("request", len(game.line), f"side {side} is not asked, but has answered")
        refusal = question.refusal(answer)
        if refusal is not None:
            raise Drift("options", len(game.line), f"'{question.prompt}' refuses {answer!r} ({refusal.rule})")
    game.held = dict(held)


def from_boundary(saved: SavedGame, journal: bool | Journal) -> Game:
    """The game from its last boundary, for a game begun under other versions.

    The answers since the boundary hold if they are still allowed; else they are undone. A given ``journal`` is
    continued.
    """
    line = effective(saved.record)
    if not 0 <= saved.boundary_at <= len(line):
        raise SavedGameError(f"the last boundary cannot lie at entry {saved.boundary_at} of the record")
    before, since = line[: saved.boundary_at], line[saved.boundary_at :]
    try:
        game = standing(saved, journal, before, since)
        taken_back = []
    except Exception:
        game = standing(saved, journal, before, ())
        taken_back = [Entry("undo", None, saved.boundary_at)]
        saved.held = {}
    game.record = [*saved.record, *taken_back, *game.record]
    game.versions = saved.campale, saved.ruleset_hash
    return game


def standing(saved: SavedGame, journal: bool | Journal, before: list[Entry], since: Sequence[Entry]) -> Game:
    """The game at its last boundary, played on with the answers since."""
    journal = journal.copy() if isinstance(journal, Journal) else journal
    ruleset = ruleset_of(saved)
    under = ruleset.with_options(saved.setup.options)
    position = Position.from_bytes(under, unpacked(saved.boundary))
    dice = Seeded(saved.seed, chance_entries(saved)) if saved.dice == "seeded" else ByHand()
    return Game(ruleset, saved.setup, saved.seed, dice, journal, "all", since, True, position, before)


def chance_entries(saved: SavedGame) -> int:
    """The number of chance entries in the record, undone ones included."""
    return sum(entry.kind in CHANCE_KINDS for entry in saved.record)


def verify(data: bytes) -> Report:
    """Replay a saved game, judge every answer, and report the first difference. Raises SavedGameError."""
    saved = read(data)
    if saved.fair is not None and (found := forged(saved, saved.fair)):
        return found
    if not is_same_version(saved):
        raise SavedGameError(
            f"this game was played under campale {saved.campale}, ruleset {saved.ruleset_hash}; here are "
            f"{campale.__version__} and {ruleset_of(saved).content_hash}: it can be continued, but not verified"
        )
    try:
        under = ruleset_of(saved).with_options(saved.setup.options)
        under.set_out(under, saved.setup)
    except Exception as error:
        return Report(False, "set-up", 0, f"{type(error).__name__}: {error}", saved.dice)
    is_seeded = saved.dice == "seeded"
    try:
        game = played_again(ruleset_of(saved), saved.setup, saved.seed, saved.record, is_seeded)
        put_held(game, saved.held)
    except Drift as drift:
        return Report(False, drift.what, drift.at, drift.detail, saved.dice)
    except Exception as error:
        return Report(False, "request", -1, f"{type(error).__name__}: {error}", saved.dice)
    return compared(saved, game)


def unchecked(saved: SavedGame) -> tuple[str, ...]:
    """The things that the file gives no means to check."""
    found = [] if saved.dice == "seeded" else ["dice"]
    if saved.dice == "seeded" and saved.fair is None:
        found.append("seeds")
    if saved.fair is not None and not any(saved.fair.seals):
        found.append("seals")
    return (*found, *(["clocks"] if any(entry.kind == LATE for entry in saved.record) else []))


def forged(saved: SavedGame, fair: Fair) -> Report | None:
    """The fault in the seeds from which the dice are said to come; None if there is none."""
    if saved.dice != "seeded":
        return Report(False, "hand", 0, "the dice were typed in, so they come of no seeds", saved.dice)
    if not fair.is_bound:
        return Report(False, "commitment", 0, f"the server's seed has not the hash {fair.commitment}", saved.dice)
    if not fair.is_sealed:
        return Report(False, "seal", 0, "a player's seed has not the hash that was told of it at first", saved.dice)
    if not fair.gives(saved.seed):
        return Report(False, "seed", 0, f"the seed of the dice, {saved.seed}, does not come of the seeds", saved.dice)
    return None


def counters_that_hold(record: list[Entry]) -> list[int]:
    """For every die that was not undone, its index in the seed's stream."""
    line: list[int | None] = []
    drawn = 0
    for entry in record:
        if entry.kind == "undo":
            del line[entry.answer :]
        elif entry.kind not in TALK:
            line.append(drawn if entry.kind in CHANCE_KINDS else None)
            drawn += entry.kind in CHANCE_KINDS
    return [counter for counter in line if counter is not None]


def differs_at_boundary(saved: SavedGame, game: Game) -> bool:
    mark = game.marks[-1]
    try:
        return mark.at != saved.boundary_at or mark.position.to_bytes() != unpacked(saved.boundary)
    except ValueError:
        return True


def compared(saved: SavedGame, game: Game) -> Report:
    """Compare the hashes of the turns, and the last boundary, with those in the file."""
    for recorded, found in zip(saved.hashes, game.hashes, strict=False):
        if recorded != found:
            detail = f"turn {found.turn}: {found.state}, recorded {recorded.state}"
            return Report(False, "state hash", in_file(saved, found.at), detail, saved.dice)
    if len(saved.hashes) != len(game.hashes):
        detail = f"{len(game.hashes)} turns, recorded {len(saved.hashes)}"
        return Report(False, "state hash", -1, detail, saved.dice)
    if differs_at_boundary(saved, game):
        detail = "the position at the last boundary differs"
        return Report(False, "state hash", in_file(saved, saved.boundary_at), detail, saved.dice)
    return Report(True, dice=saved.dice, unchecked=unchecked(saved))


def in_file(saved: SavedGame, length: int) -> int:
    """The index in the file of the entry before which ``length`` entries hold."""
    places = places_of_line(saved.record, TALK)
    return places[length] if 0 <= length < len(places) else len(saved.record)


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
