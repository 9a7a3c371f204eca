"""Servers for the tests: each on a port of its own, over a database of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch
from uuid import uuid4

import pytest
import uvicorn
from sqlalchemy import create_engine, make_url, text

from campale.cli.serving import uvicorn_settings
from campale.referee.ruleset import load_ruleset
from campale.server.app import create_app
from campale.server.battle.draft import Created, Draft, SeatDraft
from campale.server.battle.hall import Hall
from campale.server.battle.seats import Keys
from campale.server.processes import thinking
from campale.server.settings import Settings
from tests.server.page import Page
from tests.server.postgres import NoPostgres, a_postgres
from tests.server.workers import Lent
from tests.toys import register

T = TypeVar("T")

SHORT = Settings(
    workers=1, thinking=0.05, patience=5.0, is_durable=False, rate=None, messages=10_000.0, message_burst=10_000
)
TOY = "_template"
BOTS = ("random", "script", "greedy", "search")
"""A small book with a secret."""


class Served:
    """A server in a thread: its address, its hall."""

    def __init__(self, settings: Settings, keys: Keys | None = None) -> None:
        self.settings = settings
        with patch.object(thinking, "Worker", Lent):
            self.app = create_app(settings, keys)
        self.hall: Hall = self.app.state.hall
        kept = {**uvicorn_settings(settings), "log_level": "error"}
        config = uvicorn.Config(self.app, lifespan="on", **kept)
        self.server = uvicorn.Server(config)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        self.thread = threading.Thread(target=self.server.run, args=([self.socket],), daemon=True)

    def begin(self) -> None:
        self.thread.start()
        until = time.monotonic() + 30
        while not self.server.started:
            assert self.thread.is_alive()
            assert time.monotonic() < until
            time.sleep(0.005)

    def end(self) -> None:
        self.server.should_exit = True
        self.thread.join(30)
        self.socket.close()
        assert not self.thread.is_alive()

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Something of the hall's, in the server's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self.hall.loop).result(60)

    def create(self, draft: Draft) -> Created:
        return self.call(self.hall.create(draft))

    def page(self, created: Created, side: int | None = None, **how: Any) -> Page:
        token = "" if side is None else created.seats[side].token or ""
        return Page(self.address, created.battle, how.pop("token", token), **how)


def draft(book: str, *kinds: str, number: int = 0, **more: Any) -> Draft:
    """A ready battle of a book; the seats by kind, a bot by its strength."""
    register()
    starters = load_ruleset(book).starters
    assert starters is not None
    setup = starters()[number]
    seats = tuple(
        SeatDraft("bot", f"{kind} {side}", kind) if kind in BOTS else SeatDraft(kind, f"P{side}")  # type: ignore[arg-type]
        for side, kind in enumerate(kinds)
    )
    return Draft(book, dict(setup.agreed), dict(setup.options), setup.forces, seats, **more)


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Begins servers, over one database if nothing else is said."""
    with ExitStack() as stack:

        def begin(keys: Keys | None = None, **settings: Any) -> Served:
            usual = {"database": f"sqlite:///{tmp_path}/campale.db"}
            server = Served(replace(SHORT, **{**usual, **settings}), keys)
            server.begin()
            stack.callback(lambda: server.end() if server.thread.is_alive() else None)
            return server

        yield begin


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    try:
        with a_postgres() as url:
            yield url
    except NoPostgres as reason:
        pytest.skip(f"NO POSTGRESQL, nothing of it is tested: {reason}")


@pytest.fixture
def database(postgres: str) -> Iterator[str]:
    """A database of its own."""
    name = f"campale_{uuid4().hex}"
    engine = create_engine(postgres, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield make_url(postgres).set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind in turn."""
    return str(request.getfixturevalue("database")) if request.param == "postgresql" else f"sqlite:///{tmp_path}/own.db"
