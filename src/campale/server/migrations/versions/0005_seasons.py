"""Seasons of a club: entrants, rounds, pairings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "season",
        sa.Column("id", sa.String(32), primary_key=True),
        *(sa.Column(name, sa.String(length), nullable=False) for name, length in (("title", 200), ("book", 64))),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("about", "missions")),
        *(sa.Column(name, sa.String(length), nullable=False) for name, length in (("kind", 8), ("stage", 16))),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "entrant",
        of_season(),
        place("number"),
        sa.Column("account", sa.String(32), sa.ForeignKey("account.id", ondelete="SET NULL")),
        sa.Column("has_left", sa.Integer, nullable=False),
    )
    op.create_table(
        "round",
        of_season(),
        place("number"),
        sa.Column("begun", sa.Float, nullable=False),
        sa.Column("deadline", sa.Float),
    )
    op.create_table(
        "pairing",
        of_season(),
        place("round"),
        place("place"),
        sa.Column("one", sa.Integer, nullable=False),
        sa.Column("two", sa.Integer),
        sa.Column("result", sa.String(8)),
        sa.Column("by", sa.Integer),
        sa.Column("confirmed", sa.Integer, nullable=False),
        sa.Column("battle", sa.String(32), sa.ForeignKey("battle.id", ondelete="SET NULL")),
    )


def downgrade() -> None:
    for name in ("pairing", "round", "entrant", "season"):
        op.drop_table(name)


def of_season() -> sa.Column[str]:
    return sa.Column("season", sa.String(32), sa.ForeignKey("season.id", ondelete="CASCADE"), primary_key=True)


def place(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, primary_key=True)
