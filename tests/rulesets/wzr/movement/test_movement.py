"""Walk, Run, Leap, Dive for Cover: lengths, ground, obstacles, walls and doors, heights, new engagements."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from campale.mechanics.frames import push, run_all
from campale.mechanics.moves.move_paths import end_of
from campale.referee.columns import Effect
from campale.referee.position import Position
from campale.referee.refusal import Refusal, first_refusal
from campale.rulesets.wzr.abilities.index import ON_MODEL, give
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.movement.heights import climbing_price, climbs_near, drops, fall, landings
from campale.rulesets.wzr.movement.leap import LEAP_RESTRICTIONS, can_dive, dive_fields, leap_of, without_cover
from campale.rulesets.wzr.movement.moves import (
    CHARGING,
    DIVE,
    RUN,
    WALK,
    Gait,
    Way,
    allowance,
    cap_left,
    good_paths,
    meets,
    onto_roofs,
    passed_by,
    reaches_near,
    read,
    refusal_of,
    way_back,
    way_question,
)
from campale.rulesets.wzr.turn.menu import cannot_take
from campale.rulesets.wzr.turn.sequence import PROCEDURES
from campale.rulesets.wzr.vehicles.driving import DRIVE_FIELDS, DRIVE_FRAMES
from campale.table.terrain import Floor, Piece
from tests.rulesets.wzr.kit import Played, finish, piece, question_after, resources, squad, table, vehicle

covers = pytest.mark.covers

FAR = squad(side=1, at=(44, 44))


def refused(position: Position, *points: Sequence[float], row: int = 0, gait: Gait = WALK) -> str:
    """The rule by which a way is refused, "" if it is not."""
    model = position.model(row)
    refusal = refusal_of(Way(model, read(model, (points, None)), gait))
    return "" if refusal is None else refusal.rule


def leap_refused(position: Position, *point: float) -> str:
    refusal: Refusal | None = first_refusal(LEAP_RESTRICTIONS, leap_of(position.model(0), ([point], 0.0)))
    return "" if refusal is None else refusal.rule


def walked(position: Position, *points: Sequence[float], dice: str = "", descent: str = "jump") -> Played:
    push(position, ("walk", 0, tuple(points), None, "walk", descent))
    return finish(position, dice)


def ground(name: str, at: tuple[float, float] = (20, 12), **more: Any) -> Piece:
    return piece(at, tags=(name,), name=name, **more)


# ---------------------------------------------------------------- how far


@covers("actions/walk", "actions/run", "movement/basic")
@pytest.mark.parametrize(("gait", "far"), [(WALK, 5.0), (RUN, 10.0)])
def test_a_walk_is_m_a_run_twice_m(gait: Gait, far: float) -> None:
    position = table(squad(at=(20, 10)), FAR)
    assert refused(position, (20, 10 + far), gait=gait) == ""
    assert refused(position, (20, 10.01 + far), gait=gait) == f"actions/{gait.act}"


@covers("actions/walk", "movement/rotation")
def test_a_model_may_turn_on_the_spot() -> None:
    position = table(squad(at=(20, 10)), FAR)
    push(position, ("walk", 0, (), 135.0))
    finish(position)
    assert position.model(0).facing == 135.0
    assert position.model(0).note(marks.MOVED) is None


@covers("movement/distance-cap")
def test_in_one_activation_all_movement_is_twice_m() -> None:
    position = table(squad(at=(20, 10)), FAR)
    walked(position, (20.0, 14.0))
    assert cap_left(position.model(0)) == 6.0
    assert allowance(position.model(0), RUN) == 6.0
    assert allowance(position.model(0), WALK) == 5.0


def with_bonus(position: Position, inches: int = 1) -> None:
    """Forced march: every Walk is longer by an inch."""
    for _ in range(inches):
        position.begin(Effect("starter-cards/forced-march", -1, until=marks.TURN, value=("forced-march",), on="battle"))


@covers("movement/distance-cap", "starter-cards/forced-march")
def test_a_bonus_lengthens_the_action_and_comes_on_top_once() -> None:
    position = table(squad(at=(20, 10)), FAR)
    with_bonus(position)
    assert allowance(position.model(0), WALK) == 6.0
    walked(position, (20.0, 16.0))
    assert cap_left(position.model(0)) == 5.0
    assert allowance(position.model(0), WALK) == 5.0


@covers("movement/distance-cap")
def test_a_bonus_that_was_not_needed_is_not_used_up() -> None:
    position = table(squad(at=(20, 10)), FAR)
    with_bonus(position)
    walked(position, (20.0, 15.0))
    assert cap_left(position.model(0)) == 5.0
    assert allowance(position.model(0), WALK) == 6.0


@covers("movement/distance-cap", "movement/climb", "movement/basic")
@pytest.mark.parametrize(("height", "left", "bonus"), [(1.5, 5.0, 0), (2.0, 5.0, 1)])
def test_what_is_climbed_counts_towards_the_cap_and_uses_a_bonus_up(height: float, left: float, bonus: int) -> None:
    """2 inches in plan; a wall 1.5 inches high takes 3 more, one of 2 inches takes 4."""
    wall = piece((18, 11), (4, 0.1), ("linear",), height, name="wall")
    position = table(squad(at=(20, 10)), FAR, pieces=[wall])
    with_bonus(position)
    walked(position, (20.0, 12.0))
    model = position.model(0)
    assert (cap_left(model), model.marks(marks.BONUS)) == (left, bonus)


@covers("movement/distance-cap", "cards/burn-third-ap")
@pytest.mark.parametrize(("y", "rule"), [(15.0, "movement/distance-cap"), (14.0, "")])
def test_a_third_ap_does_not_carry_it_beyond_the_cap(y: float, rule: str) -> None:
    """After a Run of 6 inches a Walk of 4, and not of 5."""
    position = table(squad(at=(20, 4)), FAR)
    resources(position, 0, 1)
    push(position, ("model-begins", 0), ("model", 0))
    question = question_after(run_all(position, PROCEDURES), answers=[["run", [[[20.0, 10.0]], 0.0]], "yes"])
    found = question.refusal(["walk", [[[20.0, y]], 0.0]])
    assert (found.rule if isinstance(found, Refusal) else "") == rule


@covers("starter-cards/quagmire", "movement/terrain-penalty")
def test_reductions_add_up_and_leave_two_inches() -> None:
    position = table(squad(at=(20, 10), m=4), FAR, pieces=[ground("heavy")])
    model = position.model(0)
    through = read(model, ([(20, 13)], None))
    assert allowance(model, RUN, through) == 4.0
    position.begin(Effect("starter-cards/quagmire", -1, until=marks.TURN, value=("quagmire",), on="battle"))
    assert allowance(model, RUN, through) == 2.0
    assert allowance(model, RUN) == 6.0
    assert allowance(model, WALK) == 4.0
    assert allowance(model, CHARGING) == 6.0


# ---------------------------------------------------------------- ground


@covers("movement/terrain-penalty", "movement/terrain-types")
@pytest.mark.parametrize(("tag", "far"), [("light", 3.0), ("heavy", 2.0), ("open", 5.0)])
def test_ground_that_is_entered_shortens_the_whole_action(tag: str, far: float) -> None:
    """M 5: 3 in light, and never less than 2 in heavy ground; the piece begins 0.9 inches before the base."""
    position = table(squad(at=(20, 10)), FAR, pieces=[ground(tag, at=(18, 11.5))])
    assert refused(position, (20, 10 + far)) == ""
    assert refused(position, (20, 10.01 + far)) == ("actions/walk" if tag == "open" else "movement/terrain-penalty")


@covers("movement/terrain-penalty")
def test_only_the_greater_reduction_counts_and_only_of_ground_that_is_touched() -> None:
    both = [ground("light", at=(18, 11.5)), ground("heavy", at=(18, 16))]
    position = table(squad(at=(20, 10), m=8), FAR, pieces=both)
    assert allowance(position.model(0), WALK, read(position.model(0), ([(20, 17)], None))) == 4.0
    assert allowance(position.model(0), WALK, read(position.model(0), ([(20, 15.3)], None))) == 6.0
    assert allowance(position.model(0), WALK, read(position.model(0), ([(20, 10.89)], None))) == 8.0


@covers("movement/terrain-penalty")
def test_who_begins_in_it_pays_too() -> None:
    position = table(squad(at=(20, 13)), FAR, pieces=[ground("light", at=(18, 11.5))])
    assert refused(position, (20, 10.0)) == ""
    assert refused(position, (20, 9.9)) == "movement/terrain-penalty"


@covers("abilities/pathfinder", "abilities/ranger")
@pytest.mark.parametrize(
    ("abilities", "tag", "far"),
    [
        (("pathfinder",), "light", 5.0),
        (("pathfinder",), "heavy", 2.0),
        (("ranger",), "light", 5.0),
        (("ranger",), "heavy", 5.0),
    ],
)
def test_pathfinders_and_rangers(abilities: tuple[str, ...], tag: str, far: float) -> None:
    position = table(squad(at=(20, 10), abilities=abilities), FAR, pieces=[ground(tag, at=(18, 11.5))])
    assert refused(position, (20, 10 + far)) == ""
    assert (refused(position, (20, 10.01 + far)) == "") is False


@covers("movement/impassable")
def test_nobody_crosses_impassable_ground() -> None:
    position = table(squad(at=(20, 10)), FAR, pieces=[ground("impassable", at=(18, 12), size=(4, 1))])
    assert refused(position, (20, 11.4)) == ""
    assert refused(position, (20, 11.5)) == "movement/impassable"
    assert refused(position, (20, 14.9), gait=RUN) == "movement/impassable"


# ---------------------------------------------------------------- obstacles


def wall(height: float) -> Piece:
    return piece((16, 12), (8, 0.5), ("linear", "solid", "heavy"), height, name="wall")


@covers("movement/obstacles", "movement/climb", "movement/jump")
@pytest.mark.parametrize(
    ("height", "m", "far", "fits"),
    [(1.0, 8, 6.0, True), (1.0, 8, 6.01, False), (1.5, 8, 5.0, True), (1.5, 8, 5.01, False), (3.0, 10, 4.0, True)],
)
def test_low_obstacles_are_light_ground_higher_ones_are_climbed(height: float, m: int, far: float, fits: bool) -> None:
    """One inch high: 2 inches less. Higher: 2 inches for each inch up; one jumps down."""
    position = table(squad(at=(20, 10), m=m), FAR, pieces=[wall(height)])
    assert (refused(position, (20, 10 + far)) == "") is fits


@covers("movement/obstacles")
def test_what_is_higher_than_three_inches_bars_and_nobody_ends_on_an_obstacle() -> None:
    high = table(squad(at=(20, 10), m=10), FAR, pieces=[wall(3.01)])
    assert refused(high, (20, 14.0)) == "movement/obstacles"
    low = table(squad(at=(20, 10), m=10), FAR, pieces=[wall(1.0)])
    assert refused(low, (20, 12.0)) == "movement/obstacles"


@covers("movement/obstacles")
def test_vehicles_are_stopped_by_what_is_higher_than_an_inch() -> None:
    bike: dict[str, Any] = {"vehicle": vehicle("bike"), "base": "medium", "models": {marks.AP: 3}}
    for height, goes in ((1.0, True), (1.1, False)):
        position = table(squad(at=(20, 10), m=10, **bike), FAR, pieces=[wall(height)])
        path = read(position.model(0), ([(20, 14)], None))
        assert (meets(position.model(0), path) is None) is goes


# ---------------------------------------------------------------- models in the way, the edge


@covers("movement/basic")
def test_one_passes_through_small_friends_but_ends_on_nobody_and_passes_no_enemy() -> None:
    position = table(squad(at=(20, 10), m=6), squad(at=(20, 12)), FAR)
    assert refused(position, (20, 13.2)) == ""
    assert refused(position, (20, 13.1)) == "movement/basic"
    for large in (squad(at=(20, 12), base="large"), squad(at=(20, 12), side=1)):
        assert refused(table(squad(at=(20, 10), m=8), large, FAR), (20, 16.0)) == "movement/basic"


@covers("movement/basic")
def test_nobody_leaves_the_table() -> None:
    position = table(squad(at=(20, 3)), FAR)
    assert refused(position, (20, 0.6)) == ""
    assert refused(position, (20, 0.5)) == "movement/basic"


# ---------------------------------------------------------------- new engagements


@covers("movement/no-accidental-engagement")
def test_no_walk_comes_into_a_reach_at_any_point() -> None:
    enemy = squad(side=1, at=(20, 16), base="medium")
    position = table(squad(at=(20, 10), m=6), enemy)
    assert refused(position, (20, 13.59)) == ""
    assert refused(position, (20, 13.61)) == "movement/no-accidental-engagement"
    assert refused(position, (18, 16), (18, 13), gait=RUN) == "movement/no-accidental-engagement"


@covers("movement/no-accidental-engagement", "vehicles/tactical")
@pytest.mark.parametrize(("y", "rule"), [(12.59, ""), (12.61, "movement/no-accidental-engagement")])
def test_no_vehicle_drives_into_a_reach(y: float, rule: str) -> None:
    """A walker's own reach is 2 inches, from the edges of bases of 0.8 and 0.6."""
    walker: dict[str, Any] = {"vehicle": vehicle("walker"), "base": "medium"}
    position = table(squad(at=(20, 9), m=5, **walker), squad(side=1, at=(20, 16)))
    found = DRIVE_FIELDS["tactical"](position.model(0), [])
    assert found is not None
    refusal = found.refusal([[[20.0, y]], None])
    assert ("" if refusal is None else refusal.rule) == rule


