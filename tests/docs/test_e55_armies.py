"""The page on armies of Edition 5.5: its examples can be fielded, its prices are those of the formula."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from tools.readme import ROOT

from campale.referee.ruleset import Setup
from campale.rulesets.e55.armies.army import ARMIES
from campale.rulesets.e55.armies.army_lists import LISTS, profiles
from campale.rulesets.e55.armies.forces import FORCES
from campale.rulesets.e55.armies.points import RULE_SHARE
from campale.rulesets.e55.armies.profile import SpecialRule
from campale.rulesets.e55.armies.setting_out import ground_of
from campale.rulesets.e55.battle.scenery import LAYOUTS, PRESETS, piece_from

PAGES = (ROOT / "docs" / "en" / "e55-armies.md", ROOT / "docs" / "it" / "e55-eserciti.md")


def examples(page: Path) -> list[Any]:
    return [yaml.safe_load(one) for one in re.findall(r"```yaml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_its_forces_may_be_fielded_and_its_pieces_laid(page: Path) -> None:
    first, second, pieces = examples(page)
    for plain in (first, second):
        force = FORCES.from_plain(plain)
        assert ARMIES.faults(force) == ()
        assert force.cost >= 0.5 * force.points
    assert [piece_from(one).name for one in pieces] == ["ruins", "copse", "bastion", "pit"]
    agreed = {"mission": "annihilation", "scenery": pieces}
    laid = ground_of(Setup("e55", {}, (), agreed)).pieces
    assert [piece.name for piece in laid] == ["ruins-1", "copse", "bastion-3", "pit"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_it_names_every_list_layout_and_kind_of_scenery(page: Path) -> None:
    text = page.read_text("utf-8")
    for name in (*LISTS.names(), *LAYOUTS.names()):
        assert f"`{name}`" in text
    assert set(PRESETS) <= set(re.findall(r"[a-z-]+", text.rpartition(":")[2]))


def test_both_languages_have_the_same_examples_and_numbers() -> None:
    english, italian = (page.read_text("utf-8") for page in PAGES)
    assert examples(PAGES[0]) == examples(PAGES[1])
    numbers = [re.findall(r"\d+(?:[.,]\d+)?", text.partition("ormula\n")[2]) for text in (english, italian)]
    assert numbers[0] == [one.replace(",", ".") for one in numbers[1]]


def test_its_prices_are_those_of_the_formula() -> None:
    text = PAGES[0].read_text("utf-8")
    for name, said in (("militia", "a militiaman costs "), ("veteran", "with rifle "), ("tank", "a tank ")):
        assert f"{said}{profiles()[name].points}" in text
    for rule, share in RULE_SHARE.items():
        group = next(one for one in text.partition("| special rules |")[2].split("%")[:6] if words(rule) in one)
        assert group.rstrip().endswith(f"{share * 100:.0f}".replace("-", "−")), rule
    assert set(RULE_SHARE) < set(get_args(SpecialRule))


def words(rule: str) -> str:
    return rule.replace("-", " ")
