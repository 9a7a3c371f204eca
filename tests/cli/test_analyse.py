"""The analysis of a saved battle from the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from campale.cli import app

QUICK = ("--lines", "4", "--lucks", "4")


@pytest.fixture
def saved(tmp_path: Path) -> str:
    """A battle of the toy between bots that answer at random."""
    file = tmp_path / "game.json"
    run("battle", "raid", "--red", "random", "--blue", "random", "--seed", "5", "--out", str(file))
    return str(file)


def run(*words: str) -> str:
    found = CliRunner().invoke(app, words)
    assert found.exit_code == 0, found.stderr
    return found.stdout


@pytest.mark.usefixtures("raid")
def test_the_costliest_decisions_of_a_side_are_told_with_how_to_see_them(saved: str) -> None:
    told = run("analyse", saved, "--side", "1", *QUICK)
    plain = json.loads(run("analyse", saved, "--side", "blue", "--json", *QUICK))
    assert (plain["side"], plain["is_cut"]) == (1, False)
    assert 0 < len(plain["decisions"]) <= 5
    assert f"Looked at {plain['of']} of {plain['of']} decisions" in told
    for number, one in enumerate(plain["decisions"], 1):
        cost = f"{one['loss']:g} points" if one["won"] < 0.1 else f"about {round(50 * one['won'])} %"
        assert f"{number}. {one['when']}: cost {cost}" in told
        assert f"campale replay {saved} --at {one['entries']}" in told
        assert f"better: {'; '.join(one['better'])}" in told
    assert run("analyse", saved, "--side", "1", *QUICK) == told
    assert "è costata" in run("analyse", saved, "--side", "1", "--lang", "it", *QUICK)


@pytest.mark.usefixtures("raid")
def test_where_the_time_is_over_that_is_told(saved: str) -> None:
    told = run("analyse", saved, "--minutes", "0", *QUICK)
    assert "Looked at 0 of" in told
    assert "--minutes" in told
    assert json.loads(run("analyse", saved, "--minutes", "0", "--json"))["is_cut"]


@pytest.mark.usefixtures("raid")
def test_a_side_that_there_is_not_is_refused(saved: str) -> None:
    found = CliRunner().invoke(app, ["analyse", saved, "--side", "green"])
    assert found.exit_code == 2
    assert found.stderr.strip() == "campale: there is no side 'green'; choose red or blue."
