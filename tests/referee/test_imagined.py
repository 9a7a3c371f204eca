from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from campale.dice.sources import Seeded
from campale.referee.ask import choose
from campale.referee.game import Game, RefereeError
from campale.referee.position import Position
from campale.referee.seat import Seat
from campale.referee.view import view, view_bytes
from tests.referee.playing import act, at_random, begun, looks, play
from tests.referee.toy import CARDS, RULESET, SETUP, card, seen_by


def with_cards(drawn: int = 3) -> Game:
    game = begun("cards")
    for _ in range(2 * drawn):
        act(game, "card")
    return game


def test_the_dice_to_come_are_others_and_the_seed_is_not_told() -> None:
    game = play(begun(), 0)
    faces = set()
    for number in range(6):
        imagined = game.imagined_by(0, Random(number))
        assert isinstance(imagined.dice, Seeded)
        assert imagined.seed != game.seed
        play(imagined, "fire")
        faces.add(tuple(imagined.line[2].answer))
    assert len(faces) > 3


def test_what_the_other_side_holds_is_drawn_anew_and_what_one_holds_is_not() -> None:
    game = with_cards(2)
    hands: Counter[tuple[Any, ...]] = Counter()
    for number in range(60):
        imagined = game.imagined_by(0, Random(number))
        assert imagined.position.hand(0, "hand") == game.position.hand(0, "hand")
        assert imagined.position.hand(0, "deck") == game.position.hand(0, "deck")
        whole = (*imagined.position.hand(1, "hand"), *imagined.position.hand(1, "deck"))
        assert sorted(whole) == sorted(CARDS)
        hands[imagined.position.hand(1, "hand")] += 1
    assert len(hands) > 4


def test_a_secret_drawn_since_the_mark_is_drawn_anew_too() -> None:
    async def step(position: Position) -> bool:
        await card(position.model(2))
        await choose(0, "and then", (1, 2))
        return True

    game = Game(RULESET.replacing(step=step), SETUP, "mid")
    hands = {game.imagined_by(0, Random(n)).position.hand(1, "hand") for n in range(30)}
    assert hands == {("ace",), ("king",), ("queen",)}
    assert {game.imagined_by(1, Random(n)).position.hand(1, "hand") for n in range(9)} == {
        game.position.hand(1, "hand")
    }


def test_a_draw_that_the_answers_contradict_is_drawn_again() -> None:
    """Side 1 has played the queen: whatever side 0 imagines, side 1 held it."""

    async def step(position: Position) -> bool:
        hand = position.hand(1, "hand")
        played = await choose(1, "card to play", hand, always=True)
        position.reveal("played", card=played)
        await choose(0, "and then", (1, 2))
        return True

    def dealt(ruleset: Any, setup: Any) -> Position:
        position = RULESET.set_out(ruleset, setup)
        position.hold(1, "deck", ("ace", "king", "king"))
        position.hold(1, "hand", ("queen",))
        return position

    game = Game(RULESET.replacing(step=step, set_out=dealt), SETUP)
    play(game, "queen")
    for number in range(20):
        assert game.imagined_by(0, Random(number)).position.hand(1, "hand") == ("queen",)


def test_imagined_secrets_that_would_ask_or_look_otherwise_are_drawn_again() -> None:
    """Whoever holds the king is asked next, and an ace lies open."""

    async def step(position: Position) -> bool:
        await choose(0, "go on", ("yes", "no"))
        hand = position.hand(1, "hand")
        await choose(1 if "king" in hand else 0, "next", ("yes", "no"))
        return True

    def dealt(ruleset: Any, setup: Any) -> Position:
        position = RULESET.set_out(ruleset, setup)
        position.hold(1, "deck", ("ace", "queen"))
        position.hold(1, "hand", ("king",))
        return position

    def shown(side: int | None, position: Position) -> Position:
        position.declare("ace", "ace" in position.hand(1, "hand"))
        return seen_by(side, position)

    game = Game(RULESET.replacing(step=step, set_out=dealt, seen_by=shown), SETUP)
    assert {game.imagined_by(0, Random(n)).position.hand(1, "hand") for n in range(20)} == {("king",), ("queen",)}
    play(game, "yes")
    assert {game.imagined_by(0, Random(n)).position.hand(1, "hand") for n in range(20)} == {("king",)}


def test_an_answer_that_the_other_side_keeps_apart_stays_its_secret() -> None:
    game = act(begun(), "orders")
    game.answer(1, "charge")
    imagined = game.imagined_by(0, Random(1))
    assert imagined.held == {}
    assert imagined.asked == (0, 1)
    assert game.imagined_by(1, Random(1)).held == {1: "charge"}
    assert all(entry.kind == "hidden" for entry in with_cards().imagined_by(0, Random(1)).line)


@pytest.mark.parametrize("seed", range(6))
def test_an_imagined_battle_asks_the_same_and_can_be_played(seed: int) -> None:
    game = at_random(begun(str(seed)), Random(seed), 25 + seed)
    before = looks(game)
    for side in (0, 1):
        imagined = game.imagined_by(side, Random(seed))
        assert imagined.pending == game.pending
        assert view(imagined, side).position == view(game, side).position
        at_random(imagined, Random(1), 40)
    assert looks(game) == before


def test_what_cannot_be_imagined_is_told() -> None:
    def hopeless(position: Position, side: int, rng: Random) -> Position:
        raise ZeroDivisionError("no such deal")

    game = Game(RULESET.replacing(imagine=hopeless), SETUP)
    with pytest.raises(RefereeError, match="no such deal"):
        game.imagined_by(0, Random(1))


def test_a_seat_shows_what_one_side_may_see_and_do() -> None:
    game = act(with_cards(1), "tell", 2)
    seat = Seat(game, 1)
    assert seat.ruleset is game.ruleset
    assert seat.question == game.question
    assert Seat(game, 0).question is None
    assert not seat.is_over
    assert seat.view() == view(game, 1)
    assert seat.imagined(Random(1)).pending == game.pending
    assert seat.answer(99) is not None
    assert seat.answer(2) is None


def test_a_view_holds_no_byte_of_what_the_side_may_not_know() -> None:
    """Two battles that differ in what side 0 holds and was told look alike to side 1, and to the public."""
    one, two = with_cards(1), with_cards(1)
    two.position.hold(0, "hand", ["ace" if one.position.hand(0, "hand") == ("king",) else "king"])
    two.position.hold(0, "deck", one.position.hand(0, "deck"))
    act(one, "tell", 1)
    act(two, "tell", 2)
    assert view_bytes(one, 0) != view_bytes(two, 0)
    assert view_bytes(one, 1) == view_bytes(two, 1)
    assert view_bytes(one, None) == view_bytes(two, None)


def test_a_view_tells_events_as_far_as_they_may_be_seen() -> None:
    game = act(begun(), "tell", 2)
    told = [[(event.kind, event.values) for event in view(game, side).journal] for side in (0, 1, None)]
    begins = [("begins", {"side": 0})]
    after = [("begins", {"side": 1})]
    assert told[0] == [*begins, ("told", {"what": 2}), ("whispered", {"what": "secret"}), *after]
    assert told[1] == told[2] == [*begins, ("told", {"told": True}), *after]
    assert [event.kind for event in view(game, 1, 2).journal] == ["begins"]


def test_a_drawn_card_is_told_to_whoever_drew_it() -> None:
    game = act(begun(), "card")
    mine, other = (next(e for e in view(game, side).journal if e.kind == "draw") for side in (0, 1))
    assert mine.values["answer"] == list(game.position.hand(0, "hand"))
    assert other.values["answer"] is None
