"""Questions that follow one from another are one form: as long as nobody learns anything, and no longer."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.game import Game
from campale.referee.question import Choose, Form, Question
from campale.referee.records.record import Entry
from campale.referee.ruleset import load_ruleset
from campale.screen.chaining import Chain, answered, chained, inner
from campale.screen.orders import AT_FIRST
from campale.screen.scene import eyes
from campale.screen.sheet import check, filled, next_field, sheet
from campale.simulate import starters_of


def until(book: str, prompt: str, seed: str = "chain", skip: int = 0, starter: int = 0) -> Game:
    """A battle of proposals up to a question."""
    ruleset = load_ruleset(book)
    game = Game(ruleset, starters_of(ruleset)[starter], seed)
    for _ in range(800):
        question = game.question
        assert question is not None
        if question.prompt == prompt and not (skip := skip - 1) >= 0:
            return game
        assert game.answer(question.side, question.proposals(1)[0]) is None
    raise AssertionError(f"nobody is asked '{prompt}'")


def chain_of(game: Game, orders: Any = AT_FIRST) -> Question:
    question = game.question
    assert question is not None
    assert question.side is not None
    side = question.side
    return chained(game, question, orders, lambda one: eyes(one, side, "en"))


@pytest.fixture(scope="module")
def moving() -> Game:
    return until("e55", "movement")


def option(chain: Question, word: str) -> Any:
    assert isinstance(chain, Chain)
    first: Any = chain.after([])
    return next(key for key in first.options() if key[0] == word)


def test_the_way_is_a_field_of_the_choice_whom_to_move(moving: Game) -> None:
    chain = chain_of(moving)
    assert isinstance(chain, Chain)
    key = option(chain, "move")
    field = chain.field([key])
    assert field is not None
    assert (field.kind, field.about["unit"]) == ("move", key[1])
    assert chain.field([key, field.proposals(1)[0]]) is None


def test_a_field_of_a_chain_is_a_question_of_its_own_and_one_of_a_form_is_not(moving: Game) -> None:
    chain, seen = chain_of(moving), eyes(moving, moving.question.side or 0, "en")  # type: ignore[union-attr]
    assert isinstance(chain, Chain)
    key = option(chain, "move")
    field = next_field(chain, [[key]], seen.teller, seen.position)
    assert field is not None
    assert field.anew
    form = Form(0, "form", lambda filled: Choose(0, "one", ["a", "b"]) if not filled else None)
    first = sheet(form, seen.teller, seen.position).first
    assert first is not None
    assert not first.anew


def test_a_die_ends_the_chain(moving: Game) -> None:
    """Whoever runs rolls before he is asked which way."""
    assert chain_of(moving).field([option(chain_of(moving), "run")]) is None  # type: ignore[attr-defined]


def test_to_look_what_would_be_asked_changes_nothing(moving: Game) -> None:
    before = moving.position.to_bytes(), len(moving.record)
    chain = chain_of(moving)
    seen = eyes(moving, chain.side or 0, "en")
    shown = sheet(chain, seen.teller, seen.position)
    assert (shown.kind, shown.first and shown.first.kind) == ("form", "choose")
    key = option(chain, "move")
    following = next_field(chain, [[key]], seen.teller, seen.position)
    assert following is not None
    assert following.kind == "move"
    assert check(chain, [[key]], [[[[500.0, 500.0]], None] for _ in following.models]) is not None
    assert (moving.position.to_bytes(), len(moving.record)) == before


def test_every_answer_goes_into_the_record_by_itself(moving: Game) -> None:
    game = moving.clone()
    chain = chain_of(game)
    key = option(chain, "move")
    field: Any = chain.field([key])  # type: ignore[attr-defined]
    way, before = field.proposals(1)[0], len(game.record)
    assert answered(game, chain.side or 0, chain, [key, way]) is None
    made = game.record[before : before + 2]
    assert [one.kind for one in made] == ["choose", "move"]
    other = moving.clone()
    assert other.answer(chain.side, key) is None
    assert other.answer(chain.side, way) is None
    assert other.position.to_bytes() == game.position.to_bytes()
    assert isinstance(made[0], Entry)


def test_what_is_refused_is_given_nothing_of(moving: Game) -> None:
    game = moving.clone()
    chain, before = chain_of(game), len(game.record)
    key = option(chain, "move")
    assert answered(game, chain.side or 0, chain, [key]) is not None
    assert answered(game, chain.side or 0, chain, [key, "nowhere"]) is not None
    assert answered(game, chain.side or 0, chain, "nothing") is not None
    assert len(game.record) == before


def test_a_question_that_begins_no_chain_is_asked_as_it_is() -> None:
    game = until("ragnarok", "act")
    assert chain_of(game) is game.question


def test_the_fire_of_an_army_is_one_form_before_any_die() -> None:
    game = until("e55", "shooting")
    chain = chain_of(game)
    assert isinstance(chain, Chain)
    seen = eyes(game, chain.side or 0, "en")
    assert sheet(chain, seen.teller, seen.position).whole
    fields = filled(chain, [], None, -1, seen.teller, seen.position).fields
    units = [tuple(one.answer) for one in fields if one.sheet.prompt == "shooting" and one.answer[0] == "shoot"]
    assert len(units) == len(set(units))
    before = len(game.record)
    assert answered(game, chain.side or 0, chain, [one.answer for one in fields]) is None
    kinds = [one.kind for one in game.record[before : before + len(fields)]]
    assert kinds == [one.sheet.kind for one in fields]


def test_forecasts_are_of_the_question_within(moving: Game) -> None:
    chain = chain_of(moving)
    key = option(chain, "move")
    field, rest = inner(chain, [[key]])
    assert (field.prompt, rest) == ("move", [])
    assert inner(chain, []) == (chain, [])
    question = moving.question
    assert question is not None
    assert inner(question, [[key]]) == (question, [[key]])
