"""Every scenario file that comes with the ruleset holds. What each covers stands in its own ``rules:``."""

from __future__ import annotations

from pathlib import Path

import pytest

from campale.referee.scenario import check, files_in, read_scenario
from campale.rulesets.e3m import RULESET

FOLDER = RULESET.folder / "scenarios"
FILES = files_in(FOLDER)


def name_of(path: Path) -> str:
    return path.relative_to(FOLDER).with_suffix("").as_posix()


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=name_of(p), marks=pytest.mark.covers(*read_scenario(p).scenario.rules)) for p in FILES],
)
def test_the_scenario_holds(path: Path) -> None:
    assert check(path) == []


def test_each_shows_rules_under_a_title_in_both_languages() -> None:
    for path in FILES:
        scenario = read_scenario(path).scenario
        assert scenario.rules, path
        assert isinstance(scenario.title, dict), path
        assert {"en", "it"} <= set(scenario.title), path
