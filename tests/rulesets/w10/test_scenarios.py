"""Every scenario file that comes with the ruleset holds. What each covers stands in its own ``rules:``."""

from __future__ import annotations

from pathlib import Path

import pytest

from campale.referee.scenarios.scenario import check
from campale.rulesets.w10 import RULESET
from tests.rulesets.scenario_files import cases, without_header


@pytest.mark.parametrize("path", cases(RULESET))
def test_the_scenario_holds(path: Path) -> None:
    assert check(path) == []


def test_each_shows_rules_under_a_title_in_both_languages() -> None:
    assert without_header(RULESET) == []
