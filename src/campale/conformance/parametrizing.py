"""Tests that take a ``battle`` or the ``name`` of a ruleset, and run on several rulesets."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from campale.conformance.budget import COSTLY
from campale.conformance.playing import battles


def on_all(metafunc: pytest.Metafunc, books: Sequence[str]) -> None:
    """Run the test on every one of the rulesets, or on the battles of their set-ups, if it takes such an argument."""
    if "battle" in metafunc.fixturenames:
        costly = metafunc.definition.get_closest_marker("costly") is not None
        found = [one for one in battles(books) if not costly or one[1] < COSTLY]
        metafunc.parametrize("battle", found, ids=[f"{name}-{number}" for name, number in found])
    if "name" in metafunc.fixturenames and not list(metafunc.definition.iter_markers("parametrize")):
        metafunc.parametrize("name", books)
