"""The toy book, and a battle on every ruleset that can be found."""

from __future__ import annotations

import pytest
from tests.conformance.playing import battles, register
from tests.raid.fixture import raid

__all__ = ["raid"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    register()
    if "battle" in metafunc.fixturenames:
        found = battles()
        metafunc.parametrize("battle", found, ids=[f"{name}-{number}" for name, number in found])
