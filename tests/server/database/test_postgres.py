"""The same over PostgreSQL: migrations, commits, leases; two servers that never play the same battle."""

from __future__ import annotations

import pytest

from campale.referee.records.saved import verify
from campale.server.battle.draft import TableError
from campale.server.database.store import Elsewhere, LeaseLost, Store, Written
from tests.server.conftest import TOY, Serve, draft
from tests.server.page import Page, all_play
from tests.server.rows import battle, seals_after_upgrade, seats


def test_a_lease_is_one_process_only(database: str) -> None:
    one, two = Store(database), Store(database)
    one.migrate()
    two.migrate()
    one.insert(battle("b"), seats("b"))
    assert one.lease("b", "one", 60.0)
    assert not two.lease("b", "two", 60.0)
    with pytest.raises(LeaseLost):
        two.commit("b", "two", Written(battle={"stage": "over"}))
    assert one.lease("b", "one", 0.0)
    assert two.lease("b", "two", 60.0)
    assert one.beat(["b"], "one", 60.0) == set()
    with pytest.raises(LeaseLost):
        one.commit("b", "one", Written(battle={"stage": "over"}))
    for store in (one, two):
        store.close()


def test_a_name_that_no_text_may_have_is_no_battle(database: str) -> None:
    store = Store(database)
    store.migrate()
    for name in ("\0", "a\0b", "'; DROP TABLE battle; --", "\U0001f4a9", "x" * 5000):
        assert store.battle(name) is None
    store.close()


def test_what_was_agreed_before_there_were_seals_is_agreed_anew(database: str) -> None:
    store = Store(database)
    seals_after_upgrade(store)
    store.close()


def test_two_servers_never_play_the_same_battle(database: str, serve: Serve) -> None:
    one, two = serve(database=database), serve(database=database)
    made = one.create(draft(TOY, "me", "me"))
    with one.page(made, 0) as page, one.page(made, 1) as other:
        page.until("state")
        other.until("state")
        with Page(two.address, made.battle, made.seats[1].token or "") as refused:
            assert refused.hear()["word"] == "battle.elsewhere"
            assert refused.closed() == 4009
        with pytest.raises(Elsewhere):
            two.call(two.hall.live(made.battle))
        page.agree()
        other.agree()
        all_play((page, other))
    one.end()
    with two.page(made, 0) as page:
        assert page.until("state")["moment"]["stage"] == "over"
    assert verify(two.call(two.hall.kept(made.battle)).saved).identical


def test_a_server_that_has_lost_its_battle_commits_nothing_more(database: str, serve: Serve) -> None:
    one, two = serve(database=database, lease=600.0), serve(database=database)
    made = one.create(draft(TOY, "me", "me"))
    with one.page(made, 0) as page, one.page(made) as other:
        page.until("state")
        other.until("state")
        one.hall.store.release([made.battle], one.hall.owner)
        two.call(two.hall.live(made.battle))
        page.ask(do="agree", n=1, version=1)
        assert page.until("failed")["word"] == other.until("failed")["word"] == "battle.elsewhere"
        assert page.closed() == other.closed() == 4009
    with two.page(made, 0) as page:
        assert not page.until("state")["moment"]["seats"][0].get("has_agreed")


def test_what_is_written_is_read_again(database: str, serve: Serve) -> None:
    server = serve(database=database)
    made = server.create(draft(TOY, "me", "random"))
    with server.page(made, 0) as page:
        page.until("state")
        page.agree("sèed 'quoted' \\ 🎲")
        page.ask(do="say", text="tre dadi: 🎲🎲🎲 'or' \"so\"")
        page.until("chat")
        page.play(most=5)
    again = serve(database=database)
    server.end()
    with again.page(made, 0) as page:
        state = page.until("state")
        assert state["chat"][0]["text"].startswith("tre dadi: 🎲")
        assert page.play() > 0
    with pytest.raises(TableError):
        again.call(again.hall.summary("nowhere", "en"))