@covers("movement/no-accidental-engagement")
def test_whoever_is_engaged_already_may_stay_so() -> None:
    position = table(squad(at=(20, 13.8)), squad(side=1, at=(20, 16), base="medium"))
    assert refused(position, (21, 14.2)) == ""


@covers("movement/no-accidental-engagement")
def test_by_option_one_passes_a_reach_at_the_price_of_a_free_strike() -> None:
    enemy = squad(side=1, at=(20, 16), base="medium")
    position = table(squad(at=(17.5, 12)), enemy, options={"pass_for_free_strike": True})
    model = position.model(0)
    assert refused(position, (17.5, 20), gait=RUN) == ""
    assert refused(position, (17.7, 16), gait=RUN) == "movement/no-accidental-engagement"
    assert passed_by(model, read(model, ([(17.5, 20)], None))) == ()
    close = table(squad(at=(18, 12)), enemy, options={"pass_for_free_strike": True, "advanced": False})
    close.model(0).mark(marks.AP, 2)
    push(close, ("model", 0))
    played = finish(close, "12", [["run", [[[18.0, 20.0]], 0.0]]])
    assert played.rolls == ["armour"]
    assert close.model(0).y == 20.0


@covers("movement/no-accidental-engagement", "vehicles/tactical")
@pytest.mark.parametrize(("may_pass", "rule"), [(True, ""), (False, "movement/no-accidental-engagement")])
def test_by_option_a_vehicle_passes_a_reach_too(may_pass: bool, rule: str) -> None:
    rider = squad(at=(18.2, 12), vehicle=vehicle("bike"), base="medium", m=8)
    enemy = squad(side=1, at=(21, 16), base="large")
    position = table(rider, enemy, options={"pass_for_free_strike": may_pass})
    question = DRIVE_FIELDS["tactical"](position.model(0), [])
    assert question is not None
    refusal = question.refusal([[[18.2, 20.0]], None])
    assert ("" if refusal is None else refusal.rule) == rule
    if may_pass:
        push(position, *DRIVE_FRAMES["tactical"](position.model(0), [([[18.2, 20.0]], None)]))
        assert finish(position, "1 1").rolls == ["location", "av-test"]
        assert position.model(0).y == 20.0


