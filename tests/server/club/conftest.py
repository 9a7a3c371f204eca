"""A club of one's own; pass phrases are hashed in a moment, but where the time that it takes is what is tested."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient

from campale.server.club import phrases
from tests.server.club.people import Person, comes
from tests.server.http import client


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = partial(PasswordHasher, time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(phrases, "PasswordHasher", quick)


@pytest.fixture
def http(tmp_path: Path) -> Iterator[TestClient]:
    with client(tmp_path) as found:
        yield found


@pytest.fixture
def ada(http: TestClient) -> Person:
    return comes(http, "Ada", "organiser")
