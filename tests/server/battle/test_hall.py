"""Battles that come into memory and leave it while something else goes on with the others."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from campale.server.database.store import Store
from tests.server.conftest import TOY, Serve, draft

WAIT = 20.0


class Gate:
    """Holds up a method of the store, once it has done its work, until it is opened."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method, self.has_come, self.is_open = method, threading.Event(), threading.Event()

    def __call__(self, *of: Any) -> Any:
        done = self.method(*of)
        self.has_come.set()
        assert self.is_open.wait(WAIT)
        return done


def gate(monkeypatch: pytest.MonkeyPatch, name: str) -> Gate:
    made = Gate(getattr(Store, name))

    def held_up(*of: Any) -> Any:
        return made(*of)

    monkeypatch.setattr(Store, name, held_up)
    return made


def test_a_battle_opened_during_a_sign_of_life_is_not_taken_for_lost(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    beat = gate(monkeypatch, "beat")
    server = serve(lease=0.3)
    assert beat.has_come.wait(WAIT)
    made = server.create(draft(TOY, "me", "me", is_agreed=True))
    with server.page(made, 0) as page:
        page.until("state")
        beat.is_open.set()
        heard = page.rest(0.5)
        assert all(message["is"] == "news" for message in heard)
        assert page.reply(do="ping")["is"] == "pong"


def test_whoever_comes_while_others_are_put_away_stays(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(lease=0.3, idle=0.2)
    release = gate(monkeypatch, "release")
    made = [server.create(draft(TOY, "me", "me", is_agreed=True)) for _ in range(2)]
    assert release.has_come.wait(WAIT)
    last = next(one for one in made if one.battle in server.hall.lives)
    with server.page(last, 0) as page:
        page.until("state")
        release.is_open.set()
        page.rest(0.5)
        assert last.battle in server.hall.lives
        while not page.question:
            page.hear()
        assert page.answer(page.proposal())["is"] == "done"
