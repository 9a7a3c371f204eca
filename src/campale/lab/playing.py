"""Playing one battle of a plan, and its rows. The same battle gives the same rows anywhere."""

from __future__ import annotations

import threading
import time
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

import campale
from campale.lab.plan import Battle, Fielding, hash_of, offers_of, player_of
from campale.lab.tables import BattleRow, UnitRow
from campale.players import Player
from campale.referee.game import CHANCE_KINDS, Entry, Game, Marks
from campale.referee.records.saved import LARGEST_FILE
from campale.referee.records.tally import Tally, UnitTally
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Setup, load_ruleset
from campale.simulate import outcome, play_on
from campale.simulate.many import also_look_in

ONE_AT_A_TIME = threading.Lock()
"""A book's caches are not thread-safe, and a cluster's worker may have several threads."""


class Elsewhere(Exception):
    """A worker has other versions than the plan was made with: its battles would not be comparable."""


class Rows(NamedTuple):
    """The rows of a battle for the tables."""

    battle: BattleRow
    units: tuple[UnitRow, ...]


class Chunk(NamedTuple):
    """Some battles for a worker: the versions to play them under, and further packages in which to look for
    rulesets."""

    versions: tuple[str, str]
    packages: tuple[str, ...]
    battles: tuple[Battle, ...]


def play_chunk(chunk: Chunk) -> list[bytes]:
    """The rows of some battles, each as a line of the record. Raises Elsewhere."""
    with ONE_AT_A_TIME:
        also_look_in(chunk.packages)
        here = campale.__version__, load_ruleset(chunk.battles[0].setup.ruleset).content_hash
        if here != chunk.versions:
            raise Elsewhere(
                f"{here[0]} with the book's hash {here[1]}, not {chunk.versions[0]} with {chunk.versions[1]}"
            )
        return [line_of(play(battle)) for battle in chunk.battles]


def line_of(rows: Rows) -> bytes:
    return msgspec.json.encode(rows) + b"\n"


def play(battle: Battle) -> Rows:
    """Play a battle; a failed battle gives a row that says so."""
    start = time.perf_counter()
    try:
        game = begun(battle)
        watch = Watch(battle.setup)
        play_on(game, players_of(battle), battle.most_answers, watch)
        seconds = time.perf_counter() - start
        tally = watch.tally(game)
        watch.count(tally)
        return Rows(battle_row(battle, game, tally, seconds), tuple(unit_rows(battle, tally, watch.held)))
    except Exception as error:
        return failed(battle, f"{type(error).__name__}: {error}", time.perf_counter() - start)


