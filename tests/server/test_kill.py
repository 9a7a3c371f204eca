"""A server killed at any moment and started again: nothing that was acknowledged is lost, and battles go on."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from campale.referee.records.record import Entry
from campale.referee.records.saved import read, verify
from campale.server.battle.draft import Created, Draft
from campale.server.battle.hall import Hall
from campale.server.settings import Settings
from tests.server.conftest import Serve, draft
from tests.server.page import Page

SERVER = "import sys; from tests.server.test_kill import serve_here; serve_here(sys.argv[1], int(sys.argv[2]))"
BOOK = "ragnarok"


def serve_here(database: str, port: int) -> None:
    """What the process that is killed does."""
    import uvicorn

    from campale.server.app import create_app

    at = f"127.0.0.1:{port}"
    app = create_app(Settings(database, workers=1, thinking=0.05, rate=None, address=at, proxies=("127.0.0.1",)))
    uvicorn.run(app, host="127.0.0.1", port=port, ws="websockets-sansio", log_level="error")


class Process:
    """A server in a process of its own."""

    def __init__(self, database: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as one:
            self.port = int(one.getsockname()[1])
        self.address = f"127.0.0.1:{self.port}"
        command = [sys.executable, "-W", "error", "-c", SERVER, database, str(self.port)]
        root = Path(__file__).parents[2]
        self.process = subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE, text=True)
        self.wait()

    def wait(self) -> None:
        for _ in range(600):
            assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise AssertionError("the server does not begin")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()


class Person:
    """Plays a seat, notes what was acknowledged, and comes back when the line breaks."""

    def __init__(self, made: Created, side: int) -> None:
        self.made, self.side = made, side
        self.acknowledged: list[Any] = []
        self.rng = Random(side)

    def play(self, address: str) -> None:
        """Until the battle is over, or the line breaks."""
        token = self.made.seats[self.side].token or ""
        with suppress(ConnectionClosed, OSError, EOFError), Page(address, self.made.battle, token) as page:
            page.until("state")
            if page.moment["stage"] == "agreeing":
                page.agree(f"seed of {self.side}")
            while not page.is_over:
                if not page.question:
                    page.hear()
                    continue
                answer = page.proposal(self.rng if self.rng.random() < 0.3 else None)
                if page.answer(answer)["is"] == "done":
                    self.acknowledged.append(answer)
                    page.settle()


def played_by(address: str, people: list[Person]) -> list[threading.Thread]:
    threads = [threading.Thread(target=one.play, args=(address,), daemon=True) for one in people]
    for thread in threads:
        thread.start()
    return threads


def made_in(database: str, wanted: Draft) -> Created:
    """A battle written straight into a database."""
    hall = Hall(Settings(database))
    hall.store.migrate()
    created = hall._created(wanted)
    hall.store.close()
    return created


def plain(answer: Any) -> bytes:
    """An answer as it is recorded."""
    from campale.referee.records.record import grained

    return msgspec.json.encode(grained(answer))


def holds(answers: list[Any], record: list[Entry], side: int) -> None:
    """All that was acknowledged is in the record, in its order."""
    own, at = [plain(entry.answer) for entry in record if entry.side == side], 0
    for answer in answers:
        ends = [end for parts in ([answer], answer) if (end := end_of(parts, own, at))]
        assert ends, f"{answer} is lost"
        at = min(ends)


def end_of(parts: Any, own: list[bytes], at: int) -> int:
    """Behind the last of some answers, one after another from a place on; 0 where one of them is not there.

    What was asked as one form is answered at once, and recorded as one answer after another.
    """
    if not isinstance(parts, list) or not parts:
        return 0
    for part in parts:
        one = plain(part)
        if one not in own[at:]:
            return 0
        at = own.index(one, at) + 1
    return at


@pytest.mark.parametrize("seed", [1])
def test_a_server_killed_at_any_moment_loses_nothing(tmp_path: Path, seed: int, serve: Serve) -> None:
    database = f"sqlite:///{tmp_path}/killed.db"
    made = made_in(database, draft(BOOK, "me", "me"))
    people, rng = [Person(made, 0), Person(made, 1)], Random(seed)
    for _ in range(3):
        server = Process(database)
        threads = played_by(server.address, people)
        before = sum(len(one.acknowledged) for one in people)
        while sum(len(one.acknowledged) for one in people) < before + 5 and any(t.is_alive() for t in threads):
            time.sleep(0.01)
        time.sleep(rng.random() * 0.6)
        server.kill()
        for thread in threads:
            thread.join(30)
    assert all(one.acknowledged for one in people)
    last = serve(database=database)
    kept = last.call(last.hall.kept(made.battle))
    record = read(kept.saved).record
    for one in people:
        holds(one.acknowledged, record, one.side)
    assert verify(kept.saved).identical
    with last.page(made, 0) as page:
        assert page.until("state")["moment"]["stage"] == "playing"
        assert page.reply(do="concede")["is"] == "done"


def test_the_battle_of_a_dead_process_is_taken_over_at_once(tmp_path: Path, serve: Serve) -> None:
    database = f"sqlite:///{tmp_path}/killed.db"
    made = made_in(database, draft(BOOK, "me", "me"))
    server = Process(database)
    with Page(server.address, made.battle) as page:
        page.until("state")
        again = serve(database=database)
        with again.page(made) as passed_on:
            assert passed_on.hear()["is"] == "state"
            server.kill()
            assert passed_on.closed() == 1012
    with again.page(made) as page:
        assert page.hear()["is"] == "state"


def test_the_owner_says_who_runs(serve: Serve) -> None:
    server = serve()
    assert f"/{os.getpid()}/" in server.hall.owner


def test_what_was_acknowledged_is_missed_where_it_is_not_recorded() -> None:
    record = [Entry("choose", 0, 0), Entry("choose", 1, 7), Entry("choose", 0, "normal"), Entry("choose", 0, [1.0])]
    for whole in ([0, "normal", [1.0]], [[0, "normal"], [1.0]], [[1.0]], []):
        holds(whole, record, 0)
    for lacking in ([7], ["normal", 0], [[0, "normal", 7]], [0, 0], [[1.0], [1.0]]):
        with pytest.raises(AssertionError, match="is lost"):
            holds(lacking, record, 0)
