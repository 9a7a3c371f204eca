"""A battle played on many times from where it stands: the same trials for the same name, and no secret told."""

from __future__ import annotations

from random import Random

import pytest

from campale.players import player_named
from campale.referee.game import Game
from campale.referee.ruleset import load_ruleset
from campale.referee.seat import Seat
from campale.simulate.trials import Standing, Trial, Trials, counted, score_of

TOY = "_template"
SECRET = "e55"


def begun(book: str, answers: int, number: int = 0) -> Game:
    ruleset = load_ruleset(book)
    assert ruleset.starters is not None
    game = Game(ruleset, ruleset.starters()[number], "trials")
    players = [player_named("script", one) for one in (0, 1)]
    for _ in range(answers):
        side = game.asked[0]
        assert side is not None
        assert game.answer(side, players[side].answer(Seat(game, side))) is None
    return game


def played(standing: Standing, first: int, count: int, seconds: float = 60.0, longest: float = 60.0) -> list[Trial]:
    return Trials(standing, ("script", "random"), "name", first, count, seconds, longest).done()


@pytest.mark.parametrize("side", [None, 0, 1])
def test_the_trials_of_a_name_are_the_same_however_they_are_cut(side: int | None) -> None:
    standing = Standing.of(begun(TOY, 5), side, Random(1))
    whole = played(standing, 0, 8)
    assert whole == played(standing, 0, 2) + played(standing, 2, 6)
    assert len({trial.outcome for trial in whole} - {"0", "1", "draw"}) == 0
    assert len(set(whole)) > 1


def test_at_least_one_is_played_and_none_is_begun_when_the_time_is_over() -> None:
    standing = Standing.of(begun(TOY, 5), None, Random(1))
    assert len(played(standing, 0, 50, seconds=0.0)) == 1


def test_one_that_takes_too_long_is_broken_off_and_counts_for_nothing_else() -> None:
    standing = Standing.of(begun(TOY, 5), None, Random(1))
    found = played(standing, 0, 3, longest=-1.0)
    assert [trial.outcome for trial in found] == ["stalled"] * 3
    told = counted(found)
    assert (told.trials, told.stalled, told.drawn, told.score, told.losses) == (3, 3, 0, None, None)
    assert [(one.low, one.high) for one in told.won] == [(0.0, 1.0)] * 2


def test_they_begin_where_the_battle_stands_and_leave_it_alone() -> None:
    game = begun(TOY, 9)
    before, asked = game.position.to_bytes(), game.asked
    for side in (None, 0):
        again = Standing.of(game, side, Random(1)).game()
        assert again.asked == asked
        assert again.position.where == game.position.where
        assert (again.position.x, again.position.y) == (game.position.x, game.position.y)
        played(Standing.of(game, side, Random(1)), 0, 1)
    assert game.position.to_bytes() == before


def test_worlds_that_differ_in_what_a_side_may_not_know_begin_alike() -> None:
    """Nothing of the other side's reserves is in what the trials begin with."""
    game = begun(SECRET, 60)
    hidden = [game.position.hand(1, name) for name in ("reserves", "roster")]
    other = game.imagined_by(0, Random("elsewhere"))
    assert [other.position.hand(1, name) for name in ("reserves", "roster")] != hidden
    alike = [Standing.of(one, 0, Random("same")) for one in (game, other)]
    assert alike[0].position == alike[1].position
    assert alike[0].seed == alike[1].seed != game.seed


def test_what_is_counted() -> None:
    found = [
        Trial("0", (3.0, 1.0), (1, 4)),
        Trial("0", (5.0, 1.0), (3, 4)),
        Trial("1", (1.0, 4.0), (5, 1)),
        Trial("draw", (2.0, 2.0), (3, 3)),
        Trial("stalled", None, (9, 9)),
    ]
    told = counted(found)
    assert (told.trials, told.drawn, told.stalled) == (5, 1, 1)
    assert [one.value for one in told.won] == [0.5, 0.25]
    assert all(one.low < one.value < one.high for one in told.won)
    assert told.score is not None
    assert [one.value for one in told.score] == [2.75, 2.0]
    assert told.losses is not None
    assert [one.value for one in told.losses] == [3.0, 3.0]
    assert counted(found[:1]).score is None


def test_a_book_without_scores_tells_none() -> None:
    assert score_of(begun(TOY, 5)) is None
    assert score_of(begun("ragnarok", 30)) == (0.0, 0.0)
