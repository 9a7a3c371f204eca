"""Puzzles that come with the books can be solved as they say, and those that cannot are told."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from tests.referee.test_puzzle import AIMING
from tests.referee.test_scenario import put_in

from campale.referee.ruleset import load_ruleset, ruleset_names
from campale.referee.scenarios.puzzle import FOLDER, read_puzzle
from campale.referee.scenarios.scenario import files_in
from campale.simulate.solving import check, trace

SHIPPED = [
    pytest.param(path, id=f"{name}/{path.stem}")
    for name in ruleset_names()
    for path in files_in(load_ruleset(name).folder / FOLDER)
]
LANGUAGES = {"en", "it"}


@pytest.mark.parametrize("path", SHIPPED)
def test_a_shipped_puzzle_is_solved_as_it_says_and_not_by_doing_nothing(path: Path) -> None:
    assert check(path) == []


@pytest.mark.parametrize("path", SHIPPED)
def test_a_shipped_puzzle_is_told_in_both_languages(path: Path) -> None:
    puzzle = read_puzzle(path)
    goal = puzzle.goal
    assert goal.hints
    assert puzzle.stage.scenario.rules
    for told in (puzzle.title, goal.text, *goal.hints):
        assert isinstance(told, dict)
        assert set(told) == LANGUAGES


def problems(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text, "utf-8")
    return "\n".join(check(path))


def test_a_solution_that_solves_it_holds(tmp_path: Path) -> None:
    assert problems(tmp_path, AIMING + "solution: [{answer: [Anna, aim]}]\n") == ""


@pytest.mark.parametrize(
    ("solution", "told"),
    [
        ("", "line 8, goal: the puzzle has no solution"),
        ("solution: [{answer: [Anna, move, walk, [[[60, 22]], 0]]}]", "line 11, solution: the goal is not reached"),
        ("solution: [{answer: [end]}]", "mine.yaml, line 9, goal.expect.declared.aimed: aimed is None"),
        ("solution: [{answer: [Anna, fly]}]", "line 11, solution[1].answer: refused by tactical/sequence"),
        ("solution: [{by: 2, answer: [end]}]", "line 11, solution[1].answer: the rival answers for itself"),
    ],
)
def test_a_solution_that_does_not_is_told(tmp_path: Path, solution: str, told: str) -> None:
    assert told in problems(tmp_path, f"{AIMING}{solution}\n")


def test_a_solution_that_leaves_out_a_decision_is_told(tmp_path: Path) -> None:
    shipped = load_ruleset("e55").folder / FOLDER / "6-the-last-turn.yaml"
    text = shipped.read_text("utf-8").replace("  - {by: 2, answer: [Gun, Keepers]}\n", "")
    assert "play does not go on by itself: asked is side 2: form 'face'" in problems(tmp_path, text)


def test_a_solution_that_a_rule_breaks_down_over_is_told(tmp_path: Path) -> None:
    shipped = load_ruleset("e55").folder / FOLDER / "6-the-last-turn.yaml"
    path = tmp_path / "mine.yaml"
    path.write_text(shipped.read_text("utf-8").replace("value: [6, 1]", "value: [x, x]"), "utf-8")
    assert "solution: play breaks down: " in "\n".join(check(path))
    assert "solution: play breaks down: " in "\n".join(trace(path)[1])


@pytest.mark.parametrize("seed", range(4))
def test_a_changed_puzzle_is_solved_or_told(tmp_path: Path, seed: int) -> None:
    """Shipped files with something else in a place or two of their goal, or without it, or with one more."""
    rng = Random(f"puzzle {seed}")
    files = [path for name in ruleset_names() for path in files_in(load_ruleset(name).folder / FOLDER)]
    for path in rng.sample(files, 12):
        content = yaml.safe_load(path.read_text("utf-8"))
        for _ in range(rng.choice((1, 2))):
            put_in(content["goal"] if isinstance(content.get("goal"), dict) else content, rng)
        found = problems(tmp_path, yaml.safe_dump(content, allow_unicode=True))
        assert "Traceback" not in found


def test_what_doing_nothing_solves_is_no_puzzle(tmp_path: Path) -> None:
    text = AIMING.replace("{declared: {aimed: Anna}}", "{models: {Anna: {at: [60, 20]}}}") + "  at_end: true\n"
    assert "line 8, goal: doing nothing solves it" in problems(tmp_path, text + "solution: [{answer: [end]}]\n")


def test_what_happens_while_it_is_solved_is_told(tmp_path: Any) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(AIMING + "solution: [{answer: [Anna, aim]}]\n", "utf-8")
    lines, found = trace(path)
    assert found == []
    assert any("Anna takes aim" in line for line in lines)
    path.write_text("[", "utf-8")
    assert trace(path)[1]
