"""Add the proposer of a rematch."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("battle", sa.Column("rematch", sa.Integer))


def downgrade() -> None:
    op.drop_column("battle", "rematch")
