"""Puzzles: what makes one of a scenario file, and when its goal is reached or missed."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.reading import FileError
from campale.referee.scenarios.puzzle import Puzzle, in_language, is_puzzle, judged, puzzle_of

AIMING = """\
campale: scenario/1
ruleset: ragnarok
title: {en: "Take aim", it: "Prendi la mira"}
models:
  - {id: Anna, profile: steam_rifleman, side: 1, at: [60, 20]}
  - {id: Rolf, profile: raider, side: 2, at: [60, 100], facing: 0}
goal:
  text: {en: "Have Anna aim.", it: "Fai mirare Anna."}
  expect: {declared: {aimed: Anna}}
  until: {turn: 4}
"""
AIM: list[Any] = [0, "aim"]
END: list[Any] = ["end"]


def puzzle(text: str) -> Puzzle:
    return puzzle_of(text, "mine.yaml")


def after(text: str, *answers: Any) -> list[str]:
    """What the goal comes to at the beginning, and after each answer of the first side."""
    made = puzzle(text)
    found = [judged(made.goal, made.game)]
    for answer in answers:
        assert made.game.answer(0, answer) is None
        found.append(judged(made.goal, made.game))
    return list(found)


def test_a_goal_is_reached_as_soon_as_what_it_expects_holds() -> None:
    assert after(AIMING, AIM) == ["open", "solved"]


def test_a_goal_is_missed_when_its_moment_comes() -> None:
    assert after(AIMING, END) == ["open", "failed"]


def test_a_goal_for_the_end_is_looked_at_only_then() -> None:
    at_end = AIMING + "  at_end: true\n"
    assert after(at_end, AIM) == ["open", "open"]
    assert after(at_end, END) == ["open", "failed"]
    staying = at_end.replace("{declared: {aimed: Anna}}", "{models: {Anna: {at: [60, 20]}}}")
    assert after(staying, END) == ["open", "solved"]


@pytest.mark.parametrize(("answers", "verdicts"), [(1, ["open", "failed"]), (2, ["open", "open", "solved"])])
def test_answers_are_counted(answers: int, verdicts: list[str]) -> None:
    text = AIMING.replace("until: {turn: 4}", f"answers: {answers}")
    moved: list[Any] = [0, "move", "walk", [[[60, 22]], 0]]
    assert after(text, *[moved, AIM][:answers]) == verdicts


def test_a_goal_may_ask_for_a_place(tmp_path: Any) -> None:
    near = AIMING.replace("{declared: {aimed: Anna}}", "{models: {Anna: {near: [60, 30, 4]}}}")
    assert after(near, [0, "move", "walk", [[[60, 25.9]], 0]]) == ["open", "open"]
    assert after(near, [0, "move", "walk", [[[60, 26]], 0]]) == ["open", "solved"]


@pytest.mark.parametrize(
    ("before", "instead", "told"),
    [
        ("goal:", "expect: {}\nsolution: []\nx:", "not known here"),
        (AIMING[AIMING.index("goal:") :], "", "line 1: this is no puzzle: it has no goal"),
        ("goal:", 'dice: "3"\ngoal:', "line 7, dice: a puzzle has no dice"),
        ("goal:", "play: [{answer: [Anna, aim]}]\ngoal:", "line 7, play: a puzzle has no dice of its own and no play"),
        ("{declared: {aimed: Anna}}", "{models: {Anna: {at: [60, 20]}}}", "line 8, goal: this is solved, or failed"),
        ("turn: 4", "turn: 3", "line 8, goal: this is solved, or failed"),
        ("aimed: Anna", "aimd: Anna", "ragnarok has no declared 'aimd'"),
        ("{declared: {aimed: Anna}}", "{models: {Ann: {}}}", "there is no model 'Ann'. Did you mean 'Anna'?"),
        ("  until:", "  side: 2\n  until:", "line 10, goal.side: this side is asked nothing"),
        ("  until:", "  rival: search\n  until:", "'search' is not one of 'random', 'script'"),
        ("  until:", "  answers: 0\n  until:", "below the minimum, 1"),
    ],
)
def test_a_file_that_is_no_puzzle_is_told_with_its_line(before: str, instead: str, told: str) -> None:
    assert before in AIMING
    with pytest.raises(FileError) as caught:
        puzzle(AIMING.replace(before, instead))
    assert told in str(caught.value)


def test_it_is_told_in_italian_too() -> None:
    with pytest.raises(FileError) as caught:
        puzzle(AIMING[: AIMING.index("goal:")])
    assert caught.value.told("it")[0].startswith("mine.yaml, riga 1: non è un problema")


def test_which_files_are_puzzles(tmp_path: Any) -> None:
    for name, text, found in (("a", AIMING, True), ("b", AIMING[: AIMING.index("goal:")], False), ("c", "[", False)):
        path = tmp_path / f"{name}.yaml"
        path.write_text(text, "utf-8")
        assert is_puzzle(path) == found


def test_a_text_in_one_language_serves_for_both() -> None:
    assert in_language("Move", "it") == "Move"
    assert in_language({"en": "Move", "it": "Muovi"}, "it") == "Muovi"
    assert in_language({"en": "Move"}, "it") == "Move"
    assert in_language({"fr": "Bouge"}, "it") == "Bouge"