@covers("movement/no-accidental-engagement", "close-combat/disengage-definition")
@pytest.mark.parametrize(("base", "struck"), [("small", ()), ("medium", (1,))])
def test_by_option_only_enemies_whose_own_reach_is_passed_strike(base: str, struck: tuple[int, ...]) -> None:
    position = table(
        squad(at=(18.2, 12), base="large"),
        squad(side=1, at=(20.5, 16), base=base),
        options={"pass_for_free_strike": True},
    )
    model = position.model(0)
    assert passed_by(model, read(model, ([(18.2, 20)], None))) == struck


# ---------------------------------------------------------------- proposals


@covers("squads/out-of-coherency")
def test_who_is_out_of_coherency_must_go_back_as_long_as_a_way_is_found() -> None:
    position = table(squad(2, at=[(10.0, 10.0), (24.0, 10.0)]), FAR)
    model = position.model(1)
    back = way_back(model, WALK)
    assert back is not None
    assert back.points[-1][0] == pytest.approx(19.0, abs=0.01)
    assert refused(position, row=1) == "squads/out-of-coherency"
    assert refused(position, (19.5, 10), row=1) == ""
    assert refused(position, row=0) == ""


def test_every_way_that_is_proposed_is_lawful_in_a_crowd() -> None:
    pieces = [ground("heavy"), wall(2.0), ground("impassable", at=(26, 8))]
    position = table(squad(4, at=(20, 9)), squad(4, side=1, at=(20, 18), base="medium"), pieces=pieces)
    for row in range(4):
        model = position.model(row)
        question = way_question(model, "run", RUN)
        assert len(list(question.suggestions())) > 2
        assert all(question.refusal(one) is None for one in question.suggestions())
        assert all(question.refusal(question.sample(Random(seed))) is None for seed in range(5))


