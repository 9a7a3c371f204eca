"""Battles over HTTP: made, joined, listed, exported, imported; and what is refused, with its reasons."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import campale
from campale.referee import ruleset
from campale.referee.fair import commitment, game_seed
from campale.referee.records.saved import read, verify
from campale.referee.ruleset import load_ruleset
from tests.server.http import FORCES, SECRET_FORCES, asked, client, made, refused

ME_AND_BOT = ({"kind": "me", "name": "Ada"}, {"kind": "bot"})


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(tmp_path_factory.mktemp("http")) as found:
        yield found


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def code_of(created: dict[str, Any], side: int = 1) -> str:
    return str(created["seats"][side]["join"])


def over(http: TestClient, created: dict[str, Any], side: int = 0) -> None:
    """The seat gives the battle up, when everybody has agreed."""
    seat = created["seats"][side]
    with http.websocket_connect(f"/api/battles/{created['battle']}/socket") as socket:
        socket.send_json({"do": "hello", "protocol": 2, "token": seat["token"], "language": "en"})
        version = socket.receive_json()["moment"]["setup"]["version"]
        seed = "seed of the seat"
        socket.send_json({"do": "agree", "n": 1, "version": version, "seal": commitment(seed)})
        reply_to(socket, 1)
        socket.send_json({"do": "reveal", "n": 2, "seed": seed})
        reply_to(socket, 2)
        socket.send_json({"do": "concede", "n": 3})
        reply_to(socket, 3)


def reply_to(socket: Any, n: int) -> None:
    while (heard := socket.receive_json()).get("re") != n:
        assert heard["is"] == "news"
    assert heard["is"] == "done", heard


# ---------------------------------------------------------------- making


def test_the_server_says_how_it_is(http: TestClient) -> None:
    assert http.get("/api/health").json() == {"version": campale.__version__, "protocol": 2, "database": True}


def test_whoever_makes_a_battle_holds_his_own_seats_and_the_codes_of_the_others(http: TestClient) -> None:
    mine, other = made(http)["seats"]
    assert (mine["kind"], bool(mine["token"]), mine["join"]) == ("me", True, None)
    assert (other["kind"], other["token"], bool(other["join"])) == ("link", None, True)
    hot_seat = made(http, seats=[{"kind": "me"}, {"kind": "me"}])
    assert len({seat["token"] for seat in hot_seat["seats"]}) == 2
    _, bot = made(http, seats=ME_AND_BOT)["seats"]
    assert (bot["token"], bot["join"]) == (None, None)


def test_a_battle_to_try_the_table_with_begins_at_once(http: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruleset, "EXTRA_PACKAGES", [])
    created = http.post("/api/demo", json={"lang": "it"})
    assert created.status_code == 201
    found = http.get(f"/api/battles/{created.json()['battle']}").json()
    assert found["stage"] == "playing"
    assert found["book"] == "ragnarok"
    assert [(seat["name"], seat["kind"]) for seat in found["seats"]] == [("", "person"), ("", "bot")]
    other = http.post("/api/demo", json={"book": "e55"}).json()
    assert http.get(f"/api/battles/{other['battle']}").json()["book"] == "e55"
    assert refused(http, 404, "POST", "/api/demo", json={"book": "chess"})["word"] == "no-book"


@pytest.mark.parametrize("book", ["ragnarok", "e55", "e3m", "w10", "wzr"])
def test_a_battle_to_be_played_at_once_begins_with_its_first_turn(
    http: TestClient, monkeypatch: pytest.MonkeyPatch, book: str
) -> None:
    monkeypatch.setattr(ruleset, "EXTRA_PACKAGES", [])
    created = http.post("/api/demo", json={"book": book, "now": True})
    assert created.status_code == 201
    made = created.json()
    shown = http.get(f"/api/battles/{made['battle']}/replay").json()
    standing = next(one["standing"] for one in reversed(shown["frames"]) if one.get("standing"))
    assert " 1 of " in standing["length"]
    first = http.post("/api/demo", json={"book": book}).json()
    begun = http.get(f"/api/battles/{first['battle']}/replay").json()
    assert "length" not in begun["standing"]


def test_without_a_book_the_shortest_battle_of_all_is_played_at_once(
    http: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ruleset, "EXTRA_PACKAGES", [])
    made = http.post("/api/demo", json={"now": True}).json()
    shown = http.get(f"/api/battles/{made['battle']}/replay").json()
    assert 0 < len(shown["models"]) < 17


INLINE = dict(load_ruleset("ragnarok").offers().forces[0].plain)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"seats": [{"kind": "bot"}, {"kind": "bot"}]}, "bad-seats"),
        ({"seats": [{"kind": "me"}]}, "bad-seats"),
        ({"forces": FORCES[:1]}, "bad-seats"),
        ({"seats": [{"kind": "king"}, {"kind": "me"}]}, "bad-body"),
        ({"seats": [{"kind": "me", "name": "x" * 41}, {"kind": "me"}]}, "bad-name"),
        ({"seats": [{"kind": "me", "name": "two\nlines"}, {"kind": "me"}]}, "bad-name"),
        ({"agreed": {"weather": "rain"}}, "bad-setup"),
        ({"agreed": {"mission": "chess"}}, "bad-setup"),
        ({"agreed": {"mission": ["patrol"]}}, "bad-setup"),
        ({"agreed": {"points": 10**9}}, "bad-setup"),
        ({"options": {"dragons": True}}, "bad-setup"),
        ({"options": {"night": "maybe"}}, "bad-setup"),
        ({"forces": ["chess", FORCES[1]]}, "no-force"),
        ({"forces": [None, FORCES[1]]}, "force-of-nobody"),
        ({"forces": [{}, FORCES[1]]}, "bad-force"),
        ({"forces": [{**INLINE, "models": "x"}, FORCES[1]]}, "bad-force"),
        ({"agreed": {"points": 100}}, "bad-force"),
        ({"clock": {"main": 0}}, "bad-clock"),
        ({"clock": {"main": 60, "reaction": -1}}, "bad-clock"),
        ({"dice": "loaded"}, "bad-body"),
        ({"admin": True}, "bad-body"),
    ],
)
def test_what_makes_no_battle_is_told(http: TestClient, change: dict[str, Any], word: str) -> None:
    found = refused(http, 422, "POST", "/api/battles", json={**asked(), **change})
    assert found["word"] == word
    assert bool(found["reasons"]) == (word == "bad-force")
    italian = refused(http, 422, "POST", "/api/battles?lang=it", json={**asked(), **change})
    assert italian["text"] != found["text"]


def test_every_reason_against_a_force_is_told(http: TestClient) -> None:
    models = [{**row, "commander": True} for row in INLINE["models"]]
    wrong = {**INLINE, "models": [*models, *models]}
    found = refused(http, 422, "POST", "/api/battles", json=asked(forces=[wrong, FORCES[1]]))
    assert len(found["reasons"]) >= 3
    assert any("[army/points-cap]" in reason for reason in found["reasons"])
    assert any("[commander/choice]" in reason for reason in found["reasons"])


def test_a_force_of_ones_own_is_fielded(http: TestClient) -> None:
    created = made(http, forces=[{**INLINE, "name": {"en": "Our own", "it": "La nostra"}}, FORCES[1]])
    found = http.get(f"/api/join/{code_of(created)}").json()
    assert ["Army of Red", "Our own (200)", ""] in found["lines"]


# ---------------------------------------------------------------- joining


def test_whoever_comes_by_the_link_sees_what_is_agreed_and_sits_down(http: TestClient) -> None:
    created = made(
        http, agreed={"mission": "patrol"}, options={"night": 1}, clock={"main": 3600, "reaction": 30, "increment": 5}
    )
    seen = http.get(f"/api/join/{code_of(created)}").json()
    assert (seen["battle"], seen["side"], seen["is_open"], seen["needs_force"]) == (created["battle"], 1, True, False)
    assert seen["by"] == "Red"
    assert http.get(f"/api/join/{code_of(created)}?lang=it").json()["by"] == "Rosso"
    assert seen["agreed"] == {"points": 200, "mission": "patrol", "scenery": "foundry"}
    assert ["Mission", "Patrol", "missions/roll"] in seen["lines"]
    assert ["Night", "yes", "opt-night/choice"] in seen["lines"]
    assert ["Clock", "60 minutes each, 30 seconds for a reaction, 5 seconds added per answer", ""] in seen["lines"]
    joined = http.post("/api/join", json={"code": code_of(created), "name": " Grace "}).json()
    assert (joined["battle"], joined["side"]) == (created["battle"], 1)
    tokens = [created["seats"][0]["token"], joined["token"]]
    assert sorted(one["side"] for one in http.post("/api/battles/mine", json={"tokens": tokens}).json()) == [0, 1]
    names = [seat["name"] for seat in http.get(f"/api/battles/{created['battle']}").json()["seats"]]
    assert names == ["", "Grace"]


def test_a_seat_is_taken_once(http: TestClient) -> None:
    created = made(http)
    assert http.post("/api/join", json={"code": code_of(created)}).status_code == 200
    assert refused(http, 409, "POST", "/api/join", json={"code": code_of(created)})["word"] == "seat-taken"
    assert http.get(f"/api/join/{code_of(created)}").json()["is_open"] is False


def test_whoever_joins_brings_the_force_that_is_awaited(http: TestClient) -> None:
    created = made(http, forces=[FORCES[0], None])
    code = code_of(created)
    seen = http.get(f"/api/join/{code}?lang=it").json()
    assert seen["needs_force"] is True
    assert ["Armata di Blu", "la porta chi si unisce", ""] in seen["lines"]
    for force, word in ((None, "force-missing"), ("chess", "no-force"), ({"models": []}, "bad-force")):
        assert refused(http, 422, "POST", "/api/join", json={"code": code, "force": force})["word"] == word
    assert http.post("/api/join", json={"code": code, "force": FORCES[1]}).status_code == 200
    settled = {"code": code_of(made(http)), "force": FORCES[1]}
    assert refused(http, 422, "POST", "/api/join", json=settled)["word"] == "force-settled"


def test_nobody_joins_by_a_code_that_there_is_not(http: TestClient) -> None:
    created = made(http)
    for code in ("", "x", created["battle"], created["seats"][0]["token"], "☃" * 30):
        assert refused(http, 404, "POST", "/api/join", json={"code": code})["word"] == "no-invitation"
    assert refused(http, 404, "GET", "/api/join/nothing")["word"] == "no-invitation"


def test_an_army_that_the_book_keeps_secret_is_not_shown_to_whoever_joins(http: TestClient) -> None:
    """Two battles that differ in the other's army only look the same."""
    looks = []
    for first in ("lantern-guard-750", "mire-brood-750"):
        created = made(http, book="e55", forces=[first, SECRET_FORCES[1]])
        seen = http.get(f"/api/join/{code_of(created)}").json()
        looks.append({**seen, "battle": ""})
        assert ["Army of Red", "secret until deployed", ""] in seen["lines"]
        assert ["Army of Blue", "The Rising of the Reeds (735)", ""] in seen["lines"]
        http.post("/api/join", json={"code": code_of(created)})
        later = http.get(f"/api/join/{code_of(created)}").json()
        assert ["Army of Blue", "secret until deployed", ""] in later["lines"]
    assert looks[0] == looks[1]


