"""Battles, seats, records, journals, chat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    make_battle()
    make_seat()
    op.create_table("entry", of_battle(), place(), sa.Column("entry", sa.Text, nullable=False))
    op.create_table("journal", of_battle(), place(), number("cut"), sa.Column("events", sa.Text, nullable=False))
    op.create_table(
        "chat",
        of_battle(),
        place(),
        sa.Column("side", sa.Integer),
        text("name", 200),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def make_battle() -> None:
    op.create_table(
        "battle",
        sa.Column("id", sa.String(32), primary_key=True),
        text("book", 64),
        sa.Column("draft", sa.Text, nullable=False),
        text("dice", 8),
        text("server_seed", 512),
        text("commitment", 64),
        sa.Column("seed", sa.String(512)),
        text("stage", 16),
        number("version"),
        text("campale", 64),
        text("ruleset_hash", 64),
        sa.Column("boundary", sa.Text, nullable=False),
        number("boundary_at"),
        number("boundary_events"),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("hashes", "held", "asked")),
        sa.Column("result", sa.Text),
        *(sa.Column(name, sa.Float, nullable=False) for name in ("created", "updated")),
        sa.Column("owner", sa.String(200)),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.create_index("battle_by_stage", "battle", ["stage", "updated"])


def make_seat() -> None:
    op.create_table(
        "seat",
        of_battle(),
        sa.Column("side", sa.Integer, primary_key=True),
        text("kind", 8),
        text("name", 200),
        text("strength", 16),
        *(sa.Column(name, sa.String(64), unique=True) for name in ("token", "code")),
        number("agreed"),
        text("seed", 512),
        text("language", 8),
        sa.Column("orders", sa.Text, nullable=False),
        number("number"),
        sa.Column("given", sa.Text, nullable=False),
        sa.Column("clock", sa.Float),
    )


def downgrade() -> None:
    for name in ("chat", "journal", "entry", "seat", "battle"):
        op.drop_table(name)


def text(name: str, length: int) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), nullable=False)


def number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)


def place() -> sa.Column[int]:
    return sa.Column("number", sa.Integer, primary_key=True)


def of_battle() -> sa.Column[str]:
    return sa.Column("battle", sa.String(32), sa.ForeignKey("battle.id", ondelete="CASCADE"), primary_key=True)
