"""The toy book as a fixture: found as a ruleset for as long as a test runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from campale.referee.ruleset import EXTRA_PACKAGES, Ruleset, load_ruleset


@pytest.fixture
def raid() -> Iterator[Ruleset]:
    EXTRA_PACKAGES.append("tests.raid")
    yield load_ruleset("raid")
    EXTRA_PACKAGES.remove("tests.raid")
