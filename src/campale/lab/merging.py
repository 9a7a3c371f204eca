"""Numbered shards of one experiment put together: the same table as of one run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from campale.lab.errors import LabError
from campale.lab.keeping import ROWS, WHOLE, Folder, Kept, Shard, differing, read_plan, row_in
from campale.lab.running import Ending, Run
from campale.lab.tables import TIMES, BattleRow


def merge(out: Path, shards: Sequence[Path], partial: bool = False) -> Ending:
    """The tables of all shards in a folder of their own. Raises LabError if they do not fit, or some are missing."""
    plan = plan_of_all(shards)
    folder = Folder(out, Kept(plan.plan, WHOLE))
    try:
        for shard in shards:
            for line in lines_of(shard):
                take(folder, line, shard)
        run = Run(folder)
        missing = [number for number in run.numbers() if number not in folder.rows]
        if missing and not partial:
            raise LabError("missing", count=len(missing), number=missing[0], shards=told(shards))
        return run.end()
    finally:
        folder.close()


def plan_of_all(shards: Sequence[Path]) -> Kept:
    first = read_plan(shards[0])
    for path in shards[1:]:
        other = read_plan(path)
        changes = differing(Kept(first.plan), Kept(other.plan))
        if changes:
            raise LabError("shards-differ", one=shards[0], other=path, changes="; ".join(changes))
    return first


def lines_of(folder: Path) -> Iterator[bytes]:
    """The whole lines of a shard's journal."""
    try:
        with (folder / ROWS).open("rb") as journal:
            yield from (line for line in journal if row_in(line) is not None)
    except OSError as error:
        raise LabError("no-results", folder=folder, error=error.strerror or str(error)) from None


def take(folder: Folder, line: bytes, shard: Path) -> None:
    row = row_in(line)
    if row is None:
        return
    known = folder.rows.get(row.number)
    if known is not None and timeless(known) != timeless(row):
        raise LabError("conflict", number=row.number, folder=shard)
    folder.add(line)


def timeless(row: BattleRow) -> BattleRow:
    """The row without the machine-dependent values."""
    return msgspec.structs.replace(row, **dict.fromkeys(TIMES, 0.0))


def told(shards: Sequence[Path]) -> str:
    """The shards found, as text."""
    found: list[Shard] = [read_plan(path).shard for path in shards]
    return ", ".join(f"{number}/{of}" for number, of in found)
