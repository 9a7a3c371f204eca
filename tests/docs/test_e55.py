"""The pages about Edition 5.5 name rules, options, phases and acts that there are, and battles that can be begun."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from tools.readme import ROOT

from campale.mechanics.moves.crowd import FARTHEST
from campale.referee.ruleset import Setup, load_ruleset
from campale.rulesets.e55.armies.setting_out import set_out
from campale.rulesets.e55.assault_phase.obligations import FINENESS as NEARNESS
from campale.rulesets.e55.battle.missions import MISSIONS
from campale.rulesets.e55.battle.scenery import LAYOUTS
from campale.rulesets.e55.weapons.templates import MOST_WAYS
from campale.simulate import starters_of
from campale.table.bearings import FINE

PAGES = (ROOT / "docs" / "en" / "e55.md", ROOT / "docs" / "it" / "e55.md")
NOTES = ROOT / "src" / "campale" / "rulesets" / "e55" / "notes.md"
RULE = re.compile(r"`(\d+(?:\.\d+)*/[a-z0-9-]+)`")
PHASES_OF_ACTS = {"movimento": "movement", "tiro": "shooting", "cariche": "charges"}


def rows(page: Path, *heading: str) -> list[list[str]]:
    """The cells of the table under a heading, without the ticks."""
    text = page.read_text("utf-8")
    first = next(one for one in heading if f"\n| {one} |" in text)
    table = text.partition(f"\n| {first} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip().replace("`", "") for cell in line.strip("|").split("|")] for line in table]


by_language = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)


@by_language
def test_the_rules_it_names_are_in_the_ledger(page: Path) -> None:
    named = RULE.findall(page.read_text("utf-8"))
    assert named == RULE.findall(PAGES[0].read_text("utf-8"))
    assert [one for one in named if one not in load_ruleset("e55").ledger.entries] == []


@by_language
def test_it_lists_the_options_with_both_readings(page: Path) -> None:
    switches = load_ruleset("e55").switches
    told = {name: (told, rule) for name, told, rule in rows(page, "option", "opzione")}
    assert set(told) == {switch.name for switch in switches}
    for switch in switches:
        readings, rule = told[switch.name]
        shown = [str(value).lower() for value in (switch.default, *switch.values)]
        assert rule == switch.rule
        assert readings.startswith(f"{shown[0]}:")
        assert all(f"{value}:" in readings for value in shown)


@by_language
def test_it_names_the_phases_in_their_order(page: Path) -> None:
    phases = list(load_ruleset("e55").book.phases)
    before = re.findall(r"\(`([a-z-]+)`\)", page.read_text("utf-8"))
    assert [*before, *(row[0] for row in rows(page, "phase", "fase"))] == phases


@by_language
def test_it_lists_every_act_with_its_phases(page: Path) -> None:
    told = {
        name: [PHASES_OF_ACTS.get(one, one) for one in phases.split(", ")]
        for name, phases, _ in rows(page, "act", "atto")
    }
    acts = load_ruleset("e55").book.acts
    assert told == {act.name: list(act.phases) for act in acts.values()}


@by_language
def test_what_it_says_of_ready_battles_is_true(page: Path) -> None:
    starters = starters_of(load_ruleset("e55"))
    totals = [setup.agreed["points"] for setup in starters]
    assert totals == [750] * 8 + [1500] * 3
    assert [setup.agreed["mission"] for setup in starters[8:]] == list(MISSIONS)
    (shown,) = re.findall(r"```yaml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    set_out(load_ruleset("e55"), Setup("e55", {}, starters[0].forces, yaml.safe_load(shown)["agreed"]))
    for name in (*MISSIONS, *LAYOUTS.names()):
        assert f"`{name}`" in page.read_text("utf-8")


def test_the_limits_it_tells_are_those_of_the_code() -> None:
    assert (NEARNESS, FINE, FARTHEST, MOST_WAYS) == (0.25, 0.02, 16.0, 8)
    for page, told in zip(
        PAGES,
        (("quarter of an inch", "fiftieth of a degree"), ("quarto di pollice", "cinquantesimo di grado")),
        strict=True,
    ):
        assert all(one in page.read_text("utf-8") for one in told)


def test_both_languages_have_the_same_commands() -> None:
    english, italian = (re.findall(r"^campale [^#\n]*", page.read_text("utf-8"), re.MULTILINE) for page in PAGES)
    assert [one.strip() for one in english] == [one.replace("--lang it", "").strip() for one in italian]


def test_the_notes_name_no_rule_that_there_is_not() -> None:
    named = RULE.findall(NOTES.read_text("utf-8"))
    assert [one for one in named if one not in load_ruleset("e55").ledger.entries] == []
