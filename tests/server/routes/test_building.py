"""Armies from the books' own lists over HTTP: whatever may be picked can be written in an army file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from campale.referee.ruleset import load_ruleset
from tests.server.http import client

BOOKS = ("ragnarok", "e55", "e3m", "w10", "wzr")


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with client(tmp_path_factory.mktemp("building")) as found:
        yield found


def lists(http: TestClient, book: str, lang: str = "en") -> list[Any]:
    answer = http.get(f"/api/books/{book}/lists?lang={lang}")
    assert answer.status_code == 200, answer.text
    found: list[Any] = answer.json()
    return found


def judged(http: TestClient, book: str, one: Any, *rows: Any) -> Any:
    """An army of these rows."""
    named = {"name": {"en": "Picked", "it": "Scelta"}, "points": 5000}
    force = {**one["force"], **named, one["rows"]: list(rows)}
    return http.post(f"/api/books/{book}/force", json={"force": force}).json()


def said(field: Any) -> Any:
    """Something that may be said of a unit by itself; None where another unit would be needed."""
    choices = [choice["value"] for choice in field["choices"]]
    kinds: dict[str, Callable[[], Any]] = {
        "number": lambda: field["values"][-1] if field["values"] else field["least"],
        "counts": lambda: {choices[0]: 1},
        "pile": lambda: {choices[-1]: field["most"]},
        "several": lambda: choices[:1],
        "one": lambda: choices[0],
        "flag": lambda: True,
        "text": lambda: "A",
    }
    return kinds[field["kind"]]() if field["kind"] in kinds else None


@pytest.mark.parametrize("book", BOOKS)
def test_every_list_of_a_book_is_there_with_cards_and_prices(http: TestClient, book: str) -> None:
    known = load_ruleset(book).army_lists
    assert known is not None
    english, italian = lists(http, book), lists(http, book, "it")
    assert [one["id"] for one in english] == [one.id for one in known()]
    assert [one["title"] for one in english] != [one["title"] for one in italian]
    for one in english:
        for kind in one["kinds"]:
            assert kind["prices"]
            assert kind["card"]["line"]


@pytest.mark.parametrize("book", BOOKS)
def test_whatever_may_be_said_of_a_unit_can_be_written(http: TestClient, book: str) -> None:
    """Each by itself: the army can be told, whatever the book has against it; and the smallest costs what it says."""
    for one in lists(http, book):
        for kind in one["kinds"]:
            plain = judged(http, book, one, kind["row"])
            assert plain["force"] is not None, (kind["id"], plain["reasons"])
            assert plain["force"]["cost"] == kind["prices"][0][1], kind["id"]
            for field in kind["fields"]:
                if (value := said(field)) is not None:
                    found = judged(http, book, one, {**kind["row"], field["name"]: value})
                    assert found["force"] is not None, (kind["id"], field["name"], found["reasons"])
        for field in one["fields"]:
            found = judged(http, book, {**one, "force": {**one["force"], field["name"]: said(field)}}, plain_row(one))
            assert found["force"] is not None, (one["id"], field["name"], found["reasons"])


def plain_row(one: Any) -> Any:
    """A unit of a list, with nothing said of it."""
    return one["kinds"][0]["row"]


def test_a_pile_comes_ready_and_is_judged_as_it_is_changed(http: TestClient) -> None:
    """Cards are told with what they do; a deck that may not be played is no reason in a game without decks."""
    english, italian = ({one["id"]: one for one in lists(http, "wzr", lang)} for lang in ("en", "it"))
    (deck,) = english["megacorporation"]["fields"]
    assert (deck["kind"], sum(deck["usual"].values())) == ("pile", 35)
    assert all(choice["about"] for choice in deck["choices"])
    told = [{choice["value"] for one in listed["fields"] for choice in one["choices"]} for listed in english.values()]
    assert [("shop-drills" in one, len(one)) for one in told] == [(False, 17), (False, 17), (True, 18)]
    assert italian["megacorporation"]["fields"][0]["choices"] != deck["choices"]
    few = {**english["megacorporation"], "force": {**english["megacorporation"]["force"], "deck": {"scope": 4}}}
    found = judged(http, "wzr", few, {"unit": "captain"}, {"unit": "riflemen"}, {"unit": "riflemen"})
    assert [one.rpartition("[")[2] for one in found["reasons"]] == ["cards/deck-build]", "cards/copies]"]


def test_a_whole_army_is_picked_without_a_fault(http: TestClient) -> None:
    (training,) = [one for one in lists(http, "w10") if one["id"] == "training"]
    rows = [{"unit": "captain", "warlord": True}, {"unit": "line-squad", "size": 10, "weapons": {"plasma-gun": 2}}]
    found = judged(http, "w10", training, *rows)
    assert (found["reasons"], found["force"]["cost"]) == ([], 240)
    assert judged(http, "w10", training, *rows[1:])["reasons"] != []
