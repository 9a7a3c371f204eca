"""What tables show, the same for every book."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.display import (
    all_refusals,
    at_least,
    length_line,
    mission_lines,
    parts_by_kind,
    score_line,
    wounds_left,
)
from campale.referee.position import Position
from campale.referee.question import Choose
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.referee.ruleset import Setup
from tests.referee.toy import RULESET, set_out


@pytest.fixture
def position() -> Position:
    return set_out(RULESET, Setup("toy"))


def test_an_option_is_told_by_its_prompt_or_else_by_what_its_keys_are() -> None:
    tellers = {
        "who-strikes": lambda profiles, question, key: {"word": "prompt", "profile": profiles[key]},
        "row": lambda profiles, question, key: {"word": "kind"} if key else None,
    }

    def told(prompt: str, of: str, key: Any) -> Any:
        return parts_by_kind(tellers, ("soldier",), Choose(0, prompt, (0, 1), of), key)

    assert told("who-strikes", "row", 0) == {"word": "prompt", "profile": "soldier"}
    assert told("who-moves", "row", 1) == {"word": "kind"}
    assert told("who-moves", "row", 0) is told("who-moves", "place", 1) is None


def test_a_battle_stands_by_its_score_its_length_and_its_mission(position: Position) -> None:
    assert mission_lines(position) == []
    position.now["mission"] = "raid"
    assert [score_line((2, 3)), length_line(1, 6), *mission_lines(position)] == [
        ("score", {"score": [2, 3]}),
        ("length", {"round": 1, "turns": 6}),
        ("mission", {"mission": "raid"}),
    ]


@pytest.mark.parametrize(("number", "shown"), [(4, "4+"), (None, "-")])
def test_what_a_die_must_show_has_a_plus_and_what_there_is_not_a_dash(number: int | None, shown: str) -> None:
    assert at_least(number) == shown


@pytest.mark.parametrize(("lost", "left"), [(0, 3), (2, 1), (3, 0), (4, 0)])
def test_nobody_has_fewer_than_no_wounds_left(position: Position, lost: int, left: int) -> None:
    model = position.models[0]
    model.mark("wounds", lost)
    assert wounds_left(model, 3) == (left, 3)


@rule("toy/odd")
def is_odd(number: int) -> Fault | None:
    return Fault(measured=number) if number % 2 else None


@rule("toy/great")
def is_great(number: int) -> Fault | None:
    return Fault(measured=number, limit=10) if number > 10 else None


@pytest.mark.parametrize(
    ("number", "rules"), [(4, []), (5, ["toy/odd"]), (12, ["toy/great"]), (13, ["toy/odd", "toy/great"])]
)
def test_everything_that_is_against_it_is_told(number: int, rules: list[str]) -> None:
    assert [one.rule for one in all_refusals((is_odd, is_great), number)] == rules
