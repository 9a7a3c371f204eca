"""The embedded database: what is committed, what is not, and battles that go on under other versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import inspect, update
from sqlalchemy.exc import IntegrityError

from campale.referee.journal import Event, Journal
from campale.referee.records.saved import SavedGameError, load, verify
from campale.server.battle import live as living
from campale.server.database.keeping import rolled_in_secret
from campale.server.database.schema import BATTLE, ENTRY, METADATA
from campale.server.database.store import LeaseLost, Store, Written
from tests.server.conftest import TOY, Serve, draft
from tests.server.page import Page
from tests.server.rows import battle, seats


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(f"sqlite:///{tmp_path}/store.db")
    made.migrate()
    return made


def test_the_migrations_make_the_tables_that_are_used(store: Store) -> None:
    store.migrate()
    found = inspect(store.engine)
    for table in METADATA.sorted_tables:
        assert {column["name"] for column in found.get_columns(table.name)} == set(table.columns.keys())


def test_a_commit_is_whole_or_not_at_all(store: Store) -> None:
    store.insert(battle("b"), seats("b"))
    assert store.lease("b", "me", 60.0)
    store.commit("b", "me", Written(entries=[{"number": 0, "entry": "[]"}]))
    twice = Written(battle={"stage": "over"}, entries=[{"number": n, "entry": "[]"} for n in (1, 0)])
    with pytest.raises(IntegrityError):
        store.commit("b", "me", twice)
    row = store.battle("b")
    assert row is not None
    assert row.stage == "open"
    assert store.entries("b") == ["[]"]


def test_only_who_holds_the_lease_commits(store: Store) -> None:
    store.insert(battle("b"), seats("b"))
    with pytest.raises(LeaseLost):
        store.commit("b", "me", Written(battle={"stage": "over"}))
    assert store.lease("b", "me", 60.0)
    assert not store.lease("b", "other", 60.0)
    assert store.lease("b", "other", 60.0, dead=["me"])
    assert store.beat(["b"], "me", 60.0) == set()
    store.release(["b"], "other")
    assert store.lease("b", "me", 0.0)
    assert store.lease("b", "other", 60.0)


def test_seats_are_found_by_the_hashes_alone(store: Store) -> None:
    store.insert(battle("b"), seats("b"))
    found = store.seat_of_token("b-token-1")
    assert found is not None
    assert found.side == 1
    assert store.seat_of_token("nothing") is store.seat_of_code("b-token-1") is None


def test_no_token_nor_code_is_in_the_database(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "link"))
    server.end()
    written = b"".join(path.read_bytes() for path in tmp_path.glob("campale.db*"))
    for seat in made.seats:
        assert (seat.token or seat.join or "").encode() not in written


def test_a_commit_that_fails_leaves_the_battle_as_it_was(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me", is_agreed=True))
    with server.page(made, 0) as page:
        page.until("state")
        asked, answer = page.question, page.proposal()
        with monkeypatch.context() as patch:
            patch.setattr(server.hall.store, "commit", out_of_order)
            assert page.answer(answer)["word"] == "store.failed"
        assert page.question == asked
        assert page.answer(answer)["is"] == "done"
    record = load(server.call(server.hall.kept(made.battle)).saved).record
    assert len([entry for entry in record if entry.side == 0]) == 1


def out_of_order(*of: object) -> None:
    raise OSError("no space left")


def renewals(state: dict[str, Any]) -> list[dict[str, Any]]:
    return [line for line in state.get("chat", []) if line.get("kind") == "renewed"]


def test_a_renewal_is_told_once_to_everybody_in_every_language(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me", is_agreed=True))
    with server.page(made, 0) as page:
        assert renewals(page.until("state")) == []
    server.end()
    again = serve()
    with again.page(made, 0) as page:
        assert renewals(page.until("state")) == [], "the same version"
    again.end()
    with Store(server.settings.database).writing() as connection:
        connection.execute(update(BATTLE).values(ruleset_hash="another"))
    for _ in range(2):
        newer = serve()
        with newer.page(made, 0) as one, newer.page(made, 1, language="it") as two, newer.page(made) as other:
            told = [renewals(page.until("state")) for page in (one, two, other)]
            assert [len(notes) for notes in told] == [1, 1, 1]
            assert told[0][0] == told[2][0]
            assert told[1][0]["text"].startswith("Campale è stato aggiornato sul server")
            assert [message for message in one.rest(0.1) if message["is"] == "chat"] == []
        newer.end()


@pytest.mark.parametrize("said", [2, 5])
def test_a_renewal_is_told_however_much_has_been_said_since(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, said: int
) -> None:
    monkeypatch.setattr(living, "MOST_CHAT", 3)
    server = serve()
    made = server.create(draft(TOY, "me", "me", is_agreed=True))
    server.end()
    with Store(server.settings.database).writing() as connection:
        connection.execute(update(BATTLE).values(ruleset_hash="another"))
    newer = serve()
    with newer.page(made, 0) as page:
        page.until("state")
        for number in range(said):
            page.ask(do="say", text=f"line {number}")
            page.until("chat")
    left = [f"line {number}" for number in range(max(0, said - 3), said)]
    with newer.page(made, 0) as page:
        in_memory = page.until("state")["chat"]
    newer.end()
    later = serve()
    with later.page(made, 0) as page:
        from_store = page.until("state")["chat"]
    assert in_memory == from_store
    assert [line["text"] for line in in_memory if not line.get("kind")] == left
    assert [line.get("kind") for line in in_memory].count("renewed") == 1


def some_answers(server_page: Page, many: int) -> int:
    """Answers given until this seat is asked again: then the bot has nothing left to do by itself."""
    server_page.until("state")
    given = server_page.play(most=many)
    server_page.sync()
    while not (server_page.question or server_page.is_over):
        server_page.hear()
    return given


def test_after_an_upgrade_a_battle_goes_on_from_its_last_boundary(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "random", is_agreed=True))
    with server.page(made, 0) as page:
        assert some_answers(page, 8) == 8
        page.sync()
        lines = page.lines
    server.end()
    store = Store(server.settings.database)
    with store.writing() as connection:
        connection.execute(update(BATTLE).values(campale="0.0.0-before"))
    store.close()
    again = serve()
    with again.page(made, 0) as page:
        state = page.until("state")
        assert state["lines"][: len(lines)] == lines
        (note,) = renewals(state)
        assert note["text"].startswith("Campale was updated on the server: the battle continues with version 0.")
        assert note["text"].endswith("Every answer given still holds.")
        assert note["place"] >= lines[-1]["at"]
        page.play()
        assert page.is_over
    looked_back = httpx2.get(f"http://{again.address}/api/battles/{made.battle}/replay").json()
    assert looked_back["notes"] == [{"text": note["text"], "place": note["place"]}]
    saved = again.call(again.hall.kept(made.battle)).saved
    with pytest.raises(SavedGameError, match=r"0\.0\.0-before"):
        verify(saved)
    assert load(saved).is_over


def test_an_upgrade_does_not_tell_of_dice_that_were_rolled_in_secret() -> None:
    rolled = {"why": "reserves"}
    journal = Journal(
        [
            Event("roll", rolled),
            Event("roll", rolled, (), (1,)),
            Event("draw", rolled, (), (0,), {}),
            Event("moved", {}, (), (0,)),
            Event("roll", rolled, (), ()),
        ],
        [1, 2, 3, 4, 9],
    )
    assert rolled_in_secret(journal) == {1: 1, 8: None}


def test_what_an_upgrade_no_longer_allows_is_taken_back(serve: Serve) -> None:
    """The answers since the boundary are forged: the battle stands at the boundary, and says so for good."""
    server = serve()
    made = server.create(draft(TOY, "me", "me", is_agreed=True))
    store = server.hall.store
    with server.page(made, 0) as one, server.page(made, 1) as two:
        entries, row = 0, store.battle(made.battle)
        while row is None or row.boundary_at in (0, entries):
            one.sync(two)
            page = one if one.question else two
            page.answer(page.proposal())
            page.sync(one, two)
            entries, row = len(store.entries(made.battle)), store.battle(made.battle)
    server.end()
    with Store(server.settings.database).writing() as connection:
        forged = '["choose", 0, "nothing-of-the-kind"]'
        connection.execute(update(ENTRY).where(ENTRY.c.number >= row.boundary_at).values(entry=forged))
        connection.execute(update(BATTLE).values(campale="0.0.0-before"))
    again = serve()
    with again.page(made, 0) as one, again.page(made, 1) as two:
        for told in (one.until("state"), two.until("state")):
            (note,) = renewals(told)
            assert "are no longer allowed as they were: they were undone" in note["text"]
            assert note["place"] == row.boundary_at
        one.sync(two)
        page = one if one.question else two
        assert page.answer(page.proposal())["is"] == "done"
    assert f'["undo",null,{row.boundary_at}]' in again.hall.store.entries(made.battle)


def test_what_was_proposed_outlives_the_process(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me", is_agreed=True))
    with server.page(made, 0) as page:
        page.until("state")
        page.reply(do="propose", what={"draw": True})
    server.end()
    again = serve()
    with again.page(made, 1) as other:
        assert other.until("state")["moment"]["proposal"]["kind"] == "draw"
        assert other.reply(do="consent")["is"] == "done"
        other.sync()
        assert other.is_over


def test_an_imported_game_is_shown_or_gone_on_with(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "random", is_agreed=True))
    with server.page(made, 0) as page:
        some_answers(page, 6)
        page.sync()
        lines = page.lines
    saved = server.call(server.hall.kept(made.battle)).saved
    shown = server.call(server.hall.imported(saved, False))
    with server.page(shown) as other:
        assert other.until("state")["moment"]["stage"] == "over"
        assert [seat["name"] for seat in other.moment["seats"]] == ["P0", "random 1"]
    played = server.call(server.hall.imported(saved, True))
    with server.page(played, 0) as page, server.page(played, 1) as other:
        assert page.until("state")["lines"] == lines
        other.until("state")
        asked = page if page.question else other
        assert asked.answer(asked.proposal())["is"] == "done"
