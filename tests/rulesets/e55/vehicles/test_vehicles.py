"""Vehicles: hulls, speeds, turns, terrain, weapons by speed, and the subtypes that change these."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campale.referee.position import Effect, Position
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import lines
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.definitions import characteristics
from campale.rulesets.e55.definitions.footprints import shape
from campale.rulesets.e55.definitions.measuring import distance, exact
from campale.rulesets.e55.definitions.types import is_vehicle, is_walker
from campale.rulesets.e55.definitions.units import (
    ALOFT,
    COMBAT_SPEED,
    CRUISING,
    DONE,
    IMMOBILISED,
    INCHES,
    MOVED,
    SILENCED,
    SPEED,
    STATIONARY,
    STRUCTURE_LOST,
    STUCK,
)
from campale.rulesets.e55.movement_phase import facing, movement
from campale.rulesets.e55.movement_phase.terrain import flattened_for
from campale.rulesets.e55.psychic_powers.powers import CAST
from campale.rulesets.e55.turn.acting import refusal_of
from campale.rulesets.e55.unit_types import special
from campale.rulesets.e55.vehicles import vehicles
from campale.rulesets.e55.vehicles.damage import armour
from campale.rulesets.e55.vehicles.driving import drive_question
from campale.rulesets.e55.vehicles.legs import allowance, is_rotating, speed_value
from campale.rulesets.e55.weapons.weapon_rules import heavy_on_the_move
from campale.table.shapes import Circle, Hull
from campale.table.terrain import Piece
from tests.rulesets.e55.kit import (
    Played,
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
    wood,
)

ARMOURED = profile("tank", subtypes=("armoured",))


def alone(kind: Any = "tank", at: Any = (20, 20), *pieces: Piece, **given: Any) -> Position:
    """A vehicle with nobody near it, in its own movement phase."""
    return table(squad(kind, at=at, **given), squad("militia", side=1, at=(60, 40)), phase="movement", pieces=pieces)


def why_not(position: Position, *key: Any) -> str:
    refusal = refusal_of(position, key)
    return "" if refusal is None else refusal.rule


def combat(position: Position, *points: Any, turn: float | None = None) -> str:
    """The rule that refuses model 0 a way at combat speed."""
    return refused(drive_question(unit(position, 0), {0: COMBAT_SPEED}), [[[list(map(list, points)), turn]]])


def cruise(position: Position, first: Any, second: Any) -> str:
    """The rule that refuses model 0 the two legs of a cruise, each (points, facing)."""
    answer = [[[list(map(list, points)), turn]] for points, turn in (first, second)]
    return refused(drive_question(unit(position, 0), {0: CRUISING}), answer)


def drive(position: Position, *legs: Any, dice: str = "") -> Played:
    """Model 0 drives: one leg at combat speed, two at cruising speed; each (points, facing)."""
    speed = COMBAT_SPEED if len(legs) == 1 else CRUISING
    answer = [[[list(map(list, points)), turn]] for points, turn in legs]
    return play(vehicles.drive(position, ("drive", 0, 0, speed)), dice, [answer], position)


# ---------------------------------------------------------------- 7, 7.1


@pytest.mark.covers("7/hull-measure", "1.1/model-without-base")
def test_a_vehicle_is_measured_from_its_hull() -> None:
    battle = table(squad("tank", at=(20, 20)), squad("militia", side=1, at=(24, 20)))
    assert exact(model(battle, 0), model(battle, 1)) == 2.0
    model(battle, 0).move_to(20, 20, facing=90)
    assert exact(model(battle, 0), model(battle, 1)) == 1.0


@pytest.mark.covers("7/hull-measure")
def test_a_walker_is_measured_from_its_base() -> None:
    battle = table(squad("walker", at=(20, 20)), squad("militia", side=1, at=(24, 20)))
    assert exact(model(battle, 0), model(battle, 1)) == 2.25


@pytest.mark.covers("1.1/model-without-base")
def test_hulls_are_rectangles_and_bases_are_round() -> None:
    assert isinstance(shape(profile("tank")), Hull)
    assert isinstance(shape(profile("walker")), Circle)
    assert isinstance(shape(profile("militia")), Circle)


@pytest.mark.covers("7.1/subtypes")
def test_a_walker_is_a_subtype_of_vehicles() -> None:
    battle = table(squad("walker", at=(20, 20)), squad("tank", at=(30, 20)), squad("militia", at=(40, 20)))
    assert [is_walker(m) for m in battle.models] == [True, False, False]
    assert [is_vehicle(m) for m in battle.models] == [True, True, False]


@pytest.mark.covers("7.1/armour-values")
def test_one_value_serves_both_sides() -> None:
    battle = alone()
    assert [armour(model(battle, 0), face) for face in ("front", "left", "right", "rear")] == [13, 11, 11, 10]


@pytest.mark.covers("7.1/bs-and-speed")
def test_a_vehicle_has_ballistic_skill_and_speed() -> None:
    battle = alone()
    assert characteristics.value(model(battle, 0), "bs") == 4
    assert speed_value(model(battle, 0)) == 12.0
    assert combat(battle, (20, 26)) == ""
    assert combat(battle, (20, 26.1)) == "7.2/combat-speed"


@pytest.mark.covers("7.1/missing-characteristic")
def test_a_test_on_what_a_vehicle_has_not_is_passed() -> None:
    battle = alone()
    assert play(characteristics.test(model(battle, 0), "s", "grip")).value is True


@pytest.mark.covers("7.1/missing-characteristic")
def test_a_printed_zero_fails() -> None:
    battle = alone(profile("walker", a=0))
    assert play(characteristics.test(model(battle, 0), "a", "grip")).value is False
    assert play(characteristics.test(model(battle, 0), "i", "grip"), "5").value is False


# ---------------------------------------------------------------- 7.2/speed-choice


@pytest.mark.covers("7.2/speed-choice")
def test_a_vehicle_chooses_among_three_speeds() -> None:
    battle = alone()
    assert [key[3] for key in vehicles.speeds_on_offer(battle, 0)] == [COMBAT_SPEED, CRUISING, STATIONARY]
    assert all(why_not(battle, *key) == "" for key in vehicles.speeds_on_offer(battle, 0))


@pytest.mark.covers("7.2/speed-choice")
def test_a_vehicle_chooses_once() -> None:
    battle = alone()
    play(vehicles.drive(battle, ("drive", 0, 0, STATIONARY)))
    assert why_not(battle, "drive", 0, 0, COMBAT_SPEED) == "7.2/speed-choice"
    assert unit(battle, 0).marks(DONE) == 1
    assert not unit(battle, 0).marks(MOVED)


@pytest.mark.covers("7.2/speed-choice")
def test_the_vehicle_keeps_its_speed_until_its_next_movement_phase() -> None:
    battle = alone()
    drive(battle, ([(20, 24.5)], None))
    assert (model(battle, 0).marks(SPEED), model(battle, 0).marks(INCHES)) == (COMBAT_SPEED, 4)
    battle.now["side"] = 1
    vehicles.begin_movement(battle)
    assert (model(battle, 0).marks(SPEED), model(battle, 0).marks(INCHES)) == (COMBAT_SPEED, 4)
    battle.now["side"] = 0
    vehicles.begin_movement(battle)
    assert (model(battle, 0).marks(SPEED), model(battle, 0).marks(INCHES)) == (STATIONARY, 0)


@pytest.mark.covers("7.6/immobilised", "7.6/stunned", "7.6/shaken")
def test_who_cannot_move_chooses_no_speed() -> None:
    battle = alone()
    model(battle, 0).mark(STUCK, 5)
    assert why_not(battle, "drive", 0, 0, COMBAT_SPEED) == ""
    model(battle, 0).mark(STUCK, 3)
    assert why_not(battle, "drive", 0, 0, COMBAT_SPEED) == "7.6/shaken"
    model(battle, 0).mark(SILENCED, 3)
    assert why_not(battle, "drive", 0, 0, COMBAT_SPEED) == "7.6/stunned"
    model(battle, 0).mark(STUCK, 0)
    model(battle, 0).mark(IMMOBILISED, 1)
    assert why_not(battle, "drive", 0, 0, COMBAT_SPEED) == "7.6/immobilised"


@pytest.mark.covers("3.1/cannot-move")
def test_an_engaged_walker_drives_nowhere() -> None:
    battle = alone("walker")
    assert why_not(battle, "drive", 0, 0, COMBAT_SPEED) == ""
    unit(battle, 0).mark("combat", 1)
    assert why_not(battle, "drive", 0, 0, COMBAT_SPEED) == "3.1/cannot-move"


# ---------------------------------------------------------------- 7.2: stationary, combat speed


@pytest.mark.covers("7.2/stationary")
def test_a_stationary_vehicle_does_not_turn() -> None:
    assert why_not(alone(), "turn", 0, 0) == "7.2/stationary"
    assert why_not(alone("walker"), "turn", 0, 0) == ""


@pytest.mark.covers("7.2/stationary", "7.2/speed-choice")
def test_a_stationary_vehicle_is_asked_for_no_way() -> None:
    battle = alone()
    assert play(vehicles.drive(battle, ("drive", 0, 0, STATIONARY))).questions == []
    assert (model(battle, 0).at, model(battle, 0).marks(SPEED)) == ((20.0, 20.0), STATIONARY)


@pytest.mark.covers("7.2/combat-speed")
def test_combat_speed_is_half_of_the_speed_and_not_rounded() -> None:
    battle = alone(profile("tank", speed=13))
    assert combat(battle, (20, 26.5)) == ""
    assert combat(battle, (20, 26.6)) == "7.2/combat-speed"
    assert combat(battle, (23, 20), (23, 23.5)) == ""
    assert combat(battle, (23, 20), (23, 23.6)) == "7.2/combat-speed"


@pytest.mark.covers("5/casting", "7.2/combat-speed", "7.2/cruising-speed")
def test_a_power_that_hastens_a_unit_hastens_vehicles_too() -> None:
    battle = alone()
    assert combat(battle, (20, 26.1)) == "7.2/combat-speed"
    battle.begin(Effect(CAST, 0, on="unit", value=("haste", 3), until="turn-3"))
    assert combat(battle, (20, 29)) == ""
    assert combat(battle, (20, 29.1)) == "7.2/combat-speed"
    assert cruise(battle, ([(20, 26)], 45.0), ([(20, 35)], None)) == ""
    assert cruise(battle, ([(20, 26)], 45.0), ([(20, 35.1)], None)) == "7.2/cruising-speed"
    assert cruise(battle, ([(20, 27.5)], 45.0), ([(20, 35)], None)) == "7.2/cruising-speed"
    assert allowance(unit(battle, 0), STATIONARY) == 0.0


@pytest.mark.covers("7.2/combat-speed", "7.2/turn-only-so")
def test_one_turn_of_45_degrees_follows_the_move() -> None:
    battle = alone()
    for faces in (45, 315, 20, None):
        assert combat(battle, (20, 24), turn=faces) == ""
    for faces in (46, 314, 180):
        assert combat(battle, (20, 24), turn=faces) == "7.2/turn-only-so"
    drive(battle, ([(20, 24)], 45))
    assert (model(battle, 0).at, model(battle, 0).facing) == ((20.0, 24.0), 45.0)


@pytest.mark.covers("7.2/combat-speed", "7.2/turn-only-so")
def test_a_move_keeps_the_orientation() -> None:
    battle = alone()
    drive(battle, ([(24, 20)], None))
    assert (model(battle, 0).at, model(battle, 0).facing) == ((24.0, 20.0), 0.0)


@pytest.mark.covers("7.2/turn-only-so")
def test_a_turn_is_made_round_the_centre_and_meets_what_is_beside_it() -> None:
    near = table(squad("tank", at=(20, 20)), squad("militia", at=(22.2, 22.2)), phase="movement")
    assert combat(near, turn=0) == ""
    assert combat(near, turn=45) == "3.1/no-pass-through"
    enemy = table(squad("tank", at=(20, 20)), squad("militia", side=1, at=(22.9, 22.9)), phase="movement")
    assert combat(enemy, turn=45) == "3.1/enemy-one-inch"
    away = table(squad("tank", at=(20, 20)), squad("militia", side=1, at=(23.5, 23.5)), phase="movement")
    assert combat(away, turn=45) == ""


@pytest.mark.covers("7.2/combat-without-moving")
def test_combat_speed_just_for_its_turn() -> None:
    battle = alone()
    drive(battle, ([], 30))
    tank = model(battle, 0)
    assert (tank.at, tank.facing) == ((20.0, 20.0), 30.0)
    assert (tank.marks(SPEED), tank.marks(INCHES)) == (COMBAT_SPEED, 0)
    assert not unit(battle, 0).marks(MOVED)
    assert vehicles.may_fire_count(tank) == 1


# ---------------------------------------------------------------- 7.2/cruising-speed


@pytest.mark.covers("7.2/cruising-speed")
def test_cruising_speed_is_the_whole_speed() -> None:
    battle = alone()
    assert cruise(battle, ([(20, 32)], None), ([], None)) == ""
    assert cruise(battle, ([(20, 25)], None), ([(20, 32)], None)) == ""
    assert cruise(battle, ([(20, 25)], None), ([(20, 32.1)], None)) == "7.2/cruising-speed"
    assert cruise(battle, ([(20, 32.1)], None), ([], None)) == "7.2/cruising-speed"


@pytest.mark.covers("7.2/cruising-speed")
def test_the_first_turn_of_a_cruise_comes_at_exactly_half_of_the_speed() -> None:
    battle = alone()
    assert cruise(battle, ([(20, 26)], 45), ([(26, 26)], None)) == ""
    assert cruise(battle, ([(20, 25.5)], 45), ([(26, 26)], None)) == "7.2/cruising-speed"
    assert cruise(battle, ([(20, 26.5)], 45), ([], None)) == "7.2/cruising-speed"
    assert cruise(battle, ([], 45), ([(20, 32)], None)) == "7.2/cruising-speed"
    assert cruise(battle, ([(20, 26)], 46), ([], None)) == "7.2/turn-only-so"


@pytest.mark.covers("7.2/cruising-speed")
def test_the_second_turn_of_a_cruise_comes_at_its_end() -> None:
    battle = alone()
    drive(battle, ([(20, 26)], 45), ([(24, 26)], 90))
    tank = model(battle, 0)
    assert (tank.at, tank.facing, tank.marks(INCHES), tank.marks(SPEED)) == ((24.0, 26.0), 90.0, 10, CRUISING)
    assert cruise(alone(), ([(20, 26)], 45), ([(20, 30)], 91)) == "7.2/turn-only-so"
    assert cruise(alone(), ([(20, 26)], None), ([(20, 30)], 46)) == "7.2/turn-only-so"


@pytest.mark.covers("7.2/cruising-speed")
def test_the_second_leg_is_gone_as_the_hull_has_been_turned() -> None:
    """A gap that the hull passes lengthwise only."""
    gap = (wall(16, 30, 4, 1), wall(24, 30, 4, 1))
    battle = alone("tank", (20, 20), *gap)
    assert cruise(battle, ([(20, 26)], None), ([(20, 32)], None)) == ""
    assert cruise(battle, ([(20, 26)], 45), ([(20, 32)], None)) == "3.1.2/impassable"


@pytest.mark.covers("7.2/cruising-speed", "7.2/combat-speed")
def test_what_is_proposed_and_drawn_is_legal() -> None:
    battle = table(
        squad("tank", at=(20, 20)),
        squad("militia", 5, at=(20, 26)),
        squad("militia", 10, side=1, at=(30, 30)),
        pieces=(wall(26, 22, 4, 1), wood(12, 24, 6, 6)),
        phase="movement",
    )
    for speed in (COMBAT_SPEED, CRUISING):
        question = drive_question(unit(battle, 0), {0: speed})
        assert question.suggestions()
        for answer in [*question.suggestions(), *(question.sample(Random(seed)) for seed in range(20)), question.idle]:
            assert question.refusal(answer) is None


# ---------------------------------------------------------------- 7.2: orientation, terrain, running


@pytest.mark.covers("7.2/vehicle-orientation")
def test_vehicles_face_no_unit() -> None:
    battle = alone()
    assert not facing.takes_a_facing(unit(battle, 0))
    assert facing.takes_a_facing(unit(battle, 1))


@pytest.mark.parametrize("facing", [0.0, 30.0])
def test_where_a_vehicle_points_after_its_move_is_told(facing: float) -> None:
    battle = alone()
    drive(battle, ([(20, 26)], facing))
    assert battle.journal is not None
    told = [one.text for one in lines(battle.journal.events, Teller(load_ruleset("e55"), "en", ["Tank"], ["Tank"]))]
    assert told[0] == f"Tank: 6″, to (20; 26), facing {facing:g}°."


@pytest.mark.covers("7.2/vehicle-difficult", "7.2/vehicle-dangerous")
def test_difficult_terrain_is_dangerous_to_a_vehicle_and_costs_it_nothing() -> None:
    battle = alone("tank", (20, 20), wood(20, 24, 2, 2))
    played = drive(battle, ([(20, 26)], None), dice="5")
    assert played.rolls == ["dangerous-terrain"]
    assert model(battle, 0).at == (20.0, 26.0)
    assert not model(battle, 0).marks(IMMOBILISED)


@pytest.mark.covers("7.2/vehicle-dangerous")
def test_a_six_immobilises_when_the_move_is_over() -> None:
    battle = alone("tank", (20, 20), wood(20, 24, 2, 2))
    drive(battle, ([(20, 26)], None), dice="6")
    tank = model(battle, 0)
    assert tank.at == (20.0, 26.0)
    assert (tank.marks(IMMOBILISED), tank.marks(STRUCTURE_LOST)) == (1, 1)


@pytest.mark.covers("7.2/vehicle-dangerous", "7.2/vehicle-difficult")
def test_no_test_on_open_ground_nor_for_a_turn_on_the_spot() -> None:
    battle = alone("tank", (20, 20), wood(30, 24, 2, 2))
    assert drive(battle, ([(20, 26)], None)).rolls == []
    inside = alone("tank", (20, 20), wood(20, 20))
    assert drive(inside, ([], 45)).rolls == []


@pytest.mark.covers("7.2/vehicle-dangerous")
def test_dangerous_ground_that_is_not_difficult_is_tested_too() -> None:
    battle = alone("tank", (20, 20), block(20, 24, 2, 2, "clear", "dangerous", height=0))
    assert drive(battle, ([(20, 26)], None), dice="1").rolls == ["dangerous-terrain"]


@pytest.mark.covers("7.2/vehicle-no-run")
def test_vehicles_do_not_run() -> None:
    for kind in ("tank", "walker"):
        assert why_not(alone(kind), "run", 0) == "7.2/vehicle-no-run"
    assert why_not(alone("militia"), "run", 0) == ""


@pytest.mark.covers("7.2/speed-choice")
def test_vehicles_do_not_move_as_men_do() -> None:
    battle = alone()
    assert ("move", 0) not in movement.moves(battle, 0)


# ---------------------------------------------------------------- 7.9


@pytest.mark.covers("7.9/weapons-by-speed")
def test_the_faster_the_fewer_weapons() -> None:
    tank = model(alone(), 0)
    found = []
    for speed in (STATIONARY, COMBAT_SPEED, CRUISING):
        tank.mark(SPEED, speed)
        found.append(vehicles.may_fire_count(tank))
    assert found == [None, 1, 0]


@pytest.mark.covers("7.9/weapons-count-stationary")
def test_the_weapons_of_a_vehicle_count_as_not_moved() -> None:
    battle = table(squad("tank", 1, 0, (20, 20), "machine-gun"), squad("militia", 1, 0, (30, 20), "machine-gun"))
    for row in (0, 1):
        unit(battle, row).mark(MOVED, 1)
    line = model(battle, 0).profile.mounts[0].weapon.lines[0]
    assert heavy_on_the_move(model(battle, 0), line, 3) is None
    assert heavy_on_the_move(model(battle, 1), line, 3) is not None


# ---------------------------------------------------------------- 7.11/armoured


def driven_through(*near: Any) -> Position:
    battle = table(squad(ARMOURED, at=(20, 20)), *near, phase="movement", pieces=(wood(20, 25, 4, 2), wood(40, 25)))
    battle.remember("turn")
    drive(battle, ([(20, 26)], None))
    return battle


@pytest.mark.covers("7.11/armoured")
def test_an_armoured_vehicle_flattens_what_it_drives_through_for_those_near_it() -> None:
    battle = driven_through(
        squad("militia", at=(25.4, 20)), squad("militia", side=1, at=(16, 16)), squad("militia", at=(26.1, 20))
    )
    assert flattened_for(unit(battle, 1)) == {"difficult-20-25"}
    assert flattened_for(unit(battle, 2)) == {"difficult-20-25"}
    assert flattened_for(unit(battle, 3)) == frozenset()


@pytest.mark.covers("7.11/armoured")
def test_the_armoured_vehicle_is_near_itself_and_is_not_tested() -> None:
    battle = driven_through()
    assert flattened_for(unit(battle, 0)) == {"difficult-20-25"}


@pytest.mark.covers("7.11/armoured")
def test_other_vehicles_flatten_nothing() -> None:
    battle = table(squad("tank", at=(20, 20)), phase="movement", pieces=(wood(20, 25, 4, 2),))
    drive(battle, ([(20, 26)], None), dice="1")
    assert flattened_for(unit(battle, 0)) == frozenset()


@pytest.mark.covers("7.11/armoured", "7.13/flyer-distance")
def test_who_flies_over_a_wood_does_not_flatten_it() -> None:
    flying = profile("aircraft", subtypes=("aircraft", "armoured"))
    for aloft, flattened in ((1, frozenset()), (0, {"difficult-20-25"})):
        battle = alone(flying, (20, 20), wood(20, 25, 4, 2), aloft=aloft)
        drive(battle, ([(20, 26)], None))
        assert flattened_for(unit(battle, 0)) == flattened


@pytest.mark.covers("7.11/armoured", "7.16/walker-terrain")
def test_an_armoured_walker_is_not_slowed_by_what_it_flattens() -> None:
    battle = alone(profile("walker", subtypes=("walker", "armoured")), (20, 20), wood(20, 25, 4, 2))
    assert drive(battle, ([(20, 26)], None)).rolls == []
    assert model(battle, 0).at == (20.0, 26.0)


@pytest.mark.covers("7.11/armoured")
def test_where_the_vehicle_stood_when_the_turn_began_is_what_counts() -> None:
    battle = table(
        squad(ARMOURED, at=(20, 20)),
        squad("militia", at=(25, 20)),
        squad("militia", at=(40, 20)),
        phase="movement",
        pieces=(wood(20, 25, 4, 2),),
    )
    model(battle, 1).move_to(50, 20)
    model(battle, 2).move_to(24, 20)
    drive(battle, ([(20, 26)], None))
    assert flattened_for(unit(battle, 1)) == {"difficult-20-25"}
    assert flattened_for(unit(battle, 2)) == frozenset()


@pytest.mark.covers("7.11/armoured")
def test_a_vehicle_that_was_not_there_flattens_for_nobody() -> None:
    battle = table(squad(ARMOURED, at=(20, 20)), phase="movement", pieces=(wood(20, 25, 4, 2),))
    battle.snapshots["turn"] = {}
    drive(battle, ([(20, 26)], None), dice="1")
    assert flattened_for(unit(battle, 0)) == frozenset()


@pytest.mark.covers("7.11/armoured")
def test_the_tracks_last_until_its_next_movement_phase() -> None:
    battle = driven_through(squad("militia", at=(25, 20)))
    battle.now["side"] = 1
    vehicles.begin_movement(battle)
    assert flattened_for(unit(battle, 1)) == {"difficult-20-25"}
    battle.now["side"] = 0
    vehicles.begin_movement(battle)
    assert flattened_for(unit(battle, 1)) == frozenset()


# ---------------------------------------------------------------- 7.13: flyers


@pytest.mark.covers("7.13/flyer-no-stationary")
def test_flyers_do_not_remain_stationary() -> None:
    assert why_not(alone("flyer"), "drive", 0, 0, STATIONARY) == "7.13/flyer-no-stationary"
    assert why_not(alone("flyer"), "drive", 0, 0, COMBAT_SPEED) == ""
    assert why_not(alone("aircraft"), "drive", 0, 0, STATIONARY) == ""
    assert why_not(alone("aircraft", aloft=1), "drive", 0, 0, STATIONARY) == "7.13/flyer-no-stationary"


@pytest.mark.covers("7.13/flyer-no-stationary")
def test_a_flyer_that_made_no_choice_counts_as_at_combat_speed() -> None:
    battle = table(squad("flyer", at=(20, 20)), squad("flyer", at=(30, 20)), squad("tank", at=(40, 20)))
    model(battle, 1).mark(SPEED, CRUISING)
    vehicles.end_movement(battle)
    assert [m.marks(SPEED) for m in battle.models] == [COMBAT_SPEED, CRUISING, STATIONARY]


@pytest.mark.covers("7.13/flyer-weapons")
def test_flyers_fire_all_weapons_at_combat_speed_and_one_when_cruising() -> None:
    flyer = model(alone("flyer"), 0)
    flyer.mark(SPEED, COMBAT_SPEED)
    assert vehicles.may_fire_count(flyer) is None
    flyer.mark(SPEED, CRUISING)
    assert vehicles.may_fire_count(flyer) == 1


@pytest.mark.covers("6.1.1/flying-over")
def test_flyers_pass_over_models_and_walls_and_fear_no_terrain() -> None:
    over = (wall(20, 24), wood(20, 28, 8, 3))
    flying, driving = alone("flyer", (20, 20), *over), alone("tank", (20, 20), *over)
    assert cruise(flying, ([(20, 32)], None), ([], None)) == ""
    assert cruise(driving, ([(20, 32)], None), ([], None)) == "3.1.2/impassable"
    assert cruise(flying, ([(20, 24)], None), ([], None)) == "3.1.2/impassable"
    assert drive(flying, ([(20, 32)], None), ([], None)).rolls == []


# ---------------------------------------------------------------- 7.14, 7.15


@pytest.mark.covers("7.14/aircraft-rotating", "7.15/rotating", "7.16/walker-rules")
def test_aircraft_and_walkers_rotate_as_well() -> None:
    rotating = profile("tank", subtypes=("rotating",))
    kinds: tuple[str | Profile, ...] = ("tank", rotating, "aircraft", "walker")
    battle = table(*(squad(kind, at=(10 * n + 9, 20)) for n, kind in enumerate(kinds)))
    assert [is_rotating(m) for m in battle.models] == [False, True, True, True]


@pytest.mark.covers("7.14/aircraft-speeds")
def test_an_aircraft_has_a_speed_for_each_mode() -> None:
    battle = alone("aircraft")
    assert speed_value(model(battle, 0)) == 12.0
    unit(battle, 0).mark(ALOFT, 1)
    assert speed_value(model(battle, 0)) == 18.0
    assert speed_value(model(alone("flyer"), 0)) == 18.0


@pytest.mark.covers("7.14/aircraft-speeds", "7.13/flyer-distance")
def test_the_flyer_speed_is_what_is_added_to_distances() -> None:
    battle = table(squad("aircraft", at=(20, 20)), squad("militia", side=1, at=(24, 20)))
    assert distance(model(battle, 0), model(battle, 1)) == 2
    unit(battle, 0).mark(ALOFT, 1)
    assert distance(model(battle, 0), model(battle, 1)) == 20


@pytest.mark.covers("7.15/rotating")
def test_a_rotating_vehicle_turns_by_any_angle_and_any_number_of_times() -> None:
    rotating = profile("tank", subtypes=("rotating",))
    battle = table(squad(rotating, at=(20, 20)), squad("militia", 2, at=(40, 20)), phase="movement")
    assert combat(battle, (20, 24), turn=180) == ""
    for faces in (135, 10):
        assert why_not(battle, "turn", 0, 0) == ""
        play(vehicles.turn(battle, ("turn", 0, 0)), "", [[[[], faces]]], battle)
        assert model(battle, 0).facing == faces
        unit(battle, 1).mark(DONE, 1)
    assert (model(battle, 0).marks(SPEED), unit(battle, 0).marks(DONE)) == (STATIONARY, 0)


@pytest.mark.covers("7.15/rotating")
def test_two_turns_with_nothing_between_them_are_one() -> None:
    battle = table(squad("walker", at=(20, 20)), squad("militia", at=(40, 20)), phase="movement")
    play(vehicles.turn(battle, ("turn", 0, 0)), "", [[[[], 90]]], battle)
    assert why_not(battle, "turn", 0, 0) == "7.15/rotating"
    unit(battle, 1).mark(DONE, 1)
    assert why_not(battle, "turn", 0, 0) == ""
    play(vehicles.turn(battle, ("turn", 0, 0)), "", [[[[], 0]]], battle)
    vehicles.begin_movement(battle)
    unit(battle, 1).mark(DONE, 0)
    assert why_not(battle, "turn", 0, 0) == ""


@pytest.mark.covers("7.15/rotating", "7.2/stationary")
def test_turning_is_not_moving() -> None:
    battle = alone("walker")
    question = first_question(vehicles.turn(battle, ("turn", 0, 0)))
    assert refused(question, [[[[20, 20.5]], 90]]) == "7.2/stationary"
    assert refused(question, [[[], None]]) == ""


@pytest.mark.covers("7.15/rotating")
def test_a_rotating_vehicle_does_not_turn_where_an_effect_forbids_it() -> None:
    battle = alone("walker")
    model(battle, 0).mark(STUCK, 3)
    assert why_not(battle, "turn", 0, 0) == "7.6/shaken"


@pytest.mark.covers("7.15/rotating")
def test_it_turns_the_other_way_round_where_the_shorter_is_barred() -> None:
    rotating = profile("tank", subtypes=("rotating",))
    battle = table(squad(rotating, at=(20, 20)), squad("militia", at=(22.2, 22.2)), phase="movement")
    assert combat(battle, turn=90) == "" or combat(battle, turn=90) == "3.1/no-pass-through"
    assert combat(battle, turn=45) == "3.1/no-pass-through"


# ---------------------------------------------------------------- 7.16: walkers


@pytest.mark.covers("7.16/walker-profile")
def test_walkers_have_what_other_vehicles_lack() -> None:
    battle = table(squad("walker", at=(20, 20)), squad("tank", at=(30, 20)))
    has = [[not characteristics.is_missing(m, name) for name in ("s", "ws", "i", "a")] for m in battle.models]
    assert has == [[True] * 4, [False] * 4]


@pytest.mark.covers("7.16/walker-no-cruise")
def test_walkers_do_not_cruise() -> None:
    battle = alone("walker")
    assert why_not(battle, "drive", 0, 0, CRUISING) == "7.16/walker-no-cruise"
    assert why_not(battle, "drive", 0, 0, COMBAT_SPEED) == ""
    assert combat(battle, (20, 26)) == ""
    assert combat(battle, (20, 26.1)) == "7.2/combat-speed"


@pytest.mark.covers("7.16/walker-weapons")
def test_walkers_fire_all_their_weapons() -> None:
    walker = model(alone("walker"), 0)
    walker.mark(SPEED, COMBAT_SPEED)
    assert vehicles.may_fire_count(walker) is None


@pytest.mark.covers("7.16/walker-terrain")
def test_difficult_terrain_slows_walkers_and_is_not_dangerous_to_them() -> None:
    battle = alone("walker", (20, 20), wood(20, 26, 4, 4))
    played = drive(battle, ([(20, 26)], 90), dice="2")
    assert played.rolls == ["difficult-terrain"]
    assert (model(battle, 0).at, model(battle, 0).facing, model(battle, 0).marks(INCHES)) == ((20.0, 24.0), 90.0, 4)


@pytest.mark.covers("7.16/walker-terrain")
def test_the_walker_is_not_slowed_below_half_of_its_combat_speed() -> None:
    battle = alone(profile("walker", speed=8), (20, 20), wood(20, 24, 4, 4))
    drive(battle, ([(20, 24)], None), dice="3")
    assert model(battle, 0).at == (20.0, 22.0)


@pytest.mark.covers("7.16/walker-terrain")
def test_walkers_test_terrain_that_is_dangerous_in_itself() -> None:
    battle = alone("walker", (20, 20), block(20, 24, 2, 2, "clear", "dangerous", height=0))
    assert drive(battle, ([(20, 26)], None), dice="6").rolls == ["dangerous-terrain"]
    assert model(battle, 0).marks(IMMOBILISED) == 1


@pytest.mark.covers("7.16/walker-rules")
def test_walkers_have_crushing_charge() -> None:
    assert special.has(model(alone("walker"), 0), "crushing-charge")
    assert not special.has(model(alone("tank"), 0), "crushing-charge")


# ---------------------------------------------------------------- away from those who stand too near


def beside(kind: Any, enemy: tuple[float, float], *pieces: Piece) -> Position:
    """A vehicle at (30, 20) and an enemy that touches it."""
    return table(squad(kind, at=(30, 20)), squad("militia", side=1, at=enemy), phase="movement", pieces=pieces)


@pytest.mark.covers("3.1/enemy-one-inch", "7.2/combat-speed", "7.2/cruising-speed")
def test_a_vehicle_leaves_those_who_touch_it_by_an_inch_or_stays() -> None:
    battle = beside("tank", (28, 20))
    assert combat(battle, (30.9, 20)) == "3.1/enemy-one-inch"
    assert combat(battle, (31.0, 20)) == ""
    assert combat(battle) == ""
    assert cruise(battle, ([(30.9, 20)], None), ([], None)) == "3.1/enemy-one-inch"


@pytest.mark.covers("3.1/enemy-one-inch", "7.16/walker-terrain")
@pytest.mark.parametrize(("speed", "y"), [(4, 19.0), (3, 20.0)])
def test_a_walker_that_is_slowed_gets_clear_or_stays(speed: int, y: float) -> None:
    """Half of its usual inches are left of its way: one, or less than one."""
    battle = beside(profile("walker", speed=speed), (30, 21.75), wood(30, 20, 4, 4))
    drive(battle, ([(30, 20 - speed / 2)], None), dice="3")
    assert model(battle, 0).at == (30.0, y)
