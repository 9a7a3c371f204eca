"""The toy book, and English unless a test says otherwise."""

from __future__ import annotations

import pytest
from tests.raid.fixture import raid

from campale.cli.common import language

__all__ = ["raid"]


@pytest.fixture(autouse=True)
def in_english() -> None:
    language.set("en")
