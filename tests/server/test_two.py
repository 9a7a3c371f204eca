"""Two processes over one PostgreSQL: each battle lives in one of them, whoever comes to the other is passed on."""

from __future__ import annotations

import http.client
import json
import signal
import sys
import time
from collections.abc import Callable

import msgspec
import pytest
from sqlalchemy import text

from campale.referee.records.saved import verify
from campale.server.battle.draft import Created
from campale.server.battle.hall import Hall
from campale.server.database.schema import BattleRow
from campale.server.database.store import Store
from campale.server.operation.presence import Presence, address_of, key_of, named
from tests.server.conftest import TOY, Serve, Served, draft
from tests.server.kills import Killing
from tests.server.page import Page, all_play, next_asked
from tests.server.rows import battle, seats
from tests.server.test_kill import Process, made_in
from tests.server.test_serve import asked

WITHIN = 10.0
"""Seconds within which the battles of a lost process go on."""


@pytest.fixture
def two(database: str, serve: Serve) -> tuple[Served, Served]:
    """Two servers that know where the other is reached."""
    return reached(serve, database), reached(serve, database)


def reached(serve: Serve, database: str, **more: object) -> Served:
    """A server that tells where it is reached, as it will be listening there."""
    server = serve(database=database, proxies=("127.0.0.1",), **more)
    server.hall.owner = named(server.address)
    server.call(take_name(server.hall))
    return server


async def take_name(hall: Hall) -> None:
    await hall.off(hall.presence.close)
    hall.presence = Presence(hall.store, hall.owner)
    await hall.off(hall.presence.hold)


def until(is_so: Callable[[], object], seconds: float = WITHIN) -> float:
    """How long it took."""
    begun = time.monotonic()
    while not is_so():
        assert time.monotonic() < begun + seconds
        time.sleep(0.02)
    return time.monotonic() - begun


# ---------------------------------------------------------------- passed on


def test_a_battle_is_played_from_both_doors(two: tuple[Served, Served]) -> None:
    one, other = two
    made = one.create(draft(TOY, "me", "me"))
    one.call(one.hall.live(made.battle))
    with one.page(made, 0) as page, other.page(made, 1) as guest:
        page.until("state")
        guest.until("state")
        page.agree("one")
        guest.agree("two")
        all_play((page, guest))
        assert page.is_over
        assert guest.is_over
        assert (made.battle in one.hall.lives, made.battle in other.hall.lives) == (True, False)
    assert verify(one.call(one.hall.kept(made.battle)).saved).identical
    assert other.hall.metrics.referred._value.get() == 1


def test_what_is_told_at_the_other_door_is_the_same(two: tuple[Served, Served]) -> None:
    """Everything that has to do with a battle, with its headers; what nobody may know stays unknown."""
    one, other = two
    made = one.create(draft(TOY, "me", "me", is_agreed=True))
    with one.page(made, 0) as page, one.page(made, 1) as guest:
        page.until("state")
        guest.until("state")
        mine = next_asked(page, guest)
        assert mine.answer(mine.proposal(None))["is"] == "done"
        page.sync(guest)
    for path in ("replay", "luck", "report.md", "forces", "export"):
        found = [fetched(server, f"/api/battles/{made.battle}/{path}?lang=it", page.token) for server in two]
        assert found[0] == found[1]
        assert found[0][0] == 200, path
    refused = [fetched(server, f"/api/battles/{made.battle}/replay?lang=it", "x" * 43) for server in two]
    assert refused[0] == refused[1]
    assert refused[0][0] == 403
    assert made.battle not in other.hall.lives


