"""Odds over HTTP: they are reckoned elsewhere, known again, given up when they take too long; no query breaks it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest
from fastapi.testclient import TestClient

from campale.referee.ruleset import load_ruleset
from campale.screen.inquiring import inquiry
from campale.server.battle.draft import TableError
from campale.server.routes.odds import KEPT, PATIENCE, Asked, Reckoner, Reckoning
from tests.server.http import client, refused


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(tmp_path_factory.mktemp("odds")) as found:
        yield found


def ask(http: TestClient, book: str, **body: Any) -> Any:
    answer = http.post(f"/api/books/{book}/odds?lang=en", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("book", ["e55", "ragnarok", "e3m", "wzr"])
def test_what_is_answered_is_what_the_rules_give(http: TestClient, book: str) -> None:
    found = ask(http, book, written={"distance": "9"})
    here = inquiry(load_ruleset(book), {"distance": "9"}, {}, "", "en")
    assert found == msgspec.json.decode(msgspec.json.encode(here))
    assert "distance=9" in found["link"]


def test_a_link_is_asked_as_what_it_says(http: TestClient) -> None:
    written, compare = {"distance": "9", "weapons": "rifle*3"}, {"target": ["militia", "tank"]}
    found = ask(http, "e55", written={"attacker": "veteran", **written}, compare=compare)
    assert len(found["columns"]) == 2
    linked = ask(http, "e55", link=found["link"])
    assert linked["columns"] == found["columns"]
    assert linked["link"] == found["link"]
    assert linked["compare"] == compare
    assert linked["written"].items() >= written.items()


@pytest.mark.parametrize(
    ("link", "part"),
    [
        ("book=ragnarok", "another rulebook"),
        ("distance=3", "'book=...' is missing"),
        ("book=e55&compare-distance=" + "1" * 9000, "longer than 8000"),
        ("book=e55&compare-distance=3&compare-distance=x", "'x' is not a number"),
        ("book=e55" + "".join(f"&compare-distance={n}" for n in range(1, 40)), "Too many columns to compare: 39"),
    ],
)
def test_a_link_that_cannot_be_used_is_told_and_nothing_is_computed(http: TestClient, link: str, part: str) -> None:
    found = ask(http, "e55", link=link)
    assert part in found["trouble"]
    assert found["outcome"] is None
    assert found["columns"] == []
    assert found["fields"]


def test_what_was_asked_before_is_known(http: TestClient) -> None:
    first = ask(http, "ragnarok", written={"distance": "11"})
    assert ask(http, "ragnarok", written={"distance": "11"}) == first
    assert ask(http, "ragnarok", written={"distance": "12"}) != first


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (422, {"written": 3}),
        (422, {"what": {}}),
        (422, {"compare": {"target": 1}}),
        (400, b"{"),
        (413, b'{"written": {"attacker": "' + b"x" * 30_000 + b'"}}'),
    ],
)
def test_what_is_no_query_is_refused(http: TestClient, status: int, body: Any) -> None:
    sent = {"content": body} if isinstance(body, bytes) else {"json": body}
    assert http.post("/api/books/e55/odds", **sent).status_code == status


def test_a_book_that_there_is_not(http: TestClient) -> None:
    refused(http, 404, "POST", "/api/books/chess/odds", json={})


@pytest.mark.parametrize(
    "written",
    [
        {"attacker": "../../etc/passwd"},
        {"attacker": {"profile": {"a": [1] * 50}}},
        {"attacker": '{"profile": ' + "[" * 900},
        {"distance": 1e308},
        {"distance": -1},
        {"weapons": [[None, 10**9]]},
        {"weapons": "rifle*999"},
        {"target-models": True},
        {"option-capturing": {"x": 1}},
    ],
)
def test_hostile_values_are_told_at_their_field(http: TestClient, written: dict[str, Any]) -> None:
    found = ask(http, "e55", written=written)
    assert found["outcome"] is None
    assert [one["name"] for one in found["fields"] if one["trouble"]] == list(written)


class Sleep(NamedTuple):
    """Stands for a query that takes long."""

    seconds: float

    def done(self) -> bytes:
        time.sleep(self.seconds)
        return b"{}"


def test_what_takes_too_long_is_given_up_and_the_next_is_answered() -> None:
    async def several() -> bytes:
        reckoner = Reckoner(patience=1.0)
        try:
            with pytest.raises(TableError) as told:
                await reckoner.answer(Sleep(60.0))  # type: ignore[arg-type]
            assert told.value.word == "odds-too-long"
            reckoner.pool.patience = PATIENCE
            return await reckoner.answer(Sleep(0.0))  # type: ignore[arg-type]
        finally:
            reckoner.close()

    assert asyncio.run(several()) == b"{}"


def test_only_the_last_queries_are_kept() -> None:
    reckoner = Reckoner()
    wanted = [Reckoning("e55", Asked({"distance": number}), "en") for number in range(KEPT + 1)]

    async def answered() -> None:
        for one in wanted:
            reckoner.known[msgspec.json.encode(one)] = b"old"
        reckoner.known.popitem(last=False)
        assert await reckoner.answer(wanted[-1]) == b"old"
        assert msgspec.json.encode(wanted[0]) not in reckoner.known

    asyncio.run(answered())
