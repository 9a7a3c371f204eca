"""Chapters 4.2 and 4.4: units that break, rally and fall back."""

from __future__ import annotations

import math
from random import Random

import pytest

from campale.mechanics.moves.move_paths import end_of
from campale.referee.position import Position
from campale.rulesets.e55.definitions.measuring import exact
from campale.rulesets.e55.definitions.units import ALOFT, BROKEN, COMBAT, GROUND, cannot_act, is_lost
from campale.rulesets.e55.leadership_and_morale.falling_back import (
    directions,
    fall_back,
    gets_clear,
    is_legal,
    may_go,
    reaches_own_edge,
    retreat_of,
    share_to_edge,
    way_home,
    ways_along,
)
from campale.rulesets.e55.leadership_and_morale.rout import (
    break_unit,
    break_units,
    cannot_go_to_ground,
    disengage,
    fall_back_dice,
    rally,
)
from campale.rulesets.e55.shooting_phase import shooting
from campale.table.shapes import Point
from campale.table.terrain import Piece
from tests.rulesets.e55.kit import (
    Played,
    Squad,
    block,
    first_question,
    model,
    play,
    profile,
    refused,
    squad,
    table,
    unit,
    wall,
)


def alone(kind: str = "militia", count: int = 3, at: tuple[float, float] = (30, 20), **marks: int) -> Position:
    return table(squad(kind, count, at=at, **marks))


def falls_back(position: Position, inches: int, answers: tuple[str, ...] = (), dice: str = "") -> Played:
    return play(fall_back(unit(position, 0), inches), dice, answers, position)


def way_back(position: Position, inches: int, *foes: int) -> list[float]:
    return directions(unit(position, 0), inches, frozenset(foes))


def in_combat(*squads: Squad) -> Position:
    """Squads all of which are in one combat."""
    position = table(*squads)
    for number in range(len(squads)):
        unit(position, number).mark(COMBAT, 1)
    return position


# ---------------------------------------------------------------- 4.2: breaking


@pytest.mark.covers("4.2/break-fall-back")
def test_a_unit_that_breaks_falls_back_two_dice() -> None:
    position = alone()
    played = play(break_unit(unit(position, 0)), "4 3", position=position)
    assert played.rolls == ["fall-back"]
    assert unit(position, 0).marks(BROKEN)
    assert [model(position, row).at for row in range(3)] == [(30, 13), (32, 13), (34, 13)]


@pytest.mark.covers("6.2/bike-fall-back")
def test_bikes_and_jetbikes_fall_back_three_dice() -> None:
    position = table(squad("biker", 2, at=(30, 20)), squad("jetbiker", 2, at=(40, 20), aloft=1), squad("militia"))
    assert [fall_back_dice(unit(position, number)) for number in range(3)] == [3, 3, 2]
    play(break_unit(unit(position, 0)), "4 3 5", position=position)
    assert model(position, 0).at == (30, 8)


@pytest.mark.covers("6.3/beast-fall-back", "1.2/cavalry")
def test_beasts_and_cavalry_fall_back_three_dice() -> None:
    cavalry = profile("hound", keywords=("cavalry",))
    position = table(squad("hound", 2, at=(30, 20)), squad([cavalry, cavalry], at=(40, 20)), squad("great-beast"))
    assert [fall_back_dice(unit(position, number)) for number in range(3)] == [3, 3, 2]


@pytest.mark.covers("1.2/mixed-units")
def test_a_unit_of_several_types_falls_back_the_fewest_dice_of_its_models() -> None:
    mixed = [profile("biker"), profile("captain"), profile("biker")]
    position = table(squad(mixed, at=(30, 20)), squad([profile("biker"), profile("hound")], at=(10, 20)))
    assert fall_back_dice(unit(position, 0)) == 2
    assert fall_back_dice(unit(position, 1)) == 3
    position.remove(model(position, 1), "fire")
    assert fall_back_dice(unit(position, 0)) == 3


@pytest.mark.covers("4.2/break-gets-up", "4.2/break-sequence")
def test_a_unit_that_breaks_gets_up_first_and_so_can_fall_back() -> None:
    position = alone(to_ground=1)
    played = play(break_unit(unit(position, 0)), "1 1", position=position)
    assert not unit(position, 0).marks(GROUND)
    assert model(position, 0).at == (30, 18)
    marked = [event.values["marker"] for event in played.events if event.kind == "mark-unit"]
    assert marked[:2] == [GROUND, BROKEN]


