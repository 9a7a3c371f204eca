"""Accounts over HTTP: by invitation alone, signed in by name and pass phrase, exported and removed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from campale.server.battle.hall import ELSEWHERE
from campale.server.database.store import LeaseLost
from tests.server.club.people import PHRASE, Person, club_of, comes, signs_in
from tests.server.http import client, made, refused


def test_without_accounts_there_is_no_club_and_the_table_is_as_ever(http: TestClient) -> None:
    assert http.get("/api/club").json() == {"is_there": False, "me": None}
    created = made(http)
    joined = http.post("/api/join", json={"code": created["seats"][1]["join"], "name": "Nobody"})
    assert joined.status_code == 200


def test_an_invitation_makes_one_account(http: TestClient, ada: Person) -> None:
    invited = ada.post("/invitations", 201, note="Bo, from Tuesday", days=3)
    assert http.get(f"/api/club/come/{invited['code']}").json()["role"] == "member"
    body = {"code": invited["code"], "name": "  Bo   Zé ", "phrase": PHRASE}
    bo = Person(http, http.post("/api/club/come", json=body).json())
    assert (bo.me["name"], bo.me["role"]) == ("Bo Zé", "member")
    assert refused(http, 404, "POST", "/api/club/come", json=body | {"name": "Cy"})["word"] == "club.no-invitation"
    assert refused(http, 404, "GET", f"/api/club/come/{invited['code']}")["word"] == "club.no-invitation"
    assert ada.get("/invitations") == []


@pytest.mark.parametrize(
    ("name", "phrase", "word"),
    [
        ("", PHRASE, "club.bad-name"),
        ("x" * 41, PHRASE, "club.bad-name"),
        ("a\u202eb", PHRASE, "club.bad-name"),
        ("a\u0000", PHRASE, "club.bad-name"),
        ("Bo", "nine char", "club.phrase-length"),
        ("Bo", "x" * 201, "club.phrase-length"),
        ("Bodoni Bodoni", "bodoni  BODONI", "club.phrase-is-name"),
    ],
)
def test_what_is_no_name_and_no_phrase_uses_no_invitation_up(
    http: TestClient, ada: Person, name: str, phrase: str, word: str
) -> None:
    code = ada.post("/invitations", 201)["code"]
    body = {"code": code, "name": name, "phrase": phrase}
    assert refused(http, 422, "POST", "/api/club/come", json=body)["word"] == word
    assert http.post("/api/club/come", json=body | {"name": "Bo", "phrase": "ten chars!"}).status_code == 201


@pytest.mark.parametrize("name", ["ADA", " ada ", "Ａda"])
def test_a_name_is_somebodys_however_it_is_written(http: TestClient, ada: Person, name: str) -> None:
    code = ada.post("/invitations", 201)["code"]
    body = {"code": code, "name": name, "phrase": PHRASE}
    assert refused(http, 409, "POST", "/api/club/come", json=body)["word"] == "club.name-taken"
    assert signs_in(http, name).me["id"] == ada.me["id"]
    assert len(ada.get("/invitations")) == 1


def test_a_wrong_phrase_and_a_name_that_there_is_not_are_told_alike(http: TestClient, ada: Person) -> None:
    told = [
        refused(http, 401, "POST", "/api/club/sign-in", json={"name": name, "phrase": phrase})
        for name, phrase in (("Ada", "not that one"), ("Zoe", PHRASE), ("Zo\0e", PHRASE), ("Ada", "x" * 399))
    ]
    assert told == [told[0]] * 4


def test_who_has_signed_out_is_nobody(http: TestClient, ada: Person) -> None:
    other = signs_in(http, "Ada")
    other.post("/sign-out", 204)
    assert other.get("/data", 401)["word"] == "club.signed-out"
    assert http.get("/api/club", headers=other.headers).json()["me"] is None
    third = signs_in(http, "Ada")
    ada.post("/sign-out", everywhere=True)
    assert third.get("/battles", 401)["word"] == ada.get("/battles", 401)["word"] == "club.signed-out"


def test_with_a_new_phrase_all_other_sessions_end(http: TestClient, ada: Person) -> None:
    other = signs_in(http, "Ada")
    assert ada.post("/phrase", 403, old="not that one", new="a heron on one leg")["word"] == "club.wrong-phrase"
    again = Person(http, ada.post("/phrase", old=PHRASE, new="a heron on one leg"))
    assert again.get("/battles") == []
    for gone in (ada, other):
        assert gone.get("/battles", 401)["word"] == "club.signed-out"
    assert refused(http, 401, "POST", "/api/club/sign-in", json={"name": "Ada", "phrase": PHRASE})
    signs_in(http, "Ada", "a heron on one leg")


def test_who_has_lost_the_phrase_chooses_another_by_a_link(http: TestClient, ada: Person) -> None:
    bo = comes(http, "Bo")
    first = ada.post("/invitations", 201, account=bo.me["id"])["code"]
    code = ada.post("/invitations", 201, account=bo.me["id"])["code"]
    assert refused(http, 404, "GET", f"/api/club/come/{first}")
    assert http.get(f"/api/club/come/{code}").json()["name"] == "Bo"
    again = http.post("/api/club/come", json={"code": code, "phrase": "a heron on one leg"}).json()
    assert again["me"] == bo.me
    bo.get("/battles", 401)
    signs_in(http, "Bo", "a heron on one leg")
    assert ada.post("/invitations", 404, account="nobody")["word"] == "club.no-member"


def test_what_organisers_do_members_do_not(http: TestClient, ada: Person) -> None:
    bo = comes(http, "Bo")
    for path in ("/members", "/invitations", "/tables"):
        assert ada.get(path) is not None
        assert bo.get(path, 403)["word"] == "club.organisers-only"
        assert refused(http, 401, "GET", f"/api/club{path}")["word"] == "club.signed-out"
    for path, body in (
        ("/invitations", {}),
        (f"/members/{ada.me['id']}/remove", {}),
        (f"/members/{bo.me['id']}/role", {"role": "organiser"}),
        ("/invitations/x/withdraw", {}),
    ):
        assert bo.post(path, 403, **body)["word"] == "club.organisers-only"
    assert {one["name"]: one["role"] for one in ada.get("/members")} == {"Ada": "organiser", "Bo": "member"}


def test_one_organiser_stays_as_long_as_there_are_members(http: TestClient, ada: Person) -> None:
    bo = comes(http, "Bo")
    mine = f"/members/{ada.me['id']}"
    assert ada.post(f"{mine}/role", 409, role="member")["word"] == "club.last-organiser"
    assert ada.post("/leave", 409, phrase=PHRASE)["word"] == "club.last-organiser"
    ada.post(f"/members/{bo.me['id']}/role", role="organiser")
    ada.post("/leave", phrase=PHRASE)
    ada.get("/battles", 401)
    assert [one["name"] for one in bo.get("/members")] == ["Bo"]
    bo.post("/leave", phrase=PHRASE)
    assert http.get("/api/club").json()["is_there"] is False


def test_an_invitation_is_withdrawn(http: TestClient, ada: Person) -> None:
    code = ada.post("/invitations", 201, note="Cy")["code"]
    (shown,) = ada.get("/invitations")
    assert shown["note"] == "Cy"
    assert "code" not in shown
    ada.post(f"/invitations/{shown['id']}/withdraw")
    assert ada.post(f"/invitations/{shown['id']}/withdraw", 404)["word"] == "club.no-invitation"
    assert refused(http, 404, "GET", f"/api/club/come/{code}")


def test_no_token_nor_code_nor_phrase_is_in_the_database(http: TestClient, ada: Person, tmp_path: Path) -> None:
    code = ada.post("/invitations", 201)["code"]
    club_of(http).members.store.engine.dispose()
    written = b"".join(path.read_bytes() for path in tmp_path.glob("campale.db*"))
    assert b"$argon2id$" in written
    for secret in (PHRASE, ada.token, code):
        assert secret.encode() not in written


def played_out(http: TestClient, *people: Person) -> dict[str, Any]:
    """A battle of two accounts in which the first concedes."""
    created = made(http, seats=[{"kind": "me", "name": "A"}, {"kind": "me", "name": "B"}])
    tokens = [seat["token"] for seat in created["seats"]]
    for person, token in zip(people, tokens, strict=True):
        person.post("/battles", seat=token)
    address = f"/api/battles/{created['battle']}/socket"
    with http.websocket_connect(address) as one, http.websocket_connect(address) as two:
        for socket, token in zip((one, two), tokens, strict=True):
            socket.send_json({"do": "hello", "protocol": 2, "token": token})
            socket.send_json({"do": "agree", "n": 1, "version": 1})
            until(socket, 1)
        one.send_json({"do": "say", "text": "Well played."})
        one.send_json({"do": "concede", "n": 3})
        until(one, 3)
    return created


def until(socket: Any, n: int) -> None:
    while True:
        heard = socket.receive_json()
        if heard.get("re") == n:
            assert heard["is"] == "done", heard
            return


def test_battles_are_tied_to_accounts_and_the_ladder_follows(http: TestClient, ada: Person) -> None:
    bo = comes(http, "Bo")
    created = played_out(http, ada, bo)
    (table,) = bo.get("/battles")
    assert [one["name"] for one in table["players"]] == ["Ada", "Bo"]
    assert (table["battle"], table["stage"], table["winner"]) == (created["battle"], "over", 1)
    assert table["result"]
    assert ada.get("/tables") == [table]
    rungs = [(one["name"], one["rating"], one["won"], one["lost"]) for one in bo.get("/ladder")]
    assert rungs == [("Bo", 1512, 1, 0), ("Ada", 1488, 0, 1)]
    assert bo.get("/ladder?book=ragnarok") == bo.get("/ladder")
    assert bo.get("/ladder?book=e55") == []
    assert bo.get("/ladder?book=none", 404)["word"] == "no-book"
    for one in (ada, bo):
        assert one.post(f"/battles/{created['battle']}/let-go", 409)["word"] == "club.counts-for-both"


def test_a_battle_is_let_go_until_it_has_begun_and_counts_for_both(http: TestClient, ada: Person) -> None:
    bo = comes(http, "Bo")
    created = made(http, seats=[{"kind": "me"}, {"kind": "me"}])
    way = f"/battles/{created['battle']}/let-go"
    assert ada.post(way, 404)["word"] == "no-battle"
    for one, seat in zip((ada, bo), created["seats"], strict=True):
        one.post("/battles", seat=seat["token"])
    ada.post(way)
    assert ada.get("/battles") == []
    assert len(bo.get("/battles")) == 1
    demo = http.post("/api/demo", json={"now": True}).json()
    ada.post("/battles", seat=next(seat["token"] for seat in demo["seats"] if seat["token"]))
    assert ada.get("/battles")[0]["stage"] == "playing"
    ada.post(f"/battles/{demo['battle']}/let-go")
    assert ada.get("/battles") == []


def test_a_seat_is_one_accounts_and_an_account_has_one_seat(http: TestClient, ada: Person) -> None:
    bo = comes(http, "Bo")
    created = made(http, seats=[{"kind": "me"}, {"kind": "me"}])
    one, two = (seat["token"] for seat in created["seats"])
    ada.post("/battles", seat=one)
    ada.post("/battles", seat=one)
    assert ada.post("/battles", 409, seat=two)["word"] == "club.tied-already"
    assert bo.post("/battles", 409, seat=one)["word"] == "club.tied-already"
    bo.post("/battles", seat=two)
    for wrong in ("", "no token", "x" * 300, ada.token):
        assert ada.post("/battles", 403, seat=wrong)["word"] == "not-yours"
    assert refused(http, 401, "POST", "/api/club/battles", json={"seat": one})["word"] == "club.signed-out"


def test_a_seats_token_signs_nobody_in_and_a_session_opens_no_other_seat(http: TestClient, ada: Person) -> None:
    created = made(http, seats=[{"kind": "me"}, {"kind": "me"}])
    ada.post("/battles", seat=created["seats"][0]["token"])
    seat = {"Authorization": f"Bearer {created['seats'][0]['token']}"}
    assert refused(http, 401, "GET", "/api/club/data", headers=seat)["word"] == "club.signed-out"
    other = made(http, seats=[{"kind": "me"}, {"kind": "me"}])
    path = f"/api/battles/{other['battle']}/forces"
    hers, nobodys = http.get(path, headers=ada.headers), http.get(path)
    assert (hers.status_code, hers.content) == (nobodys.status_code, nobodys.content)


def test_ones_data_is_whole_and_nobody_elses(http: TestClient, ada: Person) -> None:
    bo = comes(http, "Bo")
    created = played_out(http, ada, bo)
    ada.post("/invitations", 201, note="for Cy")
    told = ada.get("/data")
    assert told["account"] == ada.me
    assert [one["battle"] for one in told["battles"]] == [created["battle"]]
    assert [one["text"] for one in told["chat"]] == ["Well played."]
    assert [one["note"] for one in told["invitations"]] == ["for Cy"]
    assert len(told["sessions"]) == 1
    text = http.get("/api/club/data", headers=ada.headers).text
    for secret in ("argon2", ada.token, PHRASE):
        assert secret not in text
    assert bo.get("/data")["chat"] == bo.get("/data")["invitations"] == []


def test_who_leaves_takes_the_account_and_the_name_along(http: TestClient, ada: Person) -> None:
    bo = comes(http, "Bo")
    created = played_out(http, ada, bo)
    running = made(http, seats=[{"kind": "me", "name": "B"}, {"kind": "me"}])
    bo.post("/battles", seat=running["seats"][0]["token"])
    assert bo.post("/leave", 403, phrase="not that one")["word"] == "club.wrong-phrase"
    bo.post("/leave", phrase=PHRASE)
    assert bo.get("/data", 401)["word"] == "club.signed-out"
    (table,) = ada.get("/tables")
    assert [(one["name"], one["account"]) for one in table["players"]] == [("Ada", ada.me["id"]), ("Blue", None)]
    store = club_of(http).members.store
    assert [seat.name for seat in store.seats(created["battle"])] == ["A", ""]
    assert '"B"' not in (row.draft if (row := store.battle(created["battle"])) else "")
    assert [seat.name for seat in store.seats(running["battle"])] == ["", ""]
    assert http.get(f"/api/battles/{created['battle']}/replay").status_code == 200


def in_play(http: TestClient, ada: Person, bo: Person) -> tuple[str, list[str]]:
    """A battle of both that has begun, and the tokens of their seats."""
    created = made(http, seats=[{"kind": "me", "name": "Ada"}, {"kind": "me", "name": "Bo"}])
    tokens = [seat["token"] for seat in created["seats"]]
    for one, token in zip((ada, bo), tokens, strict=True):
        one.post("/battles", seat=token)
        with http.websocket_connect(f"/api/battles/{created['battle']}/socket") as socket:
            socket.send_json({"do": "hello", "protocol": 2, "token": token})
            socket.send_json({"do": "agree", "n": 1, "version": 1})
            socket.send_json({"do": "chat", "n": 2, "text": "Good luck."})
            while socket.receive_json().get("re") != 2:
                pass
    return created["battle"], tokens


def told_in(http: TestClient, battle: str, token: str) -> str:
    """All that a seat is told when it comes."""
    with http.websocket_connect(f"/api/battles/{battle}/socket") as socket:
        socket.send_json({"do": "hello", "protocol": 2, "token": token})
        socket.send_json({"do": "ping", "n": 1})
        told: list[str] = []
        while '"re":1' not in (told[-1] if told else ""):
            told.append(socket.receive_text())
    return "".join(told)


def closed(socket: WebSocketTestSession) -> int:
    """The code with which the server closes."""
    try:
        while True:
            socket.receive_json()
    except WebSocketDisconnect as end:
        return end.code


@pytest.mark.parametrize("is_removed", [False, True])
def test_a_name_goes_from_a_battle_in_play_too(http: TestClient, ada: Person, is_removed: bool) -> None:
    bo = comes(http, "Bo")
    battle, tokens = in_play(http, ada, bo)
    assert '"Bo"' in told_in(http, battle, tokens[0])
    with http.websocket_connect(f"/api/battles/{battle}/socket") as looking:
        looking.send_json({"do": "hello", "protocol": 2, "token": tokens[0]})
        if is_removed:
            ada.post(f"/members/{bo.me['id']}/remove")
        else:
            bo.post("/leave", phrase=PHRASE)
        assert closed(looking) == ELSEWHERE
    for token in tokens:
        told = told_in(http, battle, token)
        assert "Bo" not in told
        assert '"Ada"' in told
        assert '"stage":"playing"' in told
    # Both play on: the seat is his who has its token.
    with http.websocket_connect(f"/api/battles/{battle}/socket") as socket:
        socket.send_json({"do": "hello", "protocol": 2, "token": tokens[1]})
        socket.send_json({"do": "concede", "n": 1})
        while socket.receive_json().get("re") != 1:
            pass
    assert ada.get("/tables")[0]["winner"] == 0
    assert "Bo" not in http.get(f"/api/battles/{battle}/replay").text


def test_a_process_that_plays_the_battle_gives_it_up(http: TestClient, ada: Person) -> None:
    """As where the account is deleted at another process: with the next sign of life the battle is not its own."""
    bo = comes(http, "Bo")
    battle, tokens = in_play(http, ada, bo)
    hall = http.app.state.hall  # type: ignore[attr-defined]
    live = hall.lives[battle]
    assert club_of(http).members.remove(bo.me["id"]) == [battle]
    assert http.portal is not None
    http.portal.call(hall._keep)
    assert battle not in hall.lives
    # What was still to be done to it there is not done, though the process may have it again by now.
    assert "Bo" not in told_in(http, battle, tokens[0])
    with pytest.raises(LeaseLost):
        http.portal.call(live.change, lambda: None, lambda message: None)


def test_an_organiser_removes_a_member(http: TestClient, ada: Person) -> None:
    bo = comes(http, "Bo")
    ada.post(f"/members/{bo.me['id']}/remove")
    bo.get("/battles", 401)
    assert ada.post(f"/members/{bo.me['id']}/remove", 404)["word"] == "club.no-member"
    assert refused(http, 401, "POST", "/api/club/sign-in", json={"name": "Bo", "phrase": PHRASE})
    comes(http, "Bo")


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_another_page_signs_nobody_in_and_does_nothing(http: TestClient, ada: Person, headers: dict[str, str]) -> None:
    body = {"name": "Ada", "phrase": PHRASE}
    for path in ("sign-in", "sign-out", "come", "phrase", "leave", "battles", "invitations"):
        told = refused(http, 403, "POST", f"/api/club/{path}", json=body, headers=headers | ada.headers)
        assert told["word"] == "foreign-page"


def test_no_answer_of_the_club_is_kept_by_a_browser_nor_sets_a_cookie(http: TestClient, ada: Person) -> None:
    for path in ("", "/data", "/members", "/battles"):
        answer = http.get(f"/api/club{path}", headers=ada.headers)
        assert answer.headers["cache-control"] == "no-store"
        assert "set-cookie" not in answer.headers


def test_signing_in_has_a_rate_of_its_own(tmp_path: Path) -> None:
    with client(tmp_path, rate=1000.0, burst=1000, signing_burst=3) as http:
        for _ in range(3):
            refused(http, 401, "POST", "/api/club/sign-in", json={"name": "Ada", "phrase": PHRASE})
        for path in ("sign-in", "come", "phrase", "leave", "sign-in/"):
            told = refused(http, 429, "POST", f"/api/club/{path}", json={"name": "Ada", "phrase": PHRASE})
            assert told["word"] == "too-many"
        assert http.get("/api/club").status_code == 200
