"""Circles, flames, the shotgun, grenades, bursts (templates/*, armoury/*), and terrain as a target (structures/*)."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.wzr.armies.profile import Fire
from campale.rulesets.wzr.armoury.bursts import crossed_models
from campale.rulesets.wzr.armoury.weapons import gun_of, guns_of, range_of
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.shooting.declaring import point_question, usable, wedge_question
from campale.rulesets.wzr.shooting.fire import Line
from campale.rulesets.wzr.shooting.pieces import pieces_in_reach
from campale.rulesets.wzr.shooting.plan import RAPID, SHOOT
from campale.rulesets.wzr.shooting.templates import SIZES, deviated, hit_under, landing, touched
from campale.rulesets.wzr.structures.pieces import ps_lost
from tests.rulesets.wzr.guns import gun, is_lost, offered, plan, prompt, shoot
from tests.rulesets.wzr.kit import piece, squad, table, vehicle

covers = pytest.mark.covers

TUBE = gun("tube", "heavy", area="SE", st=10)
GRENADE = gun("grenade", "grenade", range=None, by_strength=True, area="SE")
FLAMER = gun("flamer", "special", range=None, area="FP", type="fire", st=10)
SHOTGUN = gun("shotgun", "special", range=None, area="SG", rof=2)
LANCE = gun("lance", "burst", range=18.0, avv=2)


def duel(*enemies: tuple[float, float], weapon: Any, pieces: Any = (), friends: Any = (), **changes: Any) -> Position:
    own = squad(at=[(24.0, 10.0), *friends], weapons=(weapon,), **changes)
    return table(own, squad(side=1, at=list(enemies)), pieces=pieces)


def lost(position: Position) -> list[int]:
    return [m.row for m in position.models if not m.is_on_table]


# ---------------------------------------------------------------- templates/deviation


@covers("templates/deviation", "armoury/grenade-deviation", "core/rounding", "core/dice")
@pytest.mark.parametrize(
    ("face", "distance", "part", "where"),
    [
        (20, 7, 2, (0.0, 14.0)),
        (5, 20, 2, (10.0, 10.0)),
        (10, 1, 4, (0.0, 9.0)),
        (15, 8, 2, (-4.0, 10.0)),
        (20, 4, 4, (0.0, 11.0)),
        (20, 5, 4, (0.0, 12.0)),
    ],
)
def test_a_template_deviates_clockwise_from_the_way_to_its_target(
    face: int, distance: int, part: int, where: tuple[float, float]
) -> None:
    assert deviated((0.0, 0.0), (0.0, 10.0), face, distance, part) == pytest.approx(where, abs=1e-4)


@covers("templates/deviation", "templates/area-attack")
def test_a_circle_that_misses_deviates_and_strikes_whom_it_touches() -> None:
    position = duel((24.0, 20.0), (27.0, 20.0), weapon=TUBE)
    played = shoot(position, "tube", 1, dice="13 | 5 6 | 13")
    assert played.rolls == ["to-hit", "deviation-direction", "deviation-distance", "armour"]
    assert lost(position) == [2]


@covers("templates/deviation")
@pytest.mark.parametrize(("distance", "rolls"), [(12, ["armour"]), (13, [])])
def test_a_centre_beyond_the_edge_has_no_effect(distance: int, rolls: list[str]) -> None:
    own = squad(at=[(24.0, 41.0)], facing=90.0, weapons=(TUBE,))
    position = table(own, squad(side=1, at=[(30.0, 41.5), (30.0, 46.6)]))
    played = shoot(position, "tube", 1, dice=f"13 | 15 {distance}" + (" 12" if rolls else ""))
    assert played.rolls[3:] == rolls


# ---------------------------------------------------------------- templates/area-attack


@covers("templates/area-attack", "templates/sizes", "core/friendly-fire")
@pytest.mark.parametrize(("area", "radius"), [("SE", 1.5), ("ME", 2.0), ("LE", 2.5)])
def test_every_model_touched_is_struck_friend_and_foe(area: str, radius: float) -> None:
    edge = radius + 0.6
    enemies = squad(side=1, at=[(24.0, 20.0), (24.0 + edge, 20.0), (24.0 - edge - 0.01, 20.0)])
    position = table(
        squad(at=[(24.0, 10.0)], weapons=(gun("tube", area=area),)), enemies, squad(at=[(24.0, 20.0 - edge)])
    )
    shoot(position, "tube", 1, dice="8 | 13 13 13")
    assert lost(position) == [1, 2, 4]


@covers("templates/area-attack", "core/levels")
@pytest.mark.parametrize(("height", "struck"), [(0.99, [1, 2]), (1.0, [1])])
def test_only_on_the_level_of_the_centre(height: float, struck: list[int]) -> None:
    position = duel((24.0, 20.0), (25.3, 20.0), weapon=TUBE)
    position.model(2).move_to(25.3, 20.0, height)
    assert [m.row for m in touched(position, SIZES["SE"], (24.0, 20.0), 0.0)] == struck


@covers("templates/area-attack", "structures/line-of-sight")
def test_an_intact_structure_screens_from_a_template() -> None:
    house = piece((24.5, 18.0), (0.2, 4.0), ("intact",), 3.0, name="house")
    position = duel((24.0, 20.0), (25.35, 20.0), weapon=TUBE, pieces=[house])
    assert [m.row for m in touched(position, SIZES["SE"], (23.8, 20.0), 0.0)] == [1]
    assert [m.row for m in touched(position, SIZES["SE"], (24.9, 20.0), 0.0)] == [2]


@covers("templates/area-attack", "structures/access-points", "structures/line-of-sight")
@pytest.mark.parametrize("windows", [0, 1])
def test_a_template_reaches_in_through_a_window(windows: int) -> None:
    house = piece((20.0, 20.0), (8.0, 8.0), ("intact",), 3.0, name="house")
    window = piece((23.0, 19.9), (2.0, 0.2), ("window",), 3.0, name="house:window")
    position = duel((24.0, 20.8), weapon=TUBE, pieces=[house, window][: 1 + windows])
    assert len(touched(position, SIZES["SE"], (24.0, 19.5), 0.0)) == windows


@covers("templates/power-shot", "core/power-shot")
def test_a_power_shot_strikes_the_primary_target_alone() -> None:
    position = duel((24.0, 20.0), (25.5, 20.0), weapon=TUBE)
    played = shoot(position, "tube", 1, dice="1 | 12")
    assert played.rolls == ["to-hit", "armour"]
    assert lost(position) == [1]


@covers("vehicles/av-facing", "templates/area-attack")
@pytest.mark.parametrize(("at", "rear"), [((24.0, 19.0), False), ((24.0, 21.0), True)])
def test_a_template_strikes_the_side_on_which_its_centre_lies(at: tuple[float, float], rear: bool) -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(TUBE,))
    position = table(own, squad(side=1, at=[(24.0, 20.0)], vehicle=vehicle()))
    gun_used = gun_of(position.model(0), "tube")
    assert hit_under(gun_used, position.model(1), landing(position, at, False), plan(position, "tube", 1)).rear is rear


@covers("templates/area-attack")
def test_one_test_for_each_point_of_rof() -> None:
    position = duel((24.0, 20.0), weapon=gun("tube", area="SE", rof=2))
    played = shoot(position, "tube", 1, dice="12 12 | 12 12")
    assert played.rolls == ["to-hit", "to-hit", "armour", "armour"]


# ---------------------------------------------------------------- templates/flame


@covers("templates/flame", "core/friendly-fire")
def test_a_flame_strikes_every_model_that_it_touches_without_a_test() -> None:
    position = duel((24.0, 15.0), (25.6, 15.0), (24.0, 17.3), weapon=FLAMER, friends=[(24.0, 12.0)])
    played = shoot(position, "flamer", [24.0, 15.0], dice="13 13 13")
    assert played.rolls == ["armour"] * 3
    assert lost(position) == [1, 2, 3]


@covers("templates/flame", "templates/sizes")
@pytest.mark.parametrize(("area", "length"), [("FP", 6.0), ("FG", 9.0), ("SG", 8.0)])
def test_how_long_the_wedges_are(area: str, length: float) -> None:
    weapon = gun("flamer", range=None, area=area, type="fire")
    for more, count in ((1.19, 1), (1.21, 0)):
        position = duel((24.0, 10.0 + length + more), weapon=weapon)
        assert len(usable(position.model(0), SHOOT)) == count
        assert range_of(guns_of(position.model(0))[0]) == length


@covers("templates/flame", "core/front-rear")
@pytest.mark.parametrize(("turn", "lawful"), [(74.0, True), (76.0, False)])
def test_a_flame_is_laid_in_the_front(turn: float, lawful: bool) -> None:
    at = (24.0 + 5 * math.sin(math.radians(turn)), 10.0 + 5 * math.cos(math.radians(turn)))
    position = duel(at, weapon=FLAMER)
    question = wedge_question(gun_of(position.model(0), "flamer"), plan(position, "flamer", [24.0, 15.0]))
    assert (question.refusal(list(at)) is None) is lawful


@covers("templates/flame", "core/front-rear")
def test_an_enemy_beside_the_shooter_is_burned_with_the_edge_of_the_flame() -> None:
    position = duel((28.0, 9.8), weapon=FLAMER)
    question = wedge_question(gun_of(position.model(0), "flamer"), plan(position, "flamer", [28.0, 11.2]))
    assert question.refusal([28.0, 9.8]) is not None
    (found,) = question.suggestions()
    assert question.refusal(found) is None
    assert question.refusal(question.sample(Random(1))) is None
    behind = duel((28.0, 9.3), weapon=FLAMER)
    assert usable(behind.model(0), SHOOT) == []


@covers("templates/flame")
def test_whoever_is_out_of_sight_is_not_burned() -> None:
    wall = piece((20.3, 13.0), (4.0, 0.2), ("solid",), 3.0)
    position = duel((23.2, 15.5), (25.4, 15.5), weapon=FLAMER, pieces=[wall])
    shoot(position, "flamer", [24.4, 16.0], dice="13")
    assert lost(position) == [2]


@covers("templates/flame", "shooting/target-identified")
@pytest.mark.parametrize(("die", "again"), [("14", False), ("15", True)])
def test_the_nearest_must_be_touched_or_identified(die: str, again: bool) -> None:
    position = duel((20.0, 13.0), (27.0, 15.0), weapon=FLAMER)
    dice = f"{die} 12"
    answers = [[[20.0, 13.0]]] if again else []
    played = shoot(position, "flamer", [27.0, 15.0], dice=dice, answers=answers)
    assert played.rolls == ["target-identified", "armour"]
    if again:
        field = next(q for q in played.questions if q.prompt == "shot-again").field([])  # type: ignore[attr-defined]
        assert field.refusal([27.0, 15.0]) is not None


@covers("templates/flame-cover", "armour/halved")
@pytest.mark.parametrize(("covered", "die", "falls"), [(True, "7", True), (True, "6", False), (False, "12", False)])
def test_in_cover_armour_is_halved_against_a_flame(covered: bool, die: str, falls: bool) -> None:
    pieces = [piece((22.0, 14.0), tags=("light",))] if covered else []
    position = duel((24.0, 15.0), weapon=FLAMER, pieces=pieces)
    shoot(position, "flamer", [24.0, 15.0], dice=die)
    assert is_lost(position, 1) is falls


@covers("abilities/fireproof", "abilities/flammable", "templates/flame-cover")
@pytest.mark.parametrize(("ability", "value"), [("fireproof", 16), ("flammable", 2)])
def test_fireproof_and_flammable_against_a_flame_in_cover(ability: str, value: int) -> None:
    for die, falls in ((value, False), (value + 1, True)):
        own = squad(at=[(24.0, 10.0)], weapons=(FLAMER,))
        woods = piece((22.0, 14.0), tags=("light",))
        position = table(own, squad(side=1, at=[(24.0, 15.0)], abilities=(ability,)), pieces=[woods])
        shoot(position, "flamer", [24.0, 15.0], dice=str(die))
        assert is_lost(position, 1) is falls


@covers("templates/flame", "cards/burn-rof")
def test_the_rof_of_a_flame_is_always_1() -> None:
    position = duel((24.0, 15.0), weapon=FLAMER)
    position.gain(0, marks.RESOURCES, 3)
    assert prompt(position, "flamer") == "lay-wedge"
    assert usable(position.model(0), RAPID) == []


@covers("templates/shotgun")
def test_a_shotgun_tests_rs_as_often_as_its_rof_against_each() -> None:
    woods = piece((25.0, 14.0), (4.0, 2.0), tags=("light",))
    position = duel((24.0, 15.0), (25.7, 15.0), weapon=SHOTGUN, pieces=[woods])
    played = shoot(position, "shotgun", [24.8, 15.0], dice="13 13 | 10 11 | 13")
    assert played.rolls == ["to-hit", "to-hit", "armour"]
    assert lost(position) == [2]


# ---------------------------------------------------------------- armoury/grenade-*


@covers("armoury/grenade-range")
@pytest.mark.parametrize(("y", "legal"), [(21.2, True), (21.21, False)])
def test_a_grenade_reaches_as_far_as_the_thrower_is_strong(y: float, legal: bool) -> None:
    position = duel((24.0, y), weapon=GRENADE, st=10)
    assert (1 in offered(position, "grenade")) is legal


@covers("armoury/grenade-range", "abilities/berserk-modifiers")
def test_lasting_modifiers_of_st_count() -> None:
    position = duel((24.0, 20.0), weapon=GRENADE, abilities=("berserk",))
    position.model(0).mark(marks.BERSERK, 1)
    assert range_of(gun_of(position.model(0), "grenade")) == 12.0


@covers("armoury/grenade-point")
def test_a_grenade_may_be_thrown_at_a_point_without_priority() -> None:
    position = duel((24.0, 18.0), (28.0, 18.0), weapon=GRENADE)
    assert "point" in offered(position, "grenade")
    played = shoot(position, "grenade", "point", [29.5, 18.0], dice="12 | 13")
    assert played.rolls == ["to-hit", "armour"]
    assert lost(position) == [2]


@covers("armoury/grenade-point", "shooting/intervening-models")
@pytest.mark.parametrize(("y", "needed"), [(18.0, 12), (18.59, 12), (18.61, 8)])
def test_an_enemy_on_whom_the_point_lies_is_no_cover_for_it(y: float, needed: int) -> None:
    position = duel((24.0, 18.0), weapon=GRENADE)
    missed = shoot(position, "grenade", "point", [24.0, y], dice=f"{needed + 1} | 20 20")
    assert missed.rolls[:2] == ["to-hit", "deviation-direction"]
    position = duel((24.0, 18.0), weapon=GRENADE)
    assert shoot(position, "grenade", "point", [24.0, y], dice=f"{needed} | 1").rolls == ["to-hit", "armour"]


@covers("armoury/grenade-point", "armoury/grenade-range", "core/friendly-fire")
@pytest.mark.parametrize(
    ("at", "rule"),
    [
        ((24.0, 20.6), ""),
        ((24.0, 20.61), "armoury/grenade-range"),
        ((24.0, 9.9), "armoury/grenade-point"),
        ((26.0, 14.5), "armoury/grenade-point"),
        ((26.0, 14.7), ""),
        ((30.5, 13.5), "armoury/grenade-point"),
    ],
)
def test_where_a_grenade_may_be_thrown(at: tuple[float, float], rule: str) -> None:
    wall = piece((28.0, 13.0), (4.0, 0.2), ("solid",), 3.0)
    position = duel((24.0, 18.0), weapon=GRENADE, friends=[(26.0, 14.0)], pieces=[wall])
    refusal = point_question(gun_of(position.model(0), "grenade")).refusal(list(at))
    assert ("" if refusal is None else refusal.rule) == rule


@covers("armoury/grenade-reclaim", "shooting/reclaim-cover")
def test_the_thrower_reclaims_the_piece_at_the_point_unless_he_needs_it_on_his_own() -> None:
    there = piece((22.0, 17.0), (4.0, 2.0), ("light",), name="there")
    beside = piece((22.0, 11.0), (4.0, 2.0), ("light",), name="beside")
    position = duel((40.0, 40.0), weapon=GRENADE, pieces=[there])
    assert offered(position, "grenade", "point", [24.0, 18.0]) == ["there", "none"]
    assert plan(position, "grenade", "point", [24.0, 18.0], "there").reclaimed == "there"
    both = duel((40.0, 40.0), weapon=GRENADE, pieces=[there, beside])
    assert offered(both, "grenade", "point", [24.0, 18.0]) == ["beside", "none"]
    for reclaimed, die in (("there", 13), ("none", 11)):
        assert shoot(position, "grenade", "point", [24.0, 18.0], reclaimed, dice=f"{die} | 20 1").rolls[0] == "to-hit"


@covers("armoury/grenade-deviation")
def test_a_grenade_deviates_by_a_quarter_of_the_die() -> None:
    position = duel((24.0, 18.0), (24.0, 22.0), weapon=GRENADE)
    shoot(position, "grenade", 1, dice="13 | 20 13 | 13")
    assert lost(position) == [2]


@covers("armoury/grenade-no-power-shot", "templates/power-shot")
def test_grenades_are_never_power_shots() -> None:
    position = duel((24.0, 18.0), weapon=GRENADE)
    assert shoot(position, "grenade", 1, dice="1 | 12").rolls == ["to-hit", "armour"]


@covers("armoury/grenade-fumble")
def test_a_natural_20_brings_the_grenade_back() -> None:
    position = duel((24.0, 18.0), weapon=GRENADE, friends=[(26.0, 10.0)])
    played = shoot(position, "grenade", 2, dice="20 | 13 13")
    assert played.rolls == ["to-hit", "armour", "armour"]
    assert lost(position) == [0, 1]


@covers("armoury/grenade-antivehicle-melee", "armoury/grenade-b2b", "armoury/grenade-profiles")
def test_contact_grenades_are_not_thrown() -> None:
    sticky = gun("sticky", "grenade", range=None, avv=6, rules=("anti-vehicle",))
    assert usable(duel((24.0, 10.7), weapon=sticky).model(0), SHOOT) == []


@covers("armoury/grenade-stun-effect", "abilities/relentless", "core/weapon-profile")
def test_a_stun_grenade_stuns_small_bases() -> None:
    own = squad(
        at=[(24.0, 10.0)], weapons=(gun("stun", "grenade", ("stun",), range=None, by_strength=True, area="SE"),)
    )
    enemies = squad(
        side=1,
        at=[(24.0, 18.0), (25.3, 18.0), (22.7, 18.0)],
        of=[{}, {"base": "medium"}, {"abilities": ("relentless",)}],
    )
    position = table(own, enemies, squad(at=[(24.0, 19.5)]))
    played = shoot(position, "stun", 1, dice="12")
    assert played.rolls == ["to-hit"]
    assert [m.marks(marks.STUN) for m in position.models] == [0, 1, 0, 0, 1]


@covers("armoury/grenade-incendiary-effect", "armour/halved")
@pytest.mark.parametrize(("where", "die"), [("in", 6), ("behind", 6), ("none", 12)])
def test_an_incendiary_grenade_halves_armour_in_cover(where: str, die: int) -> None:
    fire = gun("fire", "grenade", ("incendiary",), range=None, by_strength=True, area="SE")
    at = {"in": (24.0, 17.0), "behind": (22.0, 15.0), "none": (40.0, 40.0)}[where]
    woods = piece(at, (3.0, 1.0), ("light",))
    for shown, falls in ((die, False), (die + 1, True)):
        position = duel((24.0, 18.0), weapon=fire, pieces=[woods], abilities=("fireproof", "flammable"))
        shoot(position, "fire", 1, dice=f"1 | {shown}")
        assert is_lost(position, 1) is falls


# ---------------------------------------------------------------- armoury/burst-*


@covers("armoury/burst-line", "armoury/burst-hits")
@pytest.mark.parametrize(("die", "falls"), [("10 13", True), ("11", False)])
def test_what_a_burst_crosses_is_hit_on_1_to_10(die: str, falls: bool) -> None:
    position = duel((24.0, 20.0), (24.0, 24.0), weapon=LANCE)
    played = shoot(position, "lance", 1, dice=f"12 | {die.split()[0]} | 12 {' '.join(die.split()[1:])}")
    assert played.rolls[:3] == ["to-hit", "burst", "armour"]
    assert is_lost(position, 2) is falls


@covers("armoury/burst-line", "core/friendly-fire", "armoury/burst-level")
def test_friend_and_foe_before_and_behind_out_to_the_full_range() -> None:
    position = duel((24.0, 20.0), (24.0, 29.1), (24.0, 29.3), weapon=LANCE, friends=[(24.5, 12.0)])
    line = Line(0, 2, 18.0, 5)
    assert [m.row for m in crossed_models(position, line)] == [1, 3]
    position.model(1).move_to(24.5, 12.0, 1.0)
    assert [m.row for m in crossed_models(position, line)] == [3]
    position.model(1).move_to(24.61, 12.0, 0.0)
    assert [m.row for m in crossed_models(position, line)] == [3]


@covers("armoury/burst-level", "core/levels")
@pytest.mark.parametrize(("z", "count"), [(0.99, 1), (1.0, 0)])
def test_only_targets_on_the_own_level(z: float, count: int) -> None:
    position = duel((24.0, 20.0), weapon=LANCE)
    position.model(1).move_to(24.0, 20.0, z)
    assert len(usable(position.model(0), SHOOT)) == count


@covers("armoury/burst-vehicles", "core/critical")
@pytest.mark.parametrize(("face", "ps"), [(4, 2), (5, 1)])
def test_on_1_to_4_a_burst_costs_vehicles_two_ps(face: int, ps: int) -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(LANCE,))
    target, other = (squad(side=1, at=[(24.0, y)], vehicle=vehicle(av=5, ps=3)) for y in (16.0, 22.0))
    position = table(own, target, other)
    shoot(position, "lance", 1, dice=f"{face} | 10 | 12 20 | 12 20")
    assert [position.model(row).marks("ps-lost-weapons") for row in (1, 2)] == [ps, ps]


@covers("armoury/burst-hits", "structures/destructible")
def test_a_burst_crosses_pieces_of_terrain() -> None:
    wall = piece((22.0, 24.0), (4.0, 0.2), ("solid", "linear", "row-wall"), 1.0, name="wall")
    position = duel((24.0, 20.0), weapon=gun("lance", "burst", range=18.0, avv=3), pieces=[wall])
    shoot(position, "lance", 1, dice="12 | 10 | 12 | 20")
    assert ps_lost(position, "wall") == 1


# ---------------------------------------------------------------- armoury/*


@covers("armoury/enforcer-headshot", "core/power-shot", "core/critical")
@pytest.mark.parametrize(("face", "wounds"), [("1", 2), ("2 13", 1)])
def test_a_headshot_costs_two_wounds(face: str, wounds: int) -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(gun("enforcer", "pistol", ("headshot",)),))
    position = table(own, squad(side=1, at=[(24.0, 20.0)], w=3))
    shoot(position, "enforcer", 1, dice=face)
    assert position.model(1).marks(marks.WOUNDS) == wounds


@covers("armoury/car24-launcher", "cards/burn-ability", "armoury/automatic")
def test_a_launcher_burns_a_card_and_serves_two_of_a_squad_in_a_turn() -> None:
    launcher = Fire(range=18.0, area="SE", st=10, burn=1, per_squad=2)
    own = squad(3, at=(22.5, 10.0), weapons=(gun("car", more=[launcher]),))
    position = table(own, squad(side=1, at=[(24.0, 20.0)], w=9))
    keys = [one.key for one in usable(position.model(0), SHOOT)]
    assert keys == ["car"]
    position.gain(0, marks.RESOURCES, 4)
    for row in (0, 1):
        assert "car/2" in [one.key for one in usable(position.model(row), SHOOT)]
        shoot(position, "car/2", "keep", 3, dice="12 | 12", row=row)
    assert position.holds(0, marks.BURNED) == 2
    assert [one.key for one in usable(position.model(2), SHOOT)] == ["car"]


@covers("armoury/car24-launcher")
def test_a_launcher_that_one_model_uses_twice_still_serves_another() -> None:
    """Once in its activation and once on Sentry: it is one model of the two."""
    launcher = Fire(range=18.0, area="SE", st=10, burn=1, per_squad=2)
    own = squad(3, at=(22.5, 10.0), weapons=(gun("car", more=[launcher]),))
    position = table(own, squad(side=1, at=[(24.0, 20.0)], w=9))
    position.gain(0, marks.RESOURCES, 4)
    for row in (0, 0, 1):
        assert "car/2" in [one.key for one in usable(position.model(row), SHOOT)]
        shoot(position, "car/2", "keep", 3, dice="12 | 12", row=row)
    assert [one.key for one in usable(position.model(2), SHOOT)] == ["car"]
    assert "car/2" in [one.key for one in usable(position.model(0), SHOOT)]


@covers("armoury/transfuser-ichor", "core/removal", "core/friendly-fire")
def test_ichor_bursts_where_the_transfuser_eliminates() -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(gun("transfuser", "special", ("ichor", "nauseating")),))
    position = table(own, squad(side=1, at=[(24.0, 20.0), (25.5, 20.0), (27.0, 20.0)], ld=20))
    played = shoot(position, "transfuser", 1, dice="12 | 13 | 15 | 17", accepting=True)
    assert played.rolls == ["to-hit", "armour", "armour", "pinning"]
    assert lost(position) == [1, 2]


@covers("armoury/transfuser-nauseating", "armoury/transfuser-ichor", "morale/pinning-test")
@pytest.mark.parametrize(("die", "pinned"), [(11, 0), (12, 1)])
def test_a_squad_that_loses_a_model_to_ichor_alone_tests_as_if_the_transfuser_had_hit_it(die: int, pinned: int) -> None:
    """On the LD of 14 of the squad beside the one that was shot at."""
    own = squad(at=[(24.0, 10.0)], weapons=(gun("transfuser", "special", ("ichor", "nauseating")),))
    shot, beside = squad(side=1, at=[(24.0, 20.0)]), squad(side=1, at=[(30.0, 20.0), (25.5, 20.0)])
    position = table(own, shot, beside)
    played = shoot(position, "transfuser", 1, dice=f"12 | 13 | 15 | {die}", accepting=True)
    assert played.rolls == ["to-hit", "armour", "armour", "pinning"]
    assert lost(position) == [1, 3]
    assert position.model(2).marks(marks.PINNED) == pinned


@covers("armoury/transfuser-ichor")
def test_who_falls_to_ichor_makes_no_other_and_st_8_lets_armour_hold() -> None:
    own = squad(at=[(24.0, 10.0)], weapons=(gun("transfuser", "special", ("ichor",)),))
    position = table(own, squad(side=1, at=[(24.0, 20.0), (25.5, 20.0), (27.0, 20.0)]))
    shoot(position, "transfuser", 1, dice="12 | 13 | 15", accepting=True)
    assert lost(position) == [1, 2]


@covers("armoury/special", "armoury/automatic")
def test_pistols_and_special_weapons_shoot_like_others() -> None:
    for kind in ("pistol", "special", "automatic"):
        position = duel((24.0, 20.0), weapon=gun("it", kind))
        shoot(position, "it", 1, dice="12 13")
        assert lost(position) == [1]


# ---------------------------------------------------------------- structures as targets


def walled(avv: int = 5, row: str = "wall", **fire: Any) -> Position:
    wall = piece((22.0, 16.0), (4.0, 0.2), ("solid", "linear", f"row-{row}"), 1.0, name="wall")
    return duel((24.0, 20.0), (26.5, 16.1), weapon=gun("tube", avv=avv, **fire), pieces=[wall])


@covers("structures/attack-target", "structures/avv-minimum", "structures/destructible")
@pytest.mark.parametrize(("avv", "found"), [(2, []), (3, ["wall"])])
def test_weapons_of_avv_2_or_less_damage_no_terrain(avv: int, found: list[str]) -> None:
    position = walled(avv)
    assert pieces_in_reach(gun_of(position.model(0), "tube")) == found
    assert ("wall" in offered(position, "tube")) is bool(found)


@covers("structures/attack-target", "core/front-rear", "core/line-of-sight")
def test_the_piece_is_in_sight_in_the_front_and_in_range() -> None:
    position = walled()
    model = position.model(0)
    for facing, y, found in ((0.0, 10.0, True), (180.0, 10.0, False), (0.0, -8.6 + 0.01, False)):
        if y > 0:
            model.move_to(24.0, y, facing=facing)
            assert bool(pieces_in_reach(gun_of(model, "tube"))) is found
    hidden = piece((18.0, 13.0), (12.0, 0.2), ("solid",), 4.0, name="screen")
    wall = position.ground.piece("wall")
    other = duel((24.0, 20.0), weapon=gun("tube", avv=5), pieces=[wall, hidden])
    assert pieces_in_reach(gun_of(other.model(0), "tube")) == []
    far = duel((24.0, 20.0), weapon=gun("tube", avv=5, range=5.4), pieces=[wall])
    assert pieces_in_reach(gun_of(far.model(0), "tube")) == ["wall"]
    farther = duel((24.0, 20.0), weapon=gun("tube", avv=5, range=5.39), pieces=[wall])
    assert pieces_in_reach(gun_of(farther.model(0), "tube")) == []


@covers("structures/line-of-sight", "structures/attack-target")
@pytest.mark.parametrize(
    ("x", "y", "found"),
    [(24.0, 10.2, ["house", "wall"]), (24.0, 10.1, ["house"]), (21.0, 11.4, ["house"])],
)
def test_a_piece_is_fired_at_from_inside_through_an_access_point(x: float, y: float, found: list[str]) -> None:
    """A window in the middle of the north wall, at y 12; whoever fires is within an inch of it, or is not."""
    wall = walled().ground.piece("wall")
    house = piece((20.0, 8.0), (8.0, 4.0), ("solid", "intact", "row-wood"), 3.0, name="house", kind="building")
    window = piece((23.0, 11.8), (2.0, 0.4), ("window",), 2.25, name="house:window-1", kind="window")
    position = duel((24.0, 30.0), weapon=gun("tube", avv=5), pieces=[wall, house, window])
    position.model(0).move_to(x, y)
    assert sorted(pieces_in_reach(gun_of(position.model(0), "tube"))) == found


@covers("structures/hit-shooting", "structures/attack-damage", "armour/av-test")
@pytest.mark.parametrize(("die", "ps"), [("16 10", 1), ("16 9", 0), ("17", 0), ("1 9", 0), ("1 10", 1)])
def test_terrain_is_hit_on_1_to_16_and_a_1_is_an_ordinary_hit(die: str, ps: int) -> None:
    position = walled()
    played = shoot(position, "tube", "wall", dice=die)
    assert ps_lost(position, "wall") == ps
    assert played.rolls == ["to-hit", "av-test"][: len(die.split())]


@covers("structures/attack-target")
def test_every_shot_goes_to_the_same_piece() -> None:
    position = walled(rof=3)
    assert prompt(position, "tube", "wall") == ""
    assert len(plan(position, "tube", "wall").targets) == 3
    shoot(position, "tube", "wall", dice="16 16 17 | 20 20")
    assert ps_lost(position, "wall") == 2


@covers("structures/template-target")
@pytest.mark.parametrize(("dice", "ps"), [("16 | 20", 1), ("17 | 5 4 | 20", 1), ("17 | 20 20", 0)])
def test_a_template_at_a_piece_damages_that_alone(dice: str, ps: int) -> None:
    position = walled(area="SE")
    shoot(position, "tube", "wall", dice=dice)
    assert ps_lost(position, "wall") == ps
    assert lost(position) == []


@covers("structures/template-target", "templates/flame")
def test_a_flame_hits_a_piece_without_a_die() -> None:
    wall = piece((22.0, 14.0), (4.0, 0.2), ("solid", "linear", "row-wall"), 1.0, name="wall")
    flamer = gun("flamer", "special", range=None, area="FP", type="fire", avv=4)
    position = duel((24.0, 15.0), weapon=flamer, pieces=[wall])
    assert offered(position, "flamer") == ["wedge", "wall"] or offered(position, "flamer") == ["wall"]
    assert shoot(position, "flamer", "wall", dice="20").rolls == ["av-test"]
    assert ps_lost(position, "wall") == 1