def test_somebody_joins_and_branches_at_the_other_door(two: tuple[Served, Served]) -> None:
    one, other = two
    made = one.create(draft("ragnarok", "me", "link"))
    one.call(one.hall.live(made.battle))
    joined = asked(f"http://{other.address}", "/api/join", {"code": made.seats[1].join, "name": "Ùna"})
    with one.page(made, 0) as page, other.page(made, token=joined["token"]) as guest:
        assert page.until("state")["moment"]["seats"][1]["name"] == "Ùna"
        guest.until("state")
        page.agree()
        guest.agree()
        next_asked(page, guest)
        with other.page(made, 1, token="") as onlooker:
            assert onlooker.until("state")["side"] is None
    again = fetched(other, f"/api/battles/{made.battle}/branch", page.token, {"at": 0, "side": 0, "against": "me"})
    assert again[0] == 201
    assert one.call(one.hall.live(json.loads(again[2])["battle"])).battle.stage == "playing"


def test_each_is_counted_by_his_own_address(database: str, serve: Serve) -> None:
    one = reached(serve, database, rate=1e-9, burst=3)
    other = reached(serve, database)
    made = one.create(draft(TOY, "me", "me", is_agreed=True))
    one.call(one.hall.live(made.battle))
    path = f"/api/battles/{made.battle}/luck"
    told = [fetched(other, path, made.seats[0].token, source=f"127.0.0.{n}")[0] for n in (2, 2, 2, 2, 3)]
    assert told == [200, 200, 200, 429, 200]


def test_what_was_passed_on_goes_no_further(two: tuple[Served, Served]) -> None:
    """Two that each hold the other to be the one that plays would pass it on for ever."""
    one, other = two
    made = one.create(draft(TOY, "me", "me"))
    one.call(one.hall.live(made.battle))
    row = one.hall.store.battle(made.battle)
    assert row is not None
    with one.hall.store.writing() as connection:
        lie = {"owner": named(other.address), "id": made.battle}
        connection.execute(text("UPDATE battle SET owner = :owner, until = 9e12 WHERE id = :id"), lie)
    liar = Presence(Store(one.settings.database), lie["owner"])
    liar.hold()
    one.hall.lives.clear()
    assert fetched(one, f"/api/battles/{made.battle}/forces", made.seats[0].token)[0] == 409
    with one.page(made, 0) as page:
        assert page.hear()["word"] == "battle.elsewhere"
        assert page.closed() == 4009
    liar.close()
    liar.store.close()


def test_where_the_other_cannot_be_reached_one_is_asked_to_come_again(database: str, serve: Serve) -> None:
    one, other = serve(database=database), reached(serve, database)
    one.hall.owner = named("127.0.0.1:9")
    one.call(take_name(one.hall))
    made = one.create(draft(TOY, "me", "me"))
    one.call(one.hall.live(made.battle))
    assert fetched(other, f"/api/battles/{made.battle}/forces", made.seats[0].token)[0] == 409
    with other.page(made, 0) as page:
        assert page.hear()["word"] == "battle.elsewhere"
        assert page.closed() == 4009


def fetched(
    server: Served, path: str, token: str | None, body: object = None, source: str = "127.0.0.1"
) -> tuple[int, dict[str, str], bytes]:
    """Status, the headers that matter, and what was told."""
    host, _, port = server.address.rpartition(":")
    line = http.client.HTTPConnection(host, int(port), timeout=60, source_address=(source, 0))
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    line.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
    answer = line.getresponse()
    told = answer.read()
    line.close()
    kept = {
        name: answer.headers[name]
        for name in ("Content-Type", "Content-Disposition", "Cache-Control")
        if name in answer.headers
    }
    return answer.status, kept, told


# ---------------------------------------------------------------- who is there


def test_who_holds_its_lock_is_there(database: str) -> None:
    stores = [Store(database), Store(database)]
    stores[0].migrate()
    one, other = (
        Presence(store, named(f"127.0.0.1:{n}").replace("/", "-elsewhere/", 1)) for n, store in enumerate(stores)
    )
    assert other.gone([one.owner]) == [one.owner]
    assert (one.hold(), one.hold()) == (False, True)
    assert other.gone([one.owner, other.owner]) == []
    one.close()
    until(lambda: other.gone([one.owner]) == [one.owner])
    assert other.gone(["of/1/an-earlier-version"]) == []
    assert (address_of(one.owner), address_of(None), address_of("a/1/b")) == ("127.0.0.1:0", "", "")
    assert key_of("a/1/b") is None
    other.close()
    for store in stores:
        store.close()


