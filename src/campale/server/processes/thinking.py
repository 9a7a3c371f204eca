"""Thinking in separate processes: a bot gets the bytes of a battle as it imagines it, and a time limit.

The processes begin once the geometry is compiled: they would otherwise compile a second time what a server compiles in
the background. Other long work is done there too: a ``Task`` is sent to a process, and its result is sent back.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import pickle
import signal
import threading
import time
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from random import Random
from typing import Any, NamedTuple, Protocol

from campale.players.greedy import GreedyPlayer, Step
from campale.players.player import Player
from campale.players.search import SearchPlayer
from campale.referee import ruleset as rulesets
from campale.referee.game import HIDDEN, Entry, Game
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import Setup, load_ruleset
from campale.referee.seat import Seat
from campale.table.warming import is_compiled, warm_up

BOOT = 900.0
"""Seconds that a process may take to start: if compiled code cannot be kept on disk, it compiles the geometry again."""


PAUSE = 0.2
"""Seconds of waiting for the geometry between two checks whether it is still wanted."""

MOST_AT_ONCE = 4
"""How often a thought about several decisions at once, as about the orders of a turn, may take the time of one."""

THINKERS: dict[str, type[GreedyPlayer]] = {"greedy": GreedyPlayer, "search": SearchPlayer}
"""The players that think here, by their strength."""


class NeedsThought(Exception):
    """The player has no answer ready."""


class Thoughtful(GreedyPlayer):
    """A thinking player at the table: it follows its plan, and leaves the thinking to a process."""

    def __init__(self, seed: int | str = 1, strength: str = "greedy") -> None:
        super().__init__(seed)
        self.name, self.sees_far = strength, THINKERS[strength].sees_far

    def thought_out(self, seat: Seat, question: Question) -> tuple[Step, ...]:
        raise NeedsThought


class Task(Protocol):
    """Work to be done elsewhere; both the task and its result can be sent."""

    def done(self) -> Any: ...


class Broken(NamedTuple):
    """Why a task failed."""

    why: str


class Job(NamedTuple):
    """A decision to think about: the battle since its last mark as a side imagines it, the player, the time limit."""

    book: str
    setup: Setup
    seed: str
    position: bytes
    at: int
    since: list[Entry]
    held: dict[int, Plain]
    side: int
    strength: str
    rng: Random
    seconds: float

    def done(self) -> Thought:
        return thought(self)


class Thought(NamedTuple):
    """The result: an answer, the plan for the following questions, the player's dice; and the time it took."""

    answer: Plain
    plan: tuple[Step, ...]
    rng: Random
    seconds: float


def job_of(game: Game, side: int, player: Player, seconds: float) -> Job:
    """The bytes of what the player may know of the battle."""
    imagined = game.imagined_by(side, player.rng)
    mark = imagined.marks[-1]
    since = imagined.line[mark.at :]
    return Job(
        game.ruleset.name,
        game.setup,
        imagined.seed,
        mark.position.to_bytes(),
        mark.at,
        since,
        imagined.held,
        side,
        player.name,
        player.rng,
        seconds,
    )


def imagined(job: Job) -> Game:
    """The battle, restored from the job."""
    ruleset = load_ruleset(job.book)
    position = Position.from_bytes(ruleset.with_options(job.setup.options), job.position)
    before = [HIDDEN] * job.at
    game = Game(ruleset, job.setup, job.seed, None, False, "last", job.since, False, position, before)
    game.held = dict(job.held)
    return game


def thought(job: Job) -> Thought:
    """The decision of the job's player; its time is real time, because people wait for it."""
    player = THINKERS[job.strength](seconds=job.seconds, clock=time.monotonic)
    if isinstance(player, SearchPlayer):
        player.allowance.most = MOST_AT_ONCE
    player.rng, begun = job.rng, time.monotonic()
    answer = player.answer(Seat(imagined(job), job.side))
    return Thought(answer, player.plan, player.rng, time.monotonic() - begun)


def work(line: Connection, packages: list[str]) -> None:
    """A process that thinks until it is no longer wanted."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    rulesets.EXTRA_PACKAGES.extend(packages)
    warm_up()
    line.send_bytes(b"ready")
    with contextlib.suppress(EOFError, OSError):
        while True:
            task: Task = pickle.loads(line.recv_bytes())
            try:
                told = task.done()
            except Exception as error:
                told = Broken(f"{type(error).__name__}: {error}")
            line.send_bytes(pickle.dumps(told))


class Worker:
    """One process. It starts with its first job, and again after it was stopped."""

    def __init__(self) -> None:
        self.process: BaseProcess | None = None
        self.line: Connection | None = None
        self.starting = threading.Lock()
        self.is_closed = False

    def begin(self) -> Connection:
        while not is_compiled(PAUSE):
            if self.is_closed:
                raise OSError("nobody wants thinking done any more")
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        packages = list(rulesets.EXTRA_PACKAGES)
        process = context.Process(target=work, args=(there, packages), daemon=True, name="thinking")
        with self.starting:
            if self.is_closed:
                raise OSError("nobody wants thinking done any more")
            process.start()
            self.process, self.line = process, here
        there.close()
        if not here.poll(BOOT):
            raise OSError("a process for thinking does not begin")
        here.recv_bytes()
        return here

    def think(self, task: Task, patience: float) -> Any:
        """The result of a task. It blocks. None: it failed, or took too long and was stopped."""
        try:
            line = self.line if self.line is not None else self.begin()
            line.send_bytes(pickle.dumps(task))
            if line.poll(patience):
                told = pickle.loads(line.recv_bytes())
                return None if isinstance(told, Broken) else told
        except (OSError, EOFError):
            pass
        self.end()
        return None

    def close(self) -> None:
        """End the process for good, even while it is starting."""
        with self.starting:
            self.is_closed = True
        self.end()

    def end(self) -> None:
        with self.starting:
            process, line = self.process, self.line
            self.process = self.line = None
        if process is not None:
            process.kill()
            process.join()
            process.close()
        if line is not None:
            line.close()


class Pool:
    """A few processes, with one job each at a time; jobs wait in the order of arrival."""

    def __init__(self, count: int, patience: float) -> None:
        self.patience = patience
        self.workers = [Worker() for _ in range(max(1, count))]
        self.free = asyncio.Queue[Worker]()
        for worker in self.workers:
            self.free.put_nowait(worker)

    async def think(self, task: Task, patience: float | None = None) -> Any:
        """The result of a task, or None. ``patience``: its time limit, if it differs from the usual one."""
        worker = await self.free.get()
        bound = self.patience if patience is None else patience
        thinking = asyncio.get_running_loop().run_in_executor(None, worker.think, task, bound)
        thinking.add_done_callback(lambda _: self.free.put_nowait(worker))
        return await asyncio.shield(thinking)

    def close(self) -> None:
        for worker in self.workers:
            worker.close()