# ---------------------------------------------------------------- floors


def building(*tags: str, storeys: int = 1) -> list[Piece]:
    """6 by 6 inches from (16, 12) on, with a door in the middle of its south wall."""
    outline = piece((16, 12), (6, 6)).outline
    levels = tuple(Floor(outline, 3.0 * k) for k in range(1, storeys + 1))
    house = Piece("house", "building", outline, 3.0 * storeys, 0.0, levels, ("intact", "solid", *tags))
    door = piece((18, 11.8), (2, 0.4), ("door", "admits-small", "admits-medium"), 2.5, name="house:door-1")
    return [house, door]


@covers("structures/access-points", "structures/intact", "movement/impassable")
def test_one_enters_a_building_through_its_door_alone_on_a_base_that_it_admits() -> None:
    position = table(squad(at=(19, 10), m=6), FAR, pieces=building())
    assert refused(position, (19, 14)) == ""
    assert refused(position, (17, 11), (17, 14)) == "movement/impassable"
    assert refused(position, (19, 12.2)) == "movement/climb"
    large = table(squad(at=(19, 10), m=6, base="large"), FAR, pieces=building())
    assert refused(large, (19, 14)) == "movement/impassable"


@covers("structures/no-access")
def test_a_building_without_doors_is_impassable() -> None:
    position = table(squad(at=(19, 10), m=6), FAR, pieces=building()[:1])
    assert refused(position, (19, 14)) == "movement/impassable"


