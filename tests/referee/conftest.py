"""The toy ruleset can be found by its name while these tests run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from campale.referee.ruleset import EXTRA_PACKAGES

TOY = "tests.referee.toy"


@pytest.fixture(autouse=True)
def toy_is_found() -> Iterator[None]:
    EXTRA_PACKAGES.append(TOY)
    yield
    EXTRA_PACKAGES.remove(TOY)
