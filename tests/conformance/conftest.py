"""Every test that wants a ``battle`` runs on every ruleset there is."""

from __future__ import annotations

import pytest

from campale.conformance.playing import battles
from campale.referee.ruleset import ruleset_names
from tests.toys import register


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    register()
    if "battle" in metafunc.fixturenames:
        found = battles(ruleset_names())
        metafunc.parametrize("battle", found, ids=[f"{name}-{number}" for name, number in found])
    if "name" in metafunc.fixturenames and not list(metafunc.definition.iter_markers("parametrize")):
        metafunc.parametrize("name", ruleset_names())