@pytest.mark.covers("4.2/break-disengages", "4.2/break-sequence")
def test_a_unit_that_breaks_leaves_its_combat_before_it_falls_back() -> None:
    position = in_combat(squad("militia", 2, at=[(30, 20), (31, 20)]), squad("veteran", side=1, at=(30, 21)))
    played = play(break_unit(unit(position, 0)), "1 1", position=position)
    assert not unit(position, 0).marks(COMBAT)
    assert model(position, 0).at == (30, 18)
    kinds = [event.values.get("marker", event.kind) for event in played.events]
    assert kinds.index(COMBAT) < kinds.index("move")


@pytest.mark.covers("4.2/break-disengages")
def test_the_enemies_of_the_combat_left_are_those_whose_inch_does_not_count() -> None:
    position = table(
        squad("militia", 1, at=(30, 20), combat=1),
        squad("veteran", side=1, at=(30, 21), combat=1),
        squad("veteran", side=1, at=(50, 21), combat=2),
        squad("militia", 1, at=(10, 20)),
    )
    assert disengage(unit(position, 3)) == frozenset()
    assert disengage(unit(position, 0)) == frozenset({1})


@pytest.mark.covers("4.2/break-sequence")
def test_units_that_break_together_do_so_one_by_one_as_their_owner_orders() -> None:
    position = table(squad("militia", at=(20, 20)), squad("militia", at=(30, 20)))
    played = play(break_units([unit(position, 0), unit(position, 1)], {}), "1 1 | 2 2", [1], position)
    assert played.prompts == ["break-next"]
    assert model(position, 1).at == (30, 18)
    assert model(position, 0).at == (20, 16)


@pytest.mark.covers("4.2/break-sequence", "4.2/breakthrough-eligible")
def test_breakthroughs_are_judged_when_all_have_left() -> None:
    position = in_combat(
        squad("militia", 3, at=[(30, 20), (29, 19), (28, 18)]),
        squad("militia", 3, at=[(31, 20), (32, 19), (33, 18)]),
        squad("veteran", side=1, at=(30.5, 20.866)),
    )
    assert exact(model(position, 6), model(position, 0)) == pytest.approx(0.0, abs=0.001)
    broken = [unit(position, 0), unit(position, 1)]
    played = play(break_units(broken, {0: (2,), 1: (2,)}), "2 2 | 2 2", [0, -1, -1], position)
    assert played.prompts == ["break-next", "break-through", "break-through"]
    assert played.questions[-1].rules[-1] == "4.2/breakthrough-eligible"


# ---------------------------------------------------------------- 4.2: rallying


@pytest.mark.covers("4.2/rally")
def test_a_broken_unit_that_passes_its_rally_test_is_broken_no_longer_and_stays() -> None:
    position = alone(broken=1)
    played = play(rally(unit(position, 0)), "4 3", position=position)
    assert played.rolls == ["rally"]
    assert not unit(position, 0).marks(BROKEN)
    assert model(position, 0).at == (30, 20)


@pytest.mark.covers("4.2/rally", "4.2/broken-start-move")
def test_who_fails_to_rally_falls_back_one_die() -> None:
    position = alone(broken=1)
    played = play(rally(unit(position, 0)), "4 4 | 5", position=position)
    assert played.rolls == ["rally", "broken-fall-back"]
    assert unit(position, 0).marks(BROKEN)
    assert model(position, 0).at == (30, 15)


@pytest.mark.covers("4.2/rally")
def test_leadership_11_rallies_and_0_does_not_without_dice() -> None:
    position = table(
        squad(profile("militia", ld=11), at=(30, 20), broken=1), squad(profile("militia", ld=0), at=(10, 20), broken=1)
    )
    assert play(rally(unit(position, 0)), position=position).prompts == []
    assert not unit(position, 0).marks(BROKEN)
    play(rally(unit(position, 1)), "1", position=position)
    assert unit(position, 1).marks(BROKEN)


@pytest.mark.covers("4.2/broken-start-move")
def test_one_die_for_every_type_and_none_for_who_is_engaged() -> None:
    position = alone("hound", broken=1)
    play(rally(unit(position, 0)), "6 4 | 2", position=position)
    assert model(position, 0).at == (30, 18)
    position = in_combat(squad("militia", at=(30, 20), broken=1), squad("veteran", side=1, at=(30, 21)))
    play(rally(unit(position, 0)), "6 4", position=position)
    assert model(position, 0).at == (30, 20)


