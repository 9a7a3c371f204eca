"""A view tells a side what it may know, and not a byte more."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from campale.conformance.budget import FURTHER, TOGETHER
from campale.conformance.playing import SEED, SIDES, answered, looks, played, setups_of, someone_asked, together
from campale.dice.sources import Source
from campale.referee.game import Game
from campale.referee.position import Position
from campale.referee.question import Question
from campale.referee.refusal import Plain
from campale.referee.ruleset import as_it_is
from campale.referee.view import view, view_bytes

Battle = tuple[str, int]


def elsewhere(game: Game, side: int, rng: Random) -> Game:
    """The same battle with other secrets, but with the same dice to come."""
    imagined = game.imagined_by(side, rng)
    dice: Source = game.dice.copy()
    imagined.dice = dice
    return imagined


def asks_both(name: str) -> bool:
    """Whether the two sides are ever asked at the same time in the battles of a book."""
    return any(played(name, number).joints for number in range(len(setups_of(name))))


def seen(game: Game, side: int) -> tuple[bytes, tuple[int | None, ...]]:
    """All bytes of the side's view, and the sides with an open question, answered or not."""
    whole = msgspec.structs.replace(view(game.clone(), side), waiting_for=())
    return msgspec.msgpack.encode(whole), tuple(game.pending)


def test_what_is_imagined_otherwise_is_not_seen(battle: Battle) -> None:
    """At every boundary: a side gets the same bytes of two positions that differ in secrets; so does the public."""
    game = played(*battle)
    for number, mark in enumerate(game.marks):
        for side in SIDES:
            other = game.ruleset.imagine(mark.position.copy(), side, Random(number))
            assert bytes_for(side, other) == bytes_for(side, mark.position), mark.position.now
            assert bytes_for(None, other) == bytes_for(None, mark.position), mark.position.now


def bytes_for(side: int | None, position: Position) -> bytes:
    return position.ruleset.seen_by(side, position.copy()).to_bytes()


def test_an_imagined_battle_looks_the_same_to_who_imagined_it(battle: Battle) -> None:
    for game, _, rng in looks(*battle):
        for side in SIDES:
            assert seen(game.imagined_by(side, rng), side) == seen(game, side)


@pytest.mark.costly
def test_two_battles_that_differ_in_a_secret_go_on_alike_for_the_other_side(battle: Battle) -> None:
    """With the same answers and dice, until something is revealed, the side is asked and told the same.

    In a book without secrets the two would be one battle.
    """
    if played(*battle).ruleset.imagine is as_it_is:
        return
    for game, _, rng in looks(*battle):
        for side in SIDES if not game.held else ():
            one, two = game.clone(journal=True), elsewhere(game, side, rng)
            for _ in range(FURTHER):
                if one.is_over or two.is_over or not went_on_alike(one, two, side, rng):
                    break
                if one.position.revealed != game.position.revealed:
                    break
                assert two.position.revealed == one.position.revealed
                assert seen(one, side) == seen(two, side)


def went_on_alike(one: Game, two: Game, side: int, rng: Random) -> bool:
    """Give the same answer in both, if it is lawful in both: a side that knows its secret may have other options."""
    assert one.asked == two.asked
    question = someone_asked(one, rng)
    assert question.side is not None
    other = two.pending[question.side]
    if question.side == side:
        assert question == other
    answer = question.sample(rng)
    if other.refusal(answer) is not None:
        assert question.side != side, f"what {question.description()} accepts depends on a secret"
        return False
    answered(one, question, answer)
    answered(two, other, answer)
    return True


def test_what_one_side_wrote_in_secret_does_not_show_before_all_have_written(battle: Battle) -> None:
    asked_together = 0
    for game, question in together(*battle, TOGETHER):
        asked_together += 1
        side = question.side
        assert side is not None
        views = {answered_secretly(game, question, question.sample(Random(n)), 1 - side) for n in range(6)}
        assert len(views) == 1
    assert bool(asked_together) is asks_both(battle[0])


def answered_secretly(game: Game, question: Question, answer: Plain, other: int) -> bytes:
    clone = game.clone(journal=True)
    assert clone.answer(question.side, answer) is None
    return view_bytes(clone, other)


def test_a_bot_does_not_learn_what_was_written_in_secret_from_an_imagined_battle(battle: Battle) -> None:
    """An answer that another side has not yet shown is drawn anew, or asked again."""
    looked_at = 0
    for game, question in together(*battle, TOGETHER):
        answers = {repr(one): one for one in (question.sample(Random(n)) for n in range(12))}
        if len(answers) > 1:
            held = [held_in_imagined(game, question, answer) for answer in answers.values()]
            assert all(one == held[0] for one in held)
            looked_at += 1
    assert bool(looked_at) is asks_both(battle[0])


def held_in_imagined(game: Game, question: Question, answer: Plain) -> list[Plain]:
    clone = game.clone()
    assert question.side is not None
    assert clone.answer(question.side, answer) is None
    imagined = [clone.imagined_by(1 - question.side, Random(n)) for n in range(8)]
    return [one.held.get(question.side) for one in imagined]


def test_the_seed_is_in_no_view(battle: Battle) -> None:
    assert played(*battle).seed == SEED
    for game, _, _ in looks(*battle):
        for side in (*SIDES, None):
            assert SEED.encode() not in view_bytes(game, side)


def test_a_book_with_secrets_imagines_them(battle: Battle) -> None:
    """A book that hides something must draw it anew for bots, or they would peek."""
    hides = any(
        view_bytes(game, 0) != view_bytes(game, 1) for game, _, _ in looks(*battle) if only_secrets_differ(game)
    )
    assert not hides or played(*battle).ruleset.imagine is not as_it_is


def only_secrets_differ(game: Game) -> bool:
    one, two = (game.ruleset.seen_by(side, game.position.copy()).to_bytes() for side in SIDES)
    return one != two
