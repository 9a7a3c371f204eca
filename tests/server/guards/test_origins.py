"""Somebody else's page has nothing done here in its visitor's name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.http import client, refused

MAKING = ("/api/demo", "/api/battles", "/api/import", "/api/join", "/api/battles/mine", "/api/books/ragnarok/odds")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "null"},
        {"Origin": "http://[broken"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "Cross-Site"},
    ],
)
def test_what_another_page_sends_is_refused(tmp_path: Path, headers: dict[str, str]) -> None:
    with client(tmp_path) as http:
        for path in MAKING:
            assert refused(http, 403, "POST", path, content=b"{}", headers=headers)["word"] == "foreign-page"
        assert "--origin" in refused(http, 403, "POST", "/api/demo?lang=it", json={}, headers=headers)["text"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://localhost"},
        {"Origin": "http://LOCALHOST", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "https://club.example", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_ones_own_page_a_program_and_a_page_that_was_named_may(tmp_path: Path, headers: dict[str, str]) -> None:
    with client(tmp_path, origins=("https://club.example",)) as http:
        assert http.post("/api/demo", json={}, headers=headers).status_code == 201


def test_another_page_may_look_where_a_browser_lets_it(tmp_path: Path) -> None:
    with client(tmp_path) as http:
        assert http.get("/api/books", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "application/jsonp"],
)
def test_a_body_is_json_and_says_so(tmp_path: Path, kind: str) -> None:
    """These are the kinds that a form of any page may send without asking first."""
    with client(tmp_path) as http:
        for path in MAKING:
            headers = {"Content-Type": kind}
            assert refused(http, 415, "POST", path, content=b"{}", headers=headers)["word"] == "wants-json"
        told = {"Content-Type": "Application/JSON; charset=utf-8"}
        assert http.post("/api/demo", content=b"{}", headers=told).status_code == 201
