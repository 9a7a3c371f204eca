"""The size of the battles of a season."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("season", sa.Column("points", sa.Integer))


def downgrade() -> None:
    with op.batch_alter_table("season") as season:
        season.drop_column("points")
