"""Battles that are being played when the tables are brought up to date go on."""

from __future__ import annotations

from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Column

from campale.referee.records.saved import verify
from campale.server.database.backup import kept, tables_of
from campale.server.database.store import MIGRATIONS, Store
from tests.server.conftest import Serve, draft
from tests.server.page import next_asked

BOOK = "ragnarok"


def back_to(store: Store, revision: str) -> None:
    """The tables as they were at an earlier revision, with what is in them."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with store.upgrading() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, revision)


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_a_battle_goes_on_under_the_new_tables(either: str, revision: str, serve: Serve) -> None:
    old = serve(database=either)
    made = old.create(draft(BOOK, "me", "me", is_agreed=True))
    with old.page(made, 0) as page, old.page(made, 1) as other:
        page.until("state")
        other.until("state")
        for _ in range(5):
            asked = next_asked(page, other)
            assert asked.answer(asked.proposal(None))["is"] == "done"
            asked.settle()
    old.end()
    store = Store(either)
    before = store.entries(made.battle)
    back_to(store, revision)
    store.close()
    new = serve(database=either)
    assert new.hall.store.entries(made.battle) == before
    with new.page(made, 0) as page, new.page(made, 1) as other:
        page.until("state")
        other.until("state")
        asked = next_asked(page, other)
        assert asked.answer(asked.proposal(None))["is"] == "done"
    assert len(new.hall.store.entries(made.battle)) > len(before)
    assert verify(new.call(new.hall.kept(made.battle)).saved).identical


def test_new_columns_ask_nothing_of_a_process_of_the_version_before(either: str) -> None:
    """While one process after another is replaced, the earlier version goes on writing into the new tables."""
    store = Store(either)
    store.migrate("0001")
    before = columns(store)
    store.migrate()
    for name, of in columns(store).items():
        for column in of.values() if name in before else ():
            is_new = column.name not in before[name]
            assert not is_new or column.nullable or column.server_default is not None, column
    store.close()


def columns(store: Store) -> dict[str, dict[str, Column[Any]]]:
    with store.reading() as connection:
        return {table.name: dict(table.columns.items()) for table in kept(tables_of(connection))}
