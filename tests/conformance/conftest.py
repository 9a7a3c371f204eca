"""Every test that wants a ``battle`` runs on every ruleset there is."""

from __future__ import annotations

import pytest

from campale.conformance.parametrizing import on_all
from campale.referee.ruleset import ruleset_names
from tests.toys import register


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    register()
    on_all(metafunc, ruleset_names())
