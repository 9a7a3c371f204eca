"""Accounts of a club, their sessions, invitations, and the seats that are tied to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.String(32), primary_key=True),
        text("name", 200),
        sa.Column("folded", sa.String(400), nullable=False, unique=True),
        sa.Column("phrase", sa.Text, nullable=False),
        text("role", 16),
        moment("created"),
    )
    op.create_table(
        "session", sa.Column("token", sa.String(64), primary_key=True), of_account(), moment("created"), moment("used")
    )
    op.create_index("session_by_account", "session", ["account"])
    make_invitation()
    op.create_table(
        "attempt",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        moment("until"),
        moment("at"),
    )
    op.create_table(
        "sitting",
        sa.Column("battle", sa.String(32), sa.ForeignKey("battle.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("side", sa.Integer, primary_key=True),
        of_account(),
        moment("at"),
    )
    op.create_index("sitting_by_account", "sitting", ["account"])


def make_invitation() -> None:
    op.create_table(
        "invitation",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(64), nullable=False, unique=True),
        text("note", 200),
        text("role", 16),
        sa.Column("account", sa.String(32), sa.ForeignKey("account.id", ondelete="CASCADE")),
        sa.Column("by", sa.String(32), sa.ForeignKey("account.id", ondelete="SET NULL")),
        moment("created"),
        moment("until"),
    )


def downgrade() -> None:
    for name in ("sitting", "attempt", "invitation", "session", "account"):
        op.drop_table(name)


def text(name: str, length: int) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), nullable=False)


def moment(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Float, nullable=False)


def of_account() -> sa.Column[str]:
    return sa.Column("account", sa.String(32), sa.ForeignKey("account.id", ondelete="CASCADE"), nullable=False)
