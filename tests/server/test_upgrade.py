"""Battles that are being played when the tables are brought up to date go on."""

from __future__ import annotations

import pytest
from alembic import command
from alembic.config import Config

from campale.referee.saved import verify
from campale.server.store import MIGRATIONS, Store
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
