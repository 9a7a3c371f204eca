"""The toy book, and English unless a test says otherwise."""

from __future__ import annotations

import pytest

from campale.cli.common import language
from tests.raid.fixture import raid

__all__ = ["raid"]


@pytest.fixture(autouse=True)
def in_english() -> None:
    language.set("en")
