"""Test tables over HTTP: what they are laid with, scenarios looked over and played, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from campale.referee.ruleset import load_ruleset
from campale.referee.scenarios.scenario import check, files_in
from campale.screen.kit import kit_of
from tests.server.conftest import Serve, Served
from tests.server.page import Page

RAIDER = {"profile": "raider", "at": [9, 5]}
BOOKS = ("e3m", "e55", "ragnarok", "w10", "wzr")


def ask(served: Served, method: str, path: str = "", language: str = "en", **how: Any) -> httpx2.Response:
    address = f"http://{served.address}/api/scenarios{path}"
    return httpx2.request(method, address, timeout=120, headers={"Accept-Language": language}, **how)


def table_of(book: str, layout: int | None = None, moment: int = 0) -> dict[str, Any]:
    """A table with three of the first profile against three of the second, in a book's middle."""
    kit = kit_of(load_ruleset(book), "en")
    width, depth = kit.table.width, kit.table.depth
    models = [
        {
            "id": f"{'AB'[side]}{k}",
            **({} if kit.alone else {"unit": ("Reds", "Blues")[side]}),
            "profile": kit.profiles[side].name,
            "side": side + 1,
            "at": [width / 2 + 4 * k, depth / 2 - 8 + 16 * side],
            "facing": 180 * side,
        }
        for side in (0, 1)
        for k in range(3)
    ]
    table = {} if layout is None else {"table": kit.tables[layout].table}
    now = kit.moments[moment].now
    return {"campale": "scenario/1", "ruleset": book, "title": "A test", "now": now, "models": models, **table}


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_laid_is_played_from_every_moment_and_kept(serve: Serve, tmp_path: Path, book: str) -> None:
    served = serve()
    kit = ask(served, "GET", f"/{book}").json()
    assert len({one["name"] for one in kit["profiles"]}) == len(kit["profiles"]) > 10
    for moment in range(len(kit["moments"])):
        text = json.dumps(table_of(book, moment=moment))
        laid = ask(served, "POST", "/look", json={"text": text})
        assert laid.status_code == 200, (moment, laid.text)
        made = ask(served, "POST", json={"text": text, "rival": "script" if moment else ""})
        assert made.status_code == 201, (moment, made.text)
    path = tmp_path / "kept.yaml"
    path.write_text(ask(served, "POST", "/look", json={"text": json.dumps(table_of(book))}).json()["text"], "utf-8")
    assert check(path) == []


@pytest.mark.parametrize("book", BOOKS)
def test_every_table_of_a_book_is_the_same_in_a_file(serve: Serve, book: str) -> None:
    served = serve()
    kit = ask(served, "GET", f"/{book}").json()
    for number, table in enumerate(kit["tables"]):
        lone = {**table_of(book, number), "models": [{**table_of(book)["models"][0], "where": "reserve"}]}
        laid = ask(served, "POST", "/look", json={"text": json.dumps(lone)}).json()
        assert laid["pieces"] == table["pieces"]


def test_both_sides_are_ones_own_or_one_is_a_bot(serve: Serve) -> None:
    served = serve()
    for rival, mine in (("", 2), ("random", 1)):
        made = ask(served, "POST", json={"text": json.dumps(table_of("ragnarok")), "rival": rival}).json()
        assert len([one for one in made["seats"] if one["token"]]) == mine
        page = Page(served.address, made["battle"], made["seats"][0]["token"])
        page.until("state")
        assert {one["name"] for one in page.state["models"]} >= {"A0", "B2"}


def test_the_shipped_scenarios_lie_on_a_test_table(serve: Serve) -> None:
    served = serve()
    for book in BOOKS:
        path = files_in(load_ruleset(book).folder / "scenarios")[0]
        laid = ask(served, "POST", "/look", json={"text": path.read_text("utf-8"), "file": path.name})
        assert laid.status_code == 200, (path, laid.text)
        assert laid.json()["left_out"] is True
        assert all("count" not in one for one in laid.json()["scenario"]["models"])


@pytest.mark.parametrize(
    ("change", "told", "detto"),
    [
        ({"models": [{"id": "A", "profile": "raider", "at": [999, 5]}]}, "999, 5 is not on the table", "è fuori"),
        ({"models": [{"id": "A", "profile": "raidr", "at": [9, 5]}]}, "Did you mean", "non è un profilo"),
        ({"models": [{"id": "A", "profile": "raider", "at": [9, 5]}] * 201}, "200", "200"),
        ({"table": {"width": 100000}}, "100000", "100000"),
        ({"table": {"pieces": [{"outline": [[0, 0]]}]}}, "3 corners", "elemento di terreno"),
        (
            {"models": [{"id": one, "profile": "raider", "at": [9, 5]} for one in "AB"]},
            "overlap",
            "si sovrappongono",
        ),
    ],
)
def test_what_cannot_be_set_out_is_refused_in_words(serve: Serve, change: Any, told: str, detto: str) -> None:
    served = serve()
    text = json.dumps({**table_of("ragnarok"), **change})
    for language, words in (("en", told), ("it", detto)):
        for path in ("/look", ""):
            refused = ask(served, "POST", path, language, json={"text": text})
            assert (refused.status_code, refused.json()["word"]) == (422, "bad-scenario")
            assert words in " ".join(refused.json()["reasons"])
    named = ask(served, "POST", "/look", json={"text": text, "file": "mine.yaml"}).json()
    assert named["reasons"][0].startswith("mine.yaml, line 1")


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        ("[" * 5000, 422, "levels"),
        ("&a [*a]", 422, "anchors"),
        ("x" * 300_000, 422, "256 kB"),
        ("x" * 600_000, 413, ""),
    ],
)
def test_a_hostile_file_is_refused(serve: Serve, text: str, status: int, told: str) -> None:
    refused = ask(serve(), "POST", "/look", json={"text": text, "file": "mine.yaml"})
    assert refused.status_code == status
    assert told in " ".join(refused.json().get("reasons", []))


def test_where_nobody_is_asked_nothing_is_played(serve: Serve) -> None:
    served = serve()
    ended = {**table_of("ragnarok"), "now": {"phase": "end", "turn": 12, "turns": 6}}
    laid = ask(served, "POST", "/look", json={"text": json.dumps(ended)}).json()
    assert laid["asks"] is False
    refused = ask(served, "POST", json={"text": json.dumps(ended)})
    assert (refused.status_code, refused.json()["word"]) == (422, "nobody-asked")
    chess = json.dumps({**ended, "ruleset": "chess"})
    for found in (ask(served, "GET", "/chess"), ask(served, "POST", json={"text": chess})):
        assert (found.status_code, found.json()["word"]) == (404, "no-book")
