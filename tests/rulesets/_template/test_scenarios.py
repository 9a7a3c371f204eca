"""Every scenario file holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from campale.referee.scenarios.scenario import check, files_in
from campale.rulesets._template import RULESET

FILES = sorted(files_in(RULESET.folder / "scenarios"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_scenario_holds(path: Path) -> None:
    assert check(path) == []