@covers("movement/climb", "structures/intact")
@pytest.mark.parametrize(("m", "rule"), [(9, ""), (8, "movement/climb")])
def test_each_inch_of_height_costs_two(m: int, rule: str) -> None:
    """From the hall of a building onto its roof, three inches up, with three inches in plan."""
    position = table(squad(at=(19, 13), m=m), FAR, pieces=building())
    assert refused(position, (19.0, 16.0, 3.0)) == rule


@covers("movement/climb")
def test_ladders_and_stairs_cost_one_for_each_inch() -> None:
    position = table(squad(at=(19, 13), m=6), FAR, pieces=building("ladder"))
    assert refused(position, (19.0, 16.0, 3.0)) == ""
    assert refused(position, (19.0, 16.01, 3.0)) == "movement/climb"


@covers("movement/climb")
def test_a_climb_from_outside_is_made_beside_the_wall_and_ends_where_one_can_stand() -> None:
    """Outside, half an inch from the wall with its base: up, and over onto the roof."""
    position = table(squad(at=(17, 11.35), m=9), FAR, pieces=building())
    assert refused(position, (17.0, 12.7, 3.0)) == ""
    assert refused(position, (17.0, 12.5, 3.0)) == "movement/climb"
    away = table(squad(at=(17, 11.1), m=9), FAR, pieces=building())
    assert refused(away, (17.0, 12.7, 3.0)) == "movement/jump"


def on_the_roof(storeys: int = 1, **changes: Any) -> Position:
    return table(squad(at=(17, 13), z=3.0 * storeys, **changes), FAR, pieces=building(storeys=storeys))


@covers("movement/jump")
def test_a_jump_from_an_edge_costs_no_height() -> None:
    position = on_the_roof()
    model = position.model(0)
    path = read(model, ([(17, 11.3, 0)], None))
    assert [drop.height for drop in drops(model, path)] == [3.0]
    assert climbing_price(model, path) == 0.0
    assert landings(model, path) == []
    assert refused(position, (17, 11.3, 0)) == ""
    walked(position, (17, 11.3, 0))
    assert (model.y, model.z) == (11.3, 0.0)


