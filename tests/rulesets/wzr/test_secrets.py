"""Hands and decks: nothing that reaches the other seat depends on which cards they are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from campale.conformance.playing import answered, asked, begun
from campale.referee.game import Game
from campale.referee.lawful import idle_answer
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.ruleset import load_ruleset
from campale.referee.view import view_bytes
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.cards.catalogue import cards
from campale.rulesets.wzr.cards.secrecy import seen_by

RULESET = load_ruleset("wzr")
SEEDS = ("hands", "other hands")
FURTHER, MOST_LOOKED = 12, 80
"""How far both battles go on, and how many moments are compared."""


def swapped(position: Position, side: int, rng: Random) -> Position:
    """The position with other cards in the hand and the deck of a side, as many as they were."""
    copy = position.copy()
    for name in (marks.HAND, marks.DECK):
        copy.hold(side, name, sorted(rng.choices(list(cards()), k=len(position.hand(side, name)))))
    return copy


def at_boundaries(seed: str, share: float) -> Iterator[tuple[Game, int]]:
    """A battle at random, at some of its boundaries, with a side that holds cards; not while both decide."""
    game, rng = begun("wzr", 0, seed, marks="none"), Random(seed)
    for _ in asked(game, Random(seed)):
        side = rng.randrange(2)
        if not game.held and game.position.hand(side, marks.HAND) and rng.random() < share:
            yield game, side


def from_here(game: Game, position: Position) -> Game:
    """A battle that goes on from a position, with the dice that were to come."""
    there = game.ruleset.replacing(set_out=lambda _ruleset, _setup: position)
    return Game(there, game.setup, game.seed, marks="none")


@pytest.mark.covers("cards/hand-limit", "cards/deck-build", "cards/discard-pile")
@pytest.mark.parametrize("seed", SEEDS)
def test_every_byte_of_the_position_is_the_same_whatever_the_cards(seed: str) -> None:
    rng, looked = Random(seed), list[int]()
    for game, side in islice(at_boundaries(seed, 0.2), MOST_LOOKED):
        other = swapped(game.position, side, rng)
        for viewer in (1 - side, None):
            assert seen_by(viewer, other).to_bytes() == seen_by(viewer, game.position.copy()).to_bytes()
            assert seen_by(viewer, other.copy()).hand(side, marks.DISCARD) == game.position.hand(side, marks.DISCARD)
        looked.append(side)
    assert len(looked) == MOST_LOOKED


@pytest.mark.covers("cards/hand-limit", "cards/strategy", "cards/tactic")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_other_seat_is_asked_refused_and_told_the_same_and_at_the_same_moments(seed: str) -> None:
    """As long as whoever holds other cards does what he could do with both hands."""
    rng, looked = Random(seed), 0
    for game, side in at_boundaries(seed, 0.1):
        one, two = (from_here(game, there) for there in (game.position.copy(), swapped(game.position, side, rng)))
        for _ in range(FURTHER):
            if one.is_over:
                break
            assert_alike(one, two, 1 - side, rng)
            looked += 1
            question = next(iter(one.pending.values()))
            assert question.side is not None
            answer = answer_to(question, side, rng)
            if answer is None:
                break
            answered(one, question, answer[0])
            answered(two, two.pending[question.side], answer[0])
        if looked > MOST_LOOKED:
            return
    raise AssertionError("too few boundaries")


def answer_to(question: Question, side: int, rng: Random) -> tuple[object] | None:
    """At random, but nothing where a side's own cards matter; None where they must."""
    if question.side != side or question.about.get("open", True):
        return (question.sample(rng),)
    return idle_answer(question)


def assert_alike(one: Game, two: Game, viewer: int, rng: Random) -> None:
    """The same view, question, refusals and journal for a seat; and the same side is asked under the same prompt."""
    assert view_bytes(one, viewer) == view_bytes(two, viewer)
    assert one.asked == two.asked
    assert [q.prompt for q in one.pending.values()] == [q.prompt for q in two.pending.values()]
    if viewer not in one.pending:
        return
    mine, same = one.pending[viewer], two.pending[viewer]
    assert mine == same
    for answer in [mine.sample(rng), *mine.suggestions()[:2]]:
        assert mine.refusal(answer) == same.refusal(answer)
    for wrong in ("nobody-knows", [], -1, [[0.0, 0.0, 0.0]]):
        assert mine.refusal(wrong) == same.refusal(wrong)
