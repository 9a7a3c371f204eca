"""Missions, objectives and how a battle ends (missions/*)."""

from __future__ import annotations

import pytest

from campale.referee.journal import Journal
from campale.referee.position import RESERVE, TABLE, Position
from campale.rulesets.wzr.battle import missions
from campale.rulesets.wzr.battle.missions import (
    annihilation,
    breakthrough,
    end_if_wiped_out,
    finish,
    holder,
    is_at_half,
    lay_markers,
    marker_places,
    score_turn,
)
from tests.rulesets.wzr.worlds import Squad, squad, table, unit

covers = pytest.mark.covers


def remove(position: Position, *rows: int) -> Position:
    for row in rows:
        position.remove(position.model(row), "shot")
    return position


def duel(*mine: Squad, mission: str = "annihilation", turn: int = 2) -> Position:
    """These against six Undead (60 points and 15 of the Necromutant)."""
    return table(*mine, squad("undead", 6, side=1, at=(10, 40)), mission=mission, turn=turn)


def winner(position: Position) -> int | None:
    assert position.result is not None
    return position.result.winner


def is_over(position: Position) -> bool:
    return position.result is not None


# ---------------------------------------------------------------- missions/choose


@covers("missions/choose")
@pytest.mark.parametrize(
    ("face", "mission"),
    [
        (1, "annihilation"), (7, "annihilation"), (8, "strongpoints"),
        (14, "strongpoints"), (15, "breakthrough"), (20, "breakthrough"),
    ],
)  # fmt: skip
def test_a_d20_chooses_the_mission(face: int, mission: str) -> None:
    assert missions.BY_FACE[face] == mission


# ---------------------------------------------------------------- missions/annihilation


@covers("missions/annihilation", "squads/composition")
def test_a_squad_at_half_gives_half_its_points_and_one_above_half_none() -> None:
    position = duel(squad("riflemen", 5, at=(10, 5)))
    assert annihilation(remove(position, 5, 6), 0) == 0
    assert annihilation(remove(position, 7), 0) == 38, "half of 75, rounded up"


@covers("missions/annihilation")
def test_a_squad_that_is_gone_gives_all_its_points() -> None:
    position = duel(squad("riflemen", 5, at=(10, 5)))
    assert annihilation(remove(position, *range(5, 11)), 0) == 75
    assert annihilation(position, 1) == 0


@covers("missions/annihilation")
def test_a_model_alone_is_never_half_gone_and_the_warlord_gives_fifty_more() -> None:
    position = duel(squad("captain", at=(10, 5)))
    assert not is_at_half(unit(position, 0))
    assert annihilation(remove(position, 0), 1) == 80 + 50


@covers("squads/composition", "abilities/specialist-choice")
def test_a_specialist_who_has_joined_is_no_part_of_the_number_of_the_squad() -> None:
    position = duel(squad("riflemen", 4, at=(10, 5)), squad("medic", at=(10, 8)))
    position.join(position.model(4), unit(position, 0))
    position.model(4).mark("specialist", 1)
    remove(position, 0, 1)
    assert is_at_half(unit(position, 0)), "two of four, whoever has joined"
    assert annihilation(position, 1) == 24
    assert annihilation(remove(position, 4), 1) == 24 + 28


# ---------------------------------------------------------------- missions/strongpoints, missions/objectives


@covers("missions/strongpoints", "missions/objectives")
def test_markers_lie_at_the_quarter_points_of_the_middle_line() -> None:
    position = duel(squad("riflemen", 5, at=(10, 5)), mission="strongpoints")
    lay_markers(position)
    assert [(token.x, token.y) for token in position.tokens] == [(12, 24), (24, 24), (36, 24)]
    large = table(squad("captain"), size=(72.0, 48.0))
    assert marker_places(large) == ((18, 24), (36, 24), (54, 24))


@covers("missions/objectives", "core/measuring", "core/bases")
@pytest.mark.parametrize(("y", "held"), [(24 + 4.2, 0), (24 + 4.21, None)])
def test_three_inches_are_measured_from_a_marker_as_wide_as_a_small_base(y: float, held: int | None) -> None:
    position = duel(squad("captain", at=(12, y)))
    assert holder(position, (12, 24)) == held, "0.6 of the marker, 3, and 0.6 of the base: 4.2"


@covers("missions/objectives")
def test_more_models_hold_a_marker_and_as_many_do_not() -> None:
    mine, others = (
        squad("riflemen", 2, at=[(11, 23), (13, 23)]),
        squad("undead", 2, side=1, at=[(11, 25.5), (13, 25.5)]),
    )
    position = table(mine, others)
    assert holder(position, (12, 24)) is None
    position.remove(position.model(3), "shot")
    assert holder(position, (12, 24)) == 0


@covers("missions/objectives")
@pytest.mark.parametrize("state", ["pinned", "stun", "routed"])
def test_pinned_stunned_and_routed_models_do_not_count(state: str) -> None:
    mine, other = squad("riflemen", 2, at=[(11, 23), (13, 23)]), squad("undead", 1, side=1, at=[(12, 25.5)])
    position = table(mine, other)
    assert holder(position, (12, 24)) == 0
    if state == "routed":
        unit(position, 0).mark("routed", 1)
    for row in (0, 1) if state != "routed" else ():
        position.model(row).mark(state, 1)
    assert holder(position, (12, 24)) == 1