@covers("movement/jump")
def test_one_leaps_no_farther_than_half_m_out_from_an_edge() -> None:
    position = on_the_roof()
    assert refused(position, (17, 9.0, 0)) == ""
    assert refused(position, (17, 8.9, 0)) == "movement/jump"


@covers("movement/jump")
def test_one_leaps_a_gap_to_a_surface_that_is_no_higher() -> None:
    outline = piece((24, 12), (6, 6)).outline
    other = Piece("other", "building", outline, 3.0, 0.0, (Floor(outline, 3.0),), ("intact", "solid"))
    position = table(squad(at=(21, 15), z=3.0, m=5), FAR, pieces=[*building(), other])
    assert refused(position, (24.7, 15, 3.0)) == ""
    narrow = table(squad(at=(21, 15), z=3.0, m=3), FAR, pieces=[*building(), other])
    assert refused(narrow, (23.99, 15, 3.0)) != ""
    short = table(squad(at=(21, 15), z=3.0, m=2), FAR, pieces=[*building(), other])
    assert refused(short, (24.7, 15, 3.0), gait=RUN) == "movement/jump"


@covers("movement/jump", "movement/fall")
@pytest.mark.parametrize(("dice", "wounds"), [("12", 0), ("13 11", 1), ("13 10", 0)])
def test_from_more_than_three_inches_a_con_test_is_taken_on_landing(dice: str, wounds: int) -> None:
    """Six inches: St 12 against A 12, so a 10 still saves."""
    position = on_the_roof(2, w=2)
    played = walked(position, (17, 11.3, 0), dice=dice)
    assert played.rolls[0] == "landing"
    assert position.model(0).marks(marks.WOUNDS) == wounds
    assert (position.model(0).y, position.model(0).z) == (11.3, 0.0)


@covers("movement/fall", "core/rounding")
@pytest.mark.parametrize(("height", "st"), [(3.5, 9), (6.0, 12), (6.9, 12)])
def test_a_fall_strikes_at_six_and_the_complete_inches(height: float, st: int) -> None:
    hit = fall(0, height)
    assert (hit.st, hit.type, hit.power_shot) == (st, "piercing", False)


@covers("movement/climb", "movement/jump")
def test_whoever_climbs_down_pays_and_needs_no_test() -> None:
    position = on_the_roof(2, m=14)
    model = position.model(0)
    path = read(model, ([(17, 11.3, 0)], None))
    assert climbing_price(model, path, "climb") == 12.0
    assert walked(position, (17, 11.3, 0), descent="climb").rolls == []
    assert model.z == 0.0


def lawful_ends(position: Position) -> set[float]:
    """The heights at which the ways end that are proposed for a Run."""
    model = position.model(0)
    ways = [Way(model, path, RUN) for path in good_paths(model, RUN)]
    return {end_of(way.path)[2] for way in ways if refusal_of(way) is None}


@covers("movement/climb", "movement/jump")
def test_ways_up_and_down_are_proposed() -> None:
    assert lawful_ends(table(squad(at=(19, 15)), FAR, pieces=building())) == {0.0, 3.0}
    assert lawful_ends(on_the_roof()) == {0.0, 3.0}
    assert lawful_ends(table(squad(at=(19, 15), z=3.0, m=8), FAR, pieces=building(storeys=2))) == {0.0, 3.0, 6.0}


@covers("movement/climb")
@pytest.mark.parametrize(("y", "ends"), [(9.0, {0.0, 3.0}), (8.5, {0.0})])
def test_a_climb_onto_a_roof_is_proposed_from_outside(y: float, ends: set[float]) -> None:
    """Up to the wall, six for the height, and over the edge: 9.62 inches of 10."""
    assert lawful_ends(table(squad(at=(19, y)), FAR, pieces=building())) == ends


@covers("movement/climb")
def test_a_ladder_is_walked_to_where_it_saves_more_than_the_way_costs() -> None:
    """Straight on it were 1.35, 6 and 1.27; by the ladder at (21, 11.9) 2.4, 3 and 1.27."""
    ladder = piece((20.8, 11.8), (0.4, 0.2), ("ladder",), 0.0, name="ladder")
    position = table(squad(at=(19, 10)), FAR, pieces=[*building(), ladder])
    (best, *others) = climbs_near(position.model(0), 10.0)
    assert best.foot == (21.0, 11.35)
    assert best.inches == pytest.approx(6.67, abs=0.02)
    assert [one.inches for one in others] == sorted(one.inches for one in others)
    assert refusal_of(Way(position.model(0), next(onto_roofs(position.model(0), RUN)), RUN)) is None


