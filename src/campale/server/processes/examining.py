"""Experiments of the laboratory, in the process for repeated play; results are reported as they come."""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple

import msgspec

from campale.lab.answers import Line, answer
from campale.lab.findings import Findings, found_in
from campale.lab.plan import Battle, Plan
from campale.lab.planning import plan_of_text
from campale.lab.playing import Rows, line_of, play
from campale.lab.report import Report, words_of
from campale.referee.reading import FileError
from campale.referee.telling.words import LANGUAGES
from campale.server.processes.thinking import Pool
from campale.server.processes.trying import ChanceShown, chance

MOST_SECONDS = 1200.0
"""The time limit of one experiment; results found by then are reported."""
AT_ONCE = 1.5
MOST_AT_ONCE = 32
PATIENCE = 300.0
"""Seconds after which the process is stopped: a battle of a large book may take a minute on a busy machine."""

State = Literal["planning", "playing", "done", "stopped", "late", "broken", "refused"]


class LineShown(msgspec.Struct, frozen=True):
    """A row of the table. ``change``: the difference of its score from the first row's, in the same battles."""

    name: str
    battles: int
    score: ChanceShown
    won: ChanceShown
    change: ChanceShown | None = None


class ExperimentShown(msgspec.Struct, frozen=True):
    """``of``: the number of battles wanted; ``done``: the number played. ``refused``: the book's objections.

    ``answer`` is a sentence, and ``head`` says whose scores the rows show: the scores so far, while the experiment goes
    on. ``has_report``: whether a report is available.
    """

    id: str
    kind: str
    book: str
    state: State
    is_running: bool
    done: int
    of: int
    answer: str = ""
    head: str = ""
    lines: list[LineShown] = []
    refused: list[str] = []
    has_report: bool = False


# ---------------------------------------------------------------- tasks for the process


class Opening(NamedTuple):
    """An experiment file's text on its way to a plan, or its faults, by language."""

    source: str
    name: str

    def done(self) -> Plan | dict[str, list[str]]:
        try:
            return plan_of_text(self.source, self.name)
        except FileError as error:
            return {language: error.told(language) for language in LANGUAGES}


class Playing(NamedTuple):
    """Battles of a plan, as many as fit into the seconds; the first is always played."""

    battles: tuple[Battle, ...]
    seconds: float

    def done(self) -> list[bytes]:
        until, found = time.monotonic() + self.seconds, list[bytes]()
        for battle in self.battles:
            if found and time.monotonic() > until:
                break
            found.append(line_of(play(battle)))
        return found


class Reporting(NamedTuple):
    """The page about the battles played: packed lines of the record."""

    name: str
    plan: Plan
    packed: tuple[bytes, ...]
    is_complete: bool
    language: str

    def done(self) -> str:
        rows, units = list[dict[str, Any]](), list[dict[str, Any]]()
        for lines in self.packed:
            for of in msgspec.json.decode(b"[" + zlib.decompress(lines) + b"]", type=list[Rows]):
                rows.append(msgspec.structs.asdict(of.battle))
                units.extend(map(msgspec.structs.asdict, of.units))
        rows.sort(key=lambda row: row["number"])
        found = found_in(self.name, self.plan, rows, units, self.is_complete)
        return Report(found, words_of(self.language)).page()


# ---------------------------------------------------------------- a run


class Examined:
    """A requested experiment. ``visitor``: the requester; ``name``: the name of the file without its ending."""

    def __init__(self, id: str, visitor: str, kind: str, book: str, source: str, of: int) -> None:
        self.id, self.visitor, self.kind, self.book, self.source, self.of = id, visitor, kind, book, source, of
        self.name = f"{kind}-{book}"
        self.state: State = "planning"
        self.plan: Plan | None = None
        self.refused: dict[str, list[str]] = {}
        self.rows: list[dict[str, Any]] = []
        self.packed: list[bytes] = []
        self.count = 0
        self.found: Findings | None = None
        self.reports: dict[str, str] = {}
        self.is_running = self.is_wanted = True

    async def go(self, pool: Pool) -> None:
        """Plan and play the experiment until it is stopped or runs out of time."""
        try:
            opened = await pool.think(Opening(self.source, f"{self.name}.yaml"), PATIENCE)
            if isinstance(opened, Plan):
                self.plan, self.state = opened, "playing"
                self.state = await self.played(opened, pool)
            else:
                self.refused = opened or {}
                self.state = "broken" if opened is None else "refused"
        finally:
            if self.state in ("planning", "playing"):
                self.state = "broken"
            self.is_running = False
            self.rows = []

    async def played(self, plan: Plan, pool: Pool) -> State:
        """Play until the end, and return how it ended."""
        until = time.monotonic() + MOST_SECONDS
        while self.is_wanted:
            if self.count == plan.total:
                return "done"
            if time.monotonic() > until:
                return "late"
            numbers = islice(plan.numbers(), self.count, self.count + MOST_AT_ONCE)
            lines = await pool.think(Playing(tuple(map(plan.battle, numbers)), AT_ONCE), PATIENCE)
            if lines is None:
                return "broken" if self.is_wanted else "stopped"
            self.take(plan, lines)
        return "stopped"

    def take(self, plan: Plan, lines: Sequence[bytes]) -> None:
        rows = [msgspec.json.decode(line, type=Rows).battle for line in lines]
        self.rows.extend(map(msgspec.structs.asdict, rows))
        self.count = len(self.rows)
        self.packed.append(zlib.compress(b",".join(lines)))
        self.found = found_in(self.name, plan, self.rows)

    def stop(self) -> None:
        """Begin no further battle; the results so far count."""
        self.is_wanted = False

    @property
    def has_report(self) -> bool:
        return not self.is_running and self.count > 0

    async def report(self, pool: Pool, language: str) -> str | None:
        """The page of the report; None: it took too long, or failed."""
        if language not in self.reports and self.plan is not None:
            is_complete = self.state == "done"
            made = Reporting(f"{self.name}.lab", self.plan, tuple(self.packed), is_complete, language)
            page = await pool.think(made, PATIENCE)
            if page is None:
                return None
            self.reports[language] = page
        return self.reports.get(language)

    def shown(self, language: str) -> ExperimentShown:
        told = None if self.found is None else answer(self.found, self.kind, language)
        return ExperimentShown(
            self.id,
            self.kind,
            self.book,
            self.state,
            self.is_running,
            self.count,
            self.of,
            "" if told is None else told.sentence,
            "" if told is None else told.head,
            [] if told is None else list(map(line_shown, told.lines)),
            self.refused.get(language, []),
            self.has_report,
        )


def line_shown(one: Line) -> LineShown:
    change = None if one.change is None else chance(one.change)
    return LineShown(one.name, one.battles, chance(one.score), chance(one.won), change)
