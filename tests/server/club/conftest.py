"""Pass phrases of the tests are hashed in a moment, but where the time that it takes is what is tested."""

from __future__ import annotations

from functools import partial

import pytest
from argon2 import PasswordHasher

from campale.server.club import phrases


@pytest.fixture(autouse=True)
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = partial(PasswordHasher, time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(phrases, "PasswordHasher", quick)