@covers("core/levels", "movement/basic")
def test_models_on_other_floors_are_not_in_the_way() -> None:
    position = table(squad(at=(19, 13), m=6), squad(at=(19, 15), z=3.0), FAR, pieces=building())
    assert refused(position, (19, 15.2)) == ""


@covers("movement/no-accidental-engagement", "close-combat/reach-difference")
def test_the_reaches_to_keep_out_of_are_told_with_the_question() -> None:
    """Those of enemies near enough, the longer of both; of nobody with whom one is engaged."""
    near, far = squad(side=1, at=(24, 14), base="medium"), squad(side=1, at=(24, 30), base="large")
    engaged = squad(side=1, at=(25.2, 10))
    position = table(squad(at=(24, 10)), near, far, engaged)
    assert way_question(position.model(0), "walk", WALK).shown["reaches"] == [[1, 1.0]]
    assert [row for row, _ in reaches_near(position.model(0), 20.0)] == [1, 2]


@covers("close-combat/ccwr-increase", "movement/no-accidental-engagement")
def test_a_longer_reach_is_to_be_kept_out_of_as_soon_as_the_card_is_played() -> None:
    position = table(squad(at=(20, 10)), squad(side=1, at=(20, 14)))
    assert reaches_near(position.model(0), 10.0) == [[1, 0.0]]
    give(position, "monofilament-blade", ON_MODEL, 1, "")
    assert reaches_near(position.model(0), 10.0) == [[1, 0.5]]


# ---------------------------------------------------------------- leaving a melee


@covers("close-combat/disengage-free-strike")
def test_a_walk_out_of_a_reach_is_struck_at_first() -> None:
    position = table(squad(at=(20, 14), models={marks.AP: 1}, w=2), squad(side=1, at=(20, 15.2)))
    push(position, ("model", 0))
    finish(position, "20", [["walk", [[[20.0, 10.0]], 0.0]]])
    assert position.model(0).marks(marks.WOUNDS) == 1
    assert position.model(0).y == 10.0


# ---------------------------------------------------------------- Leap


@covers("abilities/leap", "movement/distance-cap")
def test_a_leap_goes_x_inches_over_anything_no_higher_and_heeds_no_ground() -> None:
    pieces = [ground("heavy", at=(18, 11)), wall(4.0)]
    position = table(squad(at=(20, 10), abilities=("leap 6",), m=5), FAR, pieces=pieces)
    assert leap_refused(position, 20, 16) == ""
    assert leap_refused(position, 20, 16.01) == "abilities/leap"
    weak = table(squad(at=(20, 10), abilities=("leap 3",), m=5), FAR, pieces=[wall(4.0)])
    assert leap_refused(weak, 20, 13) == "abilities/leap"
    assert leap_refused(weak, 17, 10) == ""


@covers("abilities/leap")
@pytest.mark.parametrize(
    ("tags", "height", "rule"),
    [
        (("linear",), 6.0, ""),
        (("linear",), 6.1, "abilities/leap"),
        (("solid", "impassable"), 6.1, "abilities/leap"),
        (("heavy",), 9.0, ""),
    ],
)
def test_what_is_leapt_over_is_no_higher_than_x_and_trees_are_no_body(
    tags: tuple[str, ...], height: float, rule: str
) -> None:
    position = table(squad(at=(20, 10), abilities=("leap 6",)), FAR, pieces=[piece((18, 12), (4.0, 1.0), tags, height)])
    assert leap_refused(position, 20, 15) == rule


@covers("abilities/leap")
def test_a_leap_clears_a_difference_of_level_of_x_and_needs_no_test() -> None:
    position = table(squad(at=(19, 10), abilities=("leap 5",)), FAR, pieces=building())
    assert leap_refused(position, 19, 14, 3.0) == ""
    low = table(squad(at=(19, 10), abilities=("leap 2",)), FAR, pieces=building())
    assert leap_refused(low, 19, 11, 3.0) == "abilities/leap"
    push(position, ("leap", 0, ((19.0, 14.0, 3.0),), 90.0))
    assert finish(position).rolls == []
    assert (position.model(0).z, position.model(0).facing) == (3.0, 90.0)


