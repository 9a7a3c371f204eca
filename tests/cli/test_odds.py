"""The command that tells odds without a battle."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from campale.cli import app
from campale.odds.answers import answered
from campale.odds.link import read
from campale.referee.ruleset import load_ruleset

VETERANS = ("e55", "--attacker", "veteran", "--target", "militia", "--distance", "10")


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CAMPALE_LANG", raising=False)
    monkeypatch.delenv("CAMPALE_DEBUG", raising=False)


def told(*words: str) -> Any:
    return CliRunner().invoke(app, ["odds", *words], env={"COLUMNS": "120"})


def test_a_query_is_told_stage_by_stage_with_bars_and_its_link() -> None:
    found = told(*VETERANS)
    assert found.exit_code == 0
    for part in (
        "Who attacks: Veteran (Samples)",
        "Distance: 10 inches",
        "hits",
        "killed",
        "█",
        "All of the target killed",
    ):
        assert part in found.stdout
    link = found.stdout.split("Link: ")[1].strip()
    book, written, *_ = read(link)
    assert answered(load_ruleset(book), written).link == link


def test_it_is_told_in_italian() -> None:
    found = told(*VETERANS, "--lang", "it")
    assert "Distanza: 10 pollici" in found.stdout
    assert "perdite" in found.stdout
    assert "8,333" in found.stdout


def test_json_is_the_answer_itself() -> None:
    found = json.loads(told(*VETERANS, "--json").stdout)
    answer = answered(load_ruleset("e55"), {"attacker": "veteran", "target": "militia", "distance": 10})
    assert found["link"] == answer.link
    assert found["over"][0]["chances"] == [list(pair) for pair in answer.over[0].chances]


def test_weapons_states_policies_options_and_other_fields_are_given() -> None:
    words = ("ragnarok", "--weapon", "steam_musket*2", "--weapon", "steam_musket@steam", "--state", "aimed")
    more = (
        "--state",
        "target:prone",
        "--set",
        "exploration=1",
        "--policy",
        "exploration=spend",
        "--option",
        "jams=true",
    )
    values = json.loads(told(*words, *more, "--json").stdout)["values"]
    assert values["weapons"] == "steam_musket*2,steam_musket@steam"
    assert (values["attacker-states"], values["target-states"]) == ("aimed", "prone")
    assert (values["exploration"], values["policy-exploration"], values["option-jams"]) == ("1", "spend", "true")


def test_targets_and_other_fields_stand_side_by_side() -> None:
    found = json.loads(told(*VETERANS, "--against", "veteran", "--vary", "distance=5,20", "--json").stdout)
    assert found["fields"] == ["distance", "target"]
    assert found["columns"] == [["5", "militia"], ["5", "veteran"], ["20", "militia"], ["20", "veteran"]]
    shown = told(*VETERANS, "--against", "veteran").stdout
    assert "Militiaman (Samples)" in shown
    assert "killed, average" in shown


def test_a_comparison_is_a_link_and_a_link_may_be_a_comparison() -> None:
    words = (*VETERANS, "--against", "tank", "--vary", "distance=5,20")
    whole = json.loads(told(*words, "--json").stdout)
    assert whole["link"] in told(*words).stdout
    again = told("--link", f"https://example.org{whole['link']}", "--json")
    assert json.loads(again.stdout) == whole
    fewer = json.loads(told("--link", whole["link"], "--vary", "distance=7", "--json").stdout)
    assert [column for column in fewer["columns"] if "7" in column] == fewer["columns"]
    assert len(fewer["columns"]) == 2


def test_a_link_may_seek_an_order_of_fire() -> None:
    words = ("ragnarok", "--set", "attacker-adds=drum_gun", "--weapon", "steam_musket,drum_gun")
    found = told(*words, "--order", "wipe-out").stdout
    link = found.split("Link to all orders: ")[1].strip()
    assert told("--link", link).stdout == found


def test_the_best_order_is_told() -> None:
    found = told(*VETERANS, "--set", "attacker-adds=fusion-gun", "--weapon", "rifle*4,fusion-gun", "--order", "best")
    assert "The order makes no difference here." in found.stdout
    found = told(
        "ragnarok", "--set", "attacker-adds=drum_gun", "--weapon", "steam_musket,drum_gun", "--order", "wipe-out"
    )
    assert "order of fire" in found.stdout


def test_what_may_be_given_is_listed_as_things_stand() -> None:
    found = told("e55", "--list", "--attacker", "veteran", "--set", "attacker-adds=fusion-gun*2", "--distance", "5")
    assert found.exit_code == 0
    for part in (
        "attacker = veteran",
        "distance = 5",
        "1 … 72",
        "fusion-gun",
        "policy-save = proposed",
        "lantern-guard-750:keepers",
    ):
        assert part in found.stdout
    wrong = told("e55", "--list", "--distance", "far")
    assert "'far' is not a number" in wrong.stdout


def test_a_file_and_a_link_are_queries_and_options_go_on_top(tmp_path: Path) -> None:
    file = tmp_path / "query.yaml"
    file.write_text("book: e55\nquery: {attacker: veteran, target: militia, distance: 10}\n", encoding="utf-8")
    values = json.loads(told("--file", str(file), "--distance", "20", "--json").stdout)["values"]
    assert (values["attacker"], values["distance"]) == ("veteran", "20")
    file.write_text("book: e55\nquery: {attacker: veteran}\ncompare: {target: [militia, tank]}\n", encoding="utf-8")
    assert json.loads(told("--file", str(file), "--json").stdout)["columns"] == [["militia"], ["tank"]]
    link = "/odds?book=e55&attacker=veteran&target=tank"
    assert json.loads(told("--link", link, "--json").stdout)["values"]["target"] == "tank"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ((), "no rulebook was named"),
        (("nobook",), "there is no ruleset 'nobook'"),
        (("e55", "--attacker", "nobody"), "attacker: 'nobody' cannot be chosen"),
        (("e55", "--distance", "100"), "distance: 100 is not from 1 to 72"),
        (("e55", "--set", "distance"), "'distance' is not name=value"),
        (("e55", "--set", "colour=red"), "e55 does not ask for 'colour' here"),
        (("e55", "--set", "distanc=3"), "Did you mean 'distance'?"),
        (("e55", "--attacker", '{"profile": "veteran", "hat": 1}'), "'hat' is not part of it. Remove it"),
        (("e55", "--attacker", '{"profile": "veteran", "count": 31}'), "'count' is not right (wanted: int <= 30)"),
        (("ragnarok", "--target", '{"profile": 3}'), "target:"),
        (("ragnarok", "--target", '{"count": 3}'), "target:"),
        (("e55", "--weapon", "rifle*60"), "Choose fewer"),
        (("e55", "--order", "worst"), "no order is best for 'worst'"),
        (("e55", "--order", "best", "--against", "tank"), "cannot be asked together"),
        (("e55", "--link", "/odds?book=ragnarok"), "these are odds of 'ragnarok'"),
        (("e55", "--link", "book=e55&x=%ff"), "is not text"),
        (("--link", "book=e55&order=worst"), "order of fire 'worst', which does not exist"),
        (("--link", "book=e55&compare-colour=red&compare-colour=blue"), "e55 does not ask for 'colour' here"),
        (("--link", "book=e55" + "".join(f"&compare-distance={n}" for n in range(1, 31))), "Too many columns"),
        (("--link", "book=e55&compare-target=" + "x" * 9000), "longer than 8000 characters"),
        (("e55", "--file", "nowhere.yaml"), "cannot read"),
        (("e55", "--attacker", '{"profile": "veteran", "changes": {"bs": "x"}}'), "attacker:"),
        (("e55", "--attacker", "tank", "--target", "tank", "--set", "kind=charge"), "may not charge"),
    ],
)
def test_whatever_cannot_be_used_is_told_in_a_sentence(words: tuple[str, ...], part: str) -> None:
    found = told(*words)
    assert found.exit_code == 2
    assert part in found.stderr
    assert "Traceback" not in found.stderr
    assert told(*words, "--lang", "it").exit_code == 2


@pytest.mark.parametrize("text", ["[1, 2]", "book: e55\nquery: 5", "book: e55\ncompare: {target: militia}", "other: 1"])
def test_files_that_are_no_query_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "query.yaml"
    file.write_text(text, encoding="utf-8")
    found = told("--file", str(file))
    assert found.exit_code == 2
    assert "not a Campale odds file" in found.stderr


def examples(page: str) -> list[str]:
    """The commands that a page of the docs shows, but for those that read a file."""
    lines = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("campale odds ") and "--file" not in line]


@pytest.mark.parametrize("line", examples("en/odds.md"))
def test_what_the_page_shows_can_be_typed(line: str) -> None:
    found = told(*shlex.split(line)[2:])
    assert found.exit_code == 0, found.stderr
    assert "Link: /odds?book=" in found.stdout


def test_both_languages_show_the_same_commands() -> None:
    assert examples("en/odds.md") == examples("it/probabilita.md")
    assert len(examples("en/odds.md")) >= 8
