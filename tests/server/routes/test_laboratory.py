"""The laboratory's questions over HTTP: begun, followed, stopped, taken home; what may not be asked, and how much."""

from __future__ import annotations

import time
import zlib
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from campale.lab.planning import plan_of
from campale.lab.playing import Rows, play
from campale.referee.ruleset import load_ruleset
from campale.server.guards.limits import is_much
from campale.server.processes import examining, trying
from campale.server.processes.examining import Examined
from tests.server.conftest import TOY, Serve, Served

BOOK = "ragnarok"
KINDS = ("unit", "first", "option", "missions")


class Lab:
    """A visitor of a server's laboratory."""

    def __init__(self, served: Served) -> None:
        self.served = served

    def ask(self, method: str, place: str, json: Any = None) -> httpx2.Response:
        return httpx2.request(method, f"http://{self.served.address}/api/{place}", json=json, timeout=120.0)

    def begin(self, **asked: Any) -> httpx2.Response:
        return self.ask("POST", "experiments", {"book": BOOK, "kind": "first", "battles": 4, **asked})

    def get(self, place: str) -> httpx2.Response:
        return self.ask("GET", place)

    def stop(self, id: str) -> httpx2.Response:
        return self.ask("POST", f"experiments/{id}/stop", {})

    def done(self, id: str) -> Any:
        """The experiment once it no longer goes on."""
        until = time.monotonic() + 300.0
        while time.monotonic() < until:
            found = self.get(f"experiments/{id}").json()
            if not found["is_running"]:
                return found
            time.sleep(0.1)
        raise AssertionError("it does not come to an end")


@pytest.fixture
def lab(serve: Serve) -> Lab:
    return Lab(serve())


def rows_of(run: Examined) -> list[Any]:
    """What was played, but for the time it took."""
    packed = b",".join(map(zlib.decompress, run.packed))
    return [without_time(one) for one in msgspec.json.decode(b"[" + packed + b"]", type=list[Rows])]


def without_time(rows: Any) -> Any:
    return rows._replace(battle=msgspec.structs.replace(rows.battle, seconds=0.0))


def test_going_first_is_answered_and_the_file_plays_the_same(lab: Lab, tmp_path: Path) -> None:
    begun = lab.begin().json()
    assert (begun["state"], begun["is_running"], begun["done"], begun["of"]) == ("planning", True, 0, 4)
    found = lab.done(begun["id"])
    assert (found["state"], found["done"], found["has_report"]) == ("done", 4, True)
    assert found["answer"].startswith("Going first wins ")
    assert [(one["name"], one["battles"]) for one in found["lines"]] == [
        ("The side with the first turn", 4),
        ("Side 1", 4),
        ("Side 2", 4),
    ]
    one, other = (line["score"]["value"] for line in found["lines"][1:])
    assert one + other == pytest.approx(1.0)
    sent = lab.get(f"experiments/{begun['id']}/file")
    assert sent.headers["content-disposition"] == f'attachment; filename="first-{BOOK}.yaml"'
    file = tmp_path / f"first-{BOOK}.yaml"
    file.write_bytes(sent.content)
    run = lab.served.hall.examining.runs[begun["id"]]
    plan = plan_of(file)
    assert plan == run.plan
    assert [without_time(play(plan.battle(number))) for number in plan.numbers()] == rows_of(run)


def test_it_is_told_in_the_language_of_who_looks_and_taken_home_as_a_report(lab: Lab) -> None:
    id = lab.begin(kind="unit", battles=2).json()["id"]
    assert lab.done(id)["answer"].startswith("Whether this unit helps cannot be told yet: ")
    italian = lab.get(f"experiments/{id}?lang=it").json()
    assert italian["answer"].startswith("Non si può ancora dire se questa unità aiuti: ")
    assert [line["change"] is None for line in italian["lines"]] == [True, False]
    report = lab.get(f"experiments/{id}/report?lang=it")
    assert report.headers["content-type"].startswith("text/html")
    assert "attachment" in report.headers["content-disposition"]
    assert '<html lang="it">' in report.text
    assert "<svg" in report.text


def test_it_is_stopped_with_what_there_is_and_one_goes_on_at_a_time(lab: Lab) -> None:
    id = lab.begin(kind="missions", battles=1000).json()["id"]
    refused = lab.begin()
    assert (refused.status_code, refused.json()["word"]) == (409, "experiment-goes-on")
    assert lab.get(f"experiments/{id}/report").json()["word"] == "experiment-unfinished"
    until = time.monotonic() + 120.0
    while not lab.get(f"experiments/{id}").json()["done"] and time.monotonic() < until:
        time.sleep(0.1)
    assert lab.stop(id).status_code == 200
    found = lab.done(id)
    assert found["state"] == "stopped"
    assert 0 < found["done"] < found["of"] == 1000
    again = lab.begin(battles=2)
    assert again.status_code == 200
    assert lab.done(again.json()["id"])["state"] == "done"
    assert lab.get(f"experiments/{id}").json()["done"] == found["done"]


