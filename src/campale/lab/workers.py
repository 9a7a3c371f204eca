"""Who plays: this process, others on the same machine, or a cluster. Battles come back in any order, all of them.

A worker that dies loses nothing: what it was playing is given out anew. A battle that has died with its worker several
times is played alone; if it dies again, it has failed.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from itertools import islice
from typing import Any, Protocol

from campale.lab.errors import LabError
from campale.lab.plan import Battle
from campale.lab.playing import Chunk, Elsewhere, failed, line_of, play, play_chunk

AHEAD = 2
"""Chunks that each worker has in hand or waiting."""

CHUNK_SECONDS, MOST_IN_CHUNK = 0.5, 64
DASK: dict[str, Any] = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.worker.memory.monitor-interval": "1s",
}
"""A cluster of one's own, on the same cores as the battles, does not look at itself all the time: with Dask's own
settings that takes an eighth of the processors."""

LOOK_EVERY = 1.0
"""Seconds after which a worker looks whether it is still wanted."""

MOST_DEATHS = 3
PATIENCE = 60
"""Seconds in which a cluster must have a worker."""

DIED = "the worker died with this battle, again and again"


class Crew(Protocol):
    """Workers: how many there are, what is raised when one dies, and whether that takes the others along."""

    deaths: tuple[type[BaseException], ...]
    dies_together: bool

    @property
    def size(self) -> int: ...

    def submit(self, chunk: Chunk) -> Future[list[bytes]]: ...

    def renew(self) -> None: ...

    def close(self) -> None: ...


class Processes:
    """Processes of this machine, by joblib's loky."""

    dies_together = True

    def __init__(self, size: int) -> None:
        from joblib.externals.loky.process_executor import BrokenProcessPool

        self.size = size
        self.deaths: tuple[type[BaseException], ...] = (BrokenProcessPool,)
        self.renew()

    def renew(self) -> None:
        from joblib.externals.loky import ProcessPoolExecutor

        self.pool = ProcessPoolExecutor(self.size, initializer=begin_work, initargs=(os.getpid(),))

    def submit(self, chunk: Chunk) -> Future[list[bytes]]:
        future: Future[list[bytes]] = self.pool.submit(play_chunk, chunk)
        return future

    def close(self) -> None:
        self.pool.shutdown(wait=True, kill_workers=True)


def begin_work(employer: int) -> None:
    """A worker does not outlive the process that gives it work: if that is killed, nobody else would end it."""
    leave_interrupts()
    threading.Thread(target=end_with, args=(employer,), daemon=True).start()


def end_with(employer: int) -> None:
    while os.getppid() == employer:
        time.sleep(LOOK_EVERY)
    os._exit(0)


def leave_interrupts() -> None:
    """An interruption is for the process that gives the work out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def dask_setup(worker: Any) -> None:
    """The same in every worker of a local cluster, those too that begin when another has died (a preload of Dask's)."""
    leave_interrupts()


def local_cluster(size: int) -> Any:
    """So many Dask workers of one's own, a process each."""
    import dask
    import distributed

    made: Any = distributed
    with dask.config.set(DASK):
        return made.LocalCluster(
            n_workers=size, threads_per_worker=1, dashboard_address=None, silence_logs=50, preload=[__name__]
        )


class Cluster:
    """The workers of a Dask cluster: one that runs elsewhere, or one of so many processes here (``local``)."""

    dies_together = False

    def __init__(self, address: str, size: int) -> None:
        import distributed
        from distributed.scheduler import KilledWorker

        dask: Any = distributed
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # the commands say what matters, in a sentence
        self.deaths: tuple[type[BaseException], ...] = (KilledWorker,)
        self.own: Any = None
        try:
            if address == "local":
                self.own = local_cluster(size)
            self.client = dask.Client(self.own or address, timeout=10, set_as_default=False)
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, ValueError) as error:
            raise LabError("no-cluster", address=address, error=error) from None
        self.executor = self.client.get_executor(pure=False)

    @property
    def size(self) -> int:
        """As many as there are now: workers may come and go."""
        return max(1, len(self.client.scheduler_info(n_workers=-1)["workers"]))

    def submit(self, chunk: Chunk) -> Future[list[bytes]]:
        future: Future[list[bytes]] = self.executor.submit(play_chunk, chunk)
        return future

    def renew(self) -> None:
        """The cluster sees to that."""

    def close(self) -> None:
        self.client.close()
        if self.own is not None:
            self.own.close()


