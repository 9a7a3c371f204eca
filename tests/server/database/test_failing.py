"""What fails outside of the rules is told in time, in a sentence: a database that is full or locked, a client gone."""

from __future__ import annotations

import logging
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event

from campale.server.database import store
from campale.server.database.store import Store, StoreFailed
from tests.server.conftest import TOY, Serve, draft
from tests.server.http import client, refused

A_MOMENT = 0.1


@pytest.fixture
def fill_up() -> Iterator[Callable[[], None]]:
    """Fills the disk once it is called; what listens is there before the threads of a server are."""
    is_full: list[bool] = []

    def begin(connection: Connection) -> None:
        if is_full:
            connection.exec_driver_sql("PRAGMA max_page_count = 1")

    event.listen(Engine, "begin", begin)
    yield lambda: is_full.append(True)
    event.remove(Engine, "begin", begin)


def test_a_disk_that_is_full_is_told(fill_up: Callable[[], None], tmp_path: Path) -> None:
    with client(tmp_path) as http:
        fill_up()
        for _ in range(30):
            answer = http.post("/api/demo", json={})
            if answer.status_code != 201:
                break
        assert refused(http, 503, "POST", "/api/demo", json={})["word"] == "store.failed"


def test_a_database_that_somebody_else_locks_is_told_and_the_answer_can_be_given_again(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BUSY", A_MOMENT)
    server = serve(lease=3600.0)
    made = server.create(draft(TOY, "me", "me", is_agreed=True))
    with server.page(made, 0) as page:
        page.until("state")
        asked, answer = page.question, page.proposal()
        foreign = sqlite3.connect(tmp_path / "campale.db", isolation_level=None)
        foreign.execute("BEGIN EXCLUSIVE")
        assert page.answer(answer)["word"] == "store.failed"
        assert page.question == asked
        foreign.execute("ROLLBACK")
        foreign.close()
        assert page.answer(answer)["is"] == "done"


def test_a_thread_waits_for_the_others_no_longer_than_for_other_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BUSY", A_MOMENT)
    kept = Store(f"sqlite:///{tmp_path}/some.db")
    kept.migrate()
    kept._writing.acquire()
    with pytest.raises(StoreFailed):
        kept.release(["x"], "me")
    kept._writing.release()
    kept.release(["x"], "me")
    kept.close()


def test_who_hangs_up_in_the_midst_of_an_upload_leaves_no_trace(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    server = serve()
    host, _, port = server.address.partition(":")
    with caplog.at_level(logging.INFO, "campale.server"), socket.create_connection((host, int(port))) as line:
        line.sendall(b"POST /api/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
        line.sendall(b"Content-Length: 1000\r\n\r\n{")
        while not server.server.server_state.tasks:
            time.sleep(0.001)
        line.close()
        while server.server.server_state.tasks:
            time.sleep(0.001)
    assert [record.levelname for record in caplog.records if record.name == "campale.server"] == ["INFO"]
    assert not any(record.exc_info for record in caplog.records)
