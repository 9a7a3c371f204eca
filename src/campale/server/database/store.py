"""The database: battles, their seats, records and journals. Everything committed here outlives the process.

One process plays a battle at a time: it holds a lease, and every commit requires that it still does.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import alembic.command
import msgspec
from alembic.config import Config
from sqlalchemy import (
    Connection,
    Engine,
    Select,
    create_engine,
    delete,
    event,
    func,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from campale.server.battle.draft import TableError
from campale.server.database.schema import BATTLE, CHAT, ENTRY, JOURNAL, SEAT, BattleRow, ChatRow, SeatRow

LOG = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parents[1] / "migrations"
BUSY = 5.0
"""Seconds that a process waits for another to write, and a thread for the others of its process."""
LOCK = 6_226_277
"""The key of the lock for bringing a database up to date."""

Row = TypeVar("Row", bound=msgspec.Struct)


class LeaseLost(TableError):
    """Another process plays this battle."""

    status = 409


class Elsewhere(LeaseLost):
    """Another process plays this battle; it can be reached ``at`` this address, if it gave one."""

    def __init__(self, at: str = "") -> None:
        super().__init__("battle.elsewhere")
        self.at = at


class StoreFailed(TableError):
    """The database cannot be written or read now: it is full, locked, or gone. Nothing has changed."""

    status = 503

    def __init__(self) -> None:
        super().__init__("store.failed")


class Written(msgspec.Struct):
    """The content of one transaction: columns of the battle and its seats, new entries, new events, a line of chat."""

    battle: dict[str, Any] = {}
    seats: dict[int, dict[str, Any]] = {}
    entries: list[dict[str, Any]] = []
    journal: list[dict[str, Any]] = []
    chat: list[dict[str, Any]] = []

    def is_empty(self) -> bool:
        return not (self.battle or self.seats or self.entries or self.journal or self.chat)


def with_driver(url: str) -> str:
    """A URL in the form of PostgreSQL's own tools names no driver: add it."""
    for bare in ("postgres://", "postgresql://"):
        if url.startswith(bare):
            return f"postgresql+pg8000://{url.removeprefix(bare)}"
    return url


