"""The presence of a club's processes, so that another process can take over the battles of a lost one.

In PostgreSQL each process holds an advisory lock over a separate connection: the lock ends with the connection, and the
connection with the process. If nothing reports the loss (a machine that is cut off), the leases of its battles run out.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
from collections.abc import Iterable
from contextlib import suppress

from sqlalchemy import Connection, select, text
from sqlalchemy.exc import SQLAlchemyError

from campale.server.database.schema import BATTLE
from campale.server.database.store import Store

LOG = logging.getLogger(__name__)
KEY_DIGITS = 16
HELD = text(
    "SELECT classid::bigint << 32 | objid::bigint FROM pg_locks "
    "WHERE locktype = 'advisory' AND objsubid = 1 AND granted "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


def named(address: str = "") -> str:
    """The name of this process: its machine, its number, a key, and the address at which others reach it."""
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(KEY_DIGITS // 2)}/{address}"


def address_of(owner: str | None) -> str:
    """The address of a process; empty if unknown."""
    return (owner or "").partition("/")[2].partition("/")[2].partition("/")[2]


def key_of(owner: str) -> int | None:
    """The key of a process's lock, as PostgreSQL writes it; None for an earlier version's process, which has none."""
    parts = owner.split("/")
    if len(parts) != 4 or len(parts[2]) != KEY_DIGITS:
        return None
    with suppress(ValueError):
        return int.from_bytes(bytes.fromhex(parts[2]), signed=True)
    return None


def is_dead(owner: str) -> bool:
    """Whether the process belongs to this machine and no longer runs."""
    host, _, rest = owner.partition("/")
    pid = rest.partition("/")[0]
    if host != socket.gethostname() or not pid.isdecimal():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


class Presence:
    """This process among the others of its database. The methods block."""

    def __init__(self, store: Store, owner: str) -> None:
        self.store, self.owner = store, owner
        self._connection: Connection | None = None

    def hold(self) -> bool:
        """Be present. Returns whether this process has been present all the time since the last call."""
        if self.store.is_embedded or self._is_held():
            return True
        self.close()
        try:
            connection = self.store.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            connection.detach()
            connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": key_of(self.owner)})
            self._connection = connection
        except (SQLAlchemyError, OSError) as error:
            LOG.error("not seen by the other processes: %s", str(error).splitlines()[0])
        return False

    def _is_held(self) -> bool:
        if self._connection is None:
            return False
        try:
            return self._connection.execute(text("SELECT 1")).scalar() == 1
        except (SQLAlchemyError, OSError):
            return False

    def close(self) -> None:
        """Be no longer present."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError, OSError):
                connection.close()

    def gone(self, owners: Iterable[str]) -> list[str]:
        """The processes among these that are no longer there. Raises StoreFailed."""
        others = [owner for owner in owners if owner != self.owner]
        dead = [owner for owner in others if is_dead(owner)]
        locked = {owner: key for owner in others if (key := key_of(owner)) is not None and owner not in dead}
        if self.store.is_embedded or not locked:
            return dead
        with self.store.reading() as connection:
            held = set(connection.execute(HELD).scalars())
        return dead + [owner for owner, key in locked.items() if key not in held]

    def left_behind(self, since: float) -> list[str]:
        """Battles in play of processes lost within the last ``since`` seconds. Raises StoreFailed."""
        now = self.store.clock()
        is_recent = BATTLE.c.stage == "playing", BATTLE.c.owner.is_not(None), BATTLE.c.until > now - since
        with self.store.reading() as connection:
            owners = list(connection.execute(select(BATTLE.c.owner).where(*is_recent).distinct()).scalars())
        is_lost = BATTLE.c.owner.in_(self.gone(owners)) | (BATTLE.c.until < now)
        with self.store.reading() as connection:
            found = select(BATTLE.c.id).where(*is_recent, is_lost, BATTLE.c.owner != self.owner)
            return list(connection.execute(found.order_by(BATTLE.c.updated.desc())).scalars())
