"""An experiment's folder: the plan, a journal of rows that outlives the process, and the tables made of it.

``plan.json`` is the plan; ``rows.jsonl`` has a line for each finished battle, in the order in which they ended; the
Parquet files are made from it in the order of the numbers. A truncated line is dropped, and its battle is played again.
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from campale.lab.errors import LabError
from campale.lab.plan import Plan
from campale.lab.playing import Rows
from campale.lab.tables import BATTLES, UNITS, BattleRow, Row, UnitRow, as_table, parquet_schema

PLAN, ROWS = "plan.json", "rows.jsonl"
SYNC_EVERY = 1.0
"""Seconds after which written lines are forced onto the disk. Lines written by a killed process are not lost."""

GROUP = 5000
"""Battles in a row group of the tables."""

Shard = tuple[int, int]
WHOLE: Shard = (1, 1)

_ROW = msgspec.json.Decoder(tuple[BattleRow, msgspec.Raw])
_ROWS = msgspec.json.Decoder(Rows)


class Kept(msgspec.Struct, frozen=True):
    """The content of ``plan.json``: the plan, and the share of it that is played here."""

    plan: Plan
    shard: Shard = WHOLE


class Folder:
    """An experiment's results, open for writing. ``rows`` has the finished battles, without their units."""

    def __init__(self, path: Path, kept: Kept, extend: bool = False) -> None:
        """Raises LabError if the folder has the results of something else, or is in use."""
        self.path = path
        self.plan, self.shard = kept.plan, kept.shard
        make_folder(path)
        self.journal = opened(path / ROWS)
        try:
            self._check(kept, extend)
            self.offsets: dict[int, int] = {}
            self.rows: dict[int, BattleRow] = {}
            self._read()
        except BaseException:
            self.journal.close()
            raise
        self.synced = time.monotonic()

    def _check(self, kept: Kept, extend: bool) -> None:
        file = self.path / PLAN
        if file.exists():
            changes = differing(read_plan(self.path), kept, extend)
            if changes:
                raise LabError("changed", folder=self.path, changes="; ".join(changes))
        elif self.journal.seek(0, os.SEEK_END):
            raise LabError("no-plan", folder=self.path, file=PLAN)
        write_whole(file, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")

    def _read(self) -> None:
        """Read the journal; drop a truncated last line."""
        self.journal.seek(0)
        whole = torn = 0
        for number, line in enumerate(self.journal, 1):
            row = row_in(line)
            if row is None:
                torn = torn or number
            elif torn:
                raise LabError("damaged", file=self.path / ROWS, line=torn)
            else:
                self._note(row, whole)
                whole += len(line)
        self.journal.truncate(whole)
        self.journal.seek(whole)

    def _note(self, row: BattleRow, offset: int) -> bool:
        if row.number in self.rows:
            return False
        self.rows[row.number], self.offsets[row.number] = row, offset
        return True

    def add(self, line: bytes) -> BattleRow:
        """Keep a battle; it is not lost if the process dies now."""
        row, _ = _ROW.decode(line)
        if self._note(row, self.journal.tell()):
            self.journal.write(line)
            self.journal.flush()
            if time.monotonic() - self.synced > SYNC_EVERY:
                self.sync()
        return row

    def sync(self) -> None:
        os.fsync(self.journal.fileno())
        self.synced = time.monotonic()

    def close(self) -> None:
        self.sync()
        self.journal.close()

    # ------------------------------------------------------------------ the tables

    def lines(self, numbers: Iterable[int]) -> Iterator[bytes]:
        """The lines of battles as they were kept."""
        with (self.path / ROWS).open("rb") as journal:
            for number in numbers:
                journal.seek(self.offsets[number])
                yield journal.readline()

    def write_tables(self, numbers: Sequence[int], is_complete: bool) -> None:
        """Write both tables of these battles, each completely or not at all."""
        about = {"plan": plan_hash(self.plan), "shard": "/".join(map(str, self.shard)), "complete": yes(is_complete)}
        write_table(self.path / BATTLES, BattleRow, about, (groups(self.lines(numbers), lambda rows: [rows.battle])))
        write_table(self.path / UNITS, UnitRow, about, (groups(self.lines(numbers), lambda rows: rows.units)))


def yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


def groups(lines: Iterable[bytes], part: Any) -> Iterator[list[Any]]:
    """The rows of a table, in groups of battles."""
    found: list[Any] = []
    for count, line in enumerate(lines, 1):
        found.extend(part(_ROWS.decode(line)))
        if count % GROUP == 0:
            yield found
            found = []
    yield found


def write_table(file: Path, row: type[Row], about: dict[str, str], parts: Iterable[list[Any]]) -> None:
    import pyarrow.parquet as pq

    partial = file.with_name(file.name + ".part")
    with pq.ParquetWriter(partial, parquet_schema(row, about)) as writer:
        for rows in parts:
            writer.write_table(as_table(rows, row, about))
    partial.replace(file)


# ---------------------------------------------------------------- the folder and its files


def make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabError("no-folder", folder=path, error=error.strerror or str(error)) from None


def opened(file: Path) -> io.BufferedRandom:
    """The journal, locked for this process. Raises LabError."""
    try:
        journal = file.open("r+b" if file.exists() else "w+b")
    except OSError as error:
        raise LabError("no-folder", folder=file, error=error.strerror or str(error)) from None
    try:
        import fcntl

        fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass  # without such file locks the user must not start two runs in one folder
    except OSError:
        journal.close()
        raise LabError("at-work", folder=file.parent) from None
    return journal


def row_in(line: bytes) -> BattleRow | None:
    """The battle of a line of the journal; None if the line is truncated."""
    if not line.endswith(b"\n"):
        return None
    try:
        return _ROW.decode(line)[0]
    except msgspec.DecodeError:
        return None


def read_plan(folder: Path) -> Kept:
    """What is played in a folder. Raises LabError."""
    file = folder / PLAN
    try:
        return msgspec.json.decode(file.read_bytes(), type=Kept)
    except OSError as error:
        raise LabError("no-results", folder=folder, error=error.strerror or str(error)) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise LabError("bad-plan", file=file, error=error) from None


def write_whole(file: Path, contents: bytes) -> None:
    partial = file.with_name(file.name + ".part")
    partial.write_bytes(contents)
    partial.replace(file)


def plan_hash(plan: Plan) -> str:
    from campale.lab.plan import hash_of

    return hash_of(plan)


# ---------------------------------------------------------------- what has changed

MOST_CHANGES = 6
LONGEST = 60
GROWING = ("plan.battles", "plan.precision")
"""The keys that may change when an experiment is extended."""


def differing(before: Kept, now: Kept, extend: bool = False) -> list[str]:
    """The differences between two plans, in words; with ``extend`` the number of battles may differ."""
    one, other = (dict(flat(msgspec.to_builtins(kept))) for kept in (before, now))
    names = [name for name in dict.fromkeys((*one, *other)) if one.get(name) != other.get(name)]
    if extend and now.plan.battles >= before.plan.battles:
        names = [name for name in names if not name.startswith(GROWING)]
    told = [f"{name.removeprefix('plan.')}: {brief(one.get(name))} → {brief(other.get(name))}" for name in names]
    return told if len(told) <= MOST_CHANGES else [*told[:MOST_CHANGES], f"… ({len(told)})"]


def flat(plain: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Plain data as paths and values."""
    if isinstance(plain, dict) and plain:
        for key, value in plain.items():
            yield from flat(value, f"{path}.{key}" if path else str(key))
    elif isinstance(plain, list | tuple) and plain:
        for number, value in enumerate(plain, 1):
            yield from flat(value, f"{path}[{number}]")
    else:
        yield path, plain


def brief(value: Any) -> str:
    text = "-" if value is None else str(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
