"""Answers told in few words, and whom a question and its options are about."""

from __future__ import annotations

import pytest

from campale.referee.columns import Counters
from campale.referee.game import Game
from campale.referee.question import Choose, MoveUnit
from campale.referee.refusal import Plain
from campale.referee.ruleset import Ruleset, Setup, load_ruleset
from campale.referee.telling.teller import Teller
from campale.screen.scene import Eyes, all_marks, eyes
from campale.screen.sheet import sheet
from campale.screen.telling import Marker, summary

STAY: Plain = [[[], None], [[], None], [[], None]]


@pytest.fixture
def seen(raid: Ruleset) -> Eyes:
    """A1 at (5, 2), A2 at (15, 2)."""
    game = Game(raid, Setup("raid"))
    game.answer(0, [[5.0, 2.0, 0.0], [15.0, 2.0, 0.0]])
    return eyes(game, 0, "en")


def move(*rows: int) -> MoveUnit:
    return MoveUnit(0, "move", lambda a: None, lambda rng: [], about={"models": list(rows)})


def test_many_are_told_in_few_words(seen: Eyes) -> None:
    assert summary(move(0, 1, 2), STAY, seen.position, seen.teller).endswith("(3) does not move")
    go: Plain = [[[[5.0, 5.0]], None], [[[15.0, 5.0]], None], [[], None]]
    assert "(3): 3″, to about" in summary(move(0, 1, 2), go, seen.position, seen.teller)
    assert summary(move(0, 1), go[:2], seen.position, seen.teller) == seen.teller.answer(move(0, 1), go[:2])


def test_a_sheet_tells_each_rule_once_and_the_innermost_last(seen: Eyes) -> None:
    question = Choose(0, "who", [0, 2], "model")
    question.rules = ("x/hit", "x/fire", "x/hit")
    assert [rule.id for rule in sheet(question, seen.teller, seen.position).rules] == ["x/fire", "x/hit"]


@pytest.mark.parametrize(("ends", "place"), [("done", 2), ("end", 2), (("done",), 2), ("none", 0), (("done", 1), 0)])
def test_the_option_that_ends_a_step_stands_last(seen: Eyes, ends: Plain, place: int) -> None:
    question = Choose(0, "who", [ends, ("shoot", 0), ("shoot", 1)], "act")
    options = sheet(question, seen.teller, seen.position).options
    assert options is not None
    assert [one.key for one in options].index(ends) == place
    assert options[0 if place else 1].key == ("shoot", 0)


def test_options_that_are_models_are_marked_by_whose_they_are(seen: Eyes) -> None:
    marker = Marker(seen.position, seen.teller)
    question = Choose(0, "who", [0, 2], "model")
    assert marker.of_option(question, 0).actors == [0]
    assert marker.of_option(question, 2).targets == [2]
    assert marker.of_option(Choose(0, "where", [(3.5, 4.0)], "point"), (3.5, 4.0)).at == (3.5, 4.0)
    assert marker.of_fields({"model": 1, "target": 2, "count": 3})[:2] == ([1], [2])


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", ["combat speed", "cruising speed"]), ("it", ["velocità di combattimento", "velocità di crociera"])],
)
def test_a_mark_whose_value_has_words_is_told_by_them(language: str, told: list[str]) -> None:
    counters = Counters(3)
    for row, speed in ((0, 1), (1, 2)):
        counters.set(row, "speed", speed)
    marks = all_marks(counters, Teller(load_ruleset("e55"), language), {})
    assert [[one.text for one in row] for row in marks] == [[told[0]], [told[1]], []]
