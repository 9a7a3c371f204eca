"""Hidden orders: nothing that reaches the other seat depends on them until they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from campale.conformance.playing import answered, asked, begun, someone_asked
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.ruleset import load_ruleset
from campale.referee.view import view_bytes
from campale.rulesets.e3m.command.orders import HALT, ORDERS, hidden_orders, secret, seen_by

RULESET = load_ruleset("e3m")
SEEDS = ("orders", "other orders")
FURTHER = 6


def swapped(position: Position, side: int, rng: Random) -> Position:
    """The position with every hidden order of a side replaced by another that would be hidden too."""
    copy = position.copy()
    others = {
        row: rng.choice([one for one in ORDERS if one not in (HALT, order)])
        for row, order in hidden_orders(position, side).items()
    }
    copy.declare(secret(side), tuple(sorted(others.items())))
    return copy


def at_boundaries(seed: str) -> Iterator[tuple[Game, int]]:
    """A battle at random wherever a side has hidden orders, with that side; not while both write."""
    game = begun("e3m", 0, seed, marks="none")
    for _ in asked(game, Random(seed)):
        for side in (0, 1):
            if not game.held and hidden_orders(game.position, side):
                yield game, side


def from_here(game: Game, position: Position) -> Game:
    """A battle that goes on from a position, with the dice that were to come."""
    there = game.ruleset.replacing(set_out=lambda _ruleset, _setup: position)
    return Game(there, game.setup, game.seed, marks="none")


@pytest.mark.covers("orders/secret-orders", "orders/reveal")
@pytest.mark.parametrize("seed", SEEDS)
def test_every_byte_of_the_position_is_the_same_whatever_the_hidden_orders(seed: str) -> None:
    rng, looked = Random(seed), 0
    for game, side in at_boundaries(seed):
        other = swapped(game.position, side, rng)
        for viewer in (1 - side, None):
            assert seen_by(viewer, other).to_bytes() == seen_by(viewer, game.position).to_bytes()
        assert seen_by(side, other).to_bytes() != seen_by(side, game.position).to_bytes()
        looked += 1
    assert looked > 50


@pytest.mark.covers("orders/secret-orders", "fire/opportunity-windows", "turn/eligible-elements")
@pytest.mark.parametrize("seed", SEEDS)
def test_the_other_seat_is_asked_refused_and_told_the_same(seed: str) -> None:
    """Until it is seen who is passed over: that depends on the orders, at a table too (turn/eligible-elements)."""
    rng, looked = Random(seed), 0
    for game, side in at_boundaries(seed):
        if rng.random() > 0.3:
            continue
        one, two = (from_here(game, there) for there in (game.position.copy(), swapped(game.position, side, rng)))
        for _ in range(FURTHER):
            if one.is_over or two.is_over or is_revealed(one, two, game):
                break
            assert_alike(one, two, 1 - side, rng)
            looked += 1
            question = someone_asked(one, rng)
            assert question.side is not None
            answer = question.sample(rng)
            if two.pending[question.side].refusal(answer) is not None:
                assert question.side == side, "what the other seat may answer depends on hidden orders"
                break
            answered(one, question, answer)
            answered(two, two.pending[question.side], answer)
    assert looked > 15


def is_revealed(one: Game, two: Game, begun: Game) -> bool:
    """Whether an order was shown, or who is passed over, since both went on from the same moment."""
    return {one.position.revealed, two.position.revealed} != {begun.position.revealed}


def assert_alike(one: Game, two: Game, viewer: int, rng: Random) -> None:
    """The same view, question, refusals and journal for a seat."""
    assert view_bytes(one, viewer) == view_bytes(two, viewer)
    if viewer not in one.pending:
        return
    mine, same = one.pending[viewer], two.pending[viewer]
    assert mine == same
    for answer in [mine.sample(rng), *mine.suggestions()[:2]]:
        assert mine.refusal(answer) == same.refusal(answer)
    for wrong in ("nobody-knows", [], -1, [[0.0, 0.0, 0.0]]):
        assert mine.refusal(wrong) == same.refusal(wrong)
