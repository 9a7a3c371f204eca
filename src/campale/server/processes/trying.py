"""Battles played on many times: in a separate process, a few at a time, reported as they come, stopped on demand."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Hashable
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import msgspec

from campale.server.battle.draft import Taken
from campale.server.processes.thinking import Pool
from campale.simulate.intervals import Interval
from campale.simulate.trials import Counted, Standing, Trial, Trials, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_TRIALS, MOST_MOMENTS = 1000, 24
MOST_SECONDS = 300.0
"""The longest time of one run; the page shows what is done by then."""
AT_ONCE = 1.5
"""The seconds that the process plays before it reports."""
LONGEST_TRIAL = 20.0
PATIENCE = LONGEST_TRIAL + 60.0
"""The seconds after which the process is stopped: the first trial also waits until its rules are loaded."""
MOST_RUNS = 4
"""The number of runs of one kind that may run or wait at a time."""
MOST_KEPT = 64

Key = tuple[str, int | None, bool]
"""A battle, the side that asks, and whether the battle is over.

After the end nothing is secret, and the moments are those that the asker sees.
"""


class Run(Protocol):
    """Work that takes a while and reports as it goes on."""

    is_running: bool

    async def go(self, pool: Pool) -> None: ...

    def stop(self) -> None: ...


R = TypeVar("R", bound=Run)


class ChanceShown(msgspec.Struct, frozen=True):
    """A share or a mean, with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


class MomentTried(msgspec.Struct, frozen=True):
    """Results from one moment (``at`` as in a replay; null: now). By side: the share won, the mean score and losses.

    ``stalled``: trials stopped because they took too long; they count for nothing else.
    """

    at: int | None
    trials: int
    won: tuple[ChanceShown, ChanceShown]
    drawn: int
    stalled: int
    score: tuple[ChanceShown, ChanceShown] | None = None
    losses: tuple[ChanceShown, ChanceShown] | None = None


class TrialsShown(msgspec.Struct, frozen=True):
    """``of``: the number of trials wanted (0: none yet); ``done``: the number played. ``players``: the bots, by side.

    ``has_broken``: the process that plays them took too long, or failed.
    """

    done: int
    of: int
    is_running: bool
    players: tuple[str, str]
    moments: list[MomentTried]
    has_broken: bool = False


NONE = TrialsShown(0, 0, False, ("script", "script"), [])


class Tried:
    """Requested trials, from one moment or several."""

    def __init__(
        self, moments: Sequence[tuple[int | None, Standing]], players: tuple[str, str], count: int, name: str
    ) -> None:
        self.ats = [at for at, _ in moments]
        self.standings = [standing for _, standing in moments]
        self.players, self.count, self.name = players, count, name
        self.results: list[list[Trial]] = [[] for _ in moments]
        self.is_running = True
        self.has_broken = False

    async def go(self, pool: Pool) -> None:
        """Play them all, moment by moment, until stopped or out of time."""
        share = MOST_SECONDS / max(1, len(self.standings))
        try:
            for standing, results in zip(self.standings, self.results, strict=True):
                until = time.monotonic() + share
                while self.is_running and len(results) < self.count and time.monotonic() < until:
                    found = await pool.think(self.next(standing, len(results)))
                    if found is None:
                        self.has_broken = self.is_running
                        return
                    results.extend(found)
        finally:
            self.is_running = False
            self.standings.clear()

    def stop(self) -> None:
        """Begin no further trial; the results so far count."""
        self.is_running = False

    def next(self, standing: Standing, done: int) -> Trials:
        return Trials(standing, self.players, self.name, done, self.count - done, AT_ONCE, LONGEST_TRIAL)

    def shown(self) -> TrialsShown:
        pairs = zip(self.ats, self.results, strict=True)
        moments = [moment_shown(at, counted(results)) for at, results in pairs]
        done = sum(len(results) for results in self.results)
        return TrialsShown(done, self.count * len(self.ats), self.is_running, self.players, moments, self.has_broken)


def moment_shown(at: int | None, found: Counted) -> MomentTried:
    won = chance(found.won[0]), chance(found.won[1])
    return MomentTried(at, found.trials, won, found.drawn, found.stalled, pair(found.score), pair(found.losses))


def pair(found: tuple[Interval, Interval] | None) -> tuple[ChanceShown, ChanceShown] | None:
    return None if found is None else (chance(found[0]), chance(found[1]))


def chance(found: Interval) -> ChanceShown:
    return ChanceShown(round(found.value, 4), round(found.low, 4), round(found.high, 4))


class Trying(Generic[R]):
    """The runs of a server; the last of each key is kept for a while. ``pool`` does the work."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.runs: OrderedDict[Hashable, R] = OrderedDict()
        self.tasks: set[asyncio.Task[None]] = set()

    def running(self, key: Hashable) -> R | None:
        """The run already going on for a key, if any. Raises Taken if there is no room for another."""
        run = self.runs.get(key)
        if run is not None and run.is_running:
            return run
        self.check_room()
        return None

    def check_room(self) -> None:
        """Raises Taken if there is no room for another run."""
        if sum(one.is_running for one in self.runs.values()) >= MOST_RUNS:
            raise Taken("trials-busy", 503)

    def begin(self, key: Hashable, run: R) -> R:
        self.runs[key] = run
        self.runs.move_to_end(key)
        for old in [one for one, kept in self.runs.items() if not kept.is_running][: len(self.runs) - MOST_KEPT]:
            del self.runs[old]
        task = asyncio.get_running_loop().create_task(run.go(self.pool))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return run

    def stop(self, key: Hashable) -> None:
        if key in self.runs:
            self.runs[key].stop()

    async def close(self) -> None:
        for run in self.runs.values():
            run.stop()
        await asyncio.to_thread(self.pool.close)
        await asyncio.gather(*self.tasks, return_exceptions=True)