# ---------------------------------------------------------------- looking and files


def test_a_list_of_tokens_tells_only_of_their_battles(http: TestClient) -> None:
    created = made(http, seats=ME_AND_BOT)
    token = created["seats"][0]["token"]
    (found,) = http.post("/api/battles/mine", json={"tokens": ["x", "", "y" * 300, token, token]}).json()
    assert (found["battle"], found["side"], found["stage"]) == (created["battle"], 0, "agreeing")
    assert http.post("/api/battles/mine", json={"tokens": []}).json() == []


def test_a_battle_that_there_is_not_is_told(http: TestClient) -> None:
    for path in ("/api/battles/nothing", "/api/battles/nothing/export"):
        assert refused(http, 404, "GET", path)["word"] == "no-battle"


def test_what_has_not_begun_is_not_exported_nor_to_a_stranger(http: TestClient) -> None:
    created = made(http)
    path = f"/api/battles/{created['battle']}/export"
    assert refused(http, 409, "GET", path, headers=bearer(created["seats"][0]["token"]))["word"] == "not-begun"
    other = made(http)["seats"][0]["token"]
    assert refused(http, 403, "GET", path, headers=bearer(other))["word"] == "not-yours"


def test_while_a_battle_lasts_its_export_is_ones_own_view(http: TestClient) -> None:
    created = http.post("/api/demo", json={"book": "e55"}).json()
    path = f"/api/battles/{created['battle']}/export"
    found = http.get(path, headers=bearer(created["seats"][0]["token"]))
    assert found.headers["content-disposition"].startswith("attachment")
    view = found.json()
    assert (view["format"], view["state"]["side"]) == ("campale-view", 0)
    assert "server_seed" not in found.text
    assert http.get(path).json()["state"].get("side") is None