def test_no_more_than_a_few_go_on_at_a_time(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trying, "MOST_RUNS", 1)
    id = lab.begin(battles=1000).json()["id"]
    run = lab.served.hall.examining.runs[id]
    run.visitor = "198.51.100.7"
    refused = lab.begin()
    assert (refused.status_code, refused.json()["word"]) == (503, "trials-busy")
    lab.stop(id)
    lab.done(id)


def test_what_takes_too_long_ends_with_what_there_is(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "MOST_SECONDS", -1.0)
    found = lab.done(lab.begin().json()["id"])
    assert (found["state"], found["done"], found["answer"]) == ("late", 0, "")


def test_what_breaks_down_is_told(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examining, "AT_ONCE", "no number")
    assert lab.done(lab.begin().json()["id"])["state"] == "broken"


def test_what_the_book_refuses_is_told_in_both_languages(lab: Lab) -> None:
    forces = load_ruleset("e55").offers().forces  # type: ignore[misc]
    small, large = forces[0], max(forces, key=lambda one: one.points)
    id = lab.begin(book="e55", kind="missions", force=small.name, against=large.name).json()["id"]
    assert lab.done(id)["state"] == "refused"
    told = [lab.get(f"experiments/{id}?lang={language}").json()["refused"] for language in ("en", "it")]
    assert all(told)
    assert told[0] != told[1]


@pytest.mark.parametrize(
    ("asked", "status", "word"),
    [
        ({"kind": "why"}, 422, "bad-body"),
        ({"battles": 1}, 422, "bad-body"),
        ({"battles": 1001}, 422, "bad-body"),
        ({"bot": "search"}, 422, "bad-body"),
        ({"unit": -1, "kind": "unit"}, 422, "bad-body"),
        ({"force": {"file": "/etc/passwd"}}, 422, "bad-body"),
        ({"most_answers": 10**9}, 422, "bad-body"),
        ({"force": "x" * 81}, 422, "bad-body"),
        ({"book": "e56"}, 404, "no-book"),
        ({"force": "nobody\n{file: /etc/passwd}"}, 422, "lab-no-force"),
        ({"unit": 1000, "kind": "unit"}, 422, "lab-no-unit"),
        ({"option": "nothing", "kind": "option"}, 422, "lab-no-option"),
        ({"book": TOY, "kind": "missions"}, 422, "lab-no-missions"),
    ],
)
def test_what_may_not_be_asked_for(lab: Lab, asked: Any, status: int, word: str) -> None:
    refused = lab.begin(**asked)
    assert (refused.status_code, refused.json()["word"]) == (status, word)
    assert not lab.served.hall.examining.runs


def test_all_variants_together_are_bounded(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campale.server.routes.laboratory.MOST_IN_ALL", 8)
    refused = lab.begin(kind="option", battles=6)
    assert (refused.status_code, refused.json()["word"]) == (422, "experiment-large")
    assert "12" in refused.json()["text"]
    assert lab.begin(kind="option", battles=4).json()["of"] == 8


@pytest.mark.parametrize("place", ["", "/file", "/report"])
def test_an_experiment_that_is_not_there_is_told(lab: Lab, place: str) -> None:
    found = lab.get(f"experiments/nothing{place}")
    assert (found.status_code, found.json()["word"]) == (404, "no-experiment")


def test_what_can_be_asked_of_a_book(lab: Lab) -> None:
    assert lab.get(f"books/{BOOK}/questions").json()["kinds"] == list(KINDS)
    assert lab.get(f"books/{TOY}/questions").json()["kinds"] == ["unit", "first", "option"]
    units = lab.get(f"books/{BOOK}/forces/crucible_league_starter/units?lang=it").json()
    assert {"place": 4, "title": "Fuciliere a vapore"} in units
    assert lab.get(f"books/{BOOK}/forces/nobody/units").json()["word"] == "no-army"


def test_reports_and_beginnings_count_as_much_work() -> None:
    def asks(method: str, path: str) -> bool:
        return is_much({"type": "http", "method": method, "path": path})

    assert asks("POST", "/api/experiments")
    assert asks("GET", "/api/experiments/abc/report")
    assert not asks("GET", "/api/experiments/abc")
