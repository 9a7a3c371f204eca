"""A seat that counts for an account is open to its owner wherever she signs in, and to nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

from campale.server.sockets.serving import DENIED
from tests.server.club.people import Person, comes, signs_in
from tests.server.club.test_accounts import closed, in_play, played_out, told_in, until
from tests.server.http import made, refused

HELLO = {"do": "hello", "protocol": 2}


@pytest.fixture
def elsewhere(http: TestClient, ada: Person) -> Person:
    """Ada at another device."""
    return signs_in(http, "Ada")


def sat_down(http: TestClient, who: Person) -> dict[str, Any]:
    """A battle in which somebody's account has the first seat; the other waits for whoever comes by its link."""
    created = made(http)
    who.post("/battles", seat=created["seats"][0]["token"])
    return created


def side_in(http: TestClient, battle: str, token: str) -> int | None:
    with http.websocket_connect(f"/api/battles/{battle}/socket") as socket:
        socket.send_json({**HELLO, "token": token})
        side: int | None = socket.receive_json()["side"]
        return side


def test_whoever_signs_in_elsewhere_sits_at_her_seat_and_answers_for_it(
    http: TestClient, ada: Person, elsewhere: Person
) -> None:
    battle, (first, _) = in_play(http, ada, comes(http, "Bo"))
    assert elsewhere.get(f"/battles/{battle}/seat") == {"side": 0}
    assert told_in(http, battle, elsewhere.token) == told_in(http, battle, first)
    with http.websocket_connect(f"/api/battles/{battle}/socket") as socket:
        socket.send_json({**HELLO, "token": elsewhere.token})
        socket.send_json({"do": "concede", "n": 1})
        until(socket, 1)
    (table,) = ada.get("/battles")
    assert (table["stage"], table["winner"]) == ("over", 1)


def test_her_battles_are_listed_there(http: TestClient, ada: Person, elsewhere: Person) -> None:
    created = sat_down(http, ada)
    token = created["seats"][0]["token"]
    for tokens in ([elsewhere.token], [token, elsewhere.token], [elsewhere.token, token]):
        (mine,) = http.post("/api/battles/mine", json={"tokens": tokens}).json()
        assert (mine["battle"], mine["side"], mine["is_counted"]) == (created["battle"], 0, True)
    (mine,) = http.post("/api/battles/mine", json={"tokens": [token]}).json()
    assert not mine["is_counted"]
    assert http.post("/api/battles/mine", json={"tokens": ["a" * 43]}).json() == []


def test_in_the_battles_of_others_she_looks_on(http: TestClient, ada: Person) -> None:
    bo = comes(http, "Bo")
    battle = sat_down(http, ada)["battle"]
    assert bo.get(f"/battles/{battle}/seat") == {"side": None}
    assert side_in(http, battle, bo.token) is None
    assert side_in(http, battle, ada.token) == 0


def test_a_seat_that_is_kept_for_her_is_sat_down_at_first(http: TestClient, ada: Person, elsewhere: Person) -> None:
    bo = comes(http, "Bo")
    season = season_of(ada, bo)
    at = {"round": 1, "place": 1}
    battle = ada.post(f"/seasons/{season}/play", **at)["battle"]
    assert elsewhere.get(f"/battles/{battle}/seat") == {"side": None}
    assert side_in(http, battle, elsewhere.token) is None
    found = elsewhere.post(f"/seasons/{season}/play", **at)
    force = "crucible_league_starter"
    joined = http.post("/api/join", json={"code": found["code"], "force": force}).json()
    assert ada.get(f"/battles/{battle}/seat") == {"side": joined["side"]}
    assert side_in(http, battle, ada.token) == joined["side"]


def season_of(ada: Person, bo: Person) -> str:
    season: str = ada.post("/seasons", 201, title="Winter", book="ragnarok")["season"]
    for one in (ada, bo):
        one.post(f"/seasons/{season}/enter")
    ada.post(f"/seasons/{season}/pair")
    return season


@pytest.mark.parametrize("ends", ["sign-out", "phrase", "let-go"])
def test_who_signs_out_or_lets_go_sits_there_no_longer(
    http: TestClient, ada: Person, elsewhere: Person, ends: str
) -> None:
    created = sat_down(http, ada)
    battle, token = created["battle"], created["seats"][0]["token"]
    address = f"/api/battles/{battle}/socket"
    with http.websocket_connect(address) as looking, http.websocket_connect(address) as sitting:
        looking.send_json({**HELLO, "token": elsewhere.token})
        sitting.send_json({**HELLO, "token": token})
        assert (looking.receive_json()["side"], sitting.receive_json()["side"]) == (0, 0)
        end(ada, elsewhere, battle, ends)
        assert closed(looking) == DENIED
        sitting.send_json({"do": "ping", "n": 1})
        answered(sitting, 1)
    if ends == "let-go":
        assert side_in(http, battle, elsewhere.token) is None
    else:
        refused(http, 403, "GET", f"/api/battles/{battle}/export", headers=elsewhere.headers)


def end(ada: Person, elsewhere: Person, battle: str, ends: str) -> None:
    if ends == "sign-out":
        elsewhere.post("/sign-out")
    elif ends == "phrase":
        ada.post("/phrase", old="a lantern in the marsh", new="a heron on one leg")
    else:
        ada.post(f"/battles/{battle}/let-go")


def answered(socket: WebSocketTestSession, n: int) -> None:
    while socket.receive_json().get("re") != n:
        pass


def test_a_rematch_is_hers_on_every_device(http: TestClient, ada: Person, elsewhere: Person) -> None:
    bo = comes(http, "Bo")
    created = played_out(http, ada, bo)
    tokens = [seat["token"] for seat in created["seats"]]
    address = f"/api/battles/{created['battle']}/socket"
    with http.websocket_connect(address) as away, http.websocket_connect(address) as other:
        away.send_json({**HELLO, "token": elsewhere.token})
        other.send_json({**HELLO, "token": tokens[1]})
        away.send_json({"do": "propose", "n": 1, "what": {"rematch": True}})
        until(away, 1)
        other.send_json({"do": "consent", "n": 1})
        until(other, 1)
        heard = again(away)
    assert (heard["side"], heard["token"]) == (1, "")
    with http.websocket_connect(address) as home:
        home.send_json({**HELLO, "token": tokens[0]})
        kept = again(home)
    assert kept["battle"] == heard["battle"]
    for token in (kept["token"], ada.token, elsewhere.token):
        assert side_in(http, heard["battle"], token) == 1
    assert {one["battle"] for one in ada.get("/battles")} == {created["battle"], heard["battle"]}


def again(socket: WebSocketTestSession) -> dict[str, Any]:
    while True:
        heard: dict[str, Any] = socket.receive_json()
        if heard["is"] == "again":
            return heard
