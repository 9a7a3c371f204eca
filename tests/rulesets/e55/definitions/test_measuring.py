"""Measuring: the gap plus the height, rounded down once; shots downwards and at what flies."""

from __future__ import annotations

import math

import pytest

from campale.referee.position import ABOARD, Position
from campale.rulesets.e55.definitions.measuring import (
    are_in_contact,
    beyond,
    contacts,
    distance,
    distance_to_point,
    exact,
    exact_of_models,
    flying_target,
    gap,
    less_than,
    nearest_pair,
    rounded_down,
    shot_distance,
    within,
)
from campale.rulesets.e55.definitions.units import members
from tests.rulesets.e55.kit import model, profile, squad, table, unit


def two(apart: float, one: str = "militia", other: str = "militia", z: float = 0.0, **state: int) -> Position:
    """Two models whose centres are so far apart along x; the second stands at a height."""
    return table(squad(one, at=(20.0, 20.0)), squad(other, 1, 1, (20.0 + apart, 20.0), z=z, **state))


def between(position: Position) -> int:
    return distance(model(position, 0), model(position, 1))


@pytest.mark.covers("1.1/measure-nearest-points", "1.1/model-is-its-base", "1.1/entity")
def test_distance_is_between_the_closest_points_of_the_bases() -> None:
    assert exact(*(model(two(6.0), row) for row in (0, 1))) == 5.0
    assert exact(*(model(two(6.0, "great-beast"), row) for row in (0, 1))) == 4.25
    assert distance_to_point(model(two(6.0), 0), (24.5, 20.0)) == 4
    assert distance_to_point(model(two(6.0), 0), (24.4, 20.0)) == 3


@pytest.mark.covers("1.1/measure-nearest-points")
def test_units_are_as_far_apart_as_their_two_closest_models() -> None:
    position = table(squad("militia", 2, at=[(10, 10), (14, 10)]), squad("militia", 2, 1, [(20, 10), (30, 10)]))
    assert exact_of_models(members(unit(position, 0)), members(unit(position, 1))) == 5.0
    assert exact_of_models(members(unit(position, 0)), []) == math.inf
    pair = nearest_pair([model(position, 0), model(position, 1)], [model(position, 3), model(position, 2)])
    assert [found.row for found in pair] == [1, 2]


@pytest.mark.covers("1.1/measure-nearest-points", "3.3.1/engaged")
def test_touching_bases_are_at_distance_0_and_in_contact() -> None:
    touching, apart = two(1.0), two(1.003)
    assert (between(touching), are_in_contact(model(touching, 0), model(touching, 1))) == (0, True)
    assert (between(apart), are_in_contact(model(apart, 0), model(apart, 1))) == (0, False)
    assert [one.row for one in contacts(model(touching, 0), [model(touching, 1)])] == [1]
    assert contacts(model(apart, 0), [model(apart, 1)]) == []


@pytest.mark.covers("1.1/measure-round-down")
@pytest.mark.parametrize(("apart", "measured"), [(25.9, 24), (25.0, 24), (24.99, 23), (1.9999, 0)])
def test_a_distance_is_rounded_down_to_the_whole_inch(apart: float, measured: int) -> None:
    assert between(two(apart)) == measured


@pytest.mark.covers("1.1/measure-round-down")
def test_it_is_rounded_once_after_all_that_is_added() -> None:
    assert rounded_down(2.6 + 0.5) == 3
    assert between(two(4.6, z=3.5)) == 7


@pytest.mark.covers("1.1/distance-comparators")
def test_within_less_than_and_beyond() -> None:
    assert (within(24, 24), within(25, 24)) == (True, False)
    assert (less_than(2, 3), less_than(3, 3)) == (True, False)
    assert (beyond(24, 24), beyond(25, 24)) == (False, True)


@pytest.mark.covers("1.1/measure-height")
def test_the_height_adds_to_the_distance_and_is_no_hypotenuse() -> None:
    assert between(two(5.0, z=3.0)) == 7
    assert between(two(5.0)) == 4
    above = two(1.0, z=3.0)
    assert not are_in_contact(model(above, 0), model(above, 1))
    assert (exact(model(above, 0), model(above, 1)), gap(model(above, 0), model(above, 1))) == (3.0, 0.0)


@pytest.mark.covers("1.1/measure-shooting-down")
def test_a_shot_downwards_leaves_the_height_out_and_one_upwards_adds_it() -> None:
    position = two(11.0, z=3.0)
    low, high = unit(position, 0), unit(position, 1)
    assert shot_distance(model(position, 0), high) == 13
    assert shot_distance(model(position, 1), low) == 10
    assert between(position) == 13