@covers("missions/objectives")
@pytest.mark.parametrize(("count", "held"), [(2, 0), (3, None), (4, 1)])
def test_a_vehicle_counts_as_three(count: int, held: int | None) -> None:
    position = table(
        squad("walker", at=(12, 22)), squad("undead", count, side=1, at=[(9.5 + 1.3 * k, 26) for k in range(count)])
    )
    assert holder(position, (12, 24)) == held


@covers("missions/strongpoints", "turn/control-phase")
@pytest.mark.parametrize(("turn", "points"), [(1, 0), (2, 1)])
def test_markers_score_from_turn_2(turn: int, points: int) -> None:
    position = duel(squad("captain", at=(12, 24)), mission="strongpoints", turn=turn)
    lay_markers(position)
    score_turn(position)
    assert missions.score(position) == (points, 0)


@covers("missions/strongpoints")
def test_the_markers_of_a_side_are_scored_in_one_line() -> None:
    """A side that controls none scores nothing, and nothing is told of it."""
    position = duel(squad("captain", at=(12, 24)), squad("captain", at=(24, 24)), mission="strongpoints", turn=2)
    lay_markers(position)
    position.journal = Journal()
    score_turn(position)
    told = [event.values for event in position.journal.events if event.kind == "pool"]
    assert told == [{"side": 0, "pool": "points", "now": 2, "change": 2}]


# ---------------------------------------------------------------- missions/breakthrough


@covers("missions/breakthrough")
@pytest.mark.parametrize(("y", "points"), [(36.6, 3), (36.59, 0)])
def test_a_squad_wholly_in_the_enemy_zone_is_through(y: float, points: int) -> None:
    position = duel(squad("riflemen", 2, at=(30, y)), mission="breakthrough")
    assert breakthrough(position, 0) == points


@covers("missions/breakthrough", "squads/composition")
@pytest.mark.parametrize(("gone", "points"), [(2, 3), (3, 0)])
def test_a_squad_that_is_through_has_half_its_number_there(gone: int, points: int) -> None:
    position = duel(squad("riflemen", 5, at=(25, 45)), mission="breakthrough")
    elsewhere = position.copy()
    for row in range(gone):
        elsewhere.model(row).move_to(5.0 + 2.0 * row, 5.0, None, 0.0, placed=True)
    assert breakthrough(remove(position, *range(gone)), 0) == points
    assert breakthrough(elsewhere, 0) == points, "wherever the others are"


@covers("missions/breakthrough")
def test_a_routed_squad_is_not_through_and_the_enemy_gives_points_when_gone() -> None:
    position = duel(squad("nepharite", at=(30, 45), side=0), mission="breakthrough")
    assert breakthrough(position, 0) == 3
    unit(position, 0).mark("routed", 1)
    assert breakthrough(position, 0) == 0
    assert breakthrough(remove(position, 0), 1) == 1 + 2, "a squad, and the Warlord"


@covers("missions/breakthrough", "abilities/specialist-attached")
def test_a_specialist_who_has_joined_is_no_squad_of_his_own() -> None:
    mine = squad("riflemen", 4, at=(10, 45)), squad("medic", at=(20, 45))
    position = table(*mine, squad("undead", side=1, at=(40, 40)), mission="breakthrough")
    assert breakthrough(position, 0) == 6, "before he joins"
    position.join(position.model(4), unit(position, 0))
    position.model(4).mark("specialist", 1)
    assert breakthrough(position, 0) == 3
    assert breakthrough(remove(position, 4), 1) == 0
    assert breakthrough(remove(position, 0, 1, 2, 3), 1) == 1


# ---------------------------------------------------------------- missions/victory


@covers("missions/victory", "turn/end-of-game")
def test_more_points_win_and_equal_points_are_a_draw() -> None:
    position = duel(squad("riflemen", 5, at=(10, 5)))
    finish(remove(position.copy(), 5, 6, 7))
    even = position.copy()
    finish(even)
    assert winner(even) is None
    ahead = remove(position, 5, 6, 7)
    finish(ahead)
    assert winner(ahead) == 0


@covers("missions/victory", "abilities/rapid-deployment-reserve")
def test_squads_that_never_came_count_as_destroyed() -> None:
    position = duel(squad("veterans", 4, at=(10, 5)), squad("captain", at=(30, 5)))
    for row in range(4):
        position.take_off(position.model(row), RESERVE)
    finish(position)
    assert position.where[0] not in (RESERVE, TABLE)
    assert annihilation(position, 1) == 80


@covers("missions/victory", "turn/end-of-game")
def test_a_side_with_nobody_left_loses_whatever_the_points() -> None:
    position = duel(squad("riflemen", 5, at=(10, 5)), mission="strongpoints")
    position.gain(0, "points", 9)
    remove(position, *range(4))
    end_if_wiped_out(position)
    assert not is_over(position)
    end_if_wiped_out(remove(position, 4))
    assert winner(position) == 1


@covers("missions/victory", "turn/end-of-game")
def test_whoever_waits_in_reserve_goes_on_and_if_both_have_nobody_points_decide() -> None:
    position = duel(squad("riflemen", 1, at=(10, 5)), mission="strongpoints")
    position.take_off(position.model(0), RESERVE)
    end_if_wiped_out(position)
    assert not is_over(position)
    position.gain(0, "points", 1)
    end_if_wiped_out(remove(position, *range(7)))
    assert winner(position) == 0
