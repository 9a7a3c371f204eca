"""The seats' seeds are sealed before they are shown; a battle knows its rematch."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

BEFORE = "battle IN (SELECT id FROM battle WHERE stage IN ('open', 'agreeing'))"
"""The seats of battles that have not begun: agreements without seals must be made again."""


def upgrade() -> None:
    op.add_column("battle", sa.Column("next", sa.String(32)))
    op.add_column("seat", sa.Column("seal", sa.String(64), nullable=False, server_default=""))
    op.execute(f"UPDATE seat SET agreed = 0, seed = '' WHERE {BEFORE}")


def downgrade() -> None:
    op.drop_column("seat", "seal")
    op.drop_column("battle", "next")
