"""Asking the routes in this process: an application over a database of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from campale.server.app import create_app
from campale.server.settings import Settings

FORCES = ("crucible_league_starter", "barrow_host_starter")
SECRET_FORCES = ("lantern-guard-750", "mire-brood-750")
SEATS = ({"kind": "me"}, {"kind": "link"})


@contextmanager
def client(folder: Path, **settings: Any) -> Iterator[TestClient]:
    usual = {"database": f"sqlite:///{folder}/campale.db", "rate": None, "workers": 1, "thinking": 0.05}
    settings["names"] = (*settings.get("names", ()), "testserver")
    app = create_app(Settings(**{**usual, "is_durable": False, **settings}))
    says_json = {"Content-Type": "application/json"}
    with TestClient(app, "http://localhost", raise_server_exceptions=False, headers=says_json) as found:
        yield found


def asked(book: str = "ragnarok", forces: Any = FORCES, seats: Any = SEATS, **more: Any) -> dict[str, Any]:
    """What is sent to make a battle."""
    return {"book": book, "forces": list(forces), "seats": list(seats), **more}


def made(http: TestClient, **how: Any) -> dict[str, Any]:
    answer = http.post("/api/battles", json=asked(**how))
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def refused(http: TestClient, status: int, method: str, path: str, **how: Any) -> dict[str, Any]:
    """A request that must be refused, and how: a word, and a sentence in the language asked for."""
    answer = http.request(method, path, **how)
    assert answer.status_code == status, (path, answer.status_code, answer.text)
    found: dict[str, Any] = answer.json()
    assert set(found) == {"word", "text", "reasons"}
    assert found["text"]
    assert found["text"] != found["word"]
    assert "Traceback" not in answer.text
    return found