@covers("abilities/leap", "movement/no-accidental-engagement")
def test_a_leap_lands_on_nobody_and_in_no_new_engagement() -> None:
    position = table(squad(at=(20, 10), abilities=("leap 9",)), squad(side=1, at=(20, 16), base="medium"))
    assert leap_refused(position, 20, 15) == "abilities/leap"
    assert leap_refused(position, 20, 14) == "movement/no-accidental-engagement"
    assert leap_refused(position, 20, 19) == ""


@covers("abilities/leap", "turn/action-once")
def test_a_leap_replaces_the_walk() -> None:
    position = table(squad(at=(20, 10), abilities=("leap 6",), models={marks.AP: 2}), FAR)
    assert cannot_take(position.model(0), "leap") is None
    position.model(0).jot(marks.DONE, ("walk",))
    refusal = cannot_take(position.model(0), "leap")
    assert refusal is not None
    assert refusal.rule == "turn/action-once"
    without = table(squad(at=(20, 10), models={marks.AP: 2}), FAR)
    assert cannot_take(without.model(0), "leap") is not None


@pytest.mark.parametrize(
    ("act", "how", "rule"),
    [("walk", "", "actions/walk"), ("run", "run", "actions/run"), ("dive", "dive", "actions/dive-for-cover")],
)
@covers("actions/walk", "actions/run", "actions/dive-for-cover")
def test_the_journal_tells_a_run_and_a_dive_from_a_walk(act: str, how: str, rule: str) -> None:
    position = table(squad(at=(20, 10)), FAR)
    push(position, ("walk", 0, ((20.0, 11.0),), None, act))
    assert finish(position).moves == [(how, rule)]


# ---------------------------------------------------------------- Dive for Cover


@covers("actions/dive-for-cover")
@pytest.mark.parametrize(("points", "told"), [((), ["dives-on-the-spot", "turn"]), (((20.0, 11.0),), ["move", "turn"])])
def test_a_dive_that_only_turns_is_told_as_a_dive(points: Any, told: list[str]) -> None:
    position = table(squad(at=(20, 10), m=5), FAR, pieces=[ground("light", at=(18, 10))])
    push(position, ("walk", 0, points, 90.0, "dive", "jump"))
    assert [kind for kind in finish(position).kinds if kind != "mark"] == told


@covers("actions/dive-for-cover", "core/rounding")
def test_a_dive_is_half_of_m_and_ends_in_cover_or_within_an_inch() -> None:
    position = table(squad(at=(20, 10), m=5), FAR, pieces=[ground("light", at=(18, 14))])
    model = position.model(0)

    def ends(y: float) -> tuple[bool, bool]:
        way = Way(model, read(model, ([(20, y)], None)), DIVE)
        return refusal_of(way) is None, without_cover(way) is None

    assert ends(12.4) == (True, True)
    assert ends(12.39) == (True, False)
    assert ends(13.01) == (False, True)
    assert can_dive(model)
    assert not can_dive(table(squad(at=(20, 10), m=5), FAR, pieces=[ground("light", at=(18, 15))]).model(0))


@covers("actions/dive-for-cover", "shooting/cover-types")
@pytest.mark.parametrize(
    ("tags", "is_cover"), [(("light",), True), (("heavy",), True), (("impassable", "solid"), False)]
)
def test_only_light_and_heavy_pieces_are_cover_to_dive_for(tags: tuple[str, ...], is_cover: bool) -> None:
    model = table(squad(at=(20, 10), m=5), FAR, pieces=[piece((18, 12), tags=tags)]).model(0)
    assert (without_cover(Way(model, read(model, ([(20, 11)], None)), DIVE)) is None) is is_cover
    assert can_dive(model) is is_cover


@covers("actions/dive-for-cover", "squads/out-of-coherency")
def test_a_sentry_out_of_coherency_may_dive_where_it_stands() -> None:
    position = table(squad(2, at=[(10.0, 10.0), (24.0, 10.0)]), FAR, pieces=[ground("light", at=(23, 9))])
    model = position.model(1)
    assert can_dive(model)
    question = dive_fields(model, [])
    assert question.refusal([[], 90.0]) is None
    assert question.refusal(question.sample(Random(1))) is None