def test_who_lost_the_database_is_there_again_and_says_nothing_of_others_meanwhile(database: str) -> None:
    store = Store(database)
    one = Presence(store, named("a:1").replace("/", "-elsewhere/", 1))
    one.hold()
    assert one._connection is not None
    one._connection.close()
    assert (one.hold(), one.hold()) == (False, True)
    one.close()
    store.close()


def test_only_what_was_lost_lately_is_taken_over(database: str) -> None:
    store = Store(database)
    store.migrate()
    here = Presence(store, named())
    lost = named().replace("/", "-elsewhere/", 1)
    for name, stage, seconds in (
        ("now", "playing", 5.0),
        ("out", "playing", -30.0),
        ("old", "playing", -900.0),
        ("over", "over", 5.0),
    ):
        store.insert(staged(name, stage), seats(name))
        assert store.lease(name, lost, seconds)
    store.insert(staged("own", "playing"), seats("own"))
    assert store.lease("own", here.owner, -30.0)
    assert sorted(here.left_behind(600.0)) == ["now", "out"]
    store.close()


def staged(name: str, stage: str) -> BattleRow:
    return msgspec.structs.replace(battle(name), stage=stage)


def test_a_battle_that_cannot_be_read_keeps_no_other_from_being_taken_over(database: str, serve: Serve) -> None:
    one = serve(database=database)
    made = [one.create(draft(TOY, "me", "me", is_agreed=True)) for _ in range(3)]
    one.end()
    store, lost = Store(database), named().replace("/", "-elsewhere/", 1)
    with store.writing() as connection:
        told = {"owner": lost, "until": time.time() + 60.0, "broken": made[1].battle}
        connection.execute(text("UPDATE battle SET owner = :owner, until = :until"), told)
        connection.execute(text("UPDATE battle SET draft = '{}' WHERE id = :broken"), told)
    other = serve(database=database, lease=0.6)
    until(lambda: {made[0].battle, made[2].battle} <= set(other.hall.lives))
    assert made[1].battle not in other.hall.lives
    assert other.hall.metrics.taken_over._value.get() >= 2
    until(lambda: other.hall.metrics.errors.labels("server.battle.hall")._value.get() > 0)
    store.close()


# ---------------------------------------------------------------- killed


def test_of_processes_that_are_killed_nothing_acknowledged_is_lost(database: str) -> None:
    with Killing(database, ("ragnarok",), seed=5) as killing:
        for _ in range(3):
            assert killing.kill() < WITHIN
    assert killing.acknowledged > 15
    assert killing.lost() == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_of_a_process_that_stands_still_the_battles_go_on(database: str) -> None:
    """It keeps its lock and its lines; when it goes on it has lost the battle, and says so."""
    made, store = made_in(database, draft("ragnarok", "me", "me")), Store(database)
    still, other = Process(database), Process(database)
    try:
        with Page(still.address, made.battle, made.seats[0].token or "") as page:
            page.until("state")
            with Page(other.address, made.battle, made.seats[1].token or "") as guest:
                guest.until("state")
                page.agree()
                guest.agree()
                next_asked(page, guest)
                still.process.send_signal(signal.SIGSTOP)
                until(lambda: owner_of(store, made).endswith(other.address))
                assert guest.closed() == 1012
            with Page(other.address, made.battle, made.seats[1].token or "") as guest:
                assert guest.hear()["is"] == "state"
            still.process.send_signal(signal.SIGCONT)
            assert page.closed() == 4009
    finally:
        still.kill()
        other.kill()
        store.close()


def owner_of(store: Store, made: Created) -> str:
    row = store.battle(made.battle)
    return (row.owner if row is not None else None) or ""
