"""The tables of a club, and the types of their rows."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, Text

from campale.server.database.schema import METADATA


def of(table: str, column: str = "", is_key: bool = True) -> Column[Any]:
    """A column that names a row of another table; deleting that row deletes this one."""
    target = ForeignKey(f"{table}.id", ondelete="CASCADE")
    return Column(column or table, String(32), target, primary_key=is_key, nullable=False)


def maybe_of(table: str, column: str = "") -> Column[Any]:
    """The same, but deleting that row only empties this column."""
    return Column(column or table, String(32), ForeignKey(f"{table}.id", ondelete="SET NULL"))


ACCOUNT = Table(
    "account",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("folded", String(400), nullable=False, unique=True),
    Column("phrase", Text, nullable=False),
    Column("role", String(16), nullable=False),
    Column("created", Float, nullable=False),
)

SESSION = Table(
    "session",
    METADATA,
    Column("token", String(64), primary_key=True),
    of("account", is_key=False),
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=False),
)

INVITATION = Table(
    "invitation",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("code", String(64), nullable=False, unique=True),
    Column("note", String(200), nullable=False),
    Column("role", String(16), nullable=False),
    Column("account", String(32), ForeignKey("account.id", ondelete="CASCADE")),
    maybe_of("account", "by"),
    Column("created", Float, nullable=False),
    Column("until", Float, nullable=False),
)

ATTEMPT = Table(
    "attempt",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("until", Float, nullable=False),
    Column("at", Float, nullable=False),
)

SITTING = Table(
    "sitting",
    METADATA,
    of("battle"),
    Column("side", Integer, primary_key=True),
    of("account", is_key=False),
    Column("at", Float, nullable=False),
)

Index("session_by_account", SESSION.c.account)
Index("sitting_by_account", SITTING.c.account)


class AccountRow(msgspec.Struct, frozen=True):
    """``folded`` is the name in its form for comparison, ``phrase`` the argon2 hash of the pass phrase."""

    id: str
    name: str
    folded: str
    phrase: str
    role: str
    created: float


class SessionRow(msgspec.Struct, frozen=True):
    """``token`` is a hash. ``used``: the time of the last use, to the hour."""

    token: str
    account: str
    created: float
    used: float


class InvitationRow(msgspec.Struct, frozen=True):
    """``code`` is a hash. With an ``account`` the invitation gives that a new pass phrase; else it makes one."""

    id: str
    code: str
    note: str
    role: str
    account: str | None
    by: str | None
    created: float
    until: float


class SittingRow(msgspec.Struct, frozen=True):
    """A seat tied to an account."""

    battle: str
    side: int
    account: str
    at: float


# ---------------------------------------------------------------- seasons

SEASON = Table(
    "season",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("title", String(200), nullable=False),
    Column("about", Text, nullable=False),
    Column("book", String(64), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("missions", Text, nullable=False),
    Column("stage", String(16), nullable=False),
    Column("created", Float, nullable=False),
    Column("points", Integer),
)

ENTRANT = Table(
    "entrant",
    METADATA,
    of("season"),
    Column("number", Integer, primary_key=True),
    maybe_of("account"),
    Column("has_left", Integer, nullable=False),
)

ROUND = Table(
    "round",
    METADATA,
    of("season"),
    Column("number", Integer, primary_key=True),
    Column("begun", Float, nullable=False),
    Column("deadline", Float),
)

PAIRING = Table(
    "pairing",
    METADATA,
    of("season"),
    Column("round", Integer, primary_key=True),
    Column("place", Integer, primary_key=True),
    Column("one", Integer, nullable=False),
    Column("two", Integer),
    Column("result", String(8)),
    Column("by", Integer),
    Column("confirmed", Integer, nullable=False),
    maybe_of("battle"),
)


class SeasonRow(msgspec.Struct, frozen=True):
    """``kind``: swiss or robin. ``missions``: a JSON list, round by round. ``stage``: joining, running, over.

    ``points``: the size of its battles; None: the rulebook's usual size.
    """

    id: str
    title: str
    about: str
    book: str
    kind: str
    rounds: int
    missions: str
    stage: str
    created: float
    points: int | None = None


class EntrantRow(msgspec.Struct, frozen=True):
    """An entrant. Without an ``account`` he has deleted his."""

    season: str
    number: int
    account: str | None
    has_left: int = 0


class RoundRow(msgspec.Struct, frozen=True):
    season: str
    number: int
    begun: float
    deadline: float | None


class PairingRow(msgspec.Struct, frozen=True):
    """``by``: the entrant who entered the result; None: an organiser, or a battle played here."""

    season: str
    round: int
    place: int
    one: int
    two: int | None
    result: str | None = None
    by: int | None = None
    confirmed: int = 0
    battle: str | None = None
