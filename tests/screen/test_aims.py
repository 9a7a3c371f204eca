"""Who is aimed at whom by an answer, as the board draws it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.toys import register

from campale.referee.game import Game
from campale.referee.question import Choose, Form, Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import load_ruleset
from campale.screen.scene import eyes
from campale.screen.telling import Marker, aimed


@pytest.fixture
def marker() -> Marker:
    register()
    ruleset = load_ruleset("_template")
    assert ruleset.starters is not None
    game = Game(ruleset, ruleset.starters()[0])
    while game.position.now["phase"] == "deployment":
        question = game.question
        assert question is not None
        game.answer(question.side, question.proposals(1)[0])
    seen = eyes(game, 0, "en")
    return Marker(seen.position, seen.teller)


def at_whom(row: int) -> Choose:
    return Choose(0, "shoot-at", [4, 5, "hold"], "model", about={"model": row})


def test_who_shoots_and_at_whom_is_told_of_a_choice_and_of_a_form(marker: Marker) -> None:
    def fields(filled: list[Any]) -> Question | None:
        return at_whom(len(filled)) if len(filled) < 2 else None

    assert aimed(at_whom(1), 5, marker) == [([1], [5])]
    assert aimed(Form(0, "fire", fields), [4, 5], marker) == [([0], [4]), ([1], [5])]


@pytest.mark.parametrize("answer", ["hold", None])
def test_whoever_holds_his_fire_aims_at_nobody(marker: Marker, answer: Plain) -> None:
    assert aimed(at_whom(1), answer, marker) == []
