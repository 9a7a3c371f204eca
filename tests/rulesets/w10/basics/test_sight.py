"""Who sees whom, fully or in part (visibility/*, terrain/ruins-visibility, ruins-visibility/*, within/*)."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.w10.basics.sight import (
    BY_AREA,
    BY_BARRICADE,
    BY_DEBRIS,
    ruins,
    sees,
    sees_unit,
    veils,
    wholly_within,
)
from tests.rulesets.w10.kit import model, piece, squad, table, unit

covers = pytest.mark.covers
Point = tuple[float, float]

RUINS = (30.0, 20.0)
SIZE = (10.0, 8.0)
"""From 25 to 35 across, from 16 to 24 deep."""


def both_ways(vehicle: Point, infantry: Point, kind: str = "ruins", **changes: Any) -> tuple[bool, bool]:
    """Whether a VEHICLE sees infantry with a feature about (30, 20), and whether it is seen."""
    position = table(
        squad("walker", at=vehicle, **changes), squad("line-squad", 1, 1, infantry), pieces=[piece(kind, *RUINS, SIZE)]
    )
    return sees(model(position, 0), model(position, 1)), sees(model(position, 1), model(position, 0))


@covers("core-concepts/line-of-sight", "visibility/visible")
@pytest.mark.parametrize(("z", "seen"), [(0.0, False), (0.8, True)])
def test_a_model_behind_another_unit_is_seen_below_it(z: float, seen: bool) -> None:
    """From top to top no line is clear; from the ground to the ground there is one."""
    position = table(squad("line-squad"), squad("line-squad", 1, 1, (30.0, 26.0)), squad("carrier", at=(30.0, 18.0)))
    position.move_to(model(position, 2), 30.0, 18.0, z=z)
    assert sees(model(position, 0), model(position, 1)) is seen


OUTSIDE, PARTLY, WHOLLY = (30.0, 10.0), (30.0, 16.0), (30.0, 20.0)


@covers("ruins-visibility/figure-7", "terrain/ruins-visibility", "terrain/ruins-visibility-test")
@pytest.mark.parametrize(
    ("infantry", "seen"), [((30, 30), (False, False)), ((30, 21), (True, True)), ((44, 12), (True, True))]
)
def test_figure_7_a_vehicle_outside(infantry: Point, seen: tuple[bool, bool]) -> None:
    assert both_ways(OUTSIDE, infantry) == seen


@covers("ruins-visibility/figure-8a", "terrain/ruins-visibility-test", "within/wholly-within")
def test_figure_8a_who_is_partly_within_does_not_see_through_but_is_seen() -> None:
    assert both_ways(PARTLY, (30, 30)) == (False, True)


@covers("ruins-visibility/figure-8b", "terrain/ruins-visibility")
def test_figure_8b_who_is_partly_within_sees_those_inside_and_is_seen() -> None:
    assert both_ways(PARTLY, (30, 22)) == (True, True)


@covers("ruins-visibility/figure-8c", "terrain/ruins-visibility-test")
def test_figure_8c_who_is_partly_within_sees_those_on_its_own_side() -> None:
    assert both_ways(PARTLY, (30, 8)) == (True, True)


@covers("ruins-visibility/figure-9a", "terrain/ruins-visibility")
def test_figure_9a_who_is_wholly_within_sees_out_and_is_seen() -> None:
    assert both_ways(WHOLLY, (30, 30)) == (True, True)


@covers("ruins-visibility/figure-9b", "terrain/ruins-visibility")
def test_figure_9b_both_wholly_within_see_each_other() -> None:
    assert both_ways(WHOLLY, (33.5, 20)) == (True, True)


@covers("ruins-visibility/figure-9c", "terrain/ruins-visibility")
def test_figure_9c_any_other_outside_sees_and_is_seen() -> None:
    assert both_ways(WHOLLY, (50, 20)) == (True, True)


@covers("terrain/ruins-visibility", "terrain/woods")
@pytest.mark.parametrize("keyword", ["towering", "aircraft"])
def test_towering_models_and_aircraft_see_over_ruins_and_are_seen(keyword: str) -> None:
    assert both_ways(OUTSIDE, (30, 30), keywords=("vehicle", keyword)) == (True, True)


@covers("terrain/woods", "terrain/craters", "terrain/general")
@pytest.mark.parametrize("kind", ["woods", "craters"])
def test_other_areas_block_no_line(kind: str) -> None:
    assert both_ways(OUTSIDE, (30, 30), kind) == (True, True)


@covers("core-concepts/line-of-sight", "terrain/debris", "visibility/visible")
def test_debris_hides_who_is_lower_behind_it_and_not_who_stands_out() -> None:
    size = (10.0, 8.0)
    low = table(
        squad("line-squad", at=(30, 14)), squad("line-squad", 1, 1, (30, 26)), pieces=[piece("debris", 30, 20, size)]
    )
    assert not sees(model(low, 0), model(low, 1))
    high = table(
        squad("beast", at=(30, 12)),
        squad("beast", 1, 1, (30, 28)),
        pieces=[piece("debris", 30, 20, size)],
    )
    assert sees(model(high, 0), model(high, 1))


@covers("core-concepts/line-of-sight", "terrain/barricades")
def test_over_a_barricade_one_is_seen_but_not_fully() -> None:
    position = table(
        squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 22)), pieces=[piece("barricade", 30, 20)]
    )
    assert sees(model(position, 0), model(position, 1))
    assert veil(position) == BY_BARRICADE


# ---------------------------------------------------------------- models in the way


def wall(side: int, **changes: Any) -> Any:
    """Models shoulder to shoulder across the way at y = 16."""
    at = [(26 + 1.27 * k, 16) for k in range(7)]
    return squad("line-squad", side=side, at=at, **changes)


@covers("core-concepts/line-of-sight", "visibility/visible")
@pytest.mark.parametrize("side", [0, 1])
def test_models_of_other_units_are_in_the_way_friend_or_enemy(side: int) -> None:
    position = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 17.3)), wall(side, height=3.0))
    assert not sees(model(position, 0), model(position, 1))
    lower = table(squad("line-squad", at=(30, 10)), squad("line-squad", 1, 1, (30, 17.3)), wall(side, height=1.0))
    assert sees(model(lower, 0), model(lower, 1))


@covers("core-concepts/line-of-sight", "visibility/see-through")
def test_those_of_the_own_unit_and_of_the_target_are_not() -> None:
    row = [(26 + 1.27 * k, 16.0) for k in range(7)]
    own = table(squad("line-squad", at=[(30, 10), *row], height=3.0), squad("line-squad", 1, 1, (30, 17.3)))
    assert sees(model(own, 0), model(own, 8))
    theirs = table(squad("line-squad", at=(30, 10)), squad("line-squad", side=1, at=[(30, 17.3), *row], height=3.0))
    assert sees(model(theirs, 0), model(theirs, 1))


@covers("visibility/visible", "shooting-phase/select-targets")
def test_a_unit_is_seen_if_one_model_of_it_is() -> None:
    position = table(
        squad("line-squad", at=(30, 10)),
        squad("line-squad", 2, 1, [(30, 30), (48, 30)]),
        squad("line-squad", 1, 1, (32, 30)),
        pieces=[piece("ruins", *RUINS, SIZE)],
    )
    assert sees_unit(unit(position, 0), unit(position, 1))
    assert not sees_unit(unit(position, 0), unit(position, 2))


# ---------------------------------------------------------------- fully visible


def veil(position: Position) -> int:
    return int(veils(position, [model(position, 0)], [model(position, 1)])[0, 0])


def veiled(kind: str, target: Point, observer: Point = (30, 10), **changes: Any) -> int:
    return veil(
        table(
            squad("line-squad", at=observer, **changes), squad("line-squad", 1, 1, target), pieces=[piece(kind, *RUINS)]
        )
    )


@covers("visibility/fully-visible-model", "terrain/woods", "terrain/ruins-visibility")
@pytest.mark.parametrize("kind", ["woods", "ruins"])
def test_who_has_a_part_behind_woods_or_ruins_is_not_fully_visible(kind: str) -> None:
    assert veiled(kind, (36.5, 26)) == BY_AREA
    assert veiled(kind, (46, 26)) == 0
    assert veiled(kind, (30, 15)) == 0


@covers("terrain/woods", "visibility/fully-visible-model")
def test_woods_veil_nobody_from_those_within_nor_from_towering_models() -> None:
    assert veiled("woods", (30, 30), (30, 20)) == 0
    assert veiled("woods", (30, 30), keywords=("towering",)) == 0
    assert veiled("woods", (30, 30), (30, 17.2)) == BY_AREA


@covers("terrain/debris", "terrain/barricades", "visibility/fully-visible-model")
def test_a_model_may_be_veiled_by_several_features() -> None:
    position = table(
        squad("line-squad", at=(30, 10)),
        squad("line-squad", 1, 1, (30, 26)),
        pieces=[piece("barricade", 30, 18), piece("debris", 30, 21), piece("woods", 30, 23, (2, 1))],
    )
    assert veil(position) == BY_AREA + BY_BARRICADE + BY_DEBRIS


# ---------------------------------------------------------------- within


@covers("within/figure-1a", "within/figure-1b", "within/figure-1c", "within/wholly-within")
@pytest.mark.parametrize(
    ("places", "wholly"),
    [
        ([(30, 16), (30, 12), (32, 12)], [False, False, False]),
        ([(30, 20), (32, 20), (28, 20)], [True, True, True]),
        ([(28, 20), (30, 20), (32, 20), (30, 22), (30, 24)], [True, True, True, True, False]),
    ],
)
def test_figure_1_a_unit_and_a_ruin(places: list[Point], wholly: list[bool]) -> None:
    position = table(squad("line-squad", at=places), pieces=[piece("ruins", *RUINS, SIZE)])
    assert [bool(wholly_within(m, ruins)[0]) for m in position.models] == wholly


@covers("within/wholly-within")
def test_no_part_of_a_base_may_stick_out() -> None:
    radius = 32 / 50.8
    for x, inside in ((35 - radius - 0.001, True), (35 - radius + 0.01, False)):
        position = table(squad("line-squad", at=(x, 20)), pieces=[piece("ruins", *RUINS, SIZE)])
        assert bool(wholly_within(model(position, 0), ruins)[0]) is inside