class Watch:
    """Counts at the end of each round which units stand on what their side holds: ``held``, by place in the tally.

    A round is over when the next one has begun, which a book notes as ``round``.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.round: Plain = None
        self.held: Counter[int] = Counter()

    def __call__(self, game: Game) -> None:
        now = game.position.now.get("round")
        if now == self.round:
            return
        if self.round is not None:
            self.count(self.tally(game))
        self.round = now

    def tally(self, game: Game) -> Tally | None:
        return game.ruleset.tally(game.position, self.setup) if game.ruleset.tally is not None else None

    def count(self, tally: Tally | None) -> None:
        units = tally.units if tally is not None else ()
        self.held.update(place for place, unit in enumerate(units) if unit.objectives)


def begun(battle: Battle) -> Game:
    """The battle before the first answer, without a journal; harm is counted."""
    marks: Marks = "none" if {side.player for side in battle.sides} <= {"random"} else "last"
    ruleset = load_ruleset(battle.setup.ruleset)
    game = Game(ruleset, battle.setup, battle.seed, journal=False, marks=marks)
    game.position.harms = []
    return game


def players_of(battle: Battle) -> dict[int, Player]:
    return {side: player_of(fielding, f"{battle.seed}/{side}") for side, fielding in enumerate(battle.sides)}


def failed(battle: Battle, fault: str, seconds: float = 0.0) -> Rows:
    return Rows(row_of(battle, "failed", fault=fault[:1000], seconds=seconds), ())


# ---------------------------------------------------------------- the row of a battle


def battle_row(battle: Battle, game: Game, tally: Tally | None, seconds: float) -> BattleRow:
    came = outcome(game)
    side = int(came) if came.isdecimal() else None
    rolls = sum(entry.kind in CHANCE_KINDS for entry in game.line)
    more = {} if tally is None else told_of(tally, battle.seat)
    return row_of(
        battle,
        came if side is None else ("first" if side == battle.seat else "second"),
        winning_side=side,
        ended_by=game.result.rule if game.result is not None else "",
        decisions=len(game.line) - rolls,
        rolls=rolls,
        final_hash=game.position.state_hash(),
        record=None if are_repeatable(battle) else packed(game.line),
        seconds=seconds,
        **more,
    )


def told_of(tally: Tally, seat: int) -> dict[str, Plain]:
    """The columns of a tally, for first (on side ``seat``) and second."""
    found: dict[str, Plain] = {"starting_side": tally.started, "rounds": tally.rounds}
    for name, side in (("first", seat), ("second", 1 - seat)):
        found[f"{name}_score"] = None if tally.score is None else float(tally.score[side])
        found[f"{name}_points"], found[f"{name}_left"] = float(tally.points(side)), float(tally.points_left(side))
    return found


SCORES = {"first": 1.0, "draw": 0.5, "second": 0.0}


def row_of(battle: Battle, winner: str, **found: Plain) -> BattleRow:
    """A row with the data known before a battle, and its result."""
    first, second = (battle.sides[battle.seat], battle.sides[1 - battle.seat])
    ruleset = load_ruleset(battle.setup.ruleset)
    nothing: dict[str, Plain] = {
        **dict.fromkeys(("winning_side", "starting_side", "rounds", "first_score", "second_score", "record")),
        **dict.fromkeys(("first_points", "second_points", "first_left", "second_left")),
        **dict.fromkeys(("ended_by", "final_hash", "fault"), ""),
        "decisions": 0,
        "rolls": 0,
    }
    return BattleRow(
        number=battle.number,
        pair=battle.pair,
        variant=battle.variant,
        label=battle.label,
        seat=battle.seat,
        seed=battle.seed,
        campale=campale.__version__,
        ruleset=ruleset.name,
        rules_hash=ruleset.content_hash,
        **settled(ruleset, battle.setup),
        **of_side("first", first),
        **of_side("second", second),
        winner=winner,
        score=SCORES.get(winner),
        **(nothing | found),
    )


def settled(ruleset: Ruleset, setup: Setup) -> dict[str, Plain]:
    """Options and what was agreed; mission, layout and size by themselves, where the book has them."""
    offers = offers_of(ruleset)
    mission, layout, size = (setup.agreed.get(name) for name in (offers.mission, offers.layout, offers.size))
    return {
        "options": msgspec.json.encode(setup.options, order="sorted").decode(),
        "agreed": msgspec.json.encode(setup.agreed, order="sorted").decode(),
        "mission": "" if mission is None else str(mission),
        "layout": "" if layout is None else str(layout),
        "size": size if isinstance(size, int) else None,
    }


def of_side(name: str, fielding: Fielding) -> dict[str, Plain]:
    return {
        f"{name}_force": fielding.force_name,
        f"{name}_hash": hash_of(fielding.force),
        f"{name}_player": fielding.player_told,
    }


# ---------------------------------------------------------------- the rows of the units


def unit_rows(battle: Battle, tally: Tally | None, held: Mapping[int, int]) -> list[UnitRow]:
    counts = [0, 0]
    rows = []
    for place, unit in enumerate(tally.units if tally is not None else ()):
        rows.append(unit_row(battle, unit, counts[unit.side], held.get(place, 0)))
        counts[unit.side] += 1
    return rows


def unit_row(battle: Battle, unit: UnitTally, number: int, rounds_held: int) -> UnitRow:
    return UnitRow(
        number=battle.number,
        pair=battle.pair,
        variant=battle.variant,
        side=unit.side,
        owner="first" if unit.side == battle.seat else "second",
        unit=number,
        name=unit.name,
        kind=hash_of(unit.profiles),
        bought=unit.is_bought,
        models=len(unit.profiles),
        models_left=unit.models_left,
        points=unit.points,
        points_left=float(unit.points_left),
        wounds_dealt=unit.wounds_dealt,
        wounds_taken=unit.wounds_taken,
        points_dealt=unit.points_dealt,
        points_taken=unit.points_taken,
        lost_in=unit.lost_in,
        objectives=unit.objectives,
        rounds_held=rounds_held,
    )


# ---------------------------------------------------------------- players who would not do the same again


def are_repeatable(battle: Battle) -> bool:
    """Whether both players always repeat their answers; a player with a time budget does not."""
    return all(getattr(player, "is_repeatable", True) for player in players_of(battle).values())


def packed(line: Sequence[Entry]) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(line), 9)


def unpacked(record: bytes) -> list[Entry]:
    """Raises ValueError if it is not a record, or far too long."""
    opened = zlib.decompressobj()
    try:
        found = opened.decompress(record, LARGEST_FILE)
    except zlib.error as error:
        raise ValueError(f"the record is damaged: {error}") from None
    if opened.unconsumed_tail or not opened.eof:
        raise ValueError("the record is cut short, or far too long")
    return msgspec.msgpack.decode(found, type=list[Entry])
