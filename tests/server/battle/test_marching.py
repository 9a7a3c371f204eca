"""A march at the table: every step is an ordinary answer in the record, and one undo takes back all of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from campale.referee.game import Game
from campale.referee.marches import MARCH
from campale.screen.chaining import Chain
from campale.server.battle.following import taken_back
from campale.server.battle.marching import Marches
from tests.screen.test_chaining import chain_of
from tests.screen.test_marching import before_a_march

MOST = 60


def asked() -> tuple[Game, Chain, int]:
    game = before_a_march()
    chain = chain_of(game)
    assert isinstance(chain, Chain)
    return game, chain, chain.asked


def set_off(game: Game, chain: Chain, side: int) -> Marches:
    """The march as it is proposed, with nothing done afterwards."""
    marches = Marches()
    ways = chain.field([MARCH]).proposals(1)[0]  # type: ignore[union-attr]
    answer = [MARCH, ways, *(["pass"] if chain.field([MARCH, ways]) is not None else [])]
    assert marches.answered(game, side, chain, answer) is None
    return marches


def test_the_steps_are_answers_in_the_record() -> None:
    game, chain, side = asked()
    before = len(game.record)
    marches = set_off(game, chain, side)
    assert len(game.record) == before + 1
    for _ in range(MOST):
        question = game.question
        assert question is not None
        if question.prompt == "activate":
            break
        if not marches.followed(game, side):
            assert game.answer(question.side, question.proposals(1)[0]) is None
    given = [entry.answer for entry in game.record[before:] if entry.side == side]
    went = [one for one in given if isinstance(one, list | tuple) and one[:1] in (["walk"], ["run"])]
    assert len(went) >= len(chain.field([MARCH]).about["models"])  # type: ignore[union-attr]
    assert MARCH not in given


def test_an_answer_that_is_no_march_is_given_as_ever() -> None:
    game, chain, side = asked()
    marches, first = Marches(), chain.after([])
    assert first is not None
    keys: Any = first.options()
    assert marches.answered(game, side, chain, [keys[1]]) is None
    assert not marches.followed(game, side)
    assert not marches.has_given_last(game)


def test_a_refused_march_begins_nothing() -> None:
    game, chain, side = asked()
    before, marches = len(game.record), Marches()
    assert marches.answered(game, side, chain, [MARCH, []]) is not None
    assert len(game.record) == before
    assert not marches.followed(game, side)


def test_one_undo_takes_the_march_back_as_far_as_it_can_be_undone() -> None:
    game, chain, side = asked()
    before = len(game.line)
    marches = set_off(game, chain, side)
    taken = 1
    while taken < 2 and marches.followed(game, side):
        taken += 1
    live: Any = SimpleNamespace(marches=marches, revision=0, question_of=lambda _: None, seats=[None, None])
    assert game.why_no_undo(side) == ""
    assert taken_back(live, game, side) is None
    assert len(game.line) == before
    assert not marches.followed(game, side)
