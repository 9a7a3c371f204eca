"""Brings a database up to date over the connection that the store hands in."""

from __future__ import annotations

from alembic import context

from campale.server.database.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
