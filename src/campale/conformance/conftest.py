"""Tests that take a ``battle`` or the ``name`` of a ruleset run on all rulesets, or on the chosen ones.

``CAMPALE_RULESETS`` in the environment chooses them: names of rulesets or dotted packages, separated by commas.
"""

from __future__ import annotations

import os

import pytest

from campale.conformance.parametrizing import on_all
from campale.referee.ruleset import EXTRA_PACKAGES, ruleset_names


def books() -> tuple[str, ...]:
    """The names of the rulesets to test. A chosen package is added to the packages searched for rulesets."""
    chosen = [one.strip() for one in os.environ.get("CAMPALE_RULESETS", "").split(",") if one.strip()]
    EXTRA_PACKAGES.extend(one for one in chosen if one not in (*ruleset_names(), *EXTRA_PACKAGES))
    return tuple(one.rpartition(".")[2] for one in chosen) or ruleset_names()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "costly: with one set-up of a book, or all where CAMPALE_THOROUGH is set")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    on_all(metafunc, books())