# ---------------------------------------------------------------- 4.2: what a broken unit cannot do


@pytest.mark.covers("4.2/broken-cannot-act")
def test_a_broken_unit_takes_no_action_until_it_rallies() -> None:
    position = alone(broken=1)
    assert cannot_act(unit(position, 0)) is not None
    unit(position, 0).mark(BROKEN, 0)
    assert cannot_act(unit(position, 0)) is None


@pytest.mark.covers("4.2/broken-restrictions")
def test_a_broken_unit_cannot_go_to_ground() -> None:
    position = table(squad("militia", side=1, broken=1), squad("militia", side=1, at=(10, 20)))
    assert cannot_go_to_ground(unit(position, 0)) is not None
    assert cannot_go_to_ground(unit(position, 1)) is None
    question = first_question(shooting.go_to_ground(position))
    assert refused(question, ("to-ground", 0)) == "4.2/broken-restrictions"
    assert refused(question, ("to-ground", 1)) == ""


# ---------------------------------------------------------------- 4.4: the move


@pytest.mark.covers("4.4/fall-back-move", "10.3/table-edge")
def test_a_unit_falls_back_straight_at_its_own_edge() -> None:
    position = table(squad("militia", 3, at=(30, 20)), squad("militia", 2, side=1, at=(30, 30)))
    assert [way_home(position, side) for side in (0, 1)] == [180.0, 0.0]
    falls_back(position, 7)
    assert [model(position, row).at for row in range(3)] == [(30, 13), (32, 13), (34, 13)]
    play(fall_back(unit(position, 1), 6), position=position)
    assert model(position, 3).at == (30, 36)


@pytest.mark.covers("4.4/fall-back-move")
def test_difficult_terrain_does_not_slow_it() -> None:
    mire = block(30, 15, 10, 4, "difficult")
    position = table(squad("militia", 2, at=(30, 20)), pieces=[mire])
    assert not falls_back(position, 8).rolls
    assert model(position, 0).at == (30, 12)


@pytest.mark.covers("4.4/fall-back-move", "3.1.2/dangerous")
def test_dangerous_terrain_is_tested_once_the_move_is_made() -> None:
    mire = block(30, 15, 10, 4, "difficult", "dangerous")
    position = table(squad("militia", 2, at=(30, 20)), pieces=[mire])
    played = falls_back(position, 8, dice="1 2")
    assert len(played.rolls) == 1
    assert model(position, 0).at == (30, 12)
    position = table(squad("jump-trooper", 2, at=(30, 20), aloft=1), pieces=[mire])
    assert not falls_back(position, 8).rolls


@pytest.mark.covers("4.4/fall-back-move")
def test_where_the_straight_way_is_barred_it_deviates_as_little_as_it_can() -> None:
    position = table(squad("militia", 1, at=(30, 20)), pieces=[wall(32, 15, 6, 1)])
    (bearing,) = way_back(position, 8)
    assert 180.0 < bearing < 225.0
    falls_back(position, 8)
    found = model(position, 0)
    assert found.x < 29.0
    assert ((found.x - 30) ** 2 + (found.y - 20) ** 2) ** 0.5 == pytest.approx(8.0, abs=0.001)
    ways = ways_along(unit(table(squad("militia", 1, at=(30, 20)), pieces=[wall(32, 15, 6, 1)]), 0), 8, bearing - 0.5)
    position = table(squad("militia", 1, at=(30, 20)), pieces=[wall(32, 15, 6, 1)])
    assert not may_go(model(position, 0), ways[0], frozenset(), flies=False)


@pytest.mark.covers("4.4/fall-back-move")
def test_its_owner_chooses_between_two_ways_that_deviate_alike() -> None:
    for answer, sign in (("east", 1.0), ("west", -1.0)):
        position = table(squad("militia", 1, at=(30, 20)), pieces=[wall(30, 15, 4, 1)])
        played = falls_back(position, 8, (answer,))
        assert played.prompts == ["fall-back-direction"]
        assert played.questions[0].side == 0
        assert (model(position, 0).x - 30) * sign > 0


