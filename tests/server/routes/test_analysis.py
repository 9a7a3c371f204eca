"""An analysis over HTTP: begun, followed, stopped; only of a battle that is over, and each seat its own."""

from __future__ import annotations

import time
from typing import Any

import pytest

from campale.server.processes import analysing
from tests.server.conftest import TOY, Serve
from tests.server.routes.test_afterwards import Table


def begin(table: Table, side: int | None) -> Any:
    return table.ask("analysis", side, json={})


def done(table: Table, side: int, language: str = "en") -> Any:
    """The analysis once it no longer runs."""
    until = time.monotonic() + 240.0
    while time.monotonic() < until:
        found = table.ask(f"analysis?lang={language}", side).json()
        if not found["is_running"]:
            return found
        time.sleep(0.05)
    raise AssertionError("it does not come to an end")


def over(serve: Serve, book: str = TOY) -> Table:
    table = Table(serve(), book, 5000)
    assert table.game.is_over
    return table


def test_the_decisions_that_cost_a_seat_most_are_told_with_their_moments(serve: Serve) -> None:
    """Played at random both sides have much to learn."""
    table = over(serve)
    assert table.ask("analysis", 0).json()["of"] == 0
    assert begin(table, 0).json()["is_running"]
    found = done(table, 0)
    assert found["glanced"] == found["of"] > 5
    assert found["looked"] == found["closer"] > 0
    assert not found["has_broken"]
    told = found["decisions"]
    assert 0 < len(told) <= 5
    assert [one["loss"] for one in told] == sorted((one["loss"] for one in told), reverse=True)
    frames = [0, *(frame["at"] for frame in table.replayed(0)[0]["frames"])]
    for one in told:
        assert one["loss"] >= one["doubt"] >= 0.0
        assert one["loss"] > 0.0
        assert min(frames) <= one["at"] <= max(frames)
        assert one["when"]
        assert all(one[part] and all(one[part]) for part in ("played", "better", "reasons"))
        assert one["played"] != one["better"]
    italian = done(table, 0, "it")["decisions"]
    assert [one["at"] for one in italian] == [one["at"] for one in told]
    assert italian[0]["when"] != told[0]["when"]


def test_each_seat_is_told_its_own_and_nobody_else_any(serve: Serve) -> None:
    table = over(serve)
    begin(table, 0)
    assert table.ask("analysis", 1).json() == {**done(table, 1), "of": 0, "decisions": []}
    assert done(table, 0)["of"] > 0
    for refused in (begin(table, None), table.ask("analysis"), table.ask("analysis/stop", json={})):
        assert (refused.status_code, refused.json()["word"]) == (403, "not-yours")


def test_while_the_battle_lasts_there_is_none(serve: Serve) -> None:
    table = Table(serve(), TOY, 6)
    assert not table.game.is_over
    for refused in (begin(table, 0), table.ask("analysis", 0), table.ask("analysis/stop", 0, json={})):
        assert (refused.status_code, refused.json()["word"]) == (409, "analysis-in-play")


def test_it_is_stopped_when_that_is_wanted_and_what_came_is_told(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "AT_ONCE", 0.0)
    table = over(serve)
    begin(table, 0)
    assert table.ask("analysis/stop", 0, json={}).status_code == 200
    found = done(table, 0)
    assert found["glanced"] < found["of"]
    assert not found["has_broken"]


def test_what_takes_too_long_ends_with_what_there_is(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "MOST_SECONDS", 1e-9)
    table = over(serve)
    begin(table, 0)
    assert (done(table, 0)["glanced"], done(table, 0)["decisions"]) == (0, [])


def test_what_breaks_down_is_told(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysing, "AT_ONCE", "no number")
    table = over(serve)
    begin(table, 0)
    found = done(table, 0)
    assert (found["glanced"], found["has_broken"]) == (0, True)
