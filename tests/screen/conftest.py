"""The toy book, and a battle on every ruleset that can be found."""

from __future__ import annotations

import pytest
from tests.raid.fixture import raid
from tests.toys import register

from campale.conformance.playing import battles
from campale.referee.ruleset import ruleset_names

__all__ = ["raid"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    register()
    if "battle" in metafunc.fixturenames:
        found = battles(ruleset_names())
        metafunc.parametrize("battle", found, ids=[f"{name}-{number}" for name, number in found])
