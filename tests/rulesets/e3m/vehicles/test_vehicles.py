"""Chapters "vehicles" and "base-vehicle": routes, damage, overruns, assaults on passing vehicles, passengers."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.moves.unit_moves import UnitMove, as_paths, refusal_of
from campale.referee.position import Position
from campale.referee.ruleset import load_ruleset
from campale.referee.telling.teller import Teller
from campale.referee.telling.transcript import lines
from campale.rulesets.e3m.assault.declaring import ASSAULTS
from campale.rulesets.e3m.assault.result import left_to_fight
from campale.rulesets.e3m.command.orders import order_of
from campale.rulesets.e3m.movement.routes import Route, begin_route, packed, rest_of
from campale.rulesets.e3m.vehicles.damage import (
    BY_ORDNANCE,
    GLANCING,
    GLANCING_OTHERWISE,
    PENETRATING,
    Struck,
    armour_of,
    can_drive,
    face_towards,
    lasting,
    may_fire,
    mounts_left,
    put_out,
    speed,
    strike,
    suffer_damage,
    table_for,
)
from campale.rulesets.e3m.vehicles.driving import brave_flight, movement_of, note_speed, risks_flying
from campale.rulesets.e3m.vehicles.foretelling import foretold
from campale.rulesets.e3m.vehicles.overrun import (
    crush,
    on_trajectory,
    set_back,
    stays_on_trajectory,
    step_aside,
    victims_of,
)
from campale.rulesets.e3m.vehicles.passengers import (
    can_get_out,
    cannot_stand,
    carriers_for,
    get_out,
    is_clear_of_enemies,
    room_needed,
)
from campale.rulesets.e3m.vehicles.path_assault import made, shoot, strike_need, strike_riders, with_the_brave
from campale.rulesets.e3m.vehicles.stops import may_overrun, next_stop, stops
from campale.table.measure import gap
from campale.table.paths import Path
from tests.rulesets.e3m.kit import PROPOSAL, finish, first_question, left, model, piece, play, squad, table, unit

covers = pytest.mark.covers


def gun(position: Position, row: int, weapon: int = 0) -> Any:
    return model(position, row).profile.mounts[weapon].weapon.lines[0]


def hit(position: Position, strength: int, shooter: int = 1, **more: Any) -> Struck:
    face = face_towards(model(position, 0), model(position, shooter).at)
    return Struck(strength, gun(position, shooter), face, shooter, **more)


# ---------------------------------------------------------------- damage


@covers("base-vehicle/facing", "base-profile/vehicles", "vehicles/types")
@pytest.mark.parametrize(
    ("at", "face"),
    [((36, 30), "front"), ((36, 2), "rear"), ((50, 20), "right"), ((22, 20), "left"), ((39, 27), "front")],
)
def test_the_sector_of_the_shooter_tells_the_side_hit(at: tuple[float, float], face: str) -> None:
    position = table(squad("gun-tank", at=(36, 20)))
    assert face_towards(model(position, 0), at) == face
    values = {"front": 13, "rear": 10, "left": 11, "right": 11}
    assert armour_of(model(position, 0), face) == values[face]


@covers("base-vehicle/penetration", "base-vehicle/glancing-table", "base-vehicle/penetrating-table")
@pytest.mark.parametrize(
    ("dice", "marks"),
    [("4", {}), ("5 1", {"shaken": 2}), ("5 3", {"stunned": 2}), ("6 1", {"stunned": 2}), ("6 3", {"immobilised": 1})],
)
def test_below_equal_and_above_the_armour(dice: str, marks: dict[str, int]) -> None:
    """Strength 8 against 13: a 5 glances, a 6 penetrates."""
    position = table(squad("gun-tank", at=(36, 20)), squad("scrapper", 1, side=1, at=(36, 40), special=["rocket-tube"]))
    play(strike(model(position, 0), hit(position, 8)), dice)
    for name in ("shaken", "stunned", "immobilised"):
        assert model(position, 0).marks(name) == marks.get(name, 0)


@covers("base-vehicle/glancing-table", "base-vehicle/penetrating-table", "base-vehicle/ordnance-table")
def test_the_tables_and_the_switch() -> None:
    position = table(squad("gun-tank", at=(36, 20)), squad("siege-tank", side=1, at=(36, 40)))
    assert table_for(position, True, hit(position, 8)) == GLANCING
    assert table_for(position, False, hit(position, 8)) == BY_ORDNANCE
    assert table_for(position, False, hit(position, 8)._replace(line=None)) == PENETRATING
    other = table(squad("gun-tank", at=(36, 20)), options={"glancing_immobilised_4": True})
    assert table_for(other, True, Struck(8, None, "front", -1)) == GLANCING_OTHERWISE
    assert GLANCING_OTHERWISE[3:5] == ("immobilised", "weapon-destroyed")


@covers("base-weapons/special", "base-weapons/ordnance")
def test_melta_adds_a_die_within_half_range_lances_lower_armour_and_ordnance_keeps_the_higher() -> None:
    position = table(squad("gun-tank", at=(36, 20)), squad("scout", 1, side=1, at=(36, 40), special=["fusion-gun"]))
    assert play(strike(model(position, 0), hit(position, 8, far=6.0)), "1 3").value is False
    assert play(strike(model(position, 0), hit(position, 8, far=6.1)), "4").value is False
    lance = table(squad("gun-tank", at=(36, 20)), squad("thornhand", 1, side=1, at=(36, 40), special=["dark-beam"]))
    assert play(strike(model(lance, 0), hit(lance, 8)), "4 1").value is True
    siege = table(squad("gun-tank", at=(36, 20)), squad("siege-tank", side=1, at=(36, 40)))
    assert play(strike(model(siege, 0), hit(siege, 8)), "1 5 1").value is True


@covers("base-vehicle/open-topped")
def test_open_topped_vehicles_suffer_one_more() -> None:
    position = table(squad("clan-wagon", at=(36, 20)), squad("scout", 1, side=1, at=(36, 40)))
    play(strike(model(position, 0), Struck(8, None, "front", 1)), "5 2")
    assert model(position, 0).marks("stunned") == 2


@covers("base-vehicle/damage-duration")
@pytest.mark.parametrize(("result", "told"), [("shaken", 2), ("stunned", 2), ("immobilised", None)])
def test_a_result_that_ends_is_told_with_the_turn_in_which_it_does(result: str, told: int | None) -> None:
    fresh, fired = (table(squad("gun-tank", at=(36, 20), marks={"fired": mark})) for mark in (0, 1))
    assert lasting(model(fresh, 0), result).get("until") == told
    assert lasting(model(fired, 0), result).get("until") == (None if told is None else told + 1)


@covers("base-vehicle/hull-down")
@pytest.mark.parametrize(("die", "stunned"), [("3", 2), ("4", 0)])
def test_hull_down_a_penetrating_hit_glances_on_a_four(die: str, stunned: int) -> None:
    position = table(
        squad("gun-tank", at=(36, 20)), squad("scout", 1, side=1, at=(36, 40)), pieces=[piece("wall", 36, 25)]
    )
    play(strike(model(position, 0), hit(position, 8)), f"6 {die} 1")
    assert model(position, 0).marks("stunned") == stunned
    assert model(position, 0).marks("shaken") == (0 if stunned else 2)


@covers("base-vehicle/skimmers", "vehicles/moved-status")
def test_a_flyer_that_went_fast_is_only_glanced_and_crashes_when_immobilised() -> None:
    position = table(squad("skimmer", at=(36, 20)), squad("scout", 1, side=1, at=(36, 40)))
    model(position, 0).jot("gone", 7.0)
    assert speed(model(position, 0)) == "fast"
    play(strike(model(position, 0), Struck(8, None, "front", 1)), "6 4")
    assert not model(position, 0).is_on_table
    slow = table(squad("skimmer", at=(36, 20)))
    assert speed(model(slow, 0)) == "stationary"
    model(slow, 0).jot("gone", 6.0)
    assert speed(model(slow, 0)) == "slow"
    model(slow, 0).jot("gone", 6.5)
    note_speed(model(slow, 0))
    model(slow, 0).jot("gone", None)
    assert speed(model(slow, 0)) == "fast"


@covers("base-vehicle/damage-results", "base-vehicle/damage-duration")
@pytest.mark.parametrize(("marks", "until"), [({}, 2), ({"fired": 1}, 3)])
def test_shaken_costs_one_turn_of_fire(marks: dict[str, int], until: int) -> None:
    position = table(squad("gun-tank", at=(36, 20), marks=marks))
    play(suffer_damage(model(position, 0), "shaken", -1))
    assert model(position, 0).marks("shaken") == until
    assert not may_fire(model(position, 0))
    assert can_drive(model(position, 0))


@covers("base-vehicle/damage-results", "base-vehicle/damage-duration")
@pytest.mark.parametrize(("marks", "until"), [({}, 2), ({"moved": 1}, 3), ({"fired": 1}, 3)])
def test_stunned_costs_one_turn_of_moving_and_firing(marks: dict[str, int], until: int) -> None:
    position = table(squad("gun-tank", at=(36, 20), marks=marks))
    play(suffer_damage(model(position, 0), "stunned", -1))
    assert model(position, 0).marks("stunned") == until
    assert not may_fire(model(position, 0))
    assert not can_drive(model(position, 0))


@covers("base-vehicle/damage-results")
def test_weapons_go_one_by_one_then_it_is_immobilised_then_destroyed() -> None:
    position = table(squad("gun-tank", at=(36, 20)))
    tank = model(position, 0)
    play(suffer_damage(tank, "weapon-destroyed", -1), answers=[1])
    assert mounts_left(tank) == [0, 2]
    play(suffer_damage(tank, "weapon-destroyed", -1), answers=[0])
    play(suffer_damage(tank, "weapon-destroyed", -1))
    assert mounts_left(tank) == []
    play(suffer_damage(tank, "weapon-destroyed", -1))
    assert tank.marks("immobilised") == 1
    play(suffer_damage(tank, "immobilised", -1))
    assert not tank.is_on_table


@covers("base-vehicle/wrecks", "base-vehicle/damage-results")
def test_a_destroyed_vehicle_leaves_a_wreck_and_an_explosion_hits_those_near_it() -> None:
    position = table(squad("gun-tank", at=(36, 20)))
    play(suffer_damage(model(position, 0), "destroyed", -1))
    assert position.ground.piece("wreck-0").tags == ("wreck", "broken", "blocks", "cover-4")
    blown = table(squad("gun-tank", at=(36, 20)), squad("levy", 2, side=1, at=(40, 20)))
    play(suffer_damage(model(blown, 0), "explodes", -1), "3 | 4 3 | 3 | 2")
    assert left(blown, 1) == 1
    assert "blocks" not in blown.ground.piece("wreck-0").tags


# ---------------------------------------------------------------- passengers


@covers("base-vehicle/passenger-casualties", "vehicles/passengers")
def test_passengers_of_a_wreck_are_wounded_on_a_four_and_stand_by_it_on_forced_halt() -> None:
    position = table(squad("carrier", at=(36, 20)), squad("scout", 3, aboard=0))
    play(put_out(model(position, 0), [model(position, row) for row in (1, 2, 3)]), "4 3 6 | 4 3")
    assert left(position, 1) == 2
    assert unit(position, 1).marks("forced") == 1
    assert order_of(unit(position, 1)) == "halt"


@covers("base-vehicle/transport", "vehicles/embark", "base-units/cavalry-and-beasts")
@pytest.mark.parametrize(
    ("kind", "gap", "moved", "may"),
    [
        ("scout", 2.0, 0, True),
        ("scout", 2.1, 0, False),
        ("scout", 2.0, 1, False),
        ("lancer", 2.0, 0, False),
        ("bulwark", 2.0, 0, True),
    ],
)
def test_who_may_get_aboard(kind: str, gap: float, moved: int, may: bool) -> None:
    wide = 0.8 if kind in ("lancer", "bulwark") else 0.5
    position = table(squad("carrier", at=(36, 20), marks={"moved": moved}), squad(kind, 1, at=(38 + gap + wide, 20)))
    assert bool(carriers_for(unit(position, 1))) is may


@covers("base-vehicle/transport")
def test_heavy_troops_count_double() -> None:
    position = table(squad("bulwark", 5, at=[(10 + 2 * k, 10) for k in range(5)]), squad("scout", 5, at=(10, 20)))
    assert [room_needed(unit(position, row).models) for row in (0, 1)] == [10, 5]


@covers("vehicles/disembark", "vehicles/disembark-distance", "vehicles/disembarked-limits", "base-general/coherency")
@pytest.mark.parametrize(("gap", "may"), [(6.0, False), (6.1, True)])
def test_they_get_out_more_than_six_inches_from_the_enemy(gap: float, may: bool) -> None:
    position = table(
        squad("carrier", at=(36, 20), order="halt"),
        squad("scout", 2, aboard=0, order="assault"),
        squad("brawler", 1, side=1, at=(36, 24.5 + gap)),
    )
    assert is_clear_of_enemies(model(position, 0)) is may
    assert can_get_out(unit(position, 1)) is may
    if may:
        play(get_out(unit(position, 1)), answers=["yes", PROPOSAL])
        assert unit(position, 1).marks("got-out") == 1
        assert cannot_stand(model(position, 0), [model(position, 1)], [(36, 29, 0)]) is not None


@covers("vehicles/no-overrun-and-disembark", "vehicles/passengers")
@pytest.mark.parametrize(
    ("order", "overran", "may"),
    [("assault", 1.0, True), ("assault", 5.0, False), ("halt", -99.0, False), ("retreat", -99.0, False)],
)
def test_not_where_it_has_just_overrun_nor_on_halt(order: str, overran: float, may: bool) -> None:
    position = table(squad("carrier", at=(36, 20)), squad("scout", 2, aboard=0, order=order))
    model(position, 0).jot("gone", 10.0)
    model(position, 0).jot("overran-at", overran)
    assert can_get_out(unit(position, 1)) is may


# ---------------------------------------------------------------- routes


def driving(position: Position, *points: tuple[float, float]) -> None:
    one = unit(position, 0)
    answer = [[[list(p) for p in points], None]]
    begin_route(one, "drive", "drive", as_paths(one.models, answer))


@covers("vehicles/route", "vehicles/unlimited-move", "fire/opportunity-vehicle-stop")
def test_a_vehicle_follows_its_route_and_faces_along_it() -> None:
    position = table(squad("carrier", at=(10, 10)), squad("line-warden", 2, side=1, at=(30, 40), order="ready"))
    driving(position, (10, 30), (60, 30))
    played = finish(position, "2 2 2 2", [[1, 30.0], [("vehicle", 0)], None])
    assert played.prompts[0] == "opportunity"
    assert model(position, 0).at == (60, 30)
    assert model(position, 0).facing == 90.0


@covers("vehicles/tracked-obstacles", "terrain/obstacles")
@pytest.mark.parametrize(("dice", "y"), [("2 2", 40.0), ("1", 12.0)])
def test_tracks_risk_breaking_at_each_obstacle(dice: str, y: float) -> None:
    position = table(squad("carrier", at=(20, 6)), pieces=[piece("hedge", 20, 16.25), piece("wall", 20, 24)])
    driving(position, (20, 40))
    finish(position, dice)
    assert abs(model(position, 0).y - y) < 0.01
    assert model(position, 0).marks("immobilised") == int(dice == "1")


@covers("base-vehicle/skimmers")
@pytest.mark.parametrize(("die", "there"), [("1", False), ("2", True)])
def test_flyers_risk_landing_in_broken_terrain(die: str, there: bool) -> None:
    position = table(squad("skimmer", at=(20, 20)), pieces=[piece("crops", 20, 20)])
    assert risks_flying(model(position, 0), (20, 5))
    assert not risks_flying(model(table(squad("skimmer", at=(20, 20)), pieces=[piece("crops", 40, 20)]), 0), (20, 5))
    play(brave_flight(model(position, 0)), die)
    assert model(position, 0).is_on_table is there


def test_the_rest_of_a_path_begins_where_it_was_cut() -> None:
    path = Path(((0, 0), (0, 10), (10, 10)), 90.0, (0.0, 90.0, 0.0))
    rest = rest_of(path, 4.0)
    assert list(rest.points) == [(0, 4), (0, 10), (10, 10)]
    assert rest.turns == (0.0, 90.0, 0.0)
    assert list(rest_of(path, 20.0).points) == [(10, 10)]


# ---------------------------------------------------------------- overrun


def running_over(vehicle: str = "carrier", order: str = "fire", **more: Any) -> Position:
    return table(
        squad(vehicle, at=(20, 10), order=order),
        squad("brawler", at=[(20, 25), (21.25, 25), (24, 25)], side=1, order="fire"),
        phase="movement",
        **more,
    )


@covers("vehicles/overrun-who", "orders/march", "vehicles/walkers-move")
@pytest.mark.parametrize(
    ("kind", "order", "options", "may"),
    [
        ("carrier", "fire", {}, True),
        ("carrier", "march", {}, False),
        ("strider", "fire", {}, False),
        ("biker", "fire", {}, False),
        ("biker", "fire", {"light_overrun": True}, True),
    ],
)
def test_who_may_overrun(kind: str, order: str, options: dict[str, bool], may: bool) -> None:
    assert may_overrun(unit(table(squad(kind, order=order), options=options), 0)) is may


@covers("vehicles/overrun-who", "vehicles/overrun", "vehicles/route-limits")
def test_a_route_may_not_run_into_a_unit_in_cover() -> None:
    for pieces, rule in (([], ""), ([piece("crops", 20, 25)], "vehicles/overrun-who")):
        position = running_over(pieces=pieces)
        one = unit(position, 0)
        refusal = refusal_of(UnitMove(one, as_paths(one.models, [[[[20, 40]], None]]), movement_of(one)))
        assert ("" if refusal is None else refusal.rule) == rule
    marching = running_over(order="march")
    one = unit(marching, 0)
    refusal = refusal_of(UnitMove(one, as_paths(one.models, [[[[20, 40]], None]]), movement_of(one)))
    assert refusal is not None
    assert refusal.rule == "base-move/one-inch"


@covers("vehicles/overrun-contact", "vehicles/path-assault")
def test_the_stops_of_a_route_in_the_order_met() -> None:
    position = running_over()
    path = Path(((20, 10), (20, 40)), 0.0)
    found = stops(position, unit(position, 0), [(model(position, 0), path)])
    assert {(stop.kind, stop.length) for stop in found} == {("overrun", 10.4995), ("path-assault", 10.4995)}
    first = next_stop(position, unit(position, 0), [(model(position, 0), path)], 0.0, ())
    assert first is not None
    assert first.kind == "path-assault"
    second = next_stop(position, unit(position, 0), [(model(position, 0), path)], 0.0, (first.key,))
    assert second is not None
    assert second.kind == "overrun"
    route = Route(0, "drive", "drive", (packed(0, path),), 10.5)
    assert victims_of(position, unit(position, 0), route, 1) == [1]
    assert [m.row for m in on_trajectory(position, unit(position, 1).models, route)] == [1, 2]


@covers("vehicles/overrun", "vehicles/overrun-morale", "vehicles/overrun-failed", "vehicles/overrun-defensive-fire")
@covers("vehicles/overrun-continue", "vehicles/overrun-fire", "vehicles/main-weapon")
def test_whoever_fails_the_test_is_crushed_and_goes_back() -> None:
    position = running_over()
    unit(position, 1).mark("tested", 1)
    driving(position, (20, 40))
    played = finish(position, "6 6", [["out"], ["hold"], "on"], accepting=True)
    assert "overrun" in played.rolls
    assert left(position, 1) == 1
    assert model(position, 0).at == (20, 40)
    assert order_of(unit(position, 1)) == "fire"
    assert model(position, 3).x > 22.5


@covers("vehicles/overrun-failed")
@pytest.mark.parametrize(("before", "by"), [(0, 0), (2, 2)])
def test_the_journal_says_which_vehicle_has_run_models_over(before: int, by: int) -> None:
    """Its row is not that of its unit where a larger unit stands before it in the army."""
    position = table(
        *([squad("scout", before, at=(60, 5))] if before else []),
        squad("carrier", at=(20, 10)),
        squad("brawler", 2, side=1, at=(20, 25)),
        phase="movement",
    )
    driven = unit(position, 1 if before else 0)
    route = Route(driven.row, "drive", "drive", (packed(by, Path(((20, 10), (20, 40)), 0.0)),), 10.5)
    crush(position, unit(position, driven.row + 1), route)
    assert position.journal is not None
    assert {event.values["by"] for event in position.journal.events if event.kind == "remove"} == {by}


@covers("vehicles/overrun-passed", "vehicles/overrun-morale")
def test_whoever_passes_makes_way() -> None:
    position = running_over(pieces=[piece("crops", 29, 25)])
    driving(position, (20, 40))
    played = finish(position, "3 3", [["out"], ["hold"], PROPOSAL, "on"], accepting=True)
    assert "overrun-aside" in played.prompts
    assert left(position, 1) == 3
    assert played.moves.count(("aside", "vehicles/overrun-passed")) == 3
    assert all(m.x > 25.9 for m in unit(position, 1).models), "in the crops"


@covers("vehicles/overrun-flying")
def test_nobody_tests_under_a_flying_vehicle() -> None:
    position = running_over("skimmer")
    driving(position, (20, 40))
    played = finish(position, "", [["out"], ["hold"], PROPOSAL], accepting=True)
    assert "overrun" not in played.rolls
    assert left(position, 1) == 3


@covers("vehicles/overrun-stopped")
def test_a_vehicle_that_is_stopped_crushes_nobody() -> None:
    position = running_over()
    route = Route(0, "drive", "drive", (packed(0, Path(((20, 10), (20, 40)), 0.0)),), 10.5)
    position.declare("doing", (("overrun-test", 0, 1, *route),))
    finish(position, "6 6", accepting=True)
    assert left(position, 1) == 3


# ---------------------------------------------------------------- path assaults


@covers("vehicles/path-assault", "vehicles/path-assault-additional", "vehicles/path-assault-morale")
@covers("vehicles/path-assault-resolution")
def test_infantry_near_the_route_may_assault_a_passing_vehicle() -> None:
    position = table(
        squad("clan-buggy", at=(20, 10), order="march"),
        squad("shock-trooper", 2, side=1, at=(26, 25), equipment=["krak-grenades"]),
        phase="movement",
    )
    driving(position, (20, 40))
    finish(position, "3 3 | 6 5 | 6 4", [PROPOSAL, ["grenade"]])
    assert not model(position, 0).is_on_table
    assert unit(position, 1).marks("fired") == 0


@covers("vehicles/path-assault-morale")
def test_in_the_open_they_test_first_and_those_in_cover_need_not() -> None:
    position = table(
        squad("clan-buggy", at=(10, 10)),
        squad("shock-trooper", at=[(26, 25), (27.25, 25), (31, 25)], side=1),
        pieces=[piece("crops", 34, 25)],
    )
    parts = {1: "strike", 2: "strike", 3: "strike"}
    assert play(with_the_brave(unit(position, 1), parts), "6 6").value == {3: "strike"}
    assert play(with_the_brave(unit(position, 1), parts), "3 3").value == parts
    assert play(with_the_brave(unit(position, 1), {3: "strike"})).value == {3: "strike"}


@covers("vehicles/path-assault-morale", "vehicles/path-assault-resolution")
@pytest.mark.parametrize(
    ("dice", "told"),
    [
        ("3 3 | 1 | 1 | 1", "3 models of Mob assault the passing Clan buggy 0."),
        ("6 6 | 1", "1 model of Mob assaults the passing Clan buggy 0: in cover no test is needed."),
    ],
)
def test_the_journal_says_how_many_assault_a_passing_vehicle_and_why_although_the_test_failed(
    dice: str, told: str
) -> None:
    position = table(
        squad("scout", 2, at=(60, 5)),
        squad("clan-buggy", at=(10, 10)),
        squad("shock-trooper", at=[(26, 25), (27.25, 25), (31, 25)], side=1),
        pieces=[piece("crops", 34, 25)],
    )
    route = Route(1, "drive", "drive", (packed(2, Path(((20, 10), (20, 40)), 0.0)),), 10.5)
    play(made(position, 1, 2, [(row, "strike", None) for row in (3, 4, 5)], *route), dice, [], position, True)
    assert position.journal is not None
    (event,) = [one for one in position.journal.events if one.kind == "path-assault"]
    names = [f"{position.names[row]} {row}" if row != 2 else "Clan buggy 0" for row in range(len(position.names))]
    teller = Teller(load_ruleset("e3m"), "en", names, ["Scouts", "Buggy", "Mob"], unit_of=position.unit_of)
    assert [line.text for line in lines([event], teller)] == [told]


@covers("vehicles/path-assault-resolution", "vehicles/light-profile")
@pytest.mark.parametrize(("gone", "number"), [(6.0, 4), (6.1, 6)])
def test_strikers_hit_by_how_far_the_vehicle_went(gone: float, number: int) -> None:
    position = table(squad("biker", 1))
    model(position, 0).jot("gone", gone)
    assert strike_need(unit(position, 0)).number == number


# ---------------------------------------------------------------- where a vehicle may stop, and whom it sets aside


@covers("vehicles/route-limits", "base-move/one-inch")
@pytest.mark.parametrize(("y", "rule"), [(24.4, ""), (24.6, "base-move/one-inch")])
def test_a_vehicle_stops_more_than_an_inch_from_an_enemy(y: float, rule: str) -> None:
    position = table(squad("carrier", at=(20, 8), order="march"), squad("brawler", 1, side=1, at=(20, 30)))
    one = unit(position, 0)
    refusal = refusal_of(UnitMove(one, as_paths(one.models, [[[[20, y]], None]]), movement_of(one)))
    assert ("" if refusal is None else refusal.rule) == rule


@covers("vehicles/route-limits", "base-general/coherency")
@pytest.mark.parametrize(
    ("steps", "rule"),
    [((10, 10), ""), ((10, 10.9), ""), ((10, 11.3), "base-general/coherency"), ((10, 8.2), "vehicles/route-limits")],
)
def test_bikes_end_apart_and_within_two_inches_of_each_other(steps: tuple[float, float], rule: str) -> None:
    position = table(squad("biker", at=[(20, 8), (20, 11)]))
    one = unit(position, 0)
    answer = [[[[20, 8 + steps[0]]], None], [[[20, 11 + steps[1]]], None]]
    refusal = refusal_of(UnitMove(one, as_paths(one.models, answer), movement_of(one)))
    assert ("" if refusal is None else refusal.rule) == rule


@covers("vehicles/overrun-continue", "base-move/one-inch")
@pytest.mark.parametrize(("away", "is_moved"), [(5.6, False), (5.0, True)])
def test_whoever_stops_after_an_overrun_goes_straight_back_from_the_enemy(away: float, is_moved: bool) -> None:
    position = table(squad("carrier", at=(20, 20)), squad("brawler", 1, side=1, at=(20, 20 + away)))
    set_back(model(position, 0))
    one = model(position, 0)
    assert one.x == 20
    assert (one.y < 20) is is_moved
    left = gap(one.solid, model(position, 1).solid)
    assert left > 1.0
    assert not is_moved or left < 1.02


@covers("vehicles/overrun-passed", "vehicles/overrun-continue")
def test_models_on_the_way_of_an_overrun_step_aside() -> None:
    position = running_over()
    route = Route(0, "drive", "drive", (packed(0, Path(((20, 10), (20, 40)), 0.0)),), 10.5)
    there = [m.at for m in unit(position, 1).models]
    assert [m.row for m in on_trajectory(position, unit(position, 1).models, route)] == [1, 2]
    step_aside(position, unit(position, 1), route)
    assert on_trajectory(position, unit(position, 1).models, route) == []
    assert unit(position, 1).models[2].at == there[2]


@covers("vehicles/overrun-passed")
@pytest.mark.parametrize(("x", "rule"), [(17.0, ""), (18.5, "vehicles/overrun-passed")])
def test_whoever_makes_way_ends_off_the_trajectory(x: float, rule: str) -> None:
    position = table(squad("carrier", at=(20, 10)), squad("brawler", at=[(17.5, 25)], side=1))
    route = Route(0, "drive", "drive", (packed(0, Path(((20, 10), (20, 40)), 0.0)),), 10.5)
    one = unit(position, 1)
    found = stays_on_trajectory(UnitMove(one, as_paths(one.models, [[[[x, 25]], None]]), movement_of(one)), route)
    assert ("" if found is None else found.rule) == rule


@covers("vehicles/route")
def test_a_route_is_told_what_it_meets_in_order() -> None:
    position = table(squad("carrier", at=(20, 6)), pieces=[piece("wall", 20, 24), piece("hedge", 20, 16.25)])
    one = unit(position, 0)
    found = foretold(one, as_paths(one.models, [[[[20, 40]], None]]))
    assert [one.values["piece"] for one in found] == ["hedge-20-16.25", "wall-20-24"]
    assert foretold(one, as_paths(one.models, [[[], None]])) == []


@covers("vehicles/path-assault-resolution", "fire/reduced-strength")
@pytest.mark.parametrize(("dice", "riders"), [("6 6 6 1 1", 1), ("6 6 6 1 6", 2), ("1 1", 2)])
def test_whoever_is_passed_fires_at_reduced_strength(dice: str, riders: int) -> None:
    position = table(squad("scout", 2, at=(20, 20)), squad("biker", 2, side=1, at=(22, 26)))
    play(shoot(unit(position, 0), unit(position, 0).models, unit(position, 1)), dice, position=position)
    assert left(position, 1) == riders


@covers("vehicles/path-assault-resolution", "vehicles/light-profile")
@pytest.mark.parametrize(("dice", "riders"), [("6 6 1", 0), ("6 6 6", 1), ("6 1", 1), ("1", 1)])
def test_whoever_is_passed_strikes_a_bike_like_a_man(dice: str, riders: int) -> None:
    position = table(squad("scout", 1, at=(20, 20)), squad("biker", 1, side=1, at=(22, 26)))
    route = Route(1, "drive", "drive", (packed(1, Path(((22, 10), (22, 26)), 0.0)),), 16.0)
    strikers = [(model(position, 0), "")]
    play(strike_riders(position, strikers, unit(position, 1), route), dice, position=position, accepting=True)
    assert left(position, 1) == riders


@covers("vehicles/assault-outside-movement", "base-vehicle/melee-no-result")
@pytest.mark.parametrize(("assaults", "melees"), [((), []), (((0, (2,)),), []), (((0, (1,)),), [(0, 1)])])
def test_who_touches_a_tank_strikes_it_only_after_declaring_on_it_in_this_turn(assaults: Any, melees: Any) -> None:
    position = table(
        squad("scout", at=(36, 20)), squad("gun-tank", side=1, at=(36, 24.5)), squad("brawler", side=1, at=(60, 40))
    )
    position.declare(ASSAULTS, assaults)
    assert left_to_fight(position) == melees


@covers("base-vehicle/damage-results", "base-weapons/ordnance")
def test_a_shooter_picks_the_weapon_also_of_a_friend_under_his_marker() -> None:
    position = table(squad("gun-tank", at=(36, 20)), squad("siege-tank", at=(36, 5)), squad("scout", side=1))
    for by, side in ((1, 0), (2, 1), (-1, 1)):
        question = first_question(suffer_damage(model(position.copy(), 0), "weapon-destroyed", by))
        assert (question.prompt, question.side) == ("destroy-weapon", side)
