"""A Dask cluster as of many machines, one of which dies and one of which comes late: ``python -m benchmarks.machines``.

The wheel of this tree is installed in a fresh virtual environment. A scheduler and workers are started from it, each in
an empty folder of its own, and know each other by address alone. An experiment is played on them while one worker is
killed and another joins; the tables must be those of a single process. Writes ``machines.md`` beside this file, with
when it was and on what. Ends with 1 where the tables differ, or the worker that came late had nothing to do.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import distributed
import pyarrow.parquet as pq

from benchmarks.nightly import write
from campale.lab.tables import BATTLES, UNITS
from campale.lab.templates import MISSIONS, Wanted, template, written
from campale.referee.ruleset import load_ruleset

dask: Any = distributed

ROOT = Path(__file__).parents[1]
BOOKS = ("ragnarok", "e55")
COUNT = 80
"""Battles of each book."""
PATIENCE = 600.0
KILLED_AT, JOINED_AT = 0.25, 0.4
"""After which share of the battles a worker is killed, and another joins."""


class Machines:
    """A scheduler and its workers, each a process in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.env = folder, folder / "env"
        self.running: list[subprocess.Popen[bytes]] = []
        self.address = ""

    def run(self, *words: str | Path) -> None:
        """A command to its end. Raises CalledProcessError."""
        env = {**apart(), "CAMPALE_WITHOUT_PAGE": "1"}
        subprocess.run([*map(str, words)], check=True, cwd=ROOT, env=env, stdout=subprocess.DEVNULL)

    def install(self) -> None:
        """A fresh environment with the wheel of this tree."""
        self.run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", self.folder / "wheel")
        self.run(sys.executable, "-m", "venv", self.env)
        (wheel,) = (self.folder / "wheel").glob("*.whl")
        pip = self.env / "bin" / "python", "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt"
        self.run(*pip, f"{wheel}[cluster]")

    def begin(self, name: str, program: str, *words: str | Path) -> subprocess.Popen[bytes]:
        """A program of the environment, in an empty folder; what it says goes to a file there."""
        (home := self.folder / name).mkdir()
        with (home / "log").open("wb") as log:
            command = [self.env / "bin" / program, *words]
            made = subprocess.Popen(command, cwd=home, env=apart(), stdout=log, stderr=log)
        self.running.append(made)
        return made

    def schedule(self, name: str) -> None:
        """Begin a scheduler, at a port of its own choosing."""
        self.address = ""
        self.begin(name, "dask", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        until = time.monotonic() + PATIENCE
        while not self.address:
            said = (self.folder / name / "log").read_text(errors="replace")
            found = re.search(r"Scheduler at: *(tcp://127\.0\.0\.1:\d+)", said)
            self.address = found[1] if found else ""
            if time.monotonic() > until:
                raise TimeoutError(f"the scheduler does not begin: {said}")
            time.sleep(0.2)

    def work(self, name: str) -> subprocess.Popen[bytes]:
        return self.begin(name, "dask", "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def close(self) -> None:
        for one in reversed(self.running):
            one.kill()
            one.wait()
        self.running.clear()


def apart() -> dict[str, str]:
    """The environment without this tree: what is imported must be what is installed."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@contextmanager
def machines() -> Iterator[Machines]:
    with tempfile.TemporaryDirectory(prefix="campale-machines-") as folder:
        made = Machines(Path(folder))
        try:
            yield made
        finally:
            made.close()


def experiment(book: str, folder: Path) -> Path:
    """Random players over two armies of a book: many short battles."""
    content = template(load_ruleset(book), MISSIONS, Wanted(bot="random", battles=COUNT))
    (file := folder / f"{book}.yaml").write_text(written(content, ""), encoding="utf-8")
    return file


def played(made: Machines, file: Path, out: str, *how: str) -> subprocess.Popen[bytes]:
    """A run of the experiment from the environment, in a folder of its own."""
    return made.begin(f"client-{out}", "campale", "lab", "run", file, "--out", made.folder / out, *how)


def ended(begun: subprocess.Popen[bytes], made: Machines, out: str) -> None:
    if begun.wait(PATIENCE) != 0:
        raise RuntimeError((made.folder / f"client-{out}" / "log").read_text(errors="replace"))


def rows_in(folder: Path) -> int:
    rows = folder / "rows.jsonl"
    return rows.read_bytes().count(b"\n") if rows.exists() else 0


def until_rows(folder: Path, wanted: float, begun: subprocess.Popen[bytes]) -> int:
    """Wait until so many battles are in, or the run is over; how many there are."""
    while rows_in(folder) < wanted and begun.poll() is None:
        time.sleep(0.1)
    return rows_in(folder)


def in_hand(address: str, known: set[str]) -> Iterator[bool]:
    """Whether a worker that was not known has battles in hand, each time it is asked."""
    with dask.Client(address, set_as_default=False) as client:
        while True:
            yield any(keys for worker, keys in client.processing().items() if worker not in known)


def workers_at(address: str, least: int = 0) -> set[str]:
    """Those that the scheduler knows, once there are so many."""
    with dask.Client(address, set_as_default=False) as client:
        client.wait_for_workers(least, timeout=PATIENCE)
        return set(client.scheduler_info(n_workers=-1)["workers"])


def with_losses(made: Machines, file: Path, out: str, first: subprocess.Popen[bytes]) -> dict[str, Any]:
    """The experiment on the cluster; a worker is killed on the way, and another comes late."""
    begun = played(made, file, out, "--cluster", made.address)
    killed_at = until_rows(made.folder / out, KILLED_AT * COUNT, begun)
    first.kill()
    joined_at = until_rows(made.folder / out, JOINED_AT * COUNT, begun)
    known = workers_at(made.address)
    made.work(f"late-{out}")
    had_work = False
    for has in in_hand(made.address, known):
        had_work = had_work or has
        if had_work or begun.poll() is not None:
            break
        time.sleep(0.1)
    ended(begun, made, out)
    return {"killed_after_battles": killed_at, "joined_after_battles": joined_at, "late_worker_had_battles": had_work}


def are_alike(one: Path, other: Path) -> bool:
    """Whether the tables of two runs say the same, but for how long it took."""
    return all(table(one / name).equals(table(other / name)) for name in (BATTLES, UNITS))


def table(file: Path) -> Any:
    read = pq.read_table(file)
    return read.drop_columns([name for name in ("seconds",) if name in read.column_names])


def tried(book: str, made: Machines) -> dict[str, Any]:
    """One book: alone, and on the cluster with losses."""
    file, alone, together = experiment(book, made.folder), f"{book}-alone", f"{book}-cluster"
    ended(played(made, file, alone, "--workers", "1"), made, alone)
    made.schedule(f"scheduler-{book}")
    first = made.work(f"first-{book}")
    made.work(f"second-{book}")
    workers_at(made.address, 2)
    figures = with_losses(made, file, together, first)
    made.close()
    rows = pq.read_table(made.folder / together / BATTLES).num_rows
    return {**figures, "battles": rows, "same_tables": are_alike(made.folder / alone, made.folder / together)}


def main() -> int:
    begun = time.monotonic()
    with machines() as made:
        made.install()
        figures = {book: tried(book, made) for book in sys.argv[1:] or BOOKS}
    minutes = {"minutes": (time.monotonic() - begun) / 60}
    write("machines", "A cluster of many machines, one lost and one late", {**figures, **minutes})
    return int(not all(one["same_tables"] and one["late_worker_had_battles"] for one in figures.values()))


if __name__ == "__main__":
    sys.exit(main())