@pytest.mark.covers("4.4/fall-back-move")
def test_all_its_models_go_the_same_way() -> None:
    position = table(squad("militia", 3, at=(30, 20)), pieces=[wall(36, 15, 5, 1)])
    falls_back(position, 8)
    moved = {(round(model(position, row).x - 30 - 2 * row, 3), model(position, row).y) for row in range(3)}
    assert len(moved) == 1
    assert next(iter(moved))[0] != 0


# ---------------------------------------------------------------- 4.4: its limits


@pytest.mark.covers("4.4/fall-back-limits", "3.1/enemy-one-inch")
def test_it_keeps_an_inch_from_enemies() -> None:
    position = table(squad("militia", 1, at=(30, 20)), squad("militia", 1, side=1, at=(32.0, 15)))
    assert way_back(position, 8) == [180.0]
    position = table(squad("militia", 1, at=(30, 20)), squad("militia", 1, side=1, at=(31.9, 15)))
    assert way_back(position, 8) != [180.0]


@pytest.mark.covers("4.4/fall-back-limits", "3.1/no-pass-through")
def test_it_passes_through_nobody() -> None:
    position = table(squad("militia", 1, at=(30, 20)), squad("militia", 1, at=(31.0, 15)))
    assert way_back(position, 8) == [180.0]
    position = table(squad("militia", 1, at=(30, 20)), squad("militia", 1, at=(30.9, 15)))
    assert way_back(position, 8) != [180.0]


@pytest.mark.covers("4.4/fall-back-limits", "3.1.2/impassable")
def test_it_enters_no_impassable_terrain() -> None:
    position = table(squad("militia", 1, at=(30, 20)), pieces=[wall(33, 15, 5, 1)])
    assert way_back(position, 8) == [180.0]
    position = table(squad("militia", 1, at=(30, 20)), pieces=[wall(32.9, 15, 5, 1)])
    assert way_back(position, 8) != [180.0]


@pytest.mark.covers("4.4/fall-back-limits", "6.1.1/flying-over")
def test_who_flies_passes_over_others_and_ends_on_nobody() -> None:
    position = table(squad("jump-trooper", 1, at=(30, 20), aloft=1), squad("militia", 1, side=1, at=(30, 15)))
    assert way_back(position, 8) == [180.0]
    assert way_back(position, 5) != [180.0]
    unit(position, 0).mark(ALOFT, 0)
    assert way_back(position, 8) != [180.0]


def leaving(*enemies: tuple[float, float], at: tuple[float, float] = (30, 20)) -> Position:
    return in_combat(squad("militia", 1, at=at), squad("veteran", len(enemies), side=1, at=list(enemies)))


@pytest.mark.covers("4.4/fall-back-limits", "4.2/break-disengages")
def test_the_inch_of_former_foes_does_not_hold_back_who_has_not_got_clear_of_it() -> None:
    position = leaving((31.0, 20), (31.2, 18.9))
    assert way_back(position, 8, 1) == [180.0]
    assert way_back(position, 8) != [180.0]


@pytest.mark.covers("4.4/fall-back-limits")
def test_once_clear_the_inch_counts_to_the_end_of_the_move() -> None:
    position = leaving((31.0, 20), (31.5, 12))
    assert way_back(position, 8, 1) != [180.0]
    assert way_back(leaving((31.0, 20), (32.0, 12)), 8, 1) == [180.0]


@pytest.mark.covers("4.4/fall-back-limits", "4.2/break-disengages")
def test_it_ends_an_inch_from_former_foes() -> None:
    position = leaving((30, 21))
    assert way_back(position, 1, 1) == [180.0]
    assert way_back(leaving((31.0, 20), (31.5, 18.5)), 2, 1) != [180.0]


@pytest.mark.covers("4.4/fall-back-limits")
def test_the_base_of_a_former_foe_is_never_crossed() -> None:
    position = leaving((30, 21), (30.5, 19.1))
    assert way_back(position, 8, 1) != [180.0]
    path = ways_along(unit(position, 0), 8, 180.0)[0]
    assert gets_clear(model(position, 0), path, frozenset({1}))


@pytest.mark.covers("4.4/fall-back-limits", "3.1.1/coherency")
def test_coherency_holds_back_a_unit_that_has_it() -> None:
    """Two on a roof three inches up: who drops off it loses the other."""
    roof = block(30, 20, 3, 3, "clear", floors=(3.0,))
    high = Squad([profile("militia")] * 2, at=[(30, 21), (30, 19.2)], z=3.0)
    position = table(high, pieces=[roof])
    way = ways_along(unit(position, 0), 2, 180.0)
    assert [end_of(way[row]) for row in (0, 1)] == [(30, 19, 3.0), (30, 17.2, 0.0)]
    assert 180.0 not in way_back(position, 2)
    assert way_back(position, 5) == [180.0]