@pytest.mark.covers("3.2.1/range")
def test_a_shot_is_measured_to_the_nearest_model_of_the_target() -> None:
    position = table(squad("militia", at=(10, 10)), squad("militia", 3, 1, [(30, 10), (22.5, 10), (40, 10)]))
    assert shot_distance(model(position, 0), unit(position, 1)) == 11


@pytest.mark.covers("3.2.1/range", "7.10/fire-points")
def test_a_shot_may_be_measured_from_a_fire_point() -> None:
    position = two(11.0)
    assert shot_distance(model(position, 0), unit(position, 1), (22.0, 20.0, 1.0)) == 8


@pytest.mark.covers("6.1.1/fmc-distance", "6.2.1/jetbike-distance", "6.4/flying-infantry-distance")
@pytest.mark.parametrize("kind", ["winged-beast", "jetbiker", "jump-trooper"])
def test_what_flies_counts_as_half_its_x_farther_as_a_target(kind: str) -> None:
    flying, landed = two(13.0, other=kind, aloft=1), two(13.0, other=kind)
    assert shot_distance(model(flying, 0), unit(flying, 1)) == shot_distance(model(landed, 0), unit(landed, 1)) + 6
    assert between(flying) == between(landed)
    assert shot_distance(model(flying, 1), unit(flying, 0)) == between(landed)


@pytest.mark.covers("6.1.1/fmc-distance")
def test_half_an_odd_x_is_rounded_down_before_it_is_added() -> None:
    lame = profile("jump-trooper", x=11)
    position = table(squad("militia", at=(20, 20)), squad(lame, 1, 1, (26.5, 20), aloft=1))
    assert flying_target(model(position, 1)) == 5.0
    assert shot_distance(model(position, 0), unit(position, 1)) == 10


@pytest.mark.covers("6.1.1/flying-modes", "6.4/flying-infantry-distance")
def test_a_unit_that_mixes_flying_models_with_others_gains_no_distance() -> None:
    mixed = [profile("jump-trooper"), profile("captain")]
    position = table(squad("militia", at=(20, 20)), squad(mixed, 2, 1, [(33, 20), (33, 22)], aloft=1))
    assert shot_distance(model(position, 0), unit(position, 1)) == 12


@pytest.mark.covers("7.13/flyer-distance", "7.14/aircraft-speeds")
def test_a_flyer_is_its_speed_farther_both_ways_and_an_aircraft_its_flying_speed() -> None:
    position = table(squad("militia", at=(20, 20)), squad("flyer", 1, 1, (30, 20)))
    assert between(position) == 8 + 18
    assert shot_distance(model(position, 0), unit(position, 1)) == 26
    assert shot_distance(model(position, 1), unit(position, 0)) == 26
    assert distance_to_point(model(position, 1), (20.0, 20.0)) == 8 + 18
    up = table(squad("militia", at=(20, 20)), squad("aircraft", 1, 1, (30, 20), aloft=1))
    down = table(squad("militia", at=(20, 20)), squad("aircraft", 1, 1, (30, 20)))
    assert (between(up), between(down)) == (26, 8)


@pytest.mark.covers("7.13/flyer-distance", "3.2.1/range")
def test_so_is_one_who_shoots_out_of_it() -> None:
    kinds = (("transport", "flyer"), 2 + 18), (("transport",), 2)
    for subtypes, inches in kinds:
        carrier = profile("flyer", subtypes=subtypes, fire_points=((0.0, 2.5, 1.0),))
        position = table(squad(carrier, at=(20, 20)), squad("militia", at=None), squad("militia", 1, 1, (20, 25)))
        position.take_off(model(position, 1), ABOARD, model(position, 0))
        assert shot_distance(model(position, 1), unit(position, 2), (20.0, 22.5, 1.0)) == inches


@pytest.mark.covers("7.13/flyer-distance")
def test_within_a_squadron_of_flyers_nothing_is_added() -> None:
    position = table(squad("flyer", 2, at=[(20, 20), (27, 20)]), squad("flyer", 1, 0, (34, 20)))
    assert distance(model(position, 0), model(position, 1)) == 4
    assert distance(model(position, 1), model(position, 2)) == 4 + 36


@pytest.mark.covers("7/hull-measure", "1.1/model-without-base")
def test_a_vehicle_is_measured_from_its_hull_and_a_walker_from_its_round_footprint() -> None:
    position = table(squad("militia", at=(20, 20)), squad("tank", 1, 1, (20, 28)), squad("walker", 1, 1, (20, 12)))
    assert exact(model(position, 0), model(position, 1)) == 5.0
    sideways = table(squad("militia", at=(20, 20)), squad("tank", 1, 1, (20, 28), facing=90))
    assert exact(model(sideways, 0), model(sideways, 1)) == 6.0
    assert exact(model(position, 0), model(position, 2)) == 6.25
    assert exact(model(position, 1), model(position, 2)) == pytest.approx(12.25)
