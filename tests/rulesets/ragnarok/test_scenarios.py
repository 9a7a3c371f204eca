"""Every scenario file that comes with the ruleset holds. What each covers stands in its own ``rules:``."""

from __future__ import annotations

from pathlib import Path

import pytest

from campale.referee.ledgers import trace
from campale.referee.scenarios.scenario import check, read_scenario
from campale.rulesets.ragnarok import RULESET
from tests.rulesets.scenario_files import cases, files_of, without_header

FEWEST = 45


@pytest.mark.parametrize("path", cases(RULESET))
def test_the_scenario_holds(path: Path) -> None:
    assert check(path) == []


def test_each_shows_rules_under_a_title_in_both_languages() -> None:
    assert without_header(RULESET) == []


def test_there_are_many() -> None:
    assert len(files_of(RULESET)) >= FEWEST


def test_the_table_of_contents_knows_them() -> None:
    named = {test for tests in trace.tests_of(RULESET).values() for test in tests}
    assert {path.relative_to(RULESET.folder / "scenarios").as_posix() for path in files_of(RULESET)} <= named


def test_every_chapter_of_the_battle_is_shown() -> None:
    shown = {rule.partition("/")[0] for path in files_of(RULESET) for rule in read_scenario(path).scenario.rules}
    assert {
        *("move", "fire", "suppressive-fire", "weapon-rules", "charge", "hide", "alert", "melee", "wounds", "lethal"),
        *("countermove", "fall-back", "reaction-fire", "countercharge", "prone", "mental-duel", "control-area"),
        *("fatigue", "morale", "suppression", "pinning", "command-test", "ability-test", "abilities", "commander"),
        *("first-aid", "recover", "aim", "special", "opt-night", "opt-jam", "opt-ammo", "opt-reserves", "opt-time"),
        *("missions", "exploration", "deployment", "overlap", "vision", "tactical"),
    } <= shown
