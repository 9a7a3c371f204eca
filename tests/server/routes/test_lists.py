"""Lists of other programs over HTTP: read, mended, refused in a sentence; none of them breaks the server."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.mechanics.rosters import alone, as_rosz, blade, gun, roster, stats, upgrade, zipped
from tests.server.http import client, refused

TEXT = "Road (80 points)\n\nCHARACTERS\n\nCaptain (80 points)\n  • Warlord\n  • 1x Blade\n"


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(tmp_path_factory.mktemp("lists")) as found:
        yield found


def ask(http: TestClient, lang: str = "en", **body: Any) -> Any:
    answer = http.post(f"/api/books/w10/list?lang={lang}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def lord(strength: str = "6") -> bytes:
    inner = [
        upgrade("Great blade", 1, [blade("Great blade")]),
        upgrade("Old lamp", 1, [gun("Old lamp", f'24" 2 3+ {strength} -1 1')]),
        upgrade("Warlord"),
    ]
    unit = alone("Dust Lord", 80, inner, ["Character", "Infantry"], profiles=[stats("Dust Lord", '6" 4 3+ 5 6+ 1')])
    return as_rosz(roster([unit]))


def in_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_the_books_that_read_lists_say_so(http: TestClient) -> None:
    books = {one["name"]: one["reads_lists"] for one in http.get("/api/books").json()}
    assert books["w10"] is True
    assert books["ragnarok"] is False
    assert http.get("/api/books/w10").json()["reads_lists"] is True


def test_a_file_is_read_with_its_lines_and_its_cards(http: TestClient) -> None:
    found = ask(http, data=in_base64(lord()))
    assert [one["fate"] for one in found["lines"]] == ["noted", "played", "played", "played", "played"]
    assert (found["refused"], found["reasons"], found["force"]["cost"]) == ([], [], 80)
    assert found["force"]["cards"][0]["card"]["title"] == "Dust Lord"
    assert found["plain"]["ruleset"] == "w10"


def test_what_is_mended_is_read_again(http: TestClient) -> None:
    found = ask(http, data=in_base64(lord("*")))
    (need,) = [one for one in found["mends"] if one["is_needed"]]
    assert (need["name"], need["kind"]) == ("u0.old-lamp.s", "text")
    again = ask(http, data=in_base64(lord("*")), mends={need["name"]: "5"})
    assert not any(one["is_needed"] for one in again["mends"])


def test_a_text_in_italian_is_answered_in_italian(http: TestClient) -> None:
    found = ask(http, "it", text=TEXT)
    assert "I punti tornano: 80." in [one["text"] for one in found["checks"]]
    choices = ask(http, "it", text=TEXT.replace("Captain", "Capt"))["mends"][0]["choices"]
    assert choices[-1] == {"value": "none", "title": "lasciala fuori"}


def test_an_army_from_a_list_is_played(http: TestClient) -> None:
    plain = ask(http, data=in_base64(lord()))["plain"]
    wanted = {"book": "w10", "forces": [plain, plain], "seats": [{"kind": "me"}, {"kind": "me"}]}
    assert http.post("/api/battles", json=wanted).status_code == 201


def test_what_the_book_has_against_the_army_is_told(http: TestClient) -> None:
    assert ask(http, text=TEXT, agreed={"points": 70})["reasons"] == [
        "The army costs 80 points, the limit is 70. [muster/battle-size]"
    ]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\xff\xfe", b"<!DOCTYPE x>", zipped({"../x": b"<a/>"})])
def test_what_cannot_be_read_is_said_in_both_languages(http: TestClient, data: bytes) -> None:
    english, italian = (ask(http, lang, data=in_base64(data))["refused"] for lang in ("en", "it"))
    assert len(english) == len(italian) == 1
    assert english != italian


def test_a_book_that_reads_no_lists_says_so(http: TestClient) -> None:
    assert refused(http, 404, "POST", "/api/books/ragnarok/list", json={"text": "x"})["word"] == "no-lists"


@pytest.mark.parametrize(
    "body",
    [
        {"data": "no base64!"},
        {"text": 7},
        {"mends": {"a": 1}},
        {"known": {}},
        {"mends": {str(k): "" for k in range(601)}},
    ],
)
def test_what_is_no_list_sent_is_refused(http: TestClient, body: Any) -> None:
    assert refused(http, 422, "POST", "/api/books/w10/list", json=body)["word"] == "bad-body"
