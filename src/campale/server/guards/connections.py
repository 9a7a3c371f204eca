"""Limits on open connections, and on the time of a request's first lines.

A request that is begun and never ended costs its sender nothing, and a server that waits for all of them stops
responding. So the first lines must arrive in time; and with too many connections the one silent for longest is dropped,
not the newcomer.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SPARE_FILES = 256
"""File descriptors reserved for the database, the page, and thinking processes."""

FILES_WANTED = 65_536
MINUTE = 60.0


class Connections:
    """The connections of one server: ``most`` at a time, each with ``seconds`` for the first lines of a request."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most, self.seconds = most, seconds
        self.unsaid: dict[Timed, asyncio.TimerHandle] = {}
        """The connections that have not sent a whole request yet, longest wait first."""

    def begin(self, one: Timed) -> None:
        """Note that a connection begins a request."""
        if one not in self.unsaid:
            self.unsaid[one] = one.loop.call_later(self.seconds, self.drop, one)

    def end(self, one: Timed) -> None:
        """Note that a connection has sent its request, or is gone."""
        timer = self.unsaid.pop(one, None)
        if timer is not None:
            timer.cancel()

    def make_room(self, newcomer: Timed, open_now: int) -> None:
        """With too many connections, drop the one silent for longest; the newcomer if none is silent."""
        if open_now > self.most:
            self.drop(next((one for one in self.unsaid if one is not newcomer), newcomer))

    def drop(self, one: Timed) -> None:
        self.end(one)
        one.transport.abort()


class Timed(H11Protocol):
    """A connection whose requests must arrive in time."""

    of: Connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.of.begin(self)
        self.of.make_room(self, len(self.connections))

    def connection_lost(self, exc: Exception | None) -> None:
        self.of.end(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.is_between_requests():
            self.of.begin(self)
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        if not self.is_between_requests():
            self.of.end(self)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self.of.end(self)
        super().handle_websocket_upgrade(event)

    def is_between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete


def timed(most: int, seconds: float) -> type[Timed]:
    """The protocol of one server (see ``Connections``)."""
    return type("TimedOfOneServer", (Timed,), {"of": Connections(most, seconds)})


# ---------------------------------------------------------------- files


def files_allowed(wanted: int = FILES_WANTED) -> int:
    """How many files this process may have open, after asking for as many as wanted; connections count too."""
    try:
        import resource
    except ImportError:  # pragma: no cover (Windows has no such limit)
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < more:
        resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
        soft = more
    return wanted if soft == resource.RLIM_INFINITY else soft


def most_connections(settings_most: int) -> int:
    """As many as wanted, limited by the available file descriptors."""
    return max(1, min(settings_most, files_allowed() - SPARE_FILES))


# ---------------------------------------------------------------- the log


class Seldom(logging.Filter):
    """Lets a repeated message through once a minute, with the number of times it was held back."""

    def __init__(self, clock: Any, seconds: float = MINUTE) -> None:
        super().__init__()
        self.clock, self.seconds = clock, seconds
        self.said: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        words, now = str(record.msg)[:200], self.clock()
        last, kept_back = self.said.get(words, (-self.seconds, 0))
        if now - last < self.seconds:
            self.said[words] = last, kept_back + 1
            return False
        self.said[words] = now, 0
        if kept_back:
            record.msg = f"{record.msg} (and {kept_back} times more since)"
        return True
