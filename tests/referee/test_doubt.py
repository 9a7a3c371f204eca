"""A die that settles a doubt at the table: for either player, at any question; nothing but the journal changes."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from campale.conformance.playing import an_answer, answered, begun, someone_asked
from campale.referee.game import Entry, Game
from campale.referee.records.saved import SavedGame, load, read, save, verify
from campale.screen.replay import Played, at_moment
from tests.toys import register

register()


def in_the_tactical_phase(answers: int = 12) -> Game:
    """A battle of Ragnarok at a question of that phase, some answers on."""
    game, rng = begun("ragnarok", 0, "doubt"), Random("doubt")
    while game.position.now.get("phase") != "tactical" or answers > 0:
        answers -= game.position.now.get("phase") == "tactical"
        question = someone_asked(game, rng)
        answered(game, question, an_answer(question, rng))
    return game


@pytest.mark.covers("undecided/die")
@pytest.mark.parametrize("side", [0, 1])
def test_either_player_may_let_a_die_decide_and_what_is_asked_stays_asked(side: int) -> None:
    game = in_the_tactical_phase()
    before, asked, told = game.position.to_bytes(), dict(game.pending), len(game.journal)
    assert game.doubt(side) is None
    assert game.position.to_bytes() == before
    assert game.pending == asked
    roll, dispute = game.journal[told:]
    assert (roll.kind, roll.rules[-1]) == ("roll", "undecided/die")
    assert dispute.values == {"side": side, "reading": 1 if roll.values["answer"][0] <= 3 else 2}
    assert game.record[-1] == Entry("doubt", side, roll.values["answer"])


@pytest.mark.covers("undecided/die")
def test_in_other_phases_and_of_other_books_no_die_decides() -> None:
    game = begun("ragnarok", 0, "doubt")
    before = list(game.record)
    refusal = game.doubt(0)
    assert refusal is not None
    assert refusal.rule == "undecided/die"
    assert game.record == before
    other = begun("e55", 0, "doubt").doubt(0)
    assert other is not None
    assert other.word == "doubt.none"
    game.concede(0)
    assert game.doubt(1) is not None


def test_it_is_saved_verified_replayed_and_cloned_with_the_rest() -> None:
    game, rng = in_the_tactical_phase(), Random("more")
    assert game.doubt(1) is None
    twin = game.clone(journal=True)
    assert [event.kind for event in twin.journal[-2:]] == ["roll", "dispute"]
    for _ in range(20):
        question = someone_asked(game, rng)
        answered(game, question, an_answer(question, rng))
    assert game.doubt(0) is None
    data = save(game)
    assert verify(data).identical
    assert load(data).journal == game.journal
    at = next(k for k, entry in enumerate(game.line) if entry.kind == "doubt")
    assert at_moment(Played.of(game), at + 1, None).journal[-1].kind == "dispute"


def test_one_that_was_never_rolled_or_shows_what_the_seed_did_not_is_found_out() -> None:
    game = in_the_tactical_phase()
    game.doubt(0)
    shown = game.record[-1].answer[0]
    for forged in (Entry("doubt", 0, [shown % 6 + 1]), Entry("doubt", 0, [7]), Entry("doubt", 2, [shown])):
        saved = read(save(game))
        saved.record[-1] = forged
        assert not verify(encoded(saved)).identical
    early = read(save(begun("ragnarok", 0, "doubt")))
    early.record.append(Entry("doubt", 0, [1]))
    assert not verify(encoded(early)).identical


def encoded(saved: SavedGame) -> bytes:
    return msgspec.json.encode(saved)


def test_nobody_takes_back_what_lies_before_such_a_die_alone() -> None:
    game = in_the_tactical_phase()
    while game.why_no_undo(0) and game.why_no_undo(1):
        question = game.question
        assert question is not None
        answered(game, question, question.suggestions()[0])
    side = 0 if not game.why_no_undo(0) else 1
    assert game.doubt(1 - side) is None
    assert game.why_no_undo(side) == "undo.die-fell"
