"""The stack of frames: order, dropping, boundaries; and players that look ahead to the end of an activation."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.conformance.bench import carried_out, laid_out
from campale.conformance.playing import an_answer, someone_asked
from campale.mechanics.frames import drop, is_busy, push, run_all, run_top, stack
from campale.players import GreedyPlayer
from campale.referee.ask import roll
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.ruleset import Setup
from campale.referee.seat import Seat
from tests.conformance.drill import RULESET


@pytest.fixture
def position() -> Position:
    return laid_out(RULESET)


def kinds(position: Position) -> list[str]:
    return [str(frame[0]) for frame in stack(position)]


def test_the_first_that_is_pushed_is_in_hand_first_and_what_it_pushes_before_the_rest(position: Position) -> None:
    done: list[tuple[Any, ...]] = []

    async def outer(position: Position, number: int) -> None:
        done.append(("outer", number))
        push(position, ("inner", number, "a"), ("inner", number, "b"))

    async def inner(position: Position, number: int, name: str) -> None:
        done.append(("inner", number, name))

    push(position, ("outer", 1), ("outer", 2))
    assert kinds(position) == ["outer", "outer"]
    carried_out(run_all(position, {"outer": outer, "inner": inner}))
    assert done == [
        ("outer", 1),
        ("inner", 1, "a"),
        ("inner", 1, "b"),
        ("outer", 2),
        ("inner", 2, "a"),
        ("inner", 2, "b"),
    ]
    assert not is_busy(position)
    assert "doing" not in position.declared


def test_a_run_does_one_thing(position: Position) -> None:
    async def test(position: Position, row: int) -> None:
        await roll(0, "morale", 1)

    push(position, ("test", 3), ("test", 4))
    assert carried_out(run_top(position, {"test": test}), dice=[2]).value is True
    assert stack(position) == (("test", 4),)
    carried_out(run_top(position, {"test": test}), dice=[2])
    assert carried_out(run_top(position, {"test": test})).value is False


def test_what_has_come_to_nothing_is_taken_out_wherever_it_lies(position: Position) -> None:
    push(position, ("volley", 1), ("route", 7), ("test", 2), ("route", 8))
    drop(position, lambda frame: frame[0] == "route" and frame[1] == 7)
    assert kinds(position) == ["route", "test", "volley"]
    drop(position, lambda frame: True)
    assert not is_busy(position)


def test_a_frame_of_no_kind_is_told(position: Position) -> None:
    push(position, ("nothing",))
    with pytest.raises(KeyError, match="nothing"):
        carried_out(run_top(position, {}))


def test_every_boundary_is_one_from_which_the_battle_goes_on_from_its_bytes() -> None:
    """In mid-route too: the same is asked, of a battle made anew of the position alone."""
    amid = 0
    for seed in range(4):
        game, rng = Game(RULESET, Setup("drill"), seed=str(seed)), Random(seed)
        while not game.is_over:
            mark = game.marks[-1]
            if mark.at == len(game.line) and not game.held:
                again = Game(
                    RULESET, Setup("drill"), str(seed), position=Position.from_bytes(RULESET, mark.position.to_bytes())
                )
                assert again.asked == game.asked
                assert [again.pending[side] for side in again.asked] == [game.pending[side] for side in game.asked]
                amid += is_busy(game.position)
            question = someone_asked(game, rng)
            assert game.answer(question.side, an_answer(question, rng)) is None
    assert amid > 20


def test_players_look_ahead_to_the_end_of_an_activation_and_no_farther() -> None:
    """A unit's march is a run for each of its models and routes: the line goes through all of them."""
    game, rng = Game(RULESET, Setup("drill"), seed="look"), Random(3)
    longest = 0
    while not game.is_over and not longest > 1:
        question = someone_asked(game, rng)
        if question.prompt == "march" and question.side is not None:
            player = GreedyPlayer(5)
            steps = player.thought_out(Seat(game, question.side), question)
            assert player.failures == []
            assert {step.prompt for step in steps} <= {"march", "opportunity"}
            longest = max(longest, sum(step.prompt == "march" for step in steps))
        assert game.answer(question.side, an_answer(question, rng)) is None
    assert longest > 1
