"""What statistics count of a battle: who dealt what to whom, what is left, who stands on what."""

from __future__ import annotations

from campale.referee.position import Position
from campale.referee.records.tally import Tally, UnitTally
from campale.referee.ruleset import Setup
from campale.rulesets.ragnarok.basics.physical import LETHAL, WOUND, heal, suffer
from campale.rulesets.ragnarok.battle.missions import objective
from campale.rulesets.ragnarok.close_combat.melee import win
from campale.rulesets.ragnarok.view.tallying import tally
from tests.rulesets.ragnarok.kit import a, play, table


def counting(position: Position) -> Position:
    position.harms = []
    return position


def told(position: Position) -> Tally:
    return tally(position, Setup("ragnarok"))


def unit(position: Position, row: int) -> UnitTally:
    return told(position).units[row]


def test_wounds_go_to_whoever_deals_them_and_are_worth_their_share() -> None:
    """A captain has two wounds and costs 45 points."""
    position = counting(table(a("raider", 1, at=(0, 20)), a("crucible_captain", at=(0, 0))))
    suffer(position.model(1), (WOUND,), 0, "shot")
    raider, captain = told(position).units
    assert (raider.wounds_dealt, raider.points_dealt) == (1.0, captain.points / 2)
    assert (captain.wounds_taken, captain.points_taken, captain.points_left) == (
        1.0,
        captain.points / 2,
        captain.points,
    )
    assert (captain.lost_in, captain.models_left) == (None, 1)


def test_a_lethal_hit_takes_all_that_is_left_and_no_more() -> None:
    position = counting(table(a("raider", 1, at=(0, 20)), a("crucible_captain", at=(0, 0)), turn=5))
    suffer(position.model(1), (WOUND, LETHAL, WOUND), 0, "shot")
    raider, captain = told(position).units
    assert raider.points_dealt == captain.points_taken == captain.points
    assert (raider.wounds_dealt, captain.models_left, captain.points_left) == (2.0, 0, 0.0)
    assert captain.lost_in == 3


def test_what_is_healed_and_lost_again_counts_twice() -> None:
    position = counting(table(a("raider", 1, at=(0, 20)), a("crucible_captain", at=(0, 0))))
    suffer(position.model(1), (WOUND,), 0, "shot")
    heal(position.model(1))
    suffer(position.model(1), (WOUND,), 0, "shot")
    assert unit(position, 0).wounds_dealt == 2.0


def test_a_lost_melee_goes_to_the_victors_in_equal_parts() -> None:
    position = counting(table(a("raider", 1, at=(0, 2)), a("raider", 1, at=(2, 2)), a("steam_rifleman", at=(1, 0))))
    play(win(position, (0, 1, 2), 1), answers=[[0, 1], "no", "no"])
    one, other, lost = told(position).units
    assert one.points_dealt == other.points_dealt == lost.points / 2
    assert lost.points_taken == lost.points


def test_whoever_runs_off_the_table_was_dealt_nothing() -> None:
    position = counting(table(a("raider", 1, at=(0, 20)), a("steam_rifleman", at=(60, 1))))
    position.remove(position.model(1), "table-edge")
    assert unit(position, 1).points_taken == unit(position, 1).points
    assert unit(position, 0).points_dealt == 0.0


def test_harm_to_ones_own_side_is_taken_but_not_dealt() -> None:
    position = counting(table(a("raider", 1, at=(0, 20)), a("raider", 1, at=(0, 22))))
    suffer(position.model(1), (WOUND,), 0, "shot")
    assert (unit(position, 0).wounds_dealt, unit(position, 1).wounds_taken) == (0.0, 1.0)


def test_where_nobody_counts_nothing_is_kept() -> None:
    position = table(a("raider", 1, at=(0, 20)), a("steam_rifleman", at=(0, 0)))
    suffer(position.model(1), (WOUND,), 0, "shot")
    assert unit(position, 1).wounds_taken == 0.0
    assert [one.harms for one in (position, counting(table(a("raider"))).copy())] == [None, None]


def test_the_summoned_come_after_those_bought_and_do_not_count_with_them() -> None:
    position = counting(table(a("steam_rifleman", at=(0, 0), summoned=1), a("raider", 1, at=(0, 20))))
    found = told(position)
    assert [one.is_bought for one in found.units] == [True, False]
    assert (found.points(0), found.points(1)) == (0.0, found.units[0].points)


def test_objectives_go_to_whoever_stands_on_them_for_the_side_that_holds_them() -> None:
    position = counting(table(a("raider", 1, at=(30, 30)), a("raider", 1, at=(60, 60)), mission="objectives"))
    position.lay(objective((33, 30)))
    found = told(position)
    assert [one.objectives for one in found.units] == [1, 0]
    assert found[:3] == ((0, 1), 0, 2)
    contested = counting(table(a("raider", 1, at=(30, 30)), a("steam_rifleman", at=(36, 30)), mission="objectives"))
    contested.lay(objective((33, 30)))
    assert [one.objectives for one in told(contested).units] == [0, 0]


def test_before_the_mission_is_settled_there_is_no_score() -> None:
    position = counting(table(a("raider", 1)))
    for name in ("mission", "turn", "round", "first"):
        del position.now[name]
    assert told(position)[:3] == (None, None, None)