@pytest.mark.covers("4.4/fall-back-limits")
def test_a_unit_out_of_coherency_is_not_stopped_by_it() -> None:
    roof = block(30, 20, 3, 3, "clear", floors=(3.0,))
    position = table(squad("militia", 2, at=[(30, 19.2), (60, 19.2)]), pieces=[roof])
    model(position, 0).move_to(30, 19.2, 3.0)
    assert way_back(position, 2) == [180.0]


@pytest.mark.covers("4.4/fall-back-move")
def test_a_model_on_a_storey_drops_where_its_floor_ends() -> None:
    ruin = block(30, 20, 6, 6, "difficult", floors=(3.0, 6.0))
    position = table(Squad([profile("militia")], at=(30, 20), z=6.0), pieces=[ruin])
    falls_back(position, 7)
    assert (model(position, 0).x, model(position, 0).y, model(position, 0).z) == (30, 13, 0)


# ---------------------------------------------------------------- 4.4: blocked, and off the table


def boxed_in(gap: float) -> list[Piece]:
    """Walls round the place (30, 20) on the three sides that lead home, ``gap`` inches off its middle."""
    return [
        wall(30, 20 - gap - 0.5, 2 * gap + 2, 1, name="south"),
        block(30 - gap - 0.5, 20, 1, 2 * gap, "impassable", name="west"),
        block(30 + gap + 0.5, 20, 1, 2 * gap, "impassable", name="east"),
    ]


@pytest.mark.covers("4.4/fall-back-blocked")
def test_a_unit_that_cannot_go_the_whole_way_is_removed_whole() -> None:
    position = table(squad("militia", 2, at=[(30, 20), (30, 21.2)]), pieces=boxed_in(2.0))
    assert way_back(position, 6) == []
    played = falls_back(position, 6)
    assert all(is_lost(model(position, row)) for row in range(2))
    assert played.cites("4.4/fall-back-blocked")
    assert [loss.cause for loss in position.losses] == ["fall-back-blocked"] * 2


@pytest.mark.covers("4.4/fall-back-blocked", "4.4/fall-back-move")
@pytest.mark.parametrize(("inches", "ways"), [(6, 1), (12, 0)])
@pytest.mark.parametrize(("slant", "width"), [(30.2, 1.01), (20.1, 1.02), (47.37, 1.005)])
def test_a_passage_that_is_hardly_wider_than_a_base_is_a_way(
    slant: float, width: float, inches: int, ways: int
) -> None:
    """A passage at a slant to the way home, closed ten inches farther on."""
    aside, back, half = math.sin(math.radians(slant)), math.cos(math.radians(slant)), width / 2

    def at(along: float, across: float) -> Point:
        return 30 + aside * along + back * across, 20 - back * along + aside * across

    position = table(
        squad("militia", 1, at=(30, 20)),
        pieces=[
            impassable(at(-5, -half), at(-5, -2), at(10, -2), at(10, -half)),
            impassable(at(-5, half), at(10, half), at(10, 2), at(-5, 2)),
            impassable(at(10, -2), at(11, -2), at(11, 2), at(10, 2)),
        ],
    )
    found = way_back(position, inches)
    assert found == [pytest.approx(180.0 - slant, abs=0.15)] * ways


@pytest.mark.covers("4.4/fall-back-move")
@pytest.mark.parametrize(("x", "y"), [(30.0, 20.0), (29.6, 17.0)])
def test_the_direction_is_the_one_that_just_clears_what_is_in_the_way(x: float, y: float) -> None:
    """Past the corner of a wall at (29, 15.5), with a base of half an inch."""
    position = table(squad("militia", 1, at=(x, y)), pieces=[wall(32, 15, 6, 1)])
    past, to = math.atan2(x - 29.0, y - 15.5), math.hypot(x - 29.0, y - 15.5)
    turn = past + math.asin(0.5 / to)
    falls_back(position, 8)
    found = model(position, 0)
    assert math.dist(found.at, (x - 8 * math.sin(turn), y - 8 * math.cos(turn))) < 0.01


