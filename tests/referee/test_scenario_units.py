"""Scenario files: models alike in one entry, marks that name a unit, the move of a unit, proposals taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from campale.referee.scenarios.scenario import check, read_scenario

GOOD: dict[str, Any] = {
    "campale": "scenario/1",
    "ruleset": "e55",
    "title": "A test",
    "models": [
        {"id": "Red", "count": 3, "profile": "veteran", "at": [30, 10], "step": [2, 0.5]},
        {"id": "Blue", "profile": "veteran", "side": 2, "at": [30, 40]},
    ],
    "units": {"Red": {"marks": {"faces": "Blue"}}},
    "now": {"phase": "movement"},
}


def problems(tmp_path: Path, **changes: Any) -> str:
    path = tmp_path / "one.yaml"
    path.write_text(yaml.safe_dump({**GOOD, **changes}), "utf-8")
    return "\n".join(check(path))


def test_one_entry_stands_for_several_models_of_a_unit(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(yaml.safe_dump(GOOD), "utf-8")
    position = read_scenario(path).game.position
    assert position.names == ["Red1", "Red2", "Red3", "Blue"]
    assert [model.at for model in position.models[:3]] == [(30, 10), (32, 10.5), (34, 11)]
    assert position.unit_names == ["Red", "Blue"]


def test_no_more_models_than_are_taken_even_so(tmp_path: Path) -> None:
    many = {"count": 101, "profile": "veteran", "where": "reserve"}
    found = problems(tmp_path, models=[{**many, "id": "Red"}, {**many, "id": "Blue"}])
    assert "these are 202 models" in found


def test_a_mark_that_means_a_unit_is_given_by_its_name(tmp_path: Path) -> None:
    assert problems(tmp_path, expect={"units": {"Red": {"marks": {"faces": "Blue"}}}}) == ""
    assert "Red has 2 of faces" in problems(tmp_path, expect={"units": {"Red": {"marks": {"faces": "Red"}}}})


@pytest.mark.parametrize(
    ("marks", "said"), [({"faces": "Blu"}, "Did you mean 'Blue'"), ({"broken": "Blue"}, "broken is a number")]
)
def test_a_mark_that_names_no_unit(tmp_path: Path, marks: dict[str, Any], said: str) -> None:
    assert said in problems(tmp_path, units={"Red": {"marks": marks}})


@pytest.mark.parametrize(
    ("answer", "ends"),
    [
        ({"shift": [0, 4]}, ([30, 14], [32, 14.5], [34, 15])),
        ({"Red1": [30, 13], "Red3": [[34, 12], [35, 12]]}, ([30, 13], [32, 10.5], [35, 12])),
        ({"Red2": [32, 11], "shift": [0, 1]}, ([30, 11], [32, 11], [34, 12])),
    ],
)
def test_the_move_of_a_unit_told_by_its_models(tmp_path: Path, answer: Any, ends: Any) -> None:
    play = [{"answer": ["move", {"unit": "Red"}]}, {"answer": answer}]
    models = {f"Red{k + 1}": {"at": at} for k, at in enumerate(ends)}
    assert problems(tmp_path, play=play, expect={"models": models}) == ""


def test_whoever_does_not_move_there_is_told(tmp_path: Path) -> None:
    play = [{"answer": ["move", {"unit": "Red"}]}, {"answer": {"Blue": [30, 39]}}]
    assert "Blue is not among those who move here" in problems(tmp_path, play=play)


def test_a_proposal_is_taken(tmp_path: Path) -> None:
    play = [
        {"answer": ["move", {"unit": "Red"}]},
        {"act": "accept", "expect": {"units": {"Red": {"marks": {"done": 1}}}}},
    ]
    assert problems(tmp_path, play=play, expect={"asked": {"side": 2, "prompt": "to-ground"}}) == ""


def test_where_nobody_is_asked_there_is_no_proposal(tmp_path: Path) -> None:
    assert "side 2 is not asked anything" in problems(tmp_path, play=[{"by": 2, "act": "accept"}])


def test_what_comes_later_is_told_in_the_book_s_terms_and_named_by_its_unit(tmp_path: Path) -> None:
    lions = {"turn": 2, "units": [{"name": "Lions", "profile": "militia", "count": 2}]}
    begun: dict[str, Any] = {
        "now": {"phase": "start", "turn": 3},
        "dice": "4",
        "sides": {"1": {"holds": {"reserves": [lions]}}},
    }
    standing = {"Lions 1": {"at": [20, 5]}, "Lions 2": {"where": "table"}}
    entered = [{"answer": [[20, 5, 0]], "expect": {"models": standing}}]
    assert problems(tmp_path, **begun, play=entered) == ""
    missing = [{"answer": [[20, 5, 0]], "expect": {"models": {"Lions 3": {"where": "table"}}}}]
    assert "there is no model 'Lions 3'" in problems(tmp_path, **begun, play=missing)


def test_an_answer_may_name_a_model_that_came_later(tmp_path: Path) -> None:
    seer = {"profile": "militia", "powers": ["bog-fire"], "changes": {"psyker": 1}}
    lions = {"turn": 2, "units": [{"name": "Lions", "profile": seer, "count": 2}]}
    begun: dict[str, Any] = {
        "now": {"phase": "start", "turn": 3},
        "dice": "4 1",
        "sides": {"1": {"holds": {"reserves": [lions]}}},
        "models": [{"id": "Foe", "profile": "militia", "side": 2, "at": [30, 18]}],
        "units": {},
    }

    def cast_by(name: str) -> str:
        cast = {"answer": ["cast", {"unit": "Lions"}, name, 0]}
        return problems(tmp_path, **begun, play=[{"answer": [[30, 5, 0]]}, cast])

    assert cast_by("Lions 2") == ""
    assert "refused" in cast_by("Lions 3")


@pytest.mark.parametrize(
    ("holds", "said"),
    [
        ({"reserves": [{"turn": 1, "units": [{"name": "Lions", "profile": "militia"}]}]}, "this cannot be held"),
        ({"roster": [{"name": "Lions", "profile": "militias"}]}, "there is no profile"),
        ({"roster": [{"profile": "militia"}]}, "name"),
    ],
)
def test_what_cannot_come_later(tmp_path: Path, holds: dict[str, Any], said: str) -> None:
    assert said in problems(tmp_path, sides={"2": {"holds": holds}})
