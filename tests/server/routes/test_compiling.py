"""How far the compiling is, told while battles can be played; bots that think begin when it is done."""

from __future__ import annotations

import threading
import time

import httpx2
import pytest

from campale.server.processes.thinking import Worker
from campale.table import warming
from tests.server.conftest import Serve


@pytest.fixture
def under_way(monkeypatch: pytest.MonkeyPatch) -> warming.Compiling:
    made = warming.Compiling(0)
    made.done = 5
    monkeypatch.setattr(warming, "UNDER_WAY", [made])
    return made


def test_it_is_told_how_far_it_is(serve: Serve, under_way: warming.Compiling) -> None:
    url = f"http://{serve().address}/api/compiling"
    assert httpx2.get(url).json() == {"done": 5, "of": len(warming.WANTED)}


def test_where_nothing_is_compiled_in_the_background_all_is_there(serve: Serve) -> None:
    many = len(warming.WANTED)
    assert httpx2.get(f"http://{serve().address}/api/compiling").json() == {"done": many, "of": many}


def test_a_process_for_thinking_begins_when_all_is_compiled(under_way: warming.Compiling) -> None:
    worker = Worker()
    begun: list[object] = []
    waiting = threading.Thread(target=lambda: begun.append(worker.begin()))
    waiting.start()
    time.sleep(0.3)
    assert worker.process is None
    under_way.is_over.set()
    waiting.join(60)
    assert begun
    worker.close()


def test_one_that_nobody_wants_any_more_does_not_wait(under_way: warming.Compiling) -> None:
    worker = Worker()
    told: list[BaseException] = []

    def begin() -> None:
        try:
            worker.begin()
        except OSError as error:
            told.append(error)

    waiting = threading.Thread(target=begin)
    waiting.start()
    worker.close()
    waiting.join(10)
    assert len(told) == 1