class Store:
    """A database, embedded or served. The methods block: they are called in threads."""

    def __init__(self, url: str, is_durable: bool = True) -> None:
        url = with_driver(url)
        is_served = not url.startswith("sqlite")
        self.engine = create_engine(url, pool_size=10, max_overflow=20, pool_pre_ping=is_served, hide_parameters=True)
        self.is_embedded = self.engine.dialect.name == "sqlite"
        self._writing = threading.Lock()
        if self.is_embedded:
            prepare(self.engine, is_durable)

    def migrate(self, to: str = "head") -> None:
        """Bring the tables up to date; of several processes only one does it."""
        with self.upgrading() as connection:
            self.upgrade(connection, to)

    @contextmanager
    def upgrading(self) -> Iterator[Connection]:
        """A transaction in which no other process changes the tables."""
        with self.turn(), self.engine.begin() as connection:
            if not self.is_embedded:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
            yield connection

    def upgrade(self, connection: Connection, to: str = "head") -> None:
        """Bring the tables up to a revision, as part of a transaction."""
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        config.attributes["connection"] = connection
        alembic.command.upgrade(config, to)

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes. Threads of this process take turns if the database has one writer.

        Raises StoreFailed, after about ``BUSY`` seconds at the latest if somebody else keeps the database locked.
        """
        with self.turn(), told_as_failed(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A thread's turn to write."""
        if not self.is_embedded:
            yield
            return
        if not self._writing.acquire(timeout=BUSY):
            raise StoreFailed
        try:
            yield
        finally:
            self._writing.release()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A view of one moment of the database. Raises StoreFailed."""
        with told_as_failed(), self.engine.connect().execution_options(is_reading=True) as connection:
            if not self.is_embedded:
                connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield connection

    def is_well(self) -> bool:
        try:
            with self.reading() as connection:
                return connection.execute(select(func.count()).select_from(BATTLE)).scalar() is not None
        except Exception:
            return False

    # ------------------------------------------------------------------ reading

    def rows(self, query: Select[Any], into: type[Row]) -> list[Row]:
        with self.reading() as connection:
            return [into(**found) for found in connection.execute(query).mappings()]

    def battle(self, battle: str) -> BattleRow | None:
        if "\0" in battle:
            return None  # PostgreSQL takes no such text
        return next(iter(self.rows(select(BATTLE).where(BATTLE.c.id == battle), BattleRow)), None)

    def seats(self, battle: str) -> list[SeatRow]:
        return self.rows(select(SEAT).where(SEAT.c.battle == battle).order_by(SEAT.c.side), SeatRow)

    def seat_of_token(self, token: str) -> SeatRow | None:
        """The seat of a token, given its hash."""
        return next(iter(self.rows(select(SEAT).where(SEAT.c.token == token), SeatRow)), None)

    def seat_of_code(self, code: str) -> SeatRow | None:
        return next(iter(self.rows(select(SEAT).where(SEAT.c.code == code), SeatRow)), None)

    def chat(self, battle: str, most: int, always: str) -> list[ChatRow]:
        """The last lines, and earlier ones that begin with ``always``."""
        lines = select(CHAT).where(CHAT.c.battle == battle)
        last = self.rows(lines.order_by(CHAT.c.number.desc()).limit(most), ChatRow)[::-1]
        first = last[0].number if last else 0
        before = lines.where(CHAT.c.number < first, CHAT.c.text.startswith(always, autoescape=True))
        return [*self.rows(before.order_by(CHAT.c.number), ChatRow), *last]

    def entries(self, battle: str) -> list[str]:
        with self.reading() as connection:
            query = select(ENTRY.c.entry).where(ENTRY.c.battle == battle).order_by(ENTRY.c.number)
            return list(connection.execute(query).scalars())

    def journal(self, battle: str) -> list[tuple[int, str]]:
        """The events as they were written: the number of earlier ones kept, and the new ones."""
        with self.reading() as connection:
            query = select(JOURNAL.c.cut, JOURNAL.c.events).where(JOURNAL.c.battle == battle)
            return [(cut, events) for cut, events in connection.execute(query.order_by(JOURNAL.c.number))]

    def unattended(self) -> list[str]:
        """Battles in play with only bots in the seats."""
        people = select(SEAT.c.battle).where(SEAT.c.kind != "bot")
        with self.reading() as connection:
            query = select(BATTLE.c.id).where(BATTLE.c.stage == "playing", BATTLE.c.id.not_in(people))
            return list(connection.execute(query).scalars())

    # ------------------------------------------------------------------ writing

    def forget(self, before: float) -> int:
        """Remove battles that never began and that nobody has touched since. Returns their number."""
        is_left = BATTLE.c.stage.in_(("open", "agreeing")), BATTLE.c.updated < before
        is_nobodys = or_(BATTLE.c.owner.is_(None), BATTLE.c.until < before)
        with self.writing() as connection:
            return int(connection.execute(delete(BATTLE).where(*is_left, is_nobodys)).rowcount)

    def insert(self, battle: BattleRow, seats: Sequence[SeatRow], written: Written | None = None) -> None:
        with self.writing() as connection:
            connection.execute(BATTLE.insert(), msgspec.structs.asdict(battle))
            connection.execute(SEAT.insert(), [msgspec.structs.asdict(seat) for seat in seats])
            if written is not None:
                self._written(connection, battle.id, written)

    def seat_kept(self, battle: str, side: int, token: str) -> None:
        """Reserve an empty seat for the owner of a token, given its hash."""
        is_free = SEAT.c.battle == battle, SEAT.c.side == side, SEAT.c.token.is_(None)
        with self.writing() as connection:
            connection.execute(update(SEAT).where(*is_free, SEAT.c.kind == "person").values(token=token))

    def commit(self, battle: str, owner: str, written: Written) -> None:
        """Write all or nothing. Raises LeaseLost if another process plays the battle."""
        with self.writing() as connection:
            holds = BATTLE.c.id == battle, BATTLE.c.owner == owner
            has_moved = written.battle or written.entries or written.chat
            changes = {**written.battle, "updated": time.time() if has_moved else BATTLE.c.updated}
            if connection.execute(update(BATTLE).where(*holds).values(changes)).rowcount != 1:
                raise LeaseLost("battle.elsewhere")
            self._written(connection, battle, written)

    def _written(self, connection: Connection, battle: str, written: Written) -> None:
        for side, values in written.seats.items():
            connection.execute(update(SEAT).where(SEAT.c.battle == battle, SEAT.c.side == side).values(values))
        for table, rows in ((ENTRY, written.entries), (JOURNAL, written.journal), (CHAT, written.chat)):
            if rows:
                connection.execute(table.insert(), [{**row, "battle": battle} for row in rows])

    # ------------------------------------------------------------------ leases

    def clock(self) -> Any:
        """The seconds since the epoch by the database's clock: processes on several machines agree on it."""
        return time.time() if self.is_embedded else literal_column("extract(epoch from clock_timestamp())")

    def lease(self, battle: str, owner: str, seconds: float, dead: Iterable[str] = ()) -> bool:
        """Take a battle that nobody plays, or whose owner gives no sign of life or is known to be dead."""
        now = self.clock()
        is_free = or_(
            BATTLE.c.owner.is_(None), BATTLE.c.owner == owner, BATTLE.c.until < now, BATTLE.c.owner.in_(list(dead))
        )
        with self.writing() as connection:
            taken = update(BATTLE).where(BATTLE.c.id == battle, is_free).values(owner=owner, until=now + seconds)
            return bool(connection.execute(taken).rowcount == 1)

    def beat(self, battles: Sequence[str], owner: str, seconds: float) -> set[str]:
        """Give a sign of life for all battles of a process. Returns those that are still its own."""
        if not battles:
            return set()
        holds = BATTLE.c.id.in_(list(battles)), BATTLE.c.owner == owner
        with self.writing() as connection:
            connection.execute(update(BATTLE).where(*holds).values(until=self.clock() + seconds))
            return set(connection.execute(select(BATTLE.c.id).where(*holds)).scalars())

    def release(self, battles: Sequence[str], owner: str) -> None:
        holds = BATTLE.c.id.in_(list(battles)), BATTLE.c.owner == owner
        with self.writing() as connection:
            connection.execute(update(BATTLE).where(*holds).values(owner=None))


