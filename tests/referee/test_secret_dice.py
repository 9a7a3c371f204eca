"""Dice that only the side that rolls them may know of: nobody else learns that they fell."""

from __future__ import annotations

from random import Random

import pytest

from campale.dice.sources import ByHand
from campale.referee.ask import choose, roll
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.refusal import Refusal
from campale.referee.ruleset import Ruleset
from campale.referee.view import view, view_bytes
from tests.referee.toy import RULESET, SETUP


async def step(position: Position) -> bool:
    """Side 1 decides, side 0 rolls in secret if it has to, side 0 decides."""
    await choose(1, "leave", (1, 2))
    if position.hand(0, "waits"):
        rolled = await roll(0, "arrival", secret=True)
        position.hold(0, "came", (int(rolled.total >= 4),))
    await choose(0, "then", (1, 2))
    position.now["turn"] = int(position.now["turn"]) + 1
    return bool(position.now["turn"] <= 3)


def revealing(position: Position) -> None:
    position.reveal("turn-begins")


async def step_that_reveals(position: Position) -> bool:
    await choose(1, "leave", (1, 2))
    if position.hand(0, "waits"):
        await roll(0, "arrival", secret=True)
    revealing(position)
    await choose(0, "then", (1, 2))
    return True


def begun(waits: bool = True, by_hand: bool = False, play: object = step) -> Game:
    def set_out(ruleset: Ruleset, setup: object) -> Position:
        position = RULESET.set_out(ruleset, SETUP)
        position.hold(0, "waits", ("unit",) if waits else ())
        return position

    def seen_by(side: int | None, position: Position) -> Position:
        if side != 0:
            position.hold(0, "waits", ())
            position.hold(0, "came", ())
        return position

    ruleset = RULESET.replacing(step=play, set_out=set_out, seen_by=seen_by)
    return Game(ruleset, SETUP, "secret", ByHand() if by_hand else None)


def answered(game: Game, *answers: int) -> Game:
    for answer in answers:
        assert game.answer(game.asked[0], answer) is None
    return game


def test_only_the_side_that_rolls_sees_the_roll_in_the_journal() -> None:
    game = answered(begun(), 1)
    kinds = {side: [event.kind for event in view(game, side).journal] for side in (0, 1, None)}
    assert kinds[0].count("roll") == 1
    assert "roll" not in kinds[1]
    assert "roll" not in kinds[None]


@pytest.mark.parametrize("by_hand", [False, True])
def test_the_others_get_the_same_bytes_whether_it_was_rolled_or_not(by_hand: bool) -> None:
    with_roll, without = (answered(begun(waits, by_hand), 1, 2) for waits in (True, False))
    for side in (1, None):
        assert view_bytes(with_roll, side) == view_bytes(without, side)
    assert len(with_roll.line) == len(without.line) + 1


def test_a_secret_die_is_not_typed_in() -> None:
    """To be asked for it would tell the other side of it."""
    game = answered(begun(by_hand=True), 1)
    assert game.asked == (0,)
    assert [question.prompt for question in game.pending.values()] == ["then"]
    assert game.position.hand(0, "came")


def test_a_battle_with_a_secret_die_plays_again_from_its_record_when_dice_are_typed_in() -> None:
    game = answered(begun(by_hand=True), 1, 1)
    again = Game(game.ruleset, game.setup, game.seed, ByHand(), replaying=game.line)
    assert again.position.to_bytes() == game.position.to_bytes()


def word(refusal: Refusal | None) -> str:
    return "" if refusal is None else refusal.word


def test_undo_across_a_secret_die_of_the_other_side_says_that_something_was_learned() -> None:
    assert word(answered(begun(), 1).undo(1)) == "undo.revealed"
    assert word(answered(begun(waits=False), 1).undo(1)) == ""


def test_where_the_moment_is_revealed_undo_says_the_same_whether_a_die_fell_or_not() -> None:
    games = [answered(begun(waits, play=step_that_reveals), 1) for waits in (True, False)]
    assert [word(game.undo(1)) for game in games] == ["undo.revealed"] * 2


def test_the_side_that_rolled_is_told_that_a_die_fell() -> None:
    assert word(answered(begun(), 1).undo(0)) == "undo.die-fell"


def test_after_an_undo_it_is_still_known_which_dice_were_secret() -> None:
    game = answered(begun(), 1, 1, 1)
    assert game.undo(0) is not None
    answered(game, 2)
    assert game.undo(0) is None
    assert set(game.unseen.values()) == {0}
    assert [game.line[at].kind for at in game.unseen] == ["roll"] * len(game.unseen)


def test_in_an_imagined_game_the_die_of_the_other_side_is_rolled_anew() -> None:
    game = answered(begun(), 1)
    came = {game.imagined_by(1, Random(n)).position.hand(0, "came") for n in range(20)}
    assert came == {(0,), (1,)}
    assert {game.imagined_by(0, Random(n)).position.hand(0, "came") for n in range(9)} == {
        game.position.hand(0, "came")
    }
