"""A battle played on many times by bots: begun, followed, stopped; by whom, from where, and how much at a time."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest

from campale.server.battle.moment import may_try
from campale.server.battle.rematching import swapped
from campale.server.processes import trying
from tests.server.conftest import TOY, Serve
from tests.server.routes.test_afterwards import Table

BOTS = ["script", "random"]


def begin(table: Table, side: int | None, **asked: Any) -> Any:
    return table.ask("trials", side, json={"count": 8, "players": BOTS, **asked})


def done(table: Table, side: int | None) -> Any:
    """The trials once none goes on any more."""
    until = time.monotonic() + 120.0
    while time.monotonic() < until:
        found = table.ask("trials", side).json()
        if not found["is_running"]:
            return found
        time.sleep(0.05)
    raise AssertionError("they do not come to an end")


def is_sound(moment: Any) -> bool:
    """Whether all trials are told of, and each share lies in its interval."""
    over = moment["trials"] - moment["stalled"]
    wins = sum(round(one["value"] * over) for one in moment["won"])
    inside = all(one["low"] <= one["value"] <= one["high"] for one in moment["won"])
    return inside and wins + moment["drawn"] == over


def test_a_running_battle_is_played_on_from_where_it_stands(serve: Serve) -> None:
    table = Table(serve(), TOY, 6)
    line = list(table.game.line)
    first = begin(table, 0)
    assert first.status_code == 200, first.text
    assert (first.json()["of"], first.json()["players"]) == (8, BOTS)
    found = done(table, 0)
    assert (found["done"], len(found["moments"])) == (8, 1)
    assert found["moments"][0]["at"] is None
    assert found["moments"][0]["trials"] == 8
    assert found["moments"][0]["losses"] is not None
    assert is_sound(found["moments"][0])
    assert table.game.line == line
    assert table.ask("trials", 1).json()["of"] == 0


def test_it_is_stopped_when_that_is_wanted_and_what_came_is_told(serve: Serve) -> None:
    table = Table(serve(), "ragnarok", 0)
    assert begin(table, 0, count=1000).json()["is_running"]
    again = begin(table, 0, count=5).json()
    assert again["of"] == 1000
    stopped = table.ask("trials/stop", 0, json={})
    assert stopped.status_code == 200
    found = done(table, 0)
    assert not found["is_running"]
    assert found["done"] == found["moments"][0]["trials"] < 1000


def test_a_battle_that_is_over_is_played_on_from_moments_of_it(serve: Serve) -> None:
    table = Table(serve(), TOY, 5000)
    assert table.game.is_over
    ats = [frame["at"] for frame in table.replayed(None)[0]["frames"]][:3]
    begin(table, None, ats=ats)
    found = done(table, None)
    assert [one["at"] for one in found["moments"]] == ats
    assert all(is_sound(one) for one in found["moments"])
    assert found["done"] == 24
    refused = begin(table, 0, ats=[999_999])
    assert (refused.status_code, refused.json()["word"]) == (422, "no-moment")


@pytest.mark.parametrize(
    ("side", "asked", "status", "word"),
    [
        (None, {}, 403, "not-yours"),
        (0, {"ats": [1]}, 422, "no-moment"),
        (0, {"count": 1001}, 422, "bad-body"),
        (0, {"count": 0}, 422, "bad-body"),
        (0, {"players": ["script", "search"]}, 422, "bad-body"),
        (0, {"players": ["script"]}, 422, "bad-body"),
        (0, {"ats": [0] * 25}, 422, "bad-body"),
    ],
)
def test_what_may_not_be_asked_for(serve: Serve, side: int | None, asked: Any, status: int, word: str) -> None:
    refused = begin(Table(serve(), TOY, 3), side, **asked)
    assert (refused.status_code, refused.json()["word"]) == (status, word)


def test_against_somebody_who_comes_by_a_link_there_is_no_such_advice(serve: Serve) -> None:
    table = Table(serve(), TOY, 3)
    seats = table.live.draft.seats
    assert [may_try(table.live, side) for side in (0, 1, None)] == [True, True, False]
    by_link = msgspec.structs.replace(seats[1], kind="link")
    table.live.draft = msgspec.structs.replace(table.live.draft, seats=(seats[0], by_link))
    assert not may_try(table.live, 0)
    refused = begin(table, 0)
    assert (refused.status_code, refused.json()["word"]) == (409, "trials-against-person")
    assert table.ask("trials", 0).status_code == 409
    table.live.draft = swapped(table.live)
    assert [seat.kind for seat in table.live.draft.seats] == ["me", "me"]
    assert begin(table, 0).json()["word"] == "trials-against-person"


def test_no_more_than_a_few_go_on_at_a_time(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "MOST_RUNS", 1)
    served = serve()
    first, second = Table(served, "ragnarok", 0), Table(served, TOY, 3)
    assert begin(first, 0, count=1000).status_code == 200
    refused = begin(second, 0)
    assert (refused.status_code, refused.json()["word"]) == (503, "trials-busy")
    first.ask("trials/stop", 0, json={})
    assert begin(second, 0).status_code == 200
    done(second, 0)


def test_what_takes_too_long_ends_with_what_there_is(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "MOST_SECONDS", 0.0)
    table = Table(serve(), TOY, 3)
    begin(table, 0)
    assert done(table, 0)["done"] == 0


def test_old_ones_are_forgotten(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "MOST_KEPT", 1)
    served = serve()
    tables = [Table(served, TOY, 3) for _ in range(2)]
    for table in tables:
        begin(table, 0, count=1)
        done(table, 0)
    assert [table.ask("trials", 0).json()["of"] for table in tables] == [0, 1]


def test_what_breaks_down_is_told(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "AT_ONCE", "no number")
    table = Table(serve(), TOY, 3)
    begin(table, 0)
    found = done(table, 0)
    assert (found["done"], found["has_broken"]) == (0, True)
