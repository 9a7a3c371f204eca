"""What is counted of a server, and told on a port of its own."""

from __future__ import annotations

import json
import logging
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from typer.testing import CliRunner

from campale.cli import app
from campale.server.battle.live import Live
from campale.server.database.store import StoreFailed
from campale.server.operation.metrics import Watched
from tests.server.conftest import TOY, Serve, Served, draft
from tests.server.page import next_asked
from tests.server.test_serve import WAIT, asked, served


@contextmanager
def looked_at(server: Served) -> Iterator[str]:
    with Watched(("127.0.0.1", 0), server.hall).served() as port:
        yield f"http://127.0.0.1:{port}"


def figures(address: str) -> dict[str, float]:
    """Each figure by its name and what is written behind it."""
    with urllib.request.urlopen(f"{address}/metrics", timeout=WAIT) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=")
        families = text_string_to_metric_families(answer.read().decode())
        samples = [sample for family in families for sample in family.samples]
    return {" ".join((one.name, *one.labels.values())): one.value for one in samples}


def gone() -> None:
    raise StoreFailed


def test_battles_people_and_answers_are_counted(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me"))
    with looked_at(server) as address:
        assert figures(address)["campale_battles_live"] == 0
        with server.page(made, 0) as page, server.page(made, 1) as other, server.page(made) as onlooker:
            for one in (page, other, onlooker):
                one.until("state")
            page.agree()
            other.agree()
            asked_one = next_asked(page, other)
            number = asked_one.question
            assert asked_one.answer(asked_one.proposal(None))["is"] == "done"
            assert asked_one.answer([["nobody", "asks"]], number + 5)["is"] == "failed"
            asked_one.sync()
            now = figures(address)
        assert now["campale_battles_live"] == 1
        assert (now["campale_people_connected player"], now["campale_people_connected spectator"]) == (2, 1)
        assert (now["campale_answers_total done"], now["campale_answers_total failed"]) == (1, 1)
        assert now["campale_answer_seconds_count"] == now["campale_answer_seconds_bucket +Inf"] == 2
        assert 0 < now["campale_answer_seconds_sum"] < 60
        assert now["process_resident_memory_bytes"] > 10_000_000


def test_a_refusal_is_counted_as_one(serve: Serve) -> None:
    server = serve()
    made = server.create(draft(TOY, "me", "me", is_agreed=True))
    with looked_at(server) as address, server.page(made, 0) as page, server.page(made, 1) as other:
        page.until("state")
        other.until("state")
        one = next_asked(page, other)
        assert one.answer("nonsense")["is"] == "refused"
        one.sync()
        assert figures(address)["campale_answers_total refused"] == 1


def test_errors_are_counted_by_the_part_that_tells_them(serve: Serve) -> None:
    server = serve()
    with looked_at(server) as address:
        assert not [name for name in figures(address) if name.startswith("campale_errors_total")]
        logging.getLogger("campale.server.battle.live").warning("not grave")
        logging.getLogger("campale.server.battle.live").error("grave")
        assert figures(address)["campale_errors_total server.battle.live"] == 1


def test_two_servers_of_one_process_are_counted_apart(serve: Serve) -> None:
    one, two = serve(), serve()
    made = one.create(draft(TOY, "me", "me"))
    with one.page(made, 0) as page, looked_at(one) as first, looked_at(two) as second:
        page.until("state")
        assert (figures(first)["campale_battles_live"], figures(second)["campale_battles_live"]) == (1, 0)


def test_whether_it_is_well_is_told(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve()
    with looked_at(server) as address:
        assert asked(address, "/health") | {"version": ""} == {
            "version": "",
            "database": True,
            "battles": 0,
            "players": 0,
            "spectators": 0,
        }
        monkeypatch.setattr(server.hall.store, "reading", gone)
        with pytest.raises(urllib.error.HTTPError) as found:
            asked(address, "/health")
        assert (found.value.code, json.load(found.value)["database"]) == (503, False)
        with pytest.raises(urllib.error.HTTPError, match="404"):
            asked(address, "/")


def test_figures_are_told_where_the_command_line_says_and_nowhere_else(tmp_path: Path) -> None:
    with served(tmp_path, "--metrics", "127.0.0.1:0") as (address, process):
        assert process.stderr is not None
        told = process.stderr.readline()
        inner = "http://" + told.partition("http://")[2].partition("/")[0]
        assert figures(inner)["campale_battles_live"] == 0
        for path in ("/metrics", "/api/metrics", "/health"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                asked(address, path)


@pytest.mark.parametrize("at", ["9240", "localhost:", ":9240", "localhost:99999", "localhost:x"])
def test_an_address_that_is_none_is_told(at: str) -> None:
    found = CliRunner().invoke(app, ["serve", "--port", "0", "--metrics", at])
    assert (found.exit_code, "is no address like 127.0.0.1:9240" in found.stderr) == (2, True)


def test_the_time_of_an_answer_counts_though_it_breaks_down(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve()

    def broken(self: Live, *of: object) -> None:
        raise RuntimeError("broken")

    made = server.create(draft(TOY, "me", "me", is_agreed=True))
    monkeypatch.setattr(Live, "answer", broken)
    with server.page(made, 0) as page, server.page(made, 1) as other, looked_at(server) as address:
        page.until("state")
        other.until("state")
        one = next_asked(page, other)
        assert one.answer(None)["is"] == "failed"
        one.sync()
        now = figures(address)
    assert (now["campale_answers_total failed"], now["campale_answer_seconds_count"]) == (1, 1)
