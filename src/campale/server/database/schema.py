"""The tables of the database, and the types of their rows."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Column, Float, ForeignKey, Index, Integer, MetaData, String, Table, Text

METADATA = MetaData()


def belonging() -> Column[Any]:
    return Column("battle", String(32), ForeignKey("battle.id", ondelete="CASCADE"), primary_key=True)


BATTLE = Table(
    "battle",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("book", String(64), nullable=False),
    Column("draft", Text, nullable=False),
    Column("dice", String(8), nullable=False),
    Column("server_seed", String(512), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("seed", String(512)),
    Column("stage", String(16), nullable=False),
    Column("version", Integer, nullable=False),
    Column("campale", String(64), nullable=False),
    Column("ruleset_hash", String(64), nullable=False),
    Column("boundary", Text, nullable=False),
    Column("boundary_at", Integer, nullable=False),
    Column("boundary_events", Integer, nullable=False),
    Column("hashes", Text, nullable=False),
    Column("held", Text, nullable=False),
    Column("asked", Text, nullable=False),
    Column("result", Text),
    Column("rematch", Integer),
    Column("next", String(32)),
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
    Column("owner", String(200)),
    Column("until", Float, nullable=False),
)

SEAT = Table(
    "seat",
    METADATA,
    belonging(),
    Column("side", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("name", String(200), nullable=False),
    Column("strength", String(16), nullable=False),
    Column("token", String(64), unique=True),
    Column("code", String(64), unique=True),
    Column("agreed", Integer, nullable=False),
    Column("seal", String(64), nullable=False),
    Column("seed", String(512), nullable=False),
    Column("language", String(8), nullable=False),
    Column("orders", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("given", Text, nullable=False),
    Column("clock", Float),
)

ENTRY = Table(
    "entry",
    METADATA,
    belonging(),
    Column("number", Integer, primary_key=True),
    Column("entry", Text, nullable=False),
)

JOURNAL = Table(
    "journal",
    METADATA,
    belonging(),
    Column("number", Integer, primary_key=True),
    Column("cut", Integer, nullable=False),
    Column("events", Text, nullable=False),
)

CHAT = Table(
    "chat",
    METADATA,
    belonging(),
    Column("number", Integer, primary_key=True),
    Column("side", Integer),
    Column("name", String(200), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
)

Index("battle_by_stage", BATTLE.c.stage, BATTLE.c.updated)


class BattleRow(msgspec.Struct, frozen=True):
    """A battle.

    ``version`` is the version of its set-up; ``asked`` lists the sides with an open question; ``owner`` is the process
    that plays it, and ``until`` the end of its lease. ``seed`` is fixed once everybody has agreed. ``boundary`` is the
    position at the last boundary, packed, with the numbers of entries and events before it. ``rematch``: the side that
    proposes a rematch; ``next`` is the new battle once it is agreed.
    """

    id: str
    book: str
    draft: str
    dice: str
    server_seed: str
    commitment: str
    created: float
    updated: float
    campale: str
    ruleset_hash: str
    stage: str = "open"
    version: int = 1
    seed: str | None = None
    boundary: str = ""
    boundary_at: int = 0
    boundary_events: int = 0
    hashes: str = "[]"
    held: str = "{}"
    asked: str = "[]"
    result: str | None = None
    rematch: int | None = None
    next: str | None = None
    owner: str | None = None
    until: float = 0.0


class SeatRow(msgspec.Struct, frozen=True):
    """A seat: person, bot, or open.

    ``token`` and ``code`` are hashes. ``number`` is that of its last question, ``given`` the last answer accepted, as
    [number, answer]. ``agreed``: the version of the set-up that it agreed to. ``seal`` is the hash of the seed for the
    dice, told before the ``seed`` is.
    """

    battle: str
    side: int
    kind: str
    name: str
    strength: str = ""
    token: str | None = None
    code: str | None = None
    agreed: int = 0
    seal: str = ""
    seed: str = ""
    language: str = "en"
    orders: str = "{}"
    number: int = 0
    given: str = "[0, null]"
    clock: float | None = None


class ChatRow(msgspec.Struct, frozen=True):
    battle: str
    number: int
    side: int | None
    name: str
    text: str
    at: float
