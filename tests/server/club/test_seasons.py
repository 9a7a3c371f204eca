"""Seasons over HTTP: entered, paired, played here or elsewhere, confirmed, and told in standings."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.server.club.people import PHRASE, Person, club_of, comes
from tests.server.club.test_accounts import played_out, until
from tests.server.http import made, refused

BOOK = "ragnarok"


@pytest.fixture
def people(http: TestClient) -> list[Person]:
    """Four who play, the first of them an organiser."""
    return [comes(http, name, "organiser" if name == "Ada" else "member") for name in ("Ada", "Bo", "Cy", "Dee")]


def begun(people: list[Person], *players: Person, pairs: bool = True, **how: Any) -> str:
    """The address of a season that they have entered, and its first round."""
    season = people[0].post("/seasons", 201, **{"title": "Autumn", "book": BOOK, "rounds": 3, **how})["season"]
    for one in players or people:
        one.post(f"/seasons/{season}/enter")
    if pairs:
        people[0].post(f"/seasons/{season}/pair")
    return f"/seasons/{season}"


def names(told: dict[str, Any], round_: int = -1) -> list[tuple[str | None, str | None]]:
    of = {one["number"]: one["name"] for one in told["entrants"]}
    return [(of[one["one"]], of.get(one["two"])) for one in told["played"][round_]["pairings"]]


def points(told: dict[str, Any]) -> dict[str | None, int]:
    of = {one["number"]: one["name"] for one in told["entrants"]}
    return {of[one["number"]]: one["points"] for one in told["standings"]}


def test_a_swiss_season_from_its_beginning_to_its_end(people: list[Person]) -> None:
    ada, bo, cy, dee = people
    season = begun(people, missions=["", "extermination"], about="Mondays.")
    told = dee.get(season)
    assert (told["stage"], told["rounds"], told["mine"], told["about"]) == ("running", 3, 4, "Mondays.")
    assert names(told) == [("Ada", "Bo"), ("Cy", "Dee")]
    assert told["played"][0]["mission"] == ""
    bo.post(f"{season}/result", round=1, place=1, result="two")
    assert points(ada.get(season)) == dict.fromkeys(("Ada", "Bo", "Cy", "Dee"), 0)
    ada.post(f"{season}/confirm", round=1, place=1)
    cy.post(f"{season}/result", round=1, place=2, result="draw")
    dee.post(f"{season}/result", round=1, place=2, result="draw")
    told = ada.get(season)
    assert points(told) == {"Bo": 3, "Cy": 1, "Dee": 1, "Ada": 0}
    assert [one["place"] for one in told["standings"]] == [1, 2, 2, 4]
    ada.post(f"{season}/pair", deadline=1_800_000_000.5)
    told = ada.get(season)
    assert names(told) == [("Bo", "Cy"), ("Dee", "Ada")]
    assert told["played"][1]["deadline"] == 1_800_000_000.5
    assert told["played"][1]["mission"]
    for place in (1, 2):
        ada.post(f"{season}/result", round=2, place=place, result="none")
    # Ada is one of the second pairing: hers is to be confirmed.
    assert ada.post(f"{season}/pair", 409)["word"] == "club.round-open"
    dee.post(f"{season}/confirm", round=2, place=2)
    ada.post(f"{season}/pair")
    assert names(ada.get(season)) == [("Bo", "Dee"), ("Cy", "Ada")]
    ada.post(f"{season}/end")
    told = bo.get(season)
    assert told["stage"] == "over"
    for path in ("enter", "withdraw", "pair", "result", "confirm"):
        body = {"round": 3, "place": 1} if path in ("result", "confirm") else {}
        more = {"result": "one"} if path == "result" else {}
        assert ada.post(f"{season}/{path}", 403 if path == "withdraw" else 409, **body, **more)
    assert bo.get("/seasons")[0]["title"] == "Autumn"


def test_after_the_last_round_there_is_none(people: list[Person]) -> None:
    season = begun(people, *people[:2], rounds=1)
    people[0].post(f"{season}/result", round=1, place=1, result="one")
    people[1].post(f"{season}/confirm", round=1, place=1)
    assert people[0].post(f"{season}/pair", 409)["word"] == "club.no-more-rounds"


def test_a_round_robin_of_three_has_three_rounds_with_a_bye_in_each(people: list[Person]) -> None:
    ada = people[0]
    season = begun(people, *people[:3], kind="robin", rounds=1)
    assert ada.get(season)["rounds"] == 3
    rests = []
    for k in (1, 2, 3):
        told = ada.get(season)
        rests.append(names(told)[-1])
        pairing = told["played"][-1]["pairings"][0]
        for one in people[:3]:
            if told["entrants"][people.index(one)]["number"] in (pairing["one"], pairing["two"]):
                one.post(f"{season}/result", round=k, place=1, result="draw")
        if k < 3:
            ada.post(f"{season}/pair")
    assert {one for one, other in rests if other is None} == {"Ada", "Bo", "Cy"}
    assert points(ada.get(season)) == {"Ada": 5, "Bo": 5, "Cy": 5}
    assert ada.post(f"{season}/pair", 409)["word"] == "club.no-more-rounds"


def test_who_withdraws_is_paired_no_more_and_stays_in_the_standings(people: list[Person]) -> None:
    ada, *others = people
    season = begun(people, pairs=False)
    others[0].post(f"{season}/withdraw")
    assert [one["name"] for one in ada.get(season)["entrants"]] == ["Ada", "Cy", "Dee"]
    others[0].post(f"{season}/enter")
    ada.post(f"{season}/pair")
    first = names(ada.get(season))
    assert first == [("Ada", "Cy"), ("Dee", "Bo")]
    for place in (1, 2):
        ada.post(f"{season}/result", round=1, place=place, result="one")
    others[1].post(f"{season}/confirm", round=1, place=1)
    others[1].post(f"{season}/withdraw")
    assert others[0].post(f"{season}/enter", 409)["word"] == "club.season-begun"
    ada.post(f"{season}/pair")
    told = ada.get(season)
    assert names(told) == [("Ada", "Dee"), ("Bo", None)]
    assert points(told) == {"Ada": 3, "Bo": 3, "Dee": 3, "Cy": 0}
    others[0].post("/leave", phrase="a lantern in the marsh")
    told = ada.get(season)
    gone = [one for one in told["entrants"] if one["name"] is None]
    assert [(one["has_left"], one["account"]) for one in gone] == [(True, None)]


def test_a_result_counts_when_both_have_said_the_same(people: list[Person]) -> None:
    ada, bo, cy, _ = people
    season = begun([*people], bo, cy)
    at = {"round": 1, "place": 1}
    assert bo.post(f"{season}/confirm", 409, **at)["word"] == "club.nothing-to-confirm"
    bo.post(f"{season}/result", **at, result="one")
    assert bo.post(f"{season}/confirm", 409, **at)["word"] == "club.nothing-to-confirm"
    bo.post(f"{season}/result", **at, result="one")
    assert not ada.get(season)["played"][0]["pairings"][0]["counts"]
    cy.post(f"{season}/result", **at, result="two")
    told = ada.get(season)["played"][0]["pairings"][0]
    assert (told["result"], told["by"], told["counts"]) == ("two", 2, False)
    bo.post(f"{season}/result", **at, result="two")
    assert ada.get(season)["played"][0]["pairings"][0]["counts"]
    for one in (bo, cy):
        assert one.post(f"{season}/result", 409, **at, result="one")["word"] == "club.result-counts"
    ada.post(f"{season}/result", **at, result="draw")
    bo.http.app.state.hall.club.members.with_role(bo.me["id"], "organiser")  # type: ignore[attr-defined]
    assert bo.post(f"{season}/result", 409, **at, result="one")["word"] == "club.result-counts"
    assert points(ada.get(season)) == {"Bo": 1, "Cy": 1}


def test_only_the_two_and_organisers_say_how_it_went(people: list[Person]) -> None:
    ada, bo, cy, dee = people
    season = begun(people, bo, cy)
    at = {"round": 1, "place": 1}
    assert dee.post(f"{season}/result", 403, **at, result="one")["word"] == "club.not-your-pairing"
    assert dee.post(f"{season}/confirm", 403, **at)["word"] == "club.not-your-pairing"
    assert ada.post(f"{season}/confirm", 403, **at)["word"] == "club.not-your-pairing"
    for round_, place in ((1, 2), (2, 1)):
        assert bo.post(f"{season}/result", 404, round=round_, place=place, result="one")["word"] == "club.no-pairing"
    for path in ("pair", "end", "remove"):
        assert bo.post(f"{season}/{path}", 403)["word"] == "club.organisers-only"
    assert bo.post("/seasons", 403, title="x", book=BOOK)["word"] == "club.organisers-only"


def test_a_battle_played_here_is_the_result(http: TestClient, people: list[Person]) -> None:
    ada, bo, cy, dee = people
    season = begun(people, ada, bo)
    at = {"round": 1, "place": 1}
    created = played_out(http, bo, ada)
    stranger = played_out(http, cy, dee)
    for battle in (stranger["battle"], "nowhere", "\0"):
        assert ada.post(f"{season}/battle", 409, **at, battle=battle)["word"] == "club.no-such-battle"
    assert cy.post(f"{season}/battle", 403, **at, battle=created["battle"])["word"] == "club.not-your-pairing"
    ada.post(f"{season}/battle", **at, battle=created["battle"])
    told = ada.get(season)["played"][0]["pairings"][0]
    assert (told["result"], told["counts"], told["battle"]) == ("one", True, created["battle"])
    assert points(ada.get(season)) == {"Ada": 3, "Bo": 0}
    again = begun(people, ada, bo)
    assert bo.post(f"{again}/battle", 409, **at, battle=created["battle"])["word"] == "club.battle-used"


def test_a_battle_that_is_still_played_counts_when_it_is_over(http: TestClient, people: list[Person]) -> None:
    ada, bo, *_ = people
    season = begun(people, ada, bo)
    created = made(http, seats=[{"kind": "me"}, {"kind": "me"}])
    for one, seat in zip((ada, bo), created["seats"], strict=True):
        one.post("/battles", seat=seat["token"])
    ada.post(f"{season}/battle", round=1, place=1, battle=created["battle"])
    assert ada.get(season)["played"][0]["pairings"][0]["result"] is None
    address = f"/api/battles/{created['battle']}/socket"
    with http.websocket_connect(address) as first, http.websocket_connect(address) as second:
        for socket, seat in zip((first, second), created["seats"], strict=True):
            socket.send_json({"do": "hello", "protocol": 2, "token": seat["token"]})
            socket.send_json({"do": "agree", "n": 1, "version": 1})
            until(socket, 1)
        first.send_json({"do": "concede", "n": 2})
        until(first, 2)
    told = bo.get(season)["played"][0]["pairings"][0]
    assert (told["result"], told["counts"]) == ("two", True)


def test_a_season_of_another_rulebook_does_not_take_the_battle(http: TestClient, people: list[Person]) -> None:
    ada, bo, *_ = people
    season = begun(people, ada, bo, book="e55")
    created = played_out(http, bo, ada)
    told = ada.post(f"{season}/battle", 409, round=1, place=1, battle=created["battle"])
    assert told["word"] == "club.no-such-battle"


def test_what_is_no_season_is_refused(http: TestClient, people: list[Person]) -> None:
    ada = people[0]
    for change, word in (
        ({"book": "none"}, "no-book"),
        ({"missions": ["none"]}, "club.no-mission"),
        ({"title": ""}, "bad-body"),
        ({"title": "a\nb"}, "bad-name"),
        ({"rounds": 0}, "bad-body"),
        ({"kind": "cup"}, "bad-body"),
    ):
        asked = {"title": "Autumn", "book": BOOK, **change}
        assert ada.post("/seasons", 404 if word == "no-book" else 422, **asked)["word"] == word
    assert ada.get("/seasons/none", 404)["word"] == ada.post("/seasons/%00/enter", 404)["word"] == "club.no-season"
    assert refused(http, 401, "GET", "/api/club/seasons")["word"] == "club.signed-out"
    alone = begun(people, ada, pairs=False)
    assert ada.post(f"{alone}/pair", 409)["word"] == "club.too-few"
    ada.post(f"{alone}/remove")
    assert ada.get(alone, 404)["word"] == "club.no-season"


def test_ones_seasons_are_in_ones_data(people: list[Person]) -> None:
    begun(people)
    (told,) = people[1].get("/data")["seasons"]
    assert (told["title"], told["pairings"]) == (
        "Autumn",
        [{"round": 1, "result": None, "is_first": False, "counts": False}],
    )


def test_a_season_is_told_in_italian(http: TestClient, people: list[Person]) -> None:
    season = begun(people, missions=["extermination"])
    told = http.get(f"/api/club{season}?lang=it", headers=people[0].headers).json()
    assert told["missions"] == ["Sterminio"]


# ---------------------------------------------------------------- a pairing is played here


AT = {"round": 1, "place": 1}
FORCES = ("barrow_host_starter", "crucible_league_starter")


def sits_down(http: TestClient, code: str, force: str, **more: Any) -> dict[str, Any]:
    answer = http.post("/api/join", json={"code": code, "force": force, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def conceded(http: TestClient, battle: str, tokens: list[str]) -> None:
    """Both agree, and the first concedes."""
    address = f"/api/battles/{battle}/socket"
    with http.websocket_connect(address) as first, http.websocket_connect(address) as second:
        for socket, token in zip((first, second), tokens, strict=True):
            socket.send_json({"do": "hello", "protocol": 2, "token": token})
            while (version := (socket.receive_json().get("moment") or {}).get("setup")) is None:
                pass
            socket.send_json({"do": "agree", "n": 1, "version": version["version"]})
            until(socket, 1)
        first.send_json({"do": "concede", "n": 2})
        until(first, 2)


def test_a_pairing_is_played_with_one_request_of_either(http: TestClient, people: list[Person]) -> None:
    ada, bo, cy, _ = people
    season = begun(people, ada, bo, missions=["extermination"], points=250)
    assert ada.get(season)["points"] == 250
    found = ada.post(f"{season}/play", **AT)
    pairing = bo.get(season)["played"][0]["pairings"][0]
    assert (pairing["battle"], pairing["result"]) == (found["battle"], None)
    for one in (ada, bo):
        (table,) = one.get("/battles")
        assert (table["battle"], table["stage"], "Extermination" in table["title"]) == (found["battle"], "open", True)
        assert [(player["name"], player["is_open"]) for player in table["players"]] == [("Ada", True), ("Bo", True)]
    assert cy.get("/battles") == []
    invited = http.get(f"/api/join/{found['code']}").json()
    assert (invited["name"], invited["by"], invited["side"], invited["needs_force"]) == ("Ada", "Bo", 0, True)
    assert (invited["agreed"]["mission"], invited["agreed"]["points"]) == ("extermination", 250)


def test_the_battle_of_a_pairing_gives_its_result(http: TestClient, people: list[Person]) -> None:
    ada, bo, *_ = people
    season = begun(people, ada, bo)
    first = ada.post(f"{season}/play", **AT)
    sat = [sits_down(http, first["code"], FORCES[0], name="Somebody else")]
    second = bo.post(f"{season}/play", **AT)
    assert second["battle"] == first["battle"]
    sat.append(sits_down(http, second["code"], FORCES[1]))
    assert [one["side"] for one in sat] == [0, 1]
    summary = http.get(f"/api/battles/{first['battle']}").json()
    assert [seat["name"] for seat in summary["seats"]] == ["Ada", "Bo"]
    assert summary["stage"] == "agreeing"
    # Whoever sits already is told where, and nobody is given his seat.
    assert ada.post(f"{season}/play", **AT) == {"battle": first["battle"], "code": None}
    conceded(http, first["battle"], [one["token"] for one in sat])
    told = bo.get(season)["played"][0]["pairings"][0]
    assert (told["result"], told["counts"]) == ("two", True)
    assert bo.post(f"{season}/play", 409, **AT)["word"] == "club.result-counts"
    assert points(ada.get(season)) == {"Ada": 0, "Bo": 3}


def test_only_the_two_find_their_seats(http: TestClient, people: list[Person]) -> None:
    ada, bo, cy, _ = people
    season = begun(people, bo, cy)
    for one in (ada, people[3]):
        assert one.post(f"{season}/play", 403, **AT)["word"] == "club.not-your-pairing"
    found = bo.post(f"{season}/play", **AT)
    for battle in (found["battle"], "nowhere", "%00"):
        assert ada.post(f"/battles/{battle}/seat", 404)["word"] == "no-battle"
    again = bo.post(f"/battles/{found['battle']}/seat")
    assert again["battle"] == found["battle"]
    # The code before is no longer good.
    assert http.get(f"/api/join/{found['code']}").status_code == 404
    assert http.get(f"/api/join/{again['code']}").json()["name"] == "Bo"
    assert cy.post(f"/battles/{found['battle']}/seat")["code"] not in (again["code"], None)


def test_two_who_ask_at_once_have_one_battle(http: TestClient, people: list[Person]) -> None:
    ada, bo, *_ = people
    season = begun(people, ada, bo)
    club, store = club_of(http), http.app.state.hall.store  # type: ignore[attr-defined]
    mine = [made(http, seats=[{"kind": "link"}, {"kind": "link"}])["battle"] for _ in range(2)]
    of = season.rpartition("/")[2], (1, 1)
    assert [club.seasons.seat(*of, battle, one.me["id"]) for battle, one in zip(mine, (ada, bo), strict=True)] == [
        mine[0]
    ] * 2
    assert store.battle(mine[0]) is not None
    assert store.battle(mine[1]) is None


def test_a_battle_that_was_let_go_is_followed_by_another(http: TestClient, people: list[Person]) -> None:
    ada, bo, *_ = people
    season = begun(people, ada, bo)
    first = ada.post(f"{season}/play", **AT)["battle"]
    bo.post(f"/battles/{first}/let-go")
    second = bo.post(f"{season}/play", **AT)["battle"]
    assert second != first
    assert ada.post(f"{season}/play", **AT)["battle"] == second


def test_with_somebody_who_is_gone_nothing_is_played(people: list[Person]) -> None:
    ada, bo, *_ = people
    season = begun(people, ada, bo)
    bo.post("/leave", phrase=PHRASE)
    assert ada.post(f"{season}/play", 409, **AT)["word"] == "club.opponent-gone"


def test_a_season_has_no_size_that_its_rulebook_does_not_know(people: list[Person]) -> None:
    for size in (0, 10_001, "many"):
        assert people[0].post("/seasons", 422, title="Autumn", book=BOOK, points=size)["word"] in (
            "bad-body",
            "bad-setup",
        )
