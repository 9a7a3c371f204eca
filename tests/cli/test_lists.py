"""``campale army read``: the fate of every line, what to mend, the army file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from campale.cli import app

TEXT = """Road (160 points)

CHARACTERS

Captian (80 points)
  • Warlord
  • 1x Blade

OTHER

Line Squad (80 points)
  • 5x Rifle
"""
Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    Path("list.txt").write_text(TEXT, "utf-8")
    return lambda *words: CliRunner().invoke(app, ["army", "read", *words])


def test_every_line_is_told_with_its_fate_and_what_to_say(run: Run) -> None:
    found = run("list.txt")
    assert found.exit_code == 1
    lines = found.stdout.splitlines()
    assert lines[0] == "not understood  Captian (80 points)"
    assert "played          Line Squad (80 points)" in lines
    assert "Lines: 2 played, 0 played by hand, 3 not understood, 3 without effect on play." in lines
    assert any(line.startswith("! --mend u0.sheet=   Datasheet of Captian [captain (Captain)") for line in lines)


def test_what_was_mended_is_played_and_written_as_an_army_file(run: Run) -> None:
    found = run("list.txt", "--mend", "u0.sheet=captain", "--out", "army.json")
    assert found.exit_code == 0
    plain = json.loads(Path("army.json").read_text("utf-8"))
    assert [one["unit"] for one in plain["units"]] == ["captain", "line-squad"]
    assert CliRunner().invoke(app, ["army", "check", "army.json"]).exit_code == 0


def test_a_text_may_name_the_units_of_an_army_file(run: Run) -> None:
    run("list.txt", "--mend", "u0.sheet=captain", "--out", "army.json")
    assert run("list.txt", "--known", "army.json", "--mend", "u0.sheet=captain").exit_code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("none.txt",), "cannot read none.txt"),
        (("list.txt", "--ruleset", "ragnarok"), "ragnarok cannot read lists from other programs."),
        (("list.txt", "--ruleset", "nothing"), "nothing"),
        (("bad.ros",), "XML file is damaged"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(run: Run, words: tuple[str, ...], told: str) -> None:
    Path("bad.ros").write_text("<roster", "utf-8")
    found = run(*words)
    assert found.exit_code == 2
    assert told in found.stderr
    assert len(found.stderr.splitlines()) == 1


def test_it_is_told_in_italian(run: Run) -> None:
    assert "non capita      Captian (80 points)" in run("list.txt", "--lang", "it").stdout
