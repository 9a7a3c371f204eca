"""Cover: where it comes from, what improves it, and against whom it holds (2.3.1, 7.3, 8)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.columns import Effect
from campale.referee.position import Position
from campale.rulesets.e55.battle.scenery import scenery_piece
from campale.rulesets.e55.definitions.sight import eyes_of, eyes_of_unit
from campale.rulesets.e55.hits import cover
from campale.rulesets.e55.hits.attacks import Covers, cover_against
from campale.rulesets.e55.movement_phase.terrain import cover_of
from tests.rulesets.e55.kit import Squad, block, model, profile, put, squad, table, unit, wall, wood


def shot_at(*squads: Squad, pieces: Any = ()) -> Position:
    """Unit 0 fires from (20, 10)."""
    return table(squad("veteran", 1, 0, (20, 10), "rifle", faces=1), *squads, pieces=pieces)


def covers(battle: Position, target: int = 1, shooter: int = 0) -> Covers:
    return cover.covers_from([(shooter, eyes_of_unit(unit(battle, shooter)))], unit(battle, target))


def of_all(battle: Position, target: int = 1) -> list[int | None]:
    found = covers(battle, target)
    return [cover_against(found, 0, 0, m.row) for m in battle.models if m.unit.row == target and m.is_on_table]


# ---------------------------------------------------------------- 2.3.1/cover-blocked-sight


def row_of(count: int, hidden: int, **more: Any) -> Position:
    """Some of a row of militia stand behind a low wall."""
    places = [(14.0 + 3 * k, 30.0) for k in range(count)]
    low = block(14 + 3 * (hidden - 1) / 2, 28.9, 3 * hidden - 1.2, 0.5, "open-top", "solid", height=0.6)
    return shot_at(squad("militia", count, 1, places, **more), pieces=[low] if hidden else [])


@pytest.mark.covers("2.3.1/cover-blocked-sight")
@pytest.mark.parametrize(("hidden", "found"), [(0, None), (1, None), (2, 5), (4, 5)])
def test_half_of_a_unit_screened_gives_5_to_all_of_it(hidden: int, found: int | None) -> None:
    assert of_all(row_of(4, hidden)) == [found] * 4


@pytest.mark.covers("2.3.1/cover-blocked-sight")
@pytest.mark.parametrize(("hindered", "found"), [(2, None), (3, 5)])
def test_a_model_is_screened_when_it_is_from_more_than_half_of_those_who_fire(hindered: int, found: int | None) -> None:
    places = [(10.0 + 1.2 * k if k < hindered else 40 + 1.2 * k, 10.0) for k in range(4)]
    hedge = block(14, 12, 10, 0.5, "screening", height=4)
    battle = table(squad("veteran", 4, 0, places), squad("militia", 1, 1, (30, 30)), pieces=[hedge])
    assert cover_against(covers(battle), 0, 0, 4) == found


@pytest.mark.covers("2.3.1/cover-blocked-sight")
def test_cover_is_worked_out_for_each_firing_unit() -> None:
    battle = shot_at(
        squad("militia", 1, 1, (20, 30)), squad("veteran", 1, 0, (40, 30)), pieces=[block(20, 28, 6, 0.5, "screening")]
    )
    found = cover.covers_from([(n, eyes_of_unit(unit(battle, n))) for n in (0, 2)], unit(battle, 1))
    assert (found[0, 1], found[2, 1]) == (5, None)


@pytest.mark.covers("6.1/mc-sight", "6.1/mc-area-cover")
def test_a_monster_has_cover_by_half_of_it_hidden_and_never_by_where_it_stands() -> None:
    def of_beast(*pieces: Any) -> int | None:
        return of_all(shot_at(squad("great-beast", 1, 1, (20, 30)), pieces=pieces))[0]

    assert of_beast(block(20, 28, 8, 1, "solid", height=1.0)) is None
    assert of_beast(block(20, 28, 8, 1, "solid", height=1.6)) == 5
    assert of_beast(wood(20, 30)) is None
    assert of_beast(wood(20, 24)) == 5
    assert of_all(shot_at(squad("great-beast", 3, 1, (16, 30), spacing=4), pieces=[wood(20, 30, 20, 20)])) == [None] * 3
    assert of_all(shot_at(squad("veteran", 1, 1, (20, 30)), pieces=[wood(20, 30)])) == [5]


# ---------------------------------------------------------------- 2.3.1/cover-area-terrain


def in_wood(count: int, inside: int, *pieces: Any) -> Position:
    places = [(20.0 + 2 * (k % 3), 30.0 + 2 * (k // 3)) if k < inside else (30.0 + 2 * k, 30.0) for k in range(count)]
    return shot_at(squad("militia", count, 1, places), pieces=pieces or [block(22, 31, 9, 7, "difficult", "cover-4")])


@pytest.mark.covers("2.3.1/cover-area-terrain")
@pytest.mark.parametrize(("inside", "found"), [(1, None), (2, None), (3, 4)])
def test_more_than_half_of_a_unit_must_be_inside(inside: int, found: int | None) -> None:
    assert of_all(in_wood(4, inside)) == [found] * 4


@pytest.mark.covers("2.3.1/cover-area-terrain")
def test_in_several_pieces_all_count_together_and_the_worst_value_holds() -> None:
    battle = shot_at(
        squad("militia", 4, 1, [(20, 30), (22, 30), (40, 30), (50, 30)]),
        pieces=[block(21, 30, 6, 3, "cover-3"), block(40, 30, 4, 4, "cover-5"), block(50, 40, 3, 3, "cover-6")],
    )
    assert of_all(battle) == [5] * 4


@pytest.mark.covers("2.3.1/cover-area-terrain")
@pytest.mark.parametrize(("in_the_better", "found"), [(3, 3), (2, 6)])
def test_stragglers_in_a_worse_piece_take_nothing_from_a_unit_most_of_which_is_in_a_better(
    in_the_better: int, found: int
) -> None:
    places = [(20.0 + 2 * k, 30.0) if k < in_the_better else (40.0, 24.0 + 2 * k) for k in range(4)]
    pieces = [block(22, 30, 8, 3, "cover-3"), block(40, 30, 4, 14, "cover-6")]
    assert of_all(shot_at(squad("militia", 4, 1, places), pieces=pieces)) == [found] * 4


@pytest.mark.covers("2.3.1/cover-area-terrain")
def test_of_pieces_that_lie_on_each_other_a_model_uses_the_better() -> None:
    battle = shot_at(
        squad("militia", 2, 1, [(20, 30), (22, 30)]),
        pieces=[block(21, 30, 9, 9, "cover-6"), block(21, 30, 6, 4, "cover-3")],
    )
    assert of_all(battle) == [3] * 2


@pytest.mark.covers("2.3.1/cover-single-model")
@pytest.mark.parametrize(("x", "found"), [(20.0, 4), (22.4, 4), (22.6, None)])
def test_a_single_model_must_be_wholly_inside(x: float, found: int | None) -> None:
    battle = shot_at(squad("militia", 1, 1, (x, 30)), pieces=[block(20, 30, 6, 6, "cover-4")])
    assert of_all(battle) == [found]


@pytest.mark.covers("2.3.1/cover-single-model")
def test_so_must_a_model_at_which_a_hit_is_aimed() -> None:
    battle = shot_at(squad("militia", 2, 1, [(20, 30), (22.8, 30)]), pieces=[block(20, 30, 6, 6, "cover-4")])
    found = covers(battle)
    assert [cover_against(found, 0, 0, row) for row in (1, 2)] == [4, 4]
    assert [cover_against(found, 0, 0, row, is_aimed=True) for row in (1, 2)] == [4, None]


@pytest.mark.covers("2.3.1/cover-values")
def test_kinds_of_scenery_give_their_values_and_pieces_what_was_agreed() -> None:
    kinds = "barbed-wire", "woods", "sandbags", "bastion", "fortification", "chasm"
    assert [cover_of(scenery_piece(kind, (20.0, 20.0))) for kind in kinds] == [6, 5, 4, 3, 2, None]
    assert cover_of(scenery_piece("woods", (20.0, 20.0), cover=4)) == 4
    assert cover_of(block(0, 0, 1, 1, "clear", "cover-4")) == 4
    assert cover_of(block(0, 0, 1, 1, "clear")) is None


# ---------------------------------------------------------------- what rules give


@pytest.mark.covers("2.3.1/cover-from-rule")
def test_a_printed_cover_save_is_cover() -> None:
    assert of_all(shot_at(squad(profile("militia", cover_save=4), 1, 1, (20, 30)))) == [4]
    assert of_all(shot_at(squad(profile("militia"), 1, 1, (20, 30)))) == [None]


@pytest.mark.covers("2.3.1/cover-from-rule")
def test_a_power_that_protects_a_unit_gives_cover_too() -> None:
    battle = shot_at(squad("militia", 2, 1, (20, 30)))
    battle.begin(Effect("5/casting", 1, 1, "turn-9", ("ward", 4), "unit"))
    assert of_all(battle) == [4, 4]
    assert of_all(shot_at(squad("militia", 2, 1, (20, 30)))) == [None, None]


@pytest.mark.covers("2.3.1/cover-out-of-sight")
def test_who_is_not_seen_and_hit_all_the_same_has_2() -> None:
    assert of_all(shot_at(squad("militia", 1, 1, (20, 30)), pieces=[wall(20, 20)])) == [2]
    assert of_all(shot_at(squad("militia", 1, 1, (20, 30)), pieces=[wood(20, 20)])) == [5]


@pytest.mark.covers("2.3.1/cover-out-of-sight", "1.1/los-majority")
@pytest.mark.parametrize(("blind", "found"), [(2, 5), (3, 2)])
def test_what_the_unit_sees_is_seen_though_only_those_fire_who_do_not(blind: int, found: int) -> None:
    places = [(20.0 + 1.2 * k if k < blind else 40.0 + 1.2 * k, 10.0) for k in range(4)]
    battle = table(squad("veteran", 4, 0, places), squad("militia", 1, 1, (22, 30)), pieces=[wall(22, 12, 10)])
    firing = [eye for row in range(2) for eye in eyes_of(model(battle, row))]
    assert cover_against(cover.covers_from([(0, firing)], unit(battle, 1)), 0, 0, 4) == found


def with_rules(*adds: str, pieces: Any = (), **marks: int) -> int | None:
    return of_all(shot_at(squad(profile("militia", adds=adds), 1, 1, (20, 30), **marks), pieces=pieces))[0]


@pytest.mark.covers("8/stealth")
def test_stealth_gives_5_or_makes_cover_2_better() -> None:
    assert with_rules("stealth") == 5
    assert with_rules("stealth", pieces=[wood(20, 30)]) == 3
    assert with_rules() is None


@pytest.mark.covers("8/shrouded")
def test_shrouded_gives_5_or_makes_cover_1_better() -> None:
    assert with_rules("shrouded") == 5
    assert with_rules("shrouded", pieces=[wood(20, 30)]) == 4


@pytest.mark.covers("8/stealth", "8/shrouded")
def test_both_together_give_3_or_make_cover_3_better() -> None:
    assert with_rules("stealth", "shrouded") == 3
    assert with_rules("stealth", "shrouded", pieces=[wood(20, 30)]) == 2


@pytest.mark.covers("8/stealth", "8/shrouded")
def test_the_rules_hold_model_by_model() -> None:
    sly, plain = profile("militia", adds=["stealth"]), profile("militia")
    assert of_all(shot_at(squad([sly, plain], 1, 1, (20, 30)))) == [5, None]


@pytest.mark.covers("3.2.4/ground-cover")
def test_on_the_ground_cover_is_6_or_one_better_even_beyond_2() -> None:
    assert with_rules(to_ground=1) == 6
    assert with_rules(to_ground=1, pieces=[wood(20, 30)]) == 4
    assert with_rules("stealth", "shrouded", to_ground=1, pieces=[block(20, 30, 6, 6, "cover-3")]) == -1


@pytest.mark.covers("2.3.1/cover-best-only")
def test_of_several_covers_the_best_counts_and_is_then_improved() -> None:
    pieces = [block(20, 30, 6, 6, "cover-4"), block(20, 24, 6, 1, "screening")]
    assert of_all(shot_at(squad("militia", 1, 1, (20, 30)), pieces=pieces)) == [4]
    assert with_rules("stealth", to_ground=1, pieces=pieces) == 1
    printed = squad(profile("militia", cover_save=3), 1, 1, (20, 30))
    assert of_all(shot_at(printed, pieces=pieces)) == [3]


# ---------------------------------------------------------------- 7.3/vehicle-cover


def tank_behind(height: float, *pieces: Any, **changes: Any) -> int | None:
    low = block(20, 25, 16, 0.5, "solid", height=height)
    tank = squad(profile("tank", **changes), 1, 1, (20, 30))
    return of_all(shot_at(tank, pieces=[low, *pieces]))[0]


@pytest.mark.covers("7.3/vehicle-cover")
def test_a_vehicle_has_cover_when_half_of_it_is_hidden_from_the_firer() -> None:
    assert tank_behind(0.9) is None
    assert tank_behind(1.4) == 5


@pytest.mark.covers("7.3/vehicle-cover")
def test_then_it_has_the_best_it_is_entitled_to_and_else_nothing_helps() -> None:
    bunker = block(20, 30, 8, 8, "cover-3")
    assert tank_behind(1.4, bunker) == 3
    assert tank_behind(0.9, bunker) is None
    assert tank_behind(0.9, cover_save=2) is None
    assert tank_behind(1.4, cover_save=2) == 2


@pytest.mark.covers("7.3/vehicle-cover")
def test_it_hangs_on_the_very_model_that_fires() -> None:
    battle = table(
        squad("veteran", 2, 0, [(20, 10), (50, 30)]),
        squad("tank", 1, 1, (20, 30)),
        pieces=[block(20, 25, 10, 0.5, "solid", height=2.0)],
    )
    found = covers(battle)
    assert [cover_against(found, 0, row, 2) for row in (0, 1)] == [5, None]


@pytest.mark.covers("2.3.1/cover-granted")
def test_cover_is_told_for_every_unit_that_is_hit_at_the_same_moment() -> None:
    battle = shot_at(squad("militia", 1, 1, (20, 30)), pieces=[wood(40, 30)])
    put(battle, squad("militia", 1, 1, (40, 30)))
    firing = [(0, eyes_of_unit(unit(battle, 0)))]
    found = cover.covers_of_all(firing, [1, 2], battle)
    assert [cover_against(found, 0, 0, model(battle, row).row) for row in (1, 2)] == [None, 5]