@pytest.mark.covers("4.4/fall-back-move", "4.4/fall-back-limits")
@pytest.mark.parametrize("seed", range(12))
def test_no_direction_that_deviates_less_is_legal(seed: int) -> None:
    """Squads, bikes and walls at random: every other direction is tried one by one."""
    rng = Random(f"retreat {seed}")
    kinds = ["militia", "biker", "jump-trooper"]
    pieces = [wall(rng.uniform(20, 40), rng.uniform(8, 14), rng.uniform(1, 6), 1, name=f"{k}") for k in range(3)]
    others = [squad("militia", 1, side=k % 2, at=(rng.uniform(22, 38), rng.uniform(8, 16))) for k in range(6)]
    foes = frozenset({1}) if seed % 2 else frozenset()
    position = table(
        squad(kinds[seed % 3], 2, at=(30, 20)), squad("militia", 1, side=1, at=(30, 21.1)), *others, pieces=pieces
    )
    retreat = retreat_of(unit(position, 0), 9, foes)
    found = directions(unit(position, 0), 9, foes)
    least = min((abs(bearing - 180.0) for bearing in found), default=90.0)
    for step in range(int(least / 0.1)):
        assert not any(is_legal(retreat, 180.0 + sign * 0.1 * step) for sign in (1, -1))
    assert all(is_legal(retreat, bearing) for bearing in found)


def impassable(*corners: Point) -> Piece:
    return Piece(f"wall {corners[0]}", "block", corners, 6.0, 0.0, (), ("impassable", "solid"))


@pytest.mark.covers("4.4/fall-back-blocked")
def test_a_shorter_roll_may_still_find_a_way() -> None:
    position = table(squad("militia", 2, at=[(30, 20), (30, 21.2)]), pieces=boxed_in(2.0))
    falls_back(position, 1)
    assert model(position, 0).at == (30, 19)


@pytest.mark.covers("4.4/fall-back-edge")
def test_touching_its_own_edge_removes_the_unit_whole() -> None:
    position = alone(at=(30, 7.5))
    assert share_to_edge(unit(position, 0), 7, 180.0) == 1.0
    played = falls_back(position, 7)
    assert all(is_lost(model(position, row)) for row in range(3))
    assert played.cites("4.4/fall-back-edge")
    assert unit(position, 0).marks("eliminated")
    position = alone(at=(30, 7.6))
    falls_back(position, 7)
    assert not is_lost(model(position, 0))
    assert not reaches_own_edge(unit(position, 0))


@pytest.mark.covers("4.4/fall-back-edge")
def test_one_model_at_the_edge_is_enough_and_the_edge_is_no_block() -> None:
    position = table(squad("militia", 2, at=[(30, 9), (30, 7)]), squad("militia", 1, at=(30, 1.0)))
    position.remove(model(position, 2), "fire")
    falls_back(position, 12)
    assert is_lost(model(position, 0))
    assert is_lost(model(position, 1))


@pytest.mark.covers("4.4/fall-back-edge")
def test_what_stands_between_it_and_the_edge_bars_it_all_the_same() -> None:
    position = table(squad("militia", 1, at=(30, 9)), squad("militia", 1, at=(30, 4)))
    falls_back(position, 12, ("east",))
    assert is_lost(model(position, 0))
    assert model(position, 0).x != 30


@pytest.mark.covers("4.4/fall-back-blocked")
def test_the_short_edges_are_a_block() -> None:
    position = table(squad("militia", 1, at=(0.5, 20)), pieces=[wall(2, 16, 4, 1)])
    (bearing,) = way_back(position, 8)
    assert bearing < 180.0


@pytest.mark.covers("3.1/heavy-fire", "4.2/broken-start-move", "6.2/bike-terrain")
@pytest.mark.parametrize(("stands", "tests"), [((30, 36), []), ((30, 8), ["fall-back"])])
def test_bikes_that_do_not_rally_near_heavy_fire_from_where_they_stand_as_their_turn_begins(
    stands: Point, tests: list[str]
) -> None:
    """The enemy has come ten inches nearer in its own turn; only if it is on their way home do they near it."""
    bikes = squad("biker", 1, 0, (30, 24), broken=1, notes={"heavy-fire-by": [1]})
    position = table(bikes, squad("militia", 1, 1, (30, 46)), phase="start")
    model(position, 1).move_to(*stands)
    played = play(rally(unit(position, 0)), "6 6 | 4" + " | 1" * len(tests), (), position)
    assert played.rolls == ["rally", "broken-fall-back", *tests]
