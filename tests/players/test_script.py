"""The scripted player: the best of what is advised, else what is likeliest, and never a look ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from campale.players import GreedyPlayer, ScriptPlayer, player_named
from campale.players.greedy import Line, Step, may_begin
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.question import Choose, Form, Number, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.ruleset import WASTE, Advised, Ruleset
from campale.referee.seat import Seat
from campale.simulate import battle

NOT_NOW = Fault(word="answer.not-offered")


def answered(raid: Ruleset, question: Question, advice: Mapping[str, Sequence[Advised]], seed: int = 1) -> Plain:
    """What the player says to a question, with what is advised by prompt."""

    def advise(position: Position, asked: Question, about: Mapping[str, Any]) -> Sequence[Advised]:
        heard.append((asked.prompt, dict(about)))
        return advice.get(asked.prompt, ())

    heard.clear()
    ruleset = raid.replacing(advise=advise)
    assert ruleset.starters is not None
    game = Game(ruleset, ruleset.starters()[0], "1")
    game.pending = {0: question}
    return ScriptPlayer(seed).answer(Seat(game, 0))


heard: list[tuple[str, dict[str, Any]]] = []


def test_the_answer_that_is_worth_most_is_given(raid: Ruleset) -> None:
    question = Choose(0, "who", ("a", "b", "c"))
    assert answered(raid, question, {"who": [("a", 1.0), ("c", 2.5), ("b", 2.0)]}) == "c"
    assert answered(raid, question, {"who": [("a", -1.0), ("b", -2.0)]}) == "a"


def test_what_is_refused_makes_room_for_the_next_best(raid: Ruleset) -> None:
    question = Choose(0, "who", ("a", "b", "c"), forbids=lambda key: NOT_NOW if key == "c" else None)
    assert answered(raid, question, {"who": [("a", 1.0), ("c", 2.5), ("nobody", 9.0), ("b", 2.0)]}) == "b"


def test_of_answers_worth_the_same_one_is_drawn(raid: Ruleset) -> None:
    question, alike = Choose(0, "who", ("a", "b", "c")), {"who": [("a", 1.0), ("b", 1.0), ("c", 0.5)]}
    found = [answered(raid, question, alike, seed) for seed in range(20)]
    assert set(found) == {"a", "b"}
    assert found == [answered(raid, question, alike, seed) for seed in range(20)]


def test_without_advice_the_question_says_what_is_likeliest(raid: Ruleset) -> None:
    assert answered(raid, Choose(0, "who", ("a", "b", "c"), odds={"a": 0.1, "b": 3.0}), {}) == "b"
    assert answered(raid, Choose(0, "who", ("a", "b"), odds={"a": 0.1}), {}) == "b"
    assert answered(raid, Choose(0, "who", ("a", "b")), {}) == "a"
    assert answered(raid, Choose(0, "who", ("a", "b"), likely=("b",)), {}) == "b"
    assert answered(raid, Number(0, "many", 0, 9, suggested=(4, 7)), {}) == 4


def test_the_likeliest_that_is_forbidden_makes_room_too() -> None:
    question = Choose(0, "who", ("a", "b", "c"), forbids=lambda key: NOT_NOW if key == "b" else None, odds={"b": 5.0})
    assert {question.likeliest(Random(seed)) for seed in range(20)} == {"a", "c"}
    with pytest.raises(ValueError, match="who"):
        Choose(0, "who", ("a",), forbids=lambda key: NOT_NOW).likeliest(Random(1))


def test_what_is_to_be_left_is_taken_only_if_there_is_no_other() -> None:
    seeds = [Random(seed) for seed in range(20)]
    leaning = Choose(0, "who", ("a", "b", "c"), likely=("a", "b"))
    assert {leaning.likeliest(rng, ["a"]) for rng in seeds} == {"b"}
    assert {leaning.likeliest(rng, ["a", "b"]) for rng in seeds} == {"c"}
    assert {leaning.leaning(rng, ["a", "b", "c"]) for rng in seeds} <= {"a", "b", "c"}
    assert Choose(0, "who", ("a", "b"), odds={"a": 5.0}).likeliest(seeds[0], ["a"]) == "b"
    assert Choose(0, "who", ("a",), odds={"a": 5.0}).likeliest(seeds[0], ["a"]) == "a"


def fields(filled: list[Any]) -> Question | None:
    if len(filled) == 2:
        return None
    return Choose(0, "whom", ("a", "b"), about={"at": len(filled)})


def test_a_form_is_filled_in_field_by_field_and_told_what_it_is_about(raid: Ruleset) -> None:
    form = Form(0, "all", fields, about={"actor": 7})
    assert answered(raid, form, {"whom": [("b", 1.0)]}) == ["b", "b"]
    assert heard == [("all", {"actor": 7}), ("whom", {"actor": 7, "at": 0}), ("whom", {"actor": 7, "at": 1})]
    assert answered(raid, form, {"all": [(["b", "a"], 1.0)], "whom": [("b", 1.0)]}) == ["b", "a"]


def test_it_never_looks_ahead(raid: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a game was imagined")

    monkeypatch.setattr(Game, "imagined_by", never)
    monkeypatch.setattr(Game, "clone", never)
    assert raid.starters is not None
    players = {side: player_named("script", side) for side in (0, 1)}
    assert battle(raid, raid.starters()[0], players).is_over


# ---------------------------------------------------------------- what comes to nothing


def test_what_comes_to_nothing_is_not_taken_while_there_is_anything_else(raid: Ruleset) -> None:
    question = Choose(0, "who", ("a", "b", "c"), likely=("b",))
    assert answered(raid, question, {"who": [("a", WASTE), ("c", -5.0)]}) == "c"
    assert answered(raid, question, {"who": [("a", WASTE)]}) == "b"


def test_a_thinking_player_does_not_try_it_either(raid: Ruleset) -> None:
    """Neither as an answer that is advised less, nor as one that nobody has spoken for; in a form neither."""
    advice: dict[str, Sequence[Advised]] = {
        "whom": [("a", WASTE), ("b", 0.0)],
        "who": [("x", 1.0), ("y", 0.5), ("z", WASTE)],
    }
    ruleset = raid.replacing(advise=lambda position, asked, about: advice.get(asked.prompt, ()))
    assert ruleset.starters is not None
    seat = Seat(Game(ruleset, ruleset.starters()[0], "1"), 0)
    form, choice = Form(0, "both", fields), Choose(0, "who", ("x", "y", "z", "w"))
    tried = [(GreedyPlayer(seed).another(form, seat), GreedyPlayer(seed).another(choice, seat)) for seed in range(60)]
    assert {repr(filled) for filled, _ in tried} == {repr(["b", "b"])}
    assert {one for _, one in tried} == {"x", "y", "w"}


def test_a_line_that_is_remembered_is_not_begun_where_it_comes_to_nothing(raid: Ruleset) -> None:
    choice = Choose(0, "who", ("x", "y"))
    lines = [Line((Step("choose", choice.prompt, answer),), 1.0) for answer in ("x", "y", "gone")]
    assert [may_begin(line, choice, ["x"]) for line in lines] == [False, True, False]
