"""The toy book, and a battle on every ruleset that can be found."""

from __future__ import annotations

import pytest
from tests.raid.fixture import raid
from tests.toys import register

from campale.conformance.parametrizing import on_all
from campale.referee.ruleset import ruleset_names

__all__ = ["raid"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    register()
    on_all(metafunc, ruleset_names())
