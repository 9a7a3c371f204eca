"""Positions of every book told as scenario files, and set out again as they were."""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec
import pytest

from campale.conformance.playing import begun, lengths, played, spread
from campale.dice.sources import Seeded, Source
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.reading import FileError, read, shaped
from campale.referee.ruleset import load_ruleset
from campale.referee.scenarios.file import SCHEMA, Scenario
from campale.referee.scenarios.stage import Stage
from campale.referee.scenarios.writing import scenario_of
from campale.screen.kit import written
from campale.screen.replay import Recorded, put

BOOKS = ("e3m", "e55", "ragnarok", "w10", "wzr")
MANY, BACK = 24, 4
"""So many looks at a battle, each from so many boundaries before."""


def told(game: Game) -> dict[str, Any]:
    """What a file says of the last boundary of a battle."""
    return told_of(game.marks[-1].position, game)


def told_of(position: Position, game: Game) -> dict[str, Any]:
    return dict(msgspec.to_builtins(scenario_of(position, game.setup.options, "A moment")))


def set_out(plain: dict[str, Any], dice: Source | None = None) -> Stage:
    return Stage(*shaped(read(written(plain), "moment.yaml"), Scenario, SCHEMA), dice or Seeded("1"))


def as_named(position: Position, names: Position) -> Position:
    """The position with the names of another: in a file no two models are called the same."""
    renamed = position.copy()
    renamed.names, renamed.unit_names = names.names, names.unit_names
    return renamed


@pytest.mark.parametrize("book", BOOKS)
def test_a_position_is_set_out_again_as_it_was_and_goes_on_the_same(book: str) -> None:
    seen, went_on = 0, 0
    whole = played(book, 0)
    for length in spread(lengths(whole), MANY):
        game, before = whole.at(length), [mark for mark in whole.marks if mark.at <= length]
        mark = before[-min(BACK, len(before))]
        if not mark.position.names:
            continue
        seen += 1
        left = deque(game.line[mark.at :])
        went_on += len(left)
        again = set_out(told_of(mark.position, game), Recorded(left)).game
        first = again.marks[0].position
        assert first.to_bytes() == as_named(mark.position, first).to_bytes(), (book, mark.at, mark.position.now)
        while left:
            put(again, left.popleft())
        assert again.position.to_bytes() == as_named(game.position, again.position).to_bytes(), (book, mark.at)
    assert seen > 2
    assert went_on > 0


@pytest.fixture
def whole() -> dict[str, Any]:
    """A battle of Ragnarok that is some turns old."""
    game = played("ragnarok", 0)
    return told(game.at(next(mark.at for mark in game.marks if mark.position.now.get("turn", 0) > 1)))


def test_what_is_changed_in_it_is_changed_and_nothing_else(whole: dict[str, Any]) -> None:
    before = set_out(whole).game.marks[0].position
    row = next(row for row, one in enumerate(whole["models"]) if one.get("where", "table") == "table")
    models = [{**one, "where": "gone"} if k == row else one for k, one in enumerate(whole["models"])]
    after = set_out({**whole, "models": models}).game.marks[0].position
    assert before.where[row] != after.where[row]
    after.where[row] = before.where[row]
    assert after.to_bytes() == before.to_bytes()


def test_a_model_that_is_added_has_what_is_usual_and_the_others_keep_what_they_have(whole: dict[str, Any]) -> None:
    profile = load_ruleset("ragnarok").stage.profiles()["raider"]  # type: ignore[union-attr, misc]
    old = len(whole["models"])
    charisma = [one.get("marks", {}).get("charisma", 0) for one in whole["models"]]
    fresh = {"id": "Fresh", "profile": "raider", "side": 2, "where": "reserve"}
    position = set_out({**whole, "models": [*whole["models"], fresh]}).game.marks[0].position
    assert [position.model(row).marks("charisma") for row in range(old)] == charisma
    assert position.model(old).marks("charisma") == profile.charisma
    assert position.facing[old] == 180.0


def test_a_text_that_is_also_a_model_s_name_stays_a_text() -> None:
    game = begun("ragnarok", 0)
    position = game.marks[-1].position.copy()
    position.declared["aimed"] = (position.names[0], 0, [position.names[1]])
    assert set_out(told_of(position, game)).game.marks[0].position.declared["aimed"] == (
        position.names[0],
        0,
        (position.names[1],),
    )


def test_where_somebody_stands_on_another_it_is_refused(whole: dict[str, Any]) -> None:
    here = [row for row, one in enumerate(whole["models"]) if one.get("where", "table") == "table"]
    at = whole["models"][here[0]]["at"]
    models = [{**one, "at": at} if row == here[1] else one for row, one in enumerate(whole["models"])]
    with pytest.raises(FileError, match="overlap"):
        set_out({**whole, "models": models})
