"""A book's tally of a battle is consistent, and counting changes nothing. Books without a tally are skipped."""

from __future__ import annotations

from campale.players import RandomPlayer
from campale.referee.game import Game
from campale.referee.records.tally import Tally
from campale.referee.ruleset import load_ruleset
from campale.simulate import play_on, starters_of

NEAR = 1e-6
MOST = 3000


def fought(name: str, counting: bool) -> Game:
    """A battle of random players over the first ready set-up."""
    ruleset = load_ruleset(name)
    game = Game(ruleset, starters_of(ruleset)[0], "tally", journal=False, marks="none")
    game.position.harms = [] if counting else None
    play_on(game, {side: RandomPlayer(f"tally/{side}") for side in (0, 1)}, MOST)
    return game


def counts(name: str) -> bool:
    return load_ruleset(name).tally is not None


def tally_of(game: Game) -> Tally:
    counted = game.ruleset.tally
    assert counted is not None
    return counted(game.position, game.setup)


def total(tally: Tally, side: int, part: str) -> float:
    return float(sum(getattr(unit, part) for unit in tally.units if unit.side == side))


def test_what_is_counted_of_a_battle_holds_together(name: str) -> None:
    if counts(name):
        game = fought(name, counting=True)
        assert game.position.harms
        found = tally_of(game)
        check(found)
        assert (found.started in (0, 1)) == (game.ruleset.chits is None), (
            "where chits decide, nobody has the first turn"
        )


def check(tally: Tally) -> None:
    assert {unit.side for unit in tally.units} == {0, 1}
    assert tally.rounds is not None
    assert tally.rounds >= 1
    for unit in tally.units:
        assert 0 <= unit.models_left <= len(unit.profiles)
        assert 0 <= unit.points_left <= unit.points + NEAR
        assert unit.points_taken >= unit.points - unit.points_left - NEAR, "what is lost has been taken"
        assert (unit.lost_in is None) or (unit.models_left == 0 and 1 <= unit.lost_in <= tally.rounds)
        assert unit.models_left == 0 or unit.lost_in is None
        assert unit.wounds_taken == 0 or unit.points_taken > 0
    for side in (0, 1):
        assert total(tally, side, "points_dealt") <= total(tally, 1 - side, "points_taken") + NEAR
        assert total(tally, side, "wounds_dealt") <= total(tally, 1 - side, "wounds_taken") + NEAR


def test_counting_changes_nothing(name: str) -> None:
    if not counts(name):
        return
    game, uncounted = fought(name, counting=True), fought(name, counting=False)
    assert uncounted.line == game.line
    assert uncounted.position.state_hash() == game.position.state_hash()
    without = tally_of(uncounted)
    assert [unit.models_left for unit in without.units] == [unit.models_left for unit in tally_of(game).units]
    assert all(unit.points_taken == 0 for unit in without.units)