def test_when_a_battle_is_over_its_export_proves_its_dice(http: TestClient, tmp_path: Path) -> None:
    created = made(http, seats=ME_AND_BOT)
    before = http.get(f"/api/battles/{created['battle']}").json()
    over(http, created)
    data = http.get(f"/api/battles/{created['battle']}/export", headers=bearer(created["seats"][0]["token"])).content
    fair = read(data).fair
    assert fair is not None
    assert fair.commitment == before["commitment"] == commitment(fair.server_seed)
    assert fair.seat_seeds[0] == "seed of the seat"
    assert fair.seals == (commitment("seed of the seat"), "")
    assert read(data).seed == game_seed(fair.server_seed, fair.seat_seeds)
    assert verify(data).identical
    forged = data.replace(fair.server_seed.encode(), b"0" * 64)
    assert verify(forged).what == "commitment"
    assert verify(data.replace(fair.seals[0].encode(), b"0" * 64)).what == "seal"
    spectator = http.get(f"/api/battles/{created['battle']}/export").json()
    assert spectator["format"] == "campale-view"


def test_a_saved_game_is_imported_to_look_at_or_to_play_on(http: TestClient) -> None:
    created = made(http, seats=ME_AND_BOT)
    over(http, created)
    data = http.get(f"/api/battles/{created['battle']}/export", headers=bearer(created["seats"][0]["token"])).content
    found = http.post("/api/import", content=data)
    assert found.status_code == 201
    assert http.get(f"/api/battles/{found.json()['battle']}").json()["stage"] == "over"


