"""How fast whole battles are: bots at random and one activation ahead, in the simulation's mode and with a full record.

Run as ``python -m benchmarks.battles``; ``--ruleset NAME`` for another book than Ragnarok. Compiling is
not counted: a battle is played before the clock starts.
"""

from __future__ import annotations

import gzip
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median, quantiles
from types import FrameType
from typing import Any

import campale
from campale.players import GreedyPlayer, RandomPlayer
from campale.players.player import Player
from campale.referee.game import Game, Marks
from campale.referee.records.saved import load, save
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Setup, load_ruleset
from campale.referee.seat import Seat
from campale.simulate import battle, starters_of

USUAL = "ragnarok"
SECONDS = 8.0
"""How long each figure is measured, at the least."""

SOURCES = Path(campale.__file__).parent
INTERVAL = 0.001


class TimedSeat(Seat):
    """A seat that notes how long each imagined game takes to make."""

    __slots__ = ("times",)

    def __init__(self, seat: Seat, times: list[float]) -> None:
        super().__init__(seat._game, seat.side)
        self.times = times

    def imagined(self, rng: Random, luck: tuple[str, int] | None = None) -> Game:
        start = time.perf_counter()
        game = super().imagined(rng, luck)
        self.times.append(time.perf_counter() - start)
        return game


class TimedGreedy(GreedyPlayer):
    """The greedy player on a seat that is timed."""

    def __init__(self, seed: int | str, times: list[float]) -> None:
        super().__init__(seed)
        self.times = times

    def answer(self, seat: Seat) -> Plain:
        return super().answer(TimedSeat(seat, self.times))


class Sampler:
    """Which ring the processor is in, looked at every millisecond of its time. Only in the main thread."""

    def __init__(self) -> None:
        self.rings: Counter[str] = Counter()

    def __enter__(self) -> Sampler:
        signal.signal(signal.SIGPROF, self.look)
        signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.0)

    def look(self, number: int, frame: FrameType | None) -> None:
        while frame is not None and not frame.f_code.co_filename.startswith(str(SOURCES)):
            frame = frame.f_back
        if frame is not None:
            self.rings[Path(frame.f_code.co_filename).relative_to(SOURCES).parts[0].removesuffix(".py")] += 1

    def shares(self) -> dict[str, float]:
        """The share of every ring, the greatest first. Time in numpy or the library counts for whoever called it."""
        total = sum(self.rings.values()) or 1
        return {ring: round(count / total, 3) for ring, count in self.rings.most_common()}


Players = Callable[[int], dict[int, Player]]


def at_random(number: int) -> dict[int, Player]:
    return {side: RandomPlayer(f"{number}/{side}") for side in (0, 1)}


def timed(
    ruleset: Ruleset, setups: Sequence[Setup], players: Players, journal: bool, marks: Marks, seconds: float
) -> tuple[dict[str, float], list[Game]]:
    """Battles one after another for so long: how many a second, and how many answers; a few of the games."""
    count = answers = rolled = 0
    kept: list[Game] = []
    start = time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds or count < 2:
        game = battle(ruleset, setups[count % len(setups)], players(count), f"bench/{count}", journal, marks)
        rolled += sum(entry.kind in {"roll", "direction", "draw"} for entry in game.line)
        answers += len(game.line)
        kept = [*kept, game][-8:]
        count += 1
    figures = {
        "battles": count,
        "battles_per_second": round(count / passed, 2),
        "answers_per_second": round(answers / passed, 1),
        "decisions_per_second": round((answers - rolled) / passed, 1),
        "decisions_per_battle": round((answers - rolled) / count, 1),
        "rolls_per_battle": round(rolled / count, 1),
    }
    return figures, kept


def thinking(ruleset: Ruleset, setups: Sequence[Setup], seconds: float) -> dict[str, Any]:
    """Battles of two greedy players, with the time that a clone takes."""
    times: list[float] = []

    def players(number: int) -> dict[int, Player]:
        return {side: TimedGreedy(f"{number}/{side}", times) for side in (0, 1)}

    with Sampler() as sampler:
        figures, games = timed(ruleset, setups, players, False, "last", seconds)
    saved = keeping(games)
    microseconds = [round(1e6 * one, 1) for one in times]
    return {
        **figures,
        "clones_per_battle": round(len(times) / figures["battles"], 1),
        "clone_p50_microseconds": median(microseconds),
        "clone_p99_microseconds": quantiles(microseconds, n=100)[98],
        "share_of_time": sampler.shares(),
        "saved": {
            **saved,
            "times_as_fast_as_played": round(saved["replayed_battles_per_second"] / figures["battles_per_second"], 1),
        },
    }


def keeping(games: Sequence[Game]) -> dict[str, float]:
    """How large saved games are, and how fast they are played again."""
    files = [save(game) for game in games]
    start = time.perf_counter()
    entries = sum(len(load(file).line) for file in files)
    seconds = time.perf_counter() - start
    return {
        "saved_bytes": round(sum(map(len, files)) / len(files)),
        "saved_bytes_compressed": round(sum(len(gzip.compress(file)) for file in files) / len(files)),
        "replayed_battles_per_second": round(len(files) / seconds, 2),
        "replayed_entries_per_second": round(entries / seconds, 1),
    }


def run(ruleset: Ruleset | None = None, seconds: float = SECONDS) -> dict[str, Any]:
    """Every figure of battles, by name."""
    book = ruleset or load_ruleset(USUAL)
    setups = starters_of(book)
    battle(book, setups[0], at_random(0), "warm")
    with Sampler() as sampler:
        bare, _ = timed(book, setups, at_random, False, "none", seconds)
    full, games = timed(book, setups, at_random, True, "all", seconds)
    return {
        "ruleset": book.name,
        "random, simulation mode": {**bare, "share_of_time": sampler.shares()},
        "random, journal and marks": full,
        "greedy": thinking(book, setups, seconds),
        "saved games": keeping(games),
    }


def main(words: Sequence[str]) -> None:
    from benchmarks.__main__ import told

    book = load_ruleset(words[words.index("--ruleset") + 1]) if "--ruleset" in words else None
    print("\n".join(told(run(book))))


if __name__ == "__main__":
    main(sys.argv[1:])