def crew_of(workers: int, cluster: str = "") -> Crew | None:
    """Those who play; None is this process alone. Raises LabError if something is not installed or not there."""
    try:
        if cluster:
            return Cluster(cluster, workers)
        return Processes(workers) if workers > 1 else None
    except ImportError as error:
        extra = "cluster" if cluster else "lab"
        raise LabError("no-extra", package=error.name or str(error), extra=extra) from None


def played_here(battles: Iterator[Battle]) -> Iterator[list[bytes]]:
    """One after another, in this process."""
    for battle in battles:
        yield [line_of(play(battle))]


class GivingOut:
    """Battles given out to a crew, and what comes back."""

    def __init__(self, crew: Crew, battles: Iterator[Battle], versions: tuple[str, str], packages: tuple[str, ...]):
        self.crew = crew
        self.battles = battles
        self.next: deque[Battle] = deque()
        """Those that come next, so many that it is seen when they come to an end."""
        self.about = versions, packages
        self.waiting: dict[Future[list[bytes]], Chunk] = {}
        self.again: list[Battle] = []
        self.suspects: list[Battle] = []
        self.deaths: Counter[int] = Counter()
        self.each = 0.0
        """Seconds that a battle has taken of late."""

    def __iter__(self) -> Iterator[list[bytes]]:
        """Every battle once, some at a time. Raises LabError."""
        while True:
            self.hand_out()
            if not self.waiting:
                if not self.suspects:
                    return
                yield self.play_alone(self.suspects.pop())
                continue
            done, _ = wait(self.waiting, return_when=FIRST_COMPLETED)
            for future in done:
                found = self.result_of(future)
                if found is not None:
                    yield found

    def hand_out(self) -> None:
        while not self.suspects and len(self.waiting) < AHEAD * self.crew.size and (chunk := self.next_chunk()):
            self.waiting[self.handed_out(chunk)] = chunk

    def handed_out(self, chunk: Chunk) -> Future[list[bytes]]:
        """The chunk in somebody's hands: in those of new workers where the old ones are found dead just now."""
        for _ in range(MOST_DEATHS):
            try:
                return self.crew.submit(chunk)
            except self.crew.deaths:
                self.lose_all()
        raise LabError("no-workers", tries=MOST_DEATHS)

    def next_chunk(self) -> Chunk | None:
        """What was lost first; then so many battles as take about half a second.

        Towards the end fewer and fewer: no worker is left with many while the others have none.
        """
        if self.again:
            return Chunk(*self.about, (self.again.pop(),))
        hands = AHEAD * self.crew.size
        self.next.extend(islice(self.battles, max(0, MOST_IN_CHUNK * hands - len(self.next))))
        count = 1 if self.each <= 0 else min(MOST_IN_CHUNK, int(CHUNK_SECONDS / self.each), len(self.next) // hands)
        battles = tuple(self.next.popleft() for _ in range(min(max(1, count), len(self.next))))
        return Chunk(*self.about, battles) if battles else None

    def result_of(self, future: Future[list[bytes]]) -> list[bytes] | None:
        """The rows of a chunk; None if its worker died."""
        chunk = self.waiting.pop(future, None)
        if chunk is None:
            return None
        try:
            return future.result()
        except self.crew.deaths:
            self.lose(chunk)
            if self.crew.dies_together:
                self.lose_all()
        except (Elsewhere, ImportError) as error:
            raise LabError("other-versions", error=error) from None
        except (CancelledError, OSError) as error:
            raise LabError("cluster-gone", error=type(error).__name__) from None
        return None

    def lose(self, chunk: Chunk) -> None:
        for battle in chunk.battles:
            self.deaths[battle.number] += 1
            (self.suspects if self.deaths[battle.number] >= MOST_DEATHS else self.again).append(battle)

    def lose_all(self) -> None:
        """The others have died too, and new workers begin; what came before stays for the next round."""
        for future in list(self.waiting):
            if not (future.done() and future.exception() is None):
                self.lose(self.waiting.pop(future))
        self.crew.renew()

    def play_alone(self, battle: Battle) -> list[bytes]:
        try:
            return self.handed_out(Chunk(*self.about, (battle,))).result()
        except self.crew.deaths:
            self.crew.renew()
            return [line_of(failed(battle, DIED))]