def test_an_imported_battle_promises_nothing_of_its_dice(http: TestClient) -> None:
    """Its seed was in the file."""
    running = http.post("/api/demo", json={}).json()
    assert http.portal is not None
    data = http.portal.call(http.app.state.hall.kept, running["battle"]).saved  # type: ignore[attr-defined]
    created = http.post("/api/import?play=true", content=data).json()
    with http.websocket_connect(f"/api/battles/{created['battle']}/socket") as socket:
        token = created["seats"][0]["token"]
        socket.send_json({"do": "hello", "protocol": 2, "token": token})
        assert socket.receive_json()["moment"]["stage"] == "playing"
        socket.send_json({"do": "concede", "n": 1})
        reply_to(socket, 1)
    exported = http.get(f"/api/battles/{created['battle']}/export", headers=bearer(token)).content
    assert read(exported).fair is None
    assert verify(exported).identical


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff\xfe", b"[" * 5000, b'{"format": "campale-game"}'])
def test_what_is_no_saved_game_is_told(http: TestClient, data: bytes) -> None:
    assert refused(http, 422, "POST", "/api/import", content=data)["word"] == "bad-game"


# ---------------------------------------------------------------- whatever else is sent


@pytest.mark.parametrize("path", ["/api/battles", "/api/join", "/api/battles/mine", "/api/demo"])
@pytest.mark.parametrize("data", [b"{", b"[" * 100_000, b"\x00", b'"x"', b"[]", b"1e400", b'{"\xff": 1}'])
def test_what_is_no_json_object_is_refused(http: TestClient, path: str, data: bytes) -> None:
    answer = http.post(path, content=data)
    assert answer.status_code in (400, 422)
    assert set(answer.json()) == {"word", "text", "reasons"}


def test_a_deep_force_is_refused_not_a_fault(http: TestClient) -> None:
    deep: Any = {}
    for _ in range(200):
        deep = {"a": [deep]}
    assert refused(http, 422, "POST", "/api/battles", json=asked(forces=[deep, FORCES[1]]))["word"] == "bad-force"
    huge = {**INLINE, "points": 10**30, "name": {"en": "\u202e" * 100, "it": "x"}}
    assert refused(http, 422, "POST", "/api/battles", json=asked(forces=[huge, FORCES[1]]))["word"] == "bad-force"


def test_paths_and_methods_that_there_are_not_are_told(http: TestClient) -> None:
    assert refused(http, 404, "GET", "/api/nothing")["word"] == "not-found"
    assert refused(http, 405, "DELETE", "/api/battles")["word"] == "not-allowed"
    assert json.loads(http.get("/nothing.js").content)["word"] == "not-found"


@pytest.mark.parametrize("name", ["x" * 81, "a\u202eb", "two\nlines", "\u0000"])
def test_the_name_of_a_force_can_be_shown(http: TestClient, name: str) -> None:
    offers = load_ruleset("ragnarok").offers
    assert offers is not None
    force = offers().forces[0].plain
    wrong = {**force, "name": {"en": "Fine", "it": name}}
    found = refused(http, 422, "POST", "/api/battles", json=asked(forces=(wrong, force)))
    assert found["word"] in ("bad-title", "bad-force")
    right = {**force, "name": {"en": "Fine", "it": "x" * 80}}
    assert http.post("/api/battles", json=asked(forces=(right, force))).status_code == 201


@pytest.mark.parametrize("what", ["", "/export", "/replay", "/luck", "/report.md"])
def test_what_no_battle_can_be_called_is_no_battle(http: TestClient, what: str) -> None:
    for name in ("%00", "a%00b", "%F0%9F%92%A9", "..%2f..", "%27%20OR%201=1--", "%25"):
        assert http.get(f"/api/battles/{name}{what}").status_code == 404


def test_a_view_is_no_saved_game(http: TestClient) -> None:
    demo = http.post("/api/demo", json={"book": "ragnarok"}).json()
    token = {"Authorization": f"Bearer {demo['seats'][0]['token']}"}
    view = http.get(f"/api/battles/{demo['battle']}/export", headers=token).content
    assert refused(http, 422, "POST", "/api/import", content=view)["word"] == "bad-game"


@pytest.mark.parametrize(
    "path", ["/../../etc/passwd", "/assets/..%2f..%2fapp.py", "/%2e%2e/app.py", "/%00", "/a" * 3000]
)
def test_only_files_of_the_page_are_given(http: TestClient, path: str) -> None:
    assert http.get(path).status_code == 404


def test_who_gives_no_name_is_called_by_his_side_in_the_language_of_whoever_reads(http: TestClient) -> None:
    created = made(http, seats=[{"kind": "me"}, {"kind": "me", "name": " Ada "}])
    token = created["seats"][0]["token"]
    headers = {"Authorization": f"Bearer {token}"}
    live = f"/api/battles/{created['battle']}"
    assert [seat["name"] for seat in http.get(live).json()["seats"]] == ["", "Ada"]
    with http.websocket_connect(f"{live}/socket") as socket:
        for number, (language, name) in enumerate((("en", "Army of Red"), ("it", "Armata di Rosso"))):
            message = {"do": "speak", "language": language}
            hello = {"do": "hello", "protocol": 2, "token": token, "language": language}
            socket.send_json(message if number else hello)
            lines = socket.receive_json()["moment"]["setup"]["lines"]
            assert name in [title for title, *_ in lines]
            assert any("Ada" in title for title, *_ in lines)
    assert http.get(f"{live}/export", headers=headers).status_code == 409
