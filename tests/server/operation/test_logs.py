"""The log: lines for people or for programs, and in neither what opens a battle."""

from __future__ import annotations

import io
import json
import logging
import urllib.error
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError
from typer.testing import CliRunner

from campale.cli import app
from campale.server.battle.hall import Hall
from campale.server.battle.live import Live
from campale.server.database.store import Store
from campale.server.operation.logs import Kind, discreet, handler
from tests.server.conftest import TOY, Serve, draft
from tests.server.page import next_asked
from tests.server.rows import battle, seats
from tests.server.test_serve import asked, served


@contextmanager
def logged(kind: Kind) -> Iterator[io.StringIO]:
    """All that is said meanwhile, what went well too."""
    out, root = io.StringIO(), logging.getLogger()
    listening, before = handler(kind, out), root.level
    root.addHandler(listening)
    root.setLevel(logging.INFO)
    try:
        yield out
    finally:
        root.removeHandler(listening)
        root.setLevel(before)


def broken(*of: Any) -> Any:
    raise RuntimeError("it broke")


@pytest.mark.parametrize("kind", ["text", "json"])
def test_nothing_that_opens_a_battle_is_in_the_log(kind: Kind, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    with logged(kind) as out:
        server = serve()
        address, made = f"http://{server.address}", server.create(draft(TOY, "me", "link"))
        code = made.seats[1].join
        joined = asked(address, "/api/join", {"code": code, "name": "Two"})
        with server.page(made, 0) as page, server.page(made, token=joined["token"]) as other:
            page.until("state")
            other.until("state")
            page.agree("a seed of one's own, not to be told")
            other.agree("and that of the other")
            page.sync(other)
            monkeypatch.setattr(Live, "answer", broken)
            one = next_asked(page, other)
            assert one.answer(None)["is"] == "failed"
        asked(address, "/api/battles/mine", {"tokens": [made.seats[0].token, joined["token"]]})
        monkeypatch.setattr(Hall, "invitation", broken)
        with pytest.raises(urllib.error.HTTPError, match="500"):
            asked(address, f"/api/join/{code}")
        server.end()
    told = out.getvalue()
    assert "/api/join/***" in told
    assert told.count("RuntimeError: it broke") == 2
    row = Store(server.settings.database).battle(made.battle)
    assert row is not None
    secrets = [made.seats[0].token, joined["token"], code, row.server_seed, "not to be told", "that of the other"]
    assert [one for one in secrets if one is None or one in told] == []


def test_lines_for_programs_are_json_each() -> None:
    with logged("json") as out:
        log = logging.getLogger("campale.server.battle.hall")
        log.info("battle %s: taken over", "b1", extra={"battle": "b1", "seconds": 1.5})
        try:
            broken()
        except RuntimeError:
            log.exception("two\nlines")
    first, second = map(json.loads, out.getvalue().splitlines())
    assert first.pop("at").endswith("+00:00")
    assert first == {
        "level": "info",
        "logger": "campale.server.battle.hall",
        "message": "battle b1: taken over",
        "battle": "b1",
        "seconds": 1.5,
    }
    assert (second["level"], second["message"]) == ("error", "two\nlines")
    assert second["error"].startswith("Traceback")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("postgresql://club:open sesame@db/club", "postgresql://club:open sesame@db/club"),
        ("postgresql://club:sesame@db:5432/club", "postgresql://club:***@db:5432/club"),
        ("GET /api/join/abc234def567", "GET /api/join/***"),
        ("GET /api/club/come/abc234def567", "GET /api/club/come/***"),
        ("POST /api/join", "POST /api/join"),
        ("token " + "x" * 39, "token " + "x" * 39),
        ("token " + "x-_9" * 10, "token ***"),
        ("battle abcdefgh23456789: not committed", "battle abcdefgh23456789: not committed"),
    ],
)
def test_what_is_hidden(said: str, kept: str) -> None:
    assert discreet(said) == kept


def test_what_the_database_refuses_is_told_without_what_it_was_given(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/a.db")
    store.migrate()
    store.insert(battle("b"), seats("b"))
    with pytest.raises(IntegrityError) as found:
        store.insert(battle("b"), seats("b"))
    assert "commitment" not in str(found.value).partition("VALUES")[2]
    store.close()


def test_the_server_writes_its_log_as_it_is_told(tmp_path: Path) -> None:
    with served(tmp_path, "--log", "json") as (address, process):
        created = asked(address, "/api/demo", {})
        process.terminate()
        _, told = process.communicate(timeout=60)
    found = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    assert {"battle": created["battle"], "level": "info"}.items() <= found[0].items()
    assert not any(one["level"] == "error" for one in found)


def test_a_log_that_there_is_not_is_told() -> None:
    found = CliRunner().invoke(app, ["serve", "--port", "0", "--log", "xml"])
    assert (found.exit_code, "choose text or json" in found.stderr) == (2, True)