@contextmanager
def told_as_failed() -> Iterator[None]:
    """Report what the database cannot do now with a word of the server's; faulty queries raise as they are."""
    try:
        yield
    except (OperationalError, InterfaceError, NoConnection, OSError) as error:
        LOG.error("the database: %s", str(error).splitlines()[0])
        raise StoreFailed from error


def prepare(engine: Engine, is_durable: bool) -> None:
    """Prepare SQLite: write-ahead log, foreign keys, patience, and transactions that begin explicitly."""

    @event.listens_for(engine, "connect")
    def connected(dbapi: Any, _record: Any) -> None:
        dbapi.isolation_level = None
        for pragma in (
            f"busy_timeout = {round(BUSY * 1000)}",
            "journal_mode = WAL",
            "foreign_keys = ON",
            f"synchronous = {'FULL' if is_durable else 'NORMAL'}",
        ):
            dbapi.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        is_reading = connection.get_execution_options().get("is_reading")
        connection.exec_driver_sql("BEGIN" if is_reading else "BEGIN IMMEDIATE")


def differing(old: msgspec.Struct, new: msgspec.Struct) -> dict[str, Any]:
    """The fields of a row that have changed."""
    before: Mapping[str, Any] = msgspec.structs.asdict(old)
    return {name: value for name, value in msgspec.structs.asdict(new).items() if value != before[name]}
