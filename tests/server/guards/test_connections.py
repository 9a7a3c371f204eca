"""Requests that are begun and never ended do not make the server deaf."""

from __future__ import annotations

import logging
import resource
import socket
from contextlib import ExitStack
from typing import Any

import pytest

from campale.server.guards import connections
from campale.server.guards.connections import Seldom, files_allowed, most_connections
from tests.server.conftest import Serve, Served

HALF = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
WHOLE = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
FEW, SOON, NEVER = 20, 0.2, 3600.0


def opened(server: Served, stack: ExitStack) -> socket.socket:
    host, _, port = server.address.partition(":")
    return stack.enter_context(socket.create_connection((host, int(port)), timeout=60))


def is_closed(line: socket.socket) -> bool:
    """Waits until the server says something, or hangs up."""
    try:
        return line.recv(100) == b""
    except ConnectionError:
        return True


def is_answered(line: socket.socket, request: bytes = WHOLE) -> bool:
    line.sendall(request)
    return line.recv(12) == b"HTTP/1.1 200"


def test_who_says_half_a_request_is_hung_up_on_in_time(serve: Serve) -> None:
    server = serve(first_lines=SOON)
    with ExitStack() as stack:
        silent, half = opened(server, stack), opened(server, stack)
        half.sendall(HALF)
        assert is_closed(silent)
        assert is_closed(half)
        assert is_answered(opened(server, stack))


def test_half_a_second_request_is_not_waited_for_either(serve: Serve) -> None:
    server = serve(first_lines=SOON)
    with ExitStack() as stack:
        line = opened(server, stack)
        line.sendall(WHOLE)
        told = b""
        while not told.endswith(b"}"):
            told += line.recv(4096)
        line.sendall(HALF)
        assert is_closed(line)


def test_a_body_that_never_ends_is_told_so(serve: Serve) -> None:
    server = serve(whole_body=SOON)
    with ExitStack() as stack:
        line = opened(server, stack)
        head = b"POST /api/demo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        line.sendall(head + b"Content-Length: 100\r\n\r\n{")
        assert line.recv(12) == b"HTTP/1.1 408"


def test_many_half_requests_leave_room_for_a_whole_one(serve: Serve) -> None:
    """Each newcomer beyond those allowed takes the place of the one that has kept silent for longest."""
    server = serve(connections=FEW, first_lines=NEVER)
    with ExitStack() as stack:
        silent = [opened(server, stack) for _ in range(3 * FEW)]
        for line in silent:
            try:
                line.sendall(HALF)
            except ConnectionError:
                continue
        assert is_answered(opened(server, stack))
        assert all(is_closed(line) for line in silent[: 2 * FEW])
        assert len(server.server.server_state.connections) <= FEW


def test_a_thousand_half_requests(serve: Serve) -> None:
    server = serve(first_lines=NEVER, connections=500)
    with ExitStack() as stack:
        for _ in range(1000):
            try:
                opened(server, stack).sendall(HALF)
            except ConnectionError:
                continue
        assert is_answered(opened(server, stack))


def test_where_all_are_busy_the_newcomer_goes() -> None:
    aborted: list[str] = []

    class Line:
        def __init__(self, name: str) -> None:
            self.name, self.loop, self.transport = name, self, self

        def call_later(self, *of: Any) -> Any:
            return self

        def cancel(self) -> None:
            pass

        def abort(self) -> None:
            aborted.append(self.name)

    door = connections.Connections(2, NEVER)
    first, second, third, fourth = (Line(name) for name in ("first", "second", "third", "fourth"))
    many: list[Any] = [first, second, third, fourth]
    door.begin(many[0])
    door.begin(many[1])
    door.end(many[0])
    door.begin(many[2])
    door.make_room(many[2], 3)
    assert aborted == ["second"]
    door.end(many[2])
    door.begin(many[3])
    door.make_room(many[3], 3)
    assert aborted == ["second", "fourth"]


# ---------------------------------------------------------------- files


def test_as_many_files_are_asked_for_as_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {"now": (256, 5000)}

    def put(_: int, now: tuple[int, int]) -> None:
        limits["now"] = now

    monkeypatch.setattr(resource, "getrlimit", lambda _: limits["now"])
    monkeypatch.setattr(resource, "setrlimit", put)
    assert files_allowed(4000) == 4000
    assert limits["now"] == (4000, 5000)
    assert files_allowed() == 5000
    assert limits["now"] == (5000, 5000)
    assert most_connections(100_000) == 5000 - connections.SPARE_FILES
    assert most_connections(100) == 100
    limits["now"] = (64, 64)
    assert most_connections(100) == 1


# ---------------------------------------------------------------- the log


def test_the_same_is_said_once_a_minute() -> None:
    now = [0.0]
    said = Seldom(lambda: now[0])

    def record(words: str) -> logging.LogRecord:
        return logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, words, (), None)

    assert said.filter(record("Invalid"))
    assert said.filter(record("Other"))
    assert not any(said.filter(record("Invalid")) for _ in range(1000))
    now[0] = 60.0
    again = record("Invalid")
    assert said.filter(again)
    assert again.getMessage() == "Invalid (and 1000 times more since)"
