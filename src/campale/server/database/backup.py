"""Backup of a whole database as one file, and restore into either kind of database, by this version or a later one.

The file is JSON by lines, compressed: a head, the rows by their tables, and an end with their number.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from alembic.util import CommandError
from sqlalchemy import Connection, Integer, MetaData, Table, func, select, text, update

import campale
from campale.server.database.schema import BATTLE
from campale.server.database.store import Store

FORMAT, VERSION = "campale-backup", 1
REVISIONS = "alembic_version"
AT_A_TIME = 500
"""The number of rows written into a database at once."""

Fault = Literal["no-backup", "backup-cut-short", "backup-too-new", "nothing-to-back-up", "not-empty", "in-use"]


class BackupError(Exception):
    """The reason for a failure, as a key of the words."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


class Head(msgspec.Struct, frozen=True):
    """The first line. ``revision``: the revision of the tables."""

    format: str
    version: int
    campale: str
    revision: str


class End(msgspec.Struct, frozen=True):
    """The last line: the number of rows of each table."""

    end: dict[str, int]


# ---------------------------------------------------------------- out of the database


def backup(store: Store, path: Path) -> dict[str, int]:
    """Write a consistent snapshot of the database, even while people play. Returns the number of rows of each table.
    Raises BackupError, OSError.

    The file holds seeds and hashes of tokens: only its owner may read it.
    """
    unready = path.with_name(f"{path.name}.part")
    try:
        with open(unready, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as raw:
            with gzip.open(raw, "wb") as out:
                counted = written(store, out)
            raw.flush()
            os.fsync(raw.fileno())
        unready.replace(path)
    finally:
        unready.unlink(missing_ok=True)
    return counted


def written(store: Store, out: gzip.GzipFile) -> dict[str, int]:
    with store.reading() as connection:
        tables = tables_of(connection)
        if REVISIONS not in tables.tables:
            raise BackupError("nothing-to-back-up")
        revision = str(connection.execute(select(tables.tables[REVISIONS].c.version_num)).scalar_one())
        line(out, Head(FORMAT, VERSION, campale.__version__, revision))
        counted: Counter[str] = Counter()
        for table in kept(tables):
            name, columns = str(table.name), [str(column.name) for column in table.columns]
            counted[name] = 0
            for row in connection.execute(select(table)):
                line(out, (name, dict(zip(columns, row, strict=True))))
                counted[name] += 1
        line(out, End(dict(counted)))
    return dict(counted)


def line(out: gzip.GzipFile, value: Any) -> None:
    out.write(msgspec.json.encode(value) + b"\n")


def tables_of(connection: Connection) -> MetaData:
    """The tables as they are in the database, not as in this version."""
    found = MetaData()
    found.reflect(connection)
    return found


def kept(tables: MetaData) -> list[Table]:
    """The tables, each after the ones that its rows refer to."""
    return [table for table in tables.sorted_tables if table.name != REVISIONS]


# ---------------------------------------------------------------- into a database


def restore(store: Store, path: Path, replaces: bool = False) -> dict[str, int]:
    """Restore a file into a database, all or nothing.

    Returns the number of rows of each table. ``replaces``: the previous content of the database is deleted. Raises
    BackupError, OSError.
    """
    with gzip.open(path, "rb") as source, store.upgrading() as connection:
        head = read_head(source)
        make_room(store, connection, replaces)
        try:
            store.upgrade(connection, head.revision)
        except CommandError:
            raise BackupError("backup-too-new") from None
        counted = put(connection, source)
        connection.execute(update(BATTLE).values(owner=None, until=0.0))
        store.upgrade(connection)
    return counted


def read_head(source: gzip.GzipFile) -> Head:
    try:
        head = msgspec.json.decode(source.readline(), type=Head)
    except (msgspec.MsgspecError, UnicodeDecodeError, OSError, EOFError, zlib.error):
        raise BackupError("no-backup") from None
    if head.format != FORMAT:
        raise BackupError("no-backup")
    if head.version > VERSION:
        raise BackupError("backup-too-new")
    return head


def make_room(store: Store, connection: Connection, replaces: bool) -> None:
    """Check that nobody plays there, and empty the database if that is wanted."""
    there = tables_of(connection)
    if BATTLE.name in there.tables and REVISIONS in there.tables:
        is_played = BATTLE.c.owner.is_not(None), BATTLE.c.until > store.clock()
        if connection.execute(select(func.count()).select_from(BATTLE).where(*is_played)).scalar():
            raise BackupError("in-use")
    for table in kept(there):
        if not replaces and connection.execute(select(table).limit(1)).first() is not None:
            raise BackupError("not-empty")
    there.drop_all(connection)


def put(connection: Connection, source: gzip.GzipFile) -> dict[str, int]:
    tables = tables_of(connection).tables
    counted: Counter[str] = Counter({str(name): 0 for name in tables if name != REVISIONS})
    for name, rows in in_lots(read(source, counted)):
        connection.execute(tables[name].insert(), rows)
    for table in tables.values():
        go_on_counting(connection, table)
    return dict(counted)


def read(source: gzip.GzipFile, counted: Counter[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows with their tables. Raises BackupError unless all of them are there."""
    try:
        for raw in source:
            if raw.startswith(b"["):
                name, row = msgspec.json.decode(raw, type=tuple[str, dict[str, Any]])
                if name not in counted:
                    raise BackupError("no-backup")
                counted[name] += 1
                yield name, row
            elif msgspec.json.decode(raw, type=End).end == dict(counted):
                return
    except (msgspec.MsgspecError, UnicodeDecodeError, OSError, EOFError, zlib.error):
        raise BackupError("backup-cut-short") from None
    raise BackupError("backup-cut-short")


def in_lots(rows: Iterator[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Consecutive rows of one table, in batches."""
    of, lot = "", list[dict[str, Any]]()
    for name, row in rows:
        if lot and (name != of or len(lot) == AT_A_TIME):
            yield of, lot
            lot = []
        of = name
        lot.append(row)
    if lot:
        yield of, lot


def go_on_counting(connection: Connection, table: Table) -> None:
    """Tell PostgreSQL which automatic numbers of a table are used."""
    if connection.dialect.name != "postgresql":
        return
    for column in table.primary_key.columns:
        if isinstance(column.type, Integer):
            of = {"table": f'"{table.name}"', "column": column.name}
            sequence = connection.execute(text("SELECT pg_get_serial_sequence(:table, :column)"), of).scalar()
            last = connection.execute(select(func.max(column))).scalar()
            if sequence is not None and last is not None:
                connection.execute(text("SELECT setval(:sequence, :last)"), {"sequence": sequence, "last": last})
