"""The rules of weapons, one by one, on both sides of their boundaries (3.2.2, 3.2.3, 9.1.1)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.rulesets.e55.armies.profile import Line, Mount, Weapon
from campale.rulesets.e55.shooting_phase.targets import lawful_options
from campale.rulesets.e55.weapons import weapon_rules
from tests.rulesets.e55.kit import WEAPONS, model, profile, rules, squad, table, unit


def line(id: str) -> Line:
    return WEAPONS[id].lines[0]


def with_rules(*has: str, range: float = 48.0) -> Line:
    return Line("ranged", range, 4, False, 5, rules(*has))


def ways(kind: str, *carried: Any, **marks: int) -> list[int]:
    """How many attacks one may declare."""
    battle = table(squad(kind, 1, 0, (20, 10), *carried, **marks), squad("militia", 1, 1, (20, 30)))
    return [option.attacks for option in lawful_options(model(battle, 0))]


# ---------------------------------------------------------------- 3.2.2: attacks and to hit


@pytest.mark.covers("3.2.2/attack-count", "9.1.1/assault", "9.1.1/heavy", "9.1.1/pistol")
def test_a_weapon_makes_the_attacks_of_its_profile_or_one() -> None:
    found = [weapon_rules.attacks(line(id)) for id in ("carbine", "machine-gun", "sidearm", "marksman-rifle")]
    assert found == [2, 3, 1, 1]
    assert weapon_rules.attacks(with_rules()) == 1


@pytest.mark.covers("3.2.2/to-hit")
@pytest.mark.parametrize(("bs", "needed"), [(0, 7), (1, 6), (2, 5), (3, 4), (4, 3), (5, 2)])
def test_the_die_needed_is_7_minus_ballistic_skill(bs: int, needed: int) -> None:
    need = weapon_rules.to_hit(bs)
    assert [face for face in range(1, 7) if need.is_met_by(face)] == list(range(min(6, needed), 7))


@pytest.mark.covers("3.2.2/high-bs")
@pytest.mark.parametrize(("bs", "again"), [(5, None), (6, 6), (7, 5), (8, 4), (9, 3), (10, 2)])
def test_with_6_or_more_it_is_2_and_a_miss_is_rolled_again(bs: int, again: int | None) -> None:
    need, second = weapon_rules.to_hit(bs), weapon_rules.second_with_skill(bs)
    assert [need.is_met_by(face) for face in (1, 2)] == [False, True]
    assert (second is None) == (again is None)
    if second is not None and again is not None:
        assert [face for face in range(1, 7) if second.is_met_by(face)] == list(range(again, 7))


@pytest.mark.covers("3.2.2/high-bs", "3.2.3/close-bonus")
def test_the_re_roll_is_counted_from_the_modified_skill_kept_to_10() -> None:
    battle = table(squad(profile("veteran", bs=5), 1, 0, (20, 10)), squad(profile("veteran", bs=10), 1, 0, (30, 10)))
    rifle = line("rifle")
    assert weapon_rules.skill_at(model(battle, 0), rifle, 12) == 6
    assert weapon_rules.skill_at(model(battle, 0), rifle, 13) == 5
    assert weapon_rules.skill_at(model(battle, 1), rifle, 12) == 10


@pytest.mark.covers("3.2.3/close-bonus", "9.1.1/pistol")
def test_within_12_inches_skill_is_1_better_but_not_with_pistols() -> None:
    assert [weapon_rules.close_bonus(line("rifle"), distance) for distance in (12, 13)] == [1, 0]
    assert weapon_rules.close_bonus(line("sidearm"), 12) == 0


@pytest.mark.covers("3.2.3/long-penalty", "9.1.1/precision")
def test_beyond_36_inches_it_is_1_worse_but_not_with_precision() -> None:
    assert [weapon_rules.long_penalty(line("mortar"), distance) for distance in (36, 37)] == [0, -1]
    assert weapon_rules.long_penalty(line("marksman-rifle"), 37) == 0


@pytest.mark.covers("3.2.3/close-bonus", "3.2.3/long-penalty")
def test_the_need_shows_what_the_distance_does() -> None:
    assert [part.rule for part in weapon_rules.parts_at(line("rifle"), 10)] == ["3.2.3/close-bonus"]
    assert [part.rule for part in weapon_rules.parts_at(line("mortar"), 40)] == ["3.2.3/long-penalty"]
    assert weapon_rules.parts_at(line("rifle"), 20) == ()
    need = weapon_rules.to_hit(3, weapon_rules.parts_at(line("mortar"), 40))
    assert [need.is_met_by(face) for face in (4, 5)] == [False, True]


# ---------------------------------------------------------------- re-rolls


def chance(bs: int = 4, *adds: str, has: tuple[str, ...] = (), keywords: tuple[str, ...] = ()) -> int | None:
    """The least face that does when a failed die is rolled again; None: it is not."""
    battle = table(
        squad(profile("veteran", bs=bs, adds=adds), 1, 0, (20, 10)),
        squad(profile("militia", keywords=keywords), 2, 1, (20, 40)),
    )
    first = weapon_rules.to_hit(bs)
    found = weapon_rules.second_chance(model(battle, 0), unit(battle, 1), with_rules(*has), bs, first)
    return None if found is None else min(face for face in range(1, 7) if found.is_met_by(face))


@pytest.mark.covers("9.1.1/twin-linked")
def test_twin_linked_dice_are_rolled_again_with_the_same_number() -> None:
    assert chance(4, has=("twin-linked",)) == 3
    assert chance(4) is None


@pytest.mark.covers("8/favoured-enemy")
def test_so_are_those_at_a_favoured_enemy() -> None:
    assert chance(4, "favoured-enemy orks", keywords=("orks",)) == 3
    assert chance(4, "favoured-enemy orks", keywords=("elves",)) is None


@pytest.mark.covers("1.1/re-roll-once", "9.1.1/twin-linked")
def test_the_better_of_two_re_rolls_takes_the_place_of_the_weaker() -> None:
    assert chance(7) == 5
    assert chance(7, has=("twin-linked",)) == 2


# ---------------------------------------------------------------- 9.1.1: who may fire


@pytest.mark.covers("9.1.1/rapid-fire")
def test_rapid_fire_is_two_shots_within_half_range_or_one_of_a_model_that_stood_still() -> None:
    assert ways("veteran", "rifle") == [2, 1]
    assert ways("veteran", "rifle", moved=1) == [2]
    rifle = line("rifle")
    assert [weapon_rules.reaches(rifle, 2, distance) for distance in (12, 13)] == [True, False]
    assert [weapon_rules.reaches(rifle, 1, distance) for distance in (24, 25)] == [True, False]


@pytest.mark.covers("9.1.1/heavy")
def test_a_heavy_weapon_is_fired_only_by_who_has_not_moved() -> None:
    assert ways("veteran", "machine-gun") == [3]
    assert ways("veteran", "machine-gun", "carbine", moved=1) == [2]


@pytest.mark.covers("9.1.1/heavy", "7.9/weapons-count-stationary")
def test_vehicles_fire_them_all_the_same() -> None:
    assert ways("tank", "machine-gun", "rifle", moved=1) == [3, 2, 1]


@pytest.mark.covers("9.1.1/heavy", "9.1.1/rapid-fire", "9.1.1/assault", "9.1.1/pistol")
def test_heavy_and_rapid_fire_rule_out_charging_and_nothing_else_does() -> None:
    ids = "machine-gun", "rifle", "carbine", "sidearm", "flamethrower"
    assert [weapon_rules.rules_out_charging(line(id)) for id in ids] == [True, True, False, False, False]


# ---------------------------------------------------------------- 9.1.1: strength and what hits carry


@pytest.mark.covers("9.1.1/laser")
def test_a_laser_loses_a_point_for_every_12_inches_or_part_of_12() -> None:
    found = [weapon_rules.strength_at(line("beam-gun"), distance) for distance in (0, 1, 12, 13, 24, 25, 36, 37)]
    assert found == [8, 7, 7, 6, 6, 5, 5, 4]
    assert weapon_rules.strength_at(line("rifle"), 24) == 4
    assert weapon_rules.strength_at(Line("ranged", 72, 2, rules=rules("laser")), 60) == 0


@pytest.mark.covers("9.1.1/thermal")
def test_a_thermal_weapon_gains_2_within_half_range() -> None:
    assert [weapon_rules.strength_at(line("fusion-gun"), distance) for distance in (6, 7)] == [10, 8]
    assert weapon_rules.strength_at(line("rifle"), 6) == 4


@pytest.mark.covers("9.1.1/rending", "9.1.1/precision", "3.2.2/hit-inherits")
def test_precision_is_rending_too_and_hits_keep_it() -> None:
    ids = "shrapnel-gun", "marksman-rifle", "rifle"
    assert [weapon_rules.rules_of_hit(line(id)) for id in ids] == [("rending",), ("rending",), ()]


@pytest.mark.covers("3.2.2/ranged-grants-cover", "9.1/template", "9.1.1/precision")
def test_shots_let_cover_help_but_for_precision_and_templates() -> None:
    ids = "rifle", "mortar", "marksman-rifle", "flamethrower"
    assert [weapon_rules.lets_cover_help(line(id)) for id in ids] == [True, True, False, False]


@pytest.mark.covers("9.1.1/area-size")
def test_markers_are_3_and_5_inches_across() -> None:
    ids = "mortar", "field-cannon", "rifle"
    assert [weapon_rules.marker_of(line(id)) for id in ids] == [1.5, 2.5, None]


def test_a_weapon_of_several_profiles_may_be_fired_with_either() -> None:
    combined = Weapon("combi", {}, (line("rifle"), line("fusion-gun")))
    battle = table(squad(profile("veteran", Mount(combined)), 1, 0, (20, 10)), squad("militia", 1, 1, (20, 30)))
    assert [(one.line, one.attacks) for one in lawful_options(model(battle, 0))] == [(0, 2), (0, 1), (1, 1)]
