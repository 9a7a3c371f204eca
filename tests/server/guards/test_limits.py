"""What every request has to bear, and the page's files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from campale.server.battle.draft import Unknown
from campale.server.guards import buckets, limits
from campale.server.guards.buckets import Buckets
from campale.server.guards.limits import HEADERS, Limited
from campale.server.routes import pages
from campale.server.routes.asking import LONGEST_TOKEN
from campale.server.settings import Settings
from campale.server.told import preferred
from tests.server.http import client, refused


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_is_full_at_first_and_fills_again() -> None:
    clock = Clock()
    found = Buckets(2.0, 3, clock)
    assert [found.wait("one") for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert found.wait("other") == 0.0
    clock.now += 0.25
    assert found.wait("one") == pytest.approx(0.25)
    clock.now += 0.25
    assert (found.wait("one"), found.wait("one")) == (0.0, 0.5)
    clock.now += 1000.0
    assert [found.wait("one") for _ in range(4)][-1] == 0.5


def test_addresses_without_number_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "MOST_ADDRESSES", 10)
    found = Buckets(1.0, 1, Clock())
    for number in range(100):
        found.wait(str(number))
    assert len(found.of) == 10
    assert found.wait("99") > 0.0


def test_too_many_requests_are_told_when_to_come_again(tmp_path: Path) -> None:
    with client(tmp_path, rate=0.001, burst=2) as http:
        assert [http.get("/api/health").status_code for _ in range(2)] == [200, 200]
        answer = http.get("/api/books?lang=it")
        assert answer.status_code == 429
        assert 900 < int(answer.headers["retry-after"]) <= 1000
        assert answer.json()["text"].startswith("Troppe richieste")
        assert http.get("/").status_code in (200, 503)


def test_what_is_much_work_is_counted_once_more(tmp_path: Path) -> None:
    with client(tmp_path, rate=100.0, burst=100, making=1e-6, making_burst=3) as http:
        made = http.post("/api/demo", json={})
        assert made.status_code == 201
        path = f"/api/battles/{made.json()['battle']}"
        assert http.get(f"{path}/replay").status_code == 200
        assert http.post("/api/battles", json={}).status_code == 422
        for method, much in (("POST", f"{path}/branch"), ("POST", "/api/import"), ("GET", f"{path}/replay")):
            assert http.request(method, much).status_code == 429
        for little in (path, f"{path}/luck", "/api/health", "/api/books"):
            assert http.get(little).status_code == 200


def test_what_is_too_large_is_refused_with_its_length_told_or_not(tmp_path: Path) -> None:
    with client(tmp_path, largest_body=1000) as http:
        assert refused(http, 413, "POST", "/api/import", content=b"x" * 1001)["word"] == "too-large"
        pieces = (b"x" * 400 for _ in range(4))
        assert refused(http, 413, "POST", "/api/import", content=pieces)["word"] == "too-large"
        assert refused(http, 422, "POST", "/api/import", content=b"x" * 1000)["word"] == "bad-game"
        for length in ("-1", "many", "9" * 30):
            headers = {"Content-Length": length}
            assert refused(http, 413, "POST", "/api/import", content=b"", headers=headers)["word"] == "too-large"


@pytest.fixture
def faulty() -> Iterator[TestClient]:
    app = FastAPI()
    limits.add_to(app, Settings(rate=None))

    @app.get("/api/fault")
    def fault() -> None:
        raise RuntimeError("the secret word")

    @app.get("/api/unknown")
    def unknown() -> None:
        raise Unknown("no-book", book="<b>")

    with TestClient(app, "http://localhost", raise_server_exceptions=False) as found:
        yield found


def test_a_fault_is_told_without_its_trace(faulty: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    answer = faulty.get("/api/fault")
    assert (answer.status_code, answer.json()["word"]) == (500, "broken")
    assert "secret" not in answer.text
    assert "the secret word" in caplog.text
    assert faulty.get("/api/unknown").json()["text"].startswith("There is no rulebook <b>. ")


@pytest.mark.parametrize("begun", [False, True])
def test_a_request_that_a_stopped_server_breaks_off_is_told_so(begun: bool, caplog: pytest.LogCaptureFixture) -> None:
    """Without a trace; an answer that has begun is left as it is."""
    told: list[Any] = []

    async def never(scope: Scope, receive: Receive, send: Send) -> None:
        if begun:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.Event().wait()

    async def listen(message: Message) -> None:
        told.append(message)

    async def ask() -> None:
        scope = {"type": "http", "method": "GET", "path": "/api/battles", "headers": [], "query_string": b""}
        asked = asyncio.create_task(Limited(never, 100, None, ("",))(scope, asyncio.Queue().get, listen))
        await asyncio.sleep(0)
        asked.cancel()
        await asked

    asyncio.run(ask())
    assert [one["status"] for one in told if one["type"] == "http.response.start"] == [200 if begun else 503]
    assert [msgspec.json.decode(one["body"])["word"] for one in told if "body" in one] == ([] if begun else ["stopped"])
    assert not [one for one in caplog.records if one.levelname == "ERROR"]


def test_every_answer_has_the_headers(tmp_path: Path) -> None:
    with client(tmp_path) as http:
        for path in ("/", "/api/health", "/api/nothing", "/assets/nothing.js"):
            assert {name: http.get(path).headers.get(name) for name in HEADERS} == HEADERS
    policy = HEADERS["Content-Security-Policy"]
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert "http" not in policy


def test_a_token_that_is_far_too_long_is_none(tmp_path: Path) -> None:
    with client(tmp_path) as http:
        headers = {"Authorization": "Bearer " + "x" * (LONGEST_TOKEN + 1)}
        refused(http, 404, "GET", "/api/battles/nothing/export", headers=headers)


@pytest.mark.parametrize(
    ("accepts", "language"), [("it", "it"), ("fr;q=1, it;q=0.4, en;q=0.3", "it"), (";;q=x,,", "en"), ("EN-gb", "en")]
)
def test_the_language_that_a_browser_prefers(accepts: str, language: str) -> None:
    assert preferred(accepts) == language


# ---------------------------------------------------------------- the page


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>Campale</title>")
    (tmp_path / "assets" / "index-abc.js").write_text("start()" * 1000)
    (tmp_path / "icon.svg").write_text("<svg/>")
    return tmp_path


def paged(page: Path) -> TestClient:
    app = FastAPI()
    limits.add_to(app, Settings(rate=None))
    pages.add_to(app, page)
    return TestClient(app, "http://localhost", raise_server_exceptions=False)


def test_the_page_finds_its_own_way(built: Path) -> None:
    http = paged(built)
    for place in ("/", "/new", "/join/abc", "/b/abc", "/replay/abc", "/replay/abc/12"):
        answer = http.get(place)
        assert (answer.status_code, answer.text) == (200, "<title>Campale</title>")
        assert answer.headers["cache-control"] == "no-cache"
    assert http.get("/icon.svg").status_code == 200
    assert http.get("/elsewhere").status_code == 404


def test_a_browser_that_goes_astray_is_told_by_the_page_and_a_program_by_json(built: Path) -> None:
    http, browser = paged(built), {"Accept": "text/html,application/xhtml+xml"}
    astray = http.get("/elsewhere", headers=browser)
    assert (astray.status_code, astray.text) == (404, "<title>Campale</title>")
    for path, headers in (("/elsewhere", {}), ("/api/nothing", browser), ("/assets/nothing.js", browser)):
        answer = http.get(path, headers=headers)
        assert (answer.status_code, answer.json()["word"]) == (404, "not-found")


def test_what_has_a_hash_in_its_name_is_kept_for_ever(built: Path) -> None:
    http = paged(built)
    answer = http.get("/assets/index-abc.js")
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    again = http.get("/assets/index-abc.js", headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    assert "immutable" not in http.get("/assets/nothing.js").headers.get("cache-control", "")


def test_nothing_outside_the_page_is_served(built: Path) -> None:
    (built.parent / "secret.txt").write_text("secret")
    http = paged(built)
    for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/assets/../../secret.txt"):
        assert "secret" not in http.get(path).text


def test_without_a_built_page_it_is_said_how_to_build_it(tmp_path: Path) -> None:
    http = paged(tmp_path / "nothing")
    answer = http.get("/", headers={"Accept-Language": "it"})
    assert answer.status_code == 503
    assert "npm ci" in answer.text
    assert "La pagina non è stata costruita" in answer.text
    assert http.get("/api/nothing").status_code == 404
