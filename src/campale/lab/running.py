"""A run of an experiment: missing battles are distributed, results are kept as they arrive, and the tables are made
from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from campale.lab.errors import LabError
from campale.lab.keeping import ROWS, WHOLE, Folder, read_plan
from campale.lab.plan import Battle
from campale.lab.stopping import Stopping
from campale.lab.tables import BATTLES
from campale.lab.workers import Crew, GivingOut, played_here
from campale.referee.ruleset import EXTRA_PACKAGES


class Ending(NamedTuple):
    """How a run ended: the numbers of the battles in the tables, and whether they are all that were wanted."""

    numbers: list[int]
    is_complete: bool


class Run:
    """A run in progress."""

    def __init__(self, folder: Folder, watch: Callable[[Run], None] | None = None) -> None:
        self.folder = folder
        self.plan = folder.plan
        self.stopping = Stopping(self.plan)
        self.watch = watch
        for number, row in folder.rows.items():
            self.stopping.add(number, row.score)

    def numbers(self) -> Iterator[int]:
        """The battles that are wanted, as far as known."""
        for number in self.plan.numbers(self.folder.shard):
            if self.stopping.limit is not None and number >= self.stopping.limit:
                return
            yield number

    def wanted(self) -> Iterator[Battle]:
        """Those that have still to be played."""
        return (self.plan.battle(number) for number in self.numbers() if number not in self.folder.rows)

    @property
    def is_complete(self) -> bool:
        return next((False for number in self.numbers() if number not in self.folder.rows), True)

    def take(self, lines: list[bytes]) -> float:
        """Keep results. Returns how long one of these battles took."""
        rows = [self.folder.add(line) for line in lines]
        for row in rows:
            self.stopping.add(row.number, row.score)
        if self.watch is not None:
            self.watch(self)
        return sum(row.seconds for row in rows) / len(rows)

    def play(self, crew: Crew | None) -> None:
        """Play everything that is left, or until the precision is reached. Results are kept whatever interrupts it."""
        wanted = self.wanted()
        versions = self.plan.campale, self.plan.rules_hash
        if crew is None:
            for lines in played_here(wanted):
                self.take(lines)
            return
        out = GivingOut(crew, wanted, versions, tuple(EXTRA_PACKAGES))
        for lines in out:
            out.each = self.take(lines)
            if self.stopping.limit is not None and self.is_complete:
                return

    def end(self) -> Ending:
        """Write the tables of what there is."""
        numbers = [number for number in self.numbers() if number in self.folder.rows]
        self.folder.sync()
        self.folder.write_tables(numbers, self.is_complete)
        return Ending(numbers, self.is_complete)


def caught_up(path: Path) -> None:
    """Make the tables of a folder if a run was killed before it could.

    Raises LabError if there are none and none can be made: another run is at work, or the folder is no experiment's.
    """
    journal, table = path / ROWS, path / BATTLES
    if not journal.exists() or (table.exists() and table.stat().st_mtime_ns >= journal.stat().st_mtime_ns):
        return
    try:
        folder = Folder(path, read_plan(path))
    except LabError:
        if table.exists():
            return
        raise
    try:
        Run(folder).end()
    finally:
        folder.close()


def shard_of(text: str) -> tuple[int, int]:
    """``2/8`` as (2, 8); the whole without text. Raises ValueError."""
    if not text:
        return WHOLE
    number, slash, of = text.partition("/")
    if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of) <= 100_000):
        raise ValueError(text)
    return int(number), int(of)
