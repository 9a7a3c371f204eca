"""Thinking in processes of its own: a bot gets the bytes of a battle as it imagines it, and so long to decide.

They begin once the geometry is compiled: what a server compiles in the background they would compile a second time.

Other long work is done there too: a ``Task`` is sent to a process, and what it comes to is sent back.
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
"""How long a process may take to be ready: where nothing compiled can be kept on disk it compiles the geometry anew."""


PAUSE = 0.2
"""How long one waits for the geometry, in seconds, before one looks whether it is still wanted."""

THINKERS: dict[str, type[GreedyPlayer]] = {"greedy": GreedyPlayer, "search": SearchPlayer}
"""The players whose thinking is done here, by their strength."""


class NeedsThought(Exception):
    """The player has no answer at hand."""


class Thoughtful(GreedyPlayer):
    """A player that thinks, at the table: it follows its plan, and leaves the thinking to a process."""

    def __init__(self, seed: int | str = 1, strength: str = "greedy") -> None:
        super().__init__(seed)
        self.name = strength

    def thought_out(self, seat: Seat, question: Question) -> tuple[Step, ...]:
        raise NeedsThought


class Task(Protocol):
    """Something to be done elsewhere; it and what comes of it can be sent."""

    def done(self) -> Any: ...


class Broken(NamedTuple):
    """Why a task came to nothing."""

    why: str


class Job(NamedTuple):
    """Something to think about: the battle as a side imagines it, from its last mark on; who thinks, and how long."""

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
    """What comes of it: an answer, the plan for the questions that follow, the player's dice; how long it took."""

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
    """The battle again."""
    ruleset = load_ruleset(job.book)
    position = Position.from_bytes(ruleset.with_options(job.setup.options), job.position)
    before = [HIDDEN] * job.at
    game = Game(ruleset, job.setup, job.seed, None, False, "last", job.since, False, position, before)
    game.held = dict(job.held)
    return game


def thought(job: Job) -> Thought:
    """What the player of the job comes to; the time is that of the people who wait."""
    player = THINKERS[job.strength](seconds=job.seconds, clock=time.monotonic)
    player.rng, begun = job.rng, time.monotonic()
    answer = player.answer(Seat(imagined(job), job.side))
    return Thought(answer, player.plan, player.rng, time.monotonic() - begun)


def work(line: Connection, packages: list[str]) -> None:
    """A process that thinks, until nobody wants it any more."""
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
    """One process. It is begun with its first job, and anew after it was broken off."""

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
        """What the task comes to. It blocks. None: it broke down, or took too long and was broken off."""
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
        """End it for good: one that is just being begun too."""
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
    """A few processes, one job at a time each; the jobs wait in the order they came."""

    def __init__(self, count: int, patience: float) -> None:
        self.patience = patience
        self.workers = [Worker() for _ in range(max(1, count))]
        self.free = asyncio.Queue[Worker]()
        for worker in self.workers:
            self.free.put_nowait(worker)

    async def think(self, task: Task, patience: float | None = None) -> Any:
        """What the task comes to, or None. ``patience``: how long it may take, where it is another time than usual."""
        worker = await self.free.get()
        bound = self.patience if patience is None else patience
        thinking = asyncio.get_running_loop().run_in_executor(None, worker.think, task, bound)
        thinking.add_done_callback(lambda _: self.free.put_nowait(worker))
        return await asyncio.shield(thinking)

    def close(self) -> None:
        for worker in self.workers:
            worker.close()
