"""Line of sight: what is out of it, what blocks it, and the majority between units (1.1/los-*, 6.1, 7.10)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.e55.armies.profile import Mount
from campale.rulesets.e55.definitions import sight
from campale.rulesets.e55.definitions.footprints import eyes
from tests.rulesets.e55.kit import WEAPONS, block, model, put, squad, table, unit, wall, wood


def facing_each_other(*pieces: Any, here: int = 1, there: int = 1, kind: str = "militia", **more: Any) -> Position:
    return table(
        squad("veteran", here, 0, (20, 10), "rifle", faces=1),
        squad(kind, there, 1, (20, 30), **more),
        pieces=pieces,
    )


# ---------------------------------------------------------------- 1.1/los-line


@pytest.mark.covers("1.1/los-line")
def test_a_line_runs_from_the_eyes_to_the_body_and_not_to_the_base() -> None:
    low, high = block(20, 20, 8, 1, "solid", height=0.7), block(20, 20, 8, 1, "solid", height=1.24)
    assert eyes(model(facing_each_other(), 0))[2] == pytest.approx(0.9 * 1.25)
    battle = facing_each_other(low)
    found = sight.views(battle, sight.eyes_of(model(battle, 0)), unit(battle, 1))
    assert found.lines.tolist() == [9]
    assert found.cut.tolist() == [[3]]
    battle = facing_each_other(high)
    assert sight.views(battle, sight.eyes_of(model(battle, 0)), unit(battle, 1)).cut.tolist() == [[9]]


@pytest.mark.covers("1.1/los-line")
def test_a_hull_is_looked_at_in_twenty_five_points() -> None:
    battle = facing_each_other(kind="tank")
    assert sight.views(battle, sight.eyes_of(model(battle, 0)), unit(battle, 1)).lines.tolist() == [25]


@pytest.mark.covers("1.1/los-line", "6.1/mc-muzzle", "7.9/arcs")
def test_vehicles_and_monsters_look_from_their_muzzles_and_others_from_their_eyes() -> None:
    turret = Mount(WEAPONS["machine-gun"], is_turret=True)
    battle = table(
        squad("tank", 1, 0, (20, 10), "machine-gun", turret),
        squad("great-beast", 1, 0, (30, 10), "carbine", "machine-gun"),
        squad("veteran", 1, 0, (40, 10), "rifle"),
        squad("great-beast", 1, 0, (50, 10), "claw"),
    )
    assert sight.eyes_of(model(battle, 0)) == ((0, (20.0, 12.5, 1.25)), (0, (20.0, 10.0, 2.5)))
    assert sight.eyes_of(model(battle, 1)) == ((1, (30.0, 10.0, 2.0)),)
    assert sight.eyes_of(model(battle, 2)) == ((2, (40.0, 10.0, 1.125)),)
    assert sight.eyes_of(model(battle, 3))[0][1][2] == pytest.approx(2.7)


# ---------------------------------------------------------------- 1.1/los-none


@pytest.mark.covers("1.1/los-none")
def test_a_target_to_which_no_line_can_be_drawn_is_out_of_sight() -> None:
    wide = facing_each_other(wall(20, 20))
    assert not sight.model_sees(model(wide, 0), unit(wide, 1))
    narrow = facing_each_other(wall(20, 20, 0.3))
    assert sight.model_sees(model(narrow, 0), unit(narrow, 1))


@pytest.mark.covers("1.1/los-none", "1.1/los-blocked")
def test_a_screen_hides_without_cutting() -> None:
    battle = facing_each_other(wood(20, 20))
    assert sight.model_sees(model(battle, 0), unit(battle, 1))
    assert sight.is_blocked(model(battle, 0), model(battle, 1))


@pytest.mark.covers("1.1/los-none")
def test_a_crowd_of_bodies_cuts_what_is_behind_it() -> None:
    shield = [(20 + 0.9 * k, 29.0) for k in range(-3, 4)]
    battle = table(
        squad("veteran", 1, 0, (20, 10), "rifle"),
        squad("militia", 1, 1, (20, 31)),
        squad("great-beast", 1, 1, (20, 29)),
    )
    assert not sight.sees(unit(battle, 0), unit(battle, 1))
    put(battle, squad("militia", 7, 1, shield))
    assert sight.sees(unit(battle, 0), unit(battle, 3))


# ---------------------------------------------------------------- 1.1/los-blocked


@pytest.mark.covers("1.1/los-blocked")
def test_one_hidden_point_blocks_the_line_of_sight() -> None:
    corner = facing_each_other(block(21, 20, 1.6, 1, "solid", height=0.7), here=1)
    found = sight.views(corner, sight.eyes_of(model(corner, 0)), unit(corner, 1))
    assert found.hidden.tolist() == [[1]]
    assert sight.is_blocked(model(corner, 0), model(corner, 1))
    beside = facing_each_other(block(22, 20, 1.6, 1, "solid", height=0.7))
    assert not sight.is_blocked(model(beside, 0), model(beside, 1))


@pytest.mark.covers("1.1/los-blocked", "10.1/terrain-data")
def test_open_pieces_hide_nothing_and_a_screen_not_what_stands_inside() -> None:
    pool = facing_each_other(block(20, 20, 8, 8, "impassable", "open", height=6.0))
    assert not sight.is_blocked(model(pool, 0), model(pool, 1))
    inside = facing_each_other(wood(20, 30))
    assert not sight.is_blocked(model(inside, 0), model(inside, 1))
    assert not sight.is_blocked(model(inside, 1), model(inside, 0))
    behind = facing_each_other(wood(20, 24))
    assert sight.is_blocked(model(behind, 0), model(behind, 1))


@pytest.mark.covers("1.1/los-blocked")
def test_other_units_hide_and_the_own_and_the_targets_do_not() -> None:
    places = [(20.0, 10.0), (20.0, 15.0)]
    battle = table(squad("veteran", 2, 0, places), squad("militia", 2, 1, [(20.0, 30.0), (20.0, 25.0)]))
    assert not sight.is_blocked(model(battle, 0), model(battle, 2))
    put(battle, squad("hound", 1, 0, (20, 20)))
    assert sight.is_blocked(model(battle, 0), model(battle, 2))
    tank = table(squad("veteran", 1, 0, (20, 10)), squad("militia", 1, 1, (20, 30)), squad("tank", 1, 1, (20, 20)))
    assert sight.is_blocked(model(tank, 0), model(tank, 1))


@pytest.mark.covers("6.1/mc-sight")
def test_half_of_a_monster_must_be_hidden() -> None:
    def hidden(height: float) -> tuple[int, bool]:
        battle = table(
            squad("veteran", 1, 0, (20, 10)),
            squad("great-beast", 1, 1, (20, 30)),
            pieces=[block(20, 28, 8, 1, "solid", height=height)],
        )
        found = sight.views(battle, sight.eyes_of(model(battle, 0)), unit(battle, 1))
        return int(found.hidden[0, 0]), sight.is_blocked(model(battle, 0), model(battle, 1))

    assert hidden(1.0) == (3, False)
    assert hidden(1.6) == (6, True)


# ---------------------------------------------------------------- 1.1/los-majority


def behind_a_wall(behind: int, of: int) -> Position:
    """Some of the veterans stand behind a wall, from which they see nothing of the militiaman."""
    places = [(10.0 + 1.1 * k, 10.0) if k < behind else (40.0 + 1.1 * k, 10.0) for k in range(of)]
    pieces = [wall(10 + behind / 2, 12, 2.0 * behind + 4)] if behind else []
    return table(squad("veteran", of, 0, places, "rifle", faces=1), squad("militia", 1, 1, (40, 30)), pieces=pieces)


@pytest.mark.covers("1.1/los-majority")
def test_a_unit_is_blind_when_more_than_half_of_it_is() -> None:
    half, most = behind_a_wall(2, 4), behind_a_wall(3, 4)
    assert sight.eyes_that_see(half, sight.eyes_of_unit(unit(half, 0)), unit(half, 1)) == [False, False, True, True]
    assert sight.sees(unit(half, 0), unit(half, 1))
    assert not sight.sees(unit(most, 0), unit(most, 1))


@pytest.mark.covers("1.1/los-majority")
def test_a_line_to_a_unit_is_blocked_when_it_is_to_half_of_it_for_more_than_half_who_look() -> None:
    def blocked(wide: float) -> bool:
        targets = [(20.0 + 3 * k, 30.0) for k in range(4)]
        battle = table(
            squad("veteran", 1, 0, (24.5, 29 - 17)),
            squad("militia", 4, 1, targets),
            pieces=[block(18.5 + wide / 2, 28.5, wide, 0.5, "screening", height=4.0)],
        )
        return sight.line_is_blocked(unit(battle, 0), unit(battle, 1))

    assert blocked(5.5)
    assert not blocked(3.0)


@pytest.mark.covers("1.1/los-majority")
def test_of_those_who_look_more_than_half_must_be_hindered() -> None:
    two, three = behind_a_wall(2, 4), behind_a_wall(3, 4)
    assert not sight.line_is_blocked(unit(two, 0), unit(two, 1))
    assert sight.line_is_blocked(unit(three, 0), unit(three, 1))


@pytest.mark.covers("1.1/interposing-unit")
def test_a_unit_interposes_when_it_blocks_the_line_by_itself() -> None:
    battle = table(
        squad("veteran", 1, 0, (20, 10)),
        squad("militia", 1, 1, (20, 30)),
        squad("hound", 1, 1, (20, 20)),
        squad("hound", 1, 1, (30, 20)),
        pieces=[wood(20, 25, 4, 2)],
    )
    assert sight.interposes(unit(battle, 2), unit(battle, 0), unit(battle, 1))
    assert not sight.interposes(unit(battle, 3), unit(battle, 0), unit(battle, 1))
    assert not sight.interposes(unit(battle, 1), unit(battle, 0), unit(battle, 1))


def test_what_is_seen_is_looked_up_anew_once_something_has_moved() -> None:
    battle = facing_each_other(wall(20, 20, 4))
    assert not sight.sees(unit(battle, 0), unit(battle, 1))
    model(battle, 0).move_to(28, 10)
    assert sight.sees(unit(battle, 0), unit(battle, 1))
