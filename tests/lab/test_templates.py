"""The experiments that come ready: each can be played in every book, and asks what it says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from campale.cli import app
from campale.cli.common import language
from campale.lab.errors import LabError
from campale.lab.plan import Plan
from campale.lab.planning import plan_of
from campale.lab.templates import FIRST, KINDS, MISSIONS, OPTION, UNIT, Wanted, template, written
from campale.referee.ruleset import load_ruleset

BOOKS = ("e3m", "e55", "ragnarok", "w10", "wzr")

Command = Callable[..., Any]


@pytest.fixture
def new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CAMPALE_LANG", raising=False)
    return lambda *words: CliRunner().invoke(app, ["lab", *words])


def planned(folder: Path, content: dict[str, Any]) -> Plan:
    file = folder / "made.yaml"
    file.write_text(written(content, "A question\nand how to play it"), encoding="utf-8")
    return plan_of(file)


@pytest.mark.parametrize("name", BOOKS)
def test_every_book_tells_what_became_of_each_unit(name: str) -> None:
    assert load_ruleset(name).tally is not None


@pytest.mark.parametrize("name", BOOKS)
def test_every_question_can_be_played_in_every_book(name: str, tmp_path: Path) -> None:
    book = load_ruleset(name)
    plans = {kind: planned(tmp_path, template(book, kind, Wanted(battles=40))) for kind in KINDS}
    assert [len(plans[kind].variants) for kind in (UNIT, FIRST, OPTION, MISSIONS)] == [2, 1, 2, 1]
    one, less = (variant.first.force for variant in plans[UNIT].variants)
    offers = book.offers
    assert offers is not None
    assert offers().roster(one)[1] > offers().roster(less)[1]
    mirror = plans[FIRST].variants[0]
    assert mirror.first == mirror.second
    assert len(plans[MISSIONS].scenes) > 1
    assert plans[MISSIONS].variants[0].first.force_name != plans[MISSIONS].variants[0].second.force_name
    default = {switch.name: switch.default for switch in book.switches}
    before, after = (variant.options for variant in plans[OPTION].variants)
    assert before.items() <= default.items()
    assert not after.items() <= default.items()


def test_the_unit_that_is_named_has_one_model_fewer_or_is_left_out() -> None:
    book = load_ruleset("e55")
    asked = template(book, UNIT, Wanted("mire-brood-750", "lantern-guard-750", unit="fen-drake"))
    (path, values), *_ = asked["vary"].items()
    assert path == "first.force.units"
    assert [value["label"] for value in values] == ["with Fen drake", "without Fen drake"]
    units = [[entry["unit"] for entry in value["value"]] for value in values]
    assert "fen-drake" in units[0]
    assert units[1] == [unit for unit in units[0] if unit != "fen-drake"]
    by_place = template(book, UNIT, Wanted("mire-brood-750", unit=str(units[0].index("fen-drake") + 1)))
    assert by_place["vary"] == asked["vary"]


def test_labels_are_in_the_language_that_is_asked_for_and_titles_in_both() -> None:
    asked = template(load_ruleset("e55"), UNIT, Wanted("mire-brood-750", unit="fen-drake", language="it"))
    assert [value["label"] for value in asked["vary"]["first.force.units"]] == [
        "con Drago del pantano",
        "senza Drago del pantano",
    ]
    assert asked["title"] == {"en": "What Fen drake is worth", "it": "Quanto vale Drago del pantano"}


@pytest.mark.parametrize(
    ("kind", "wanted", "key"),
    [
        (UNIT, Wanted(force="nobody"), "no-force"),
        (UNIT, Wanted(against="nobody"), "no-force"),
        (UNIT, Wanted(unit="nobody"), "no-unit"),
        (OPTION, Wanted(option="nothing"), "no-option"),
    ],
)
def test_what_the_book_has_not_is_refused(kind: str, wanted: Wanted, key: str) -> None:
    with pytest.raises(LabError) as caught:
        template(load_ruleset("e55"), kind, wanted)
    assert caught.value.key == key
    assert "known" in caught.value.values


def test_an_army_that_cannot_lose_anybody_is_told() -> None:
    book = load_ruleset("e55")
    strict = book.replacing(check_force=lambda force, agreed: ["too few"])
    with pytest.raises(LabError, match="no-fewer"):
        template(strict, UNIT, Wanted())


def test_the_file_is_written_once_and_says_how_to_play_it(new: Command) -> None:
    found = new("new", "option", "w10", "--battles", "7", "--bot", "script")
    assert found.exit_code == 0, found.stderr
    text = Path("option-w10.yaml").read_text(encoding="utf-8")
    assert text.startswith("# What does this option, or this reading, change?\n# campale lab run option-w10.yaml\n")
    content = yaml.safe_load(text)
    assert (content["battles"], content["first"]["player"]) == (8, "script")
    again = new("new", "option", "w10")
    assert again.exit_code != 0
    assert "is there already" in again.stderr
    assert Path("option-w10.yaml").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("why", "e55"), "unit, first, option, missions"),
        (("unit", "e56"), "e55"),
        (("unit", "e55", "--bot", "deep"), "greedy"),
        (("unit", "e55", "--unit", "deep"), "keepers"),
        (("unit", "e55", "--battles", "1"), "from 2 to 1000000"),
        (("unit", "e55", "--battles", "99999999999"), "from 2 to 1000000"),
    ],
)
def test_what_cannot_be_written_is_refused_with_what_there_is(new: Command, words: tuple[str, ...], what: str) -> None:
    found = new("new", *words)
    assert found.exit_code != 0
    assert what in found.stderr
    assert not list(Path().glob("*.yaml"))


def test_the_questions_are_listed_with_what_each_book_has(new: Command) -> None:
    language.set("en")
    told = new("templates").stdout
    assert all(f"\n{kind} " in f"\n{told}" for kind in KINDS)
    assert "e55: armies lantern-guard-750" in told
    assert "options capturing" in told
