"""Every test that wants a ``battle`` or the ``name`` of a ruleset runs on every ruleset there is, or on those chosen.

``CAMPALE_RULESETS`` in the environment chooses: names of rulesets that are found, or dotted packages, set apart by
commas.
"""

from __future__ import annotations

import os

import pytest

from campale.conformance.playing import battles
from campale.referee.ruleset import EXTRA_PACKAGES, ruleset_names


def books() -> tuple[str, ...]:
    """The names of the rulesets to be tested. A package that is chosen is added to those that are looked in."""
    chosen = [one.strip() for one in os.environ.get("CAMPALE_RULESETS", "").split(",") if one.strip()]
    EXTRA_PACKAGES.extend(one for one in chosen if one not in (*ruleset_names(), *EXTRA_PACKAGES))
    return tuple(one.rpartition(".")[2] for one in chosen) or ruleset_names()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "battle" in metafunc.fixturenames:
        found = battles(books())
        metafunc.parametrize("battle", found, ids=[f"{name}-{number}" for name, number in found])
    if "name" in metafunc.fixturenames and not list(metafunc.definition.iter_markers("parametrize")):
        metafunc.parametrize("name", books())
