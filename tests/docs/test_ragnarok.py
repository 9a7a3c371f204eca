"""The pages about Ragnarok name rules that there are, and the force that they show is legal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from tools.readme import ROOT

from campale.referee.ruleset import load_ruleset
from campale.rulesets.ragnarok.armies.army import faults
from campale.rulesets.ragnarok.armies.forces import FORCES

PAGES = (ROOT / "docs" / "en" / "ragnarok.md", ROOT / "docs" / "it" / "ragnarok.md")
RULE = re.compile(r"`([a-z-]+/[a-z0-9-]+)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_rules_it_names_are_in_the_ledger(page: Path) -> None:
    named = RULE.findall(page.read_text("utf-8"))
    assert named == RULE.findall(PAGES[0].read_text("utf-8"))
    assert [one for one in named if one not in load_ruleset("ragnarok").ledger.entries] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_costs_are_those_of_the_book(page: Path) -> None:
    book = load_ruleset("ragnarok").book
    assert {one.cost for one in book.reactions.values()} == {2}
    assert {name for name, one in book.actions.items() if one.cost == 2} == {"hide", "alert", "first-aid", "recover"}
    assert "| 1 or 2 |" in page.read_text("utf-8") or "| 1 o 2 |" in page.read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_force_it_shows_is_legal(page: Path) -> None:
    (shown,) = re.findall(r"```yaml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    yaml.safe_load(shown)
    assert faults(FORCES.from_text(shown.encode(), "page")) == ()
