"""Reach and engagement: who is engaged with whom, across heights and walls, and whom a path engages."""

from __future__ import annotations

from typing import Any

import pytest

from campale.referee.position import Position
from campale.rulesets.wzr.battle.terrain import DOOR, IMPASSABLE, INTACT, LINEAR
from campale.rulesets.wzr.close_combat.engaged import (
    base_reach,
    engaged,
    engaged_with,
    engages_on_the_way,
    is_engaged,
    reach,
    reaches,
)
from campale.table.paths import straight
from tests.rulesets.wzr.kit import piece, profile, squad, table, vehicle
from tests.rulesets.wzr.melee import blade

covers = pytest.mark.covers

HERO = {"slot": "lord"}


def pair(apart: float, own: dict[str, Any], foe: dict[str, Any], **more: Any) -> Position:
    """Two enemies whose bases are so far apart, in plan."""
    radii = {"small": 0.6, "medium": 0.8, "large": 1.0}
    far = apart + radii[str(own.get("base", "small"))] + radii[str(foe.get("base", "small"))]
    return table(squad(at=(20, 10), **own), squad(side=1, at=(20, 10 + far), **foe), **more)


@covers("close-combat/ccwr-by-base")
@pytest.mark.parametrize(
    ("changes", "inches"),
    [
        ({"base": "small"}, 0.0),
        ({"base": "small", **HERO}, 0.0),
        ({"base": "medium"}, 1.0),
        ({"base": "medium", **HERO}, 1.5),
        ({"base": "medium", "abilities": ("doomtrooper",)}, 1.5),
        ({"base": "large"}, 2.0),
        ({"base": "large", **HERO}, 2.0),
        ({"vehicle": vehicle("walker")}, 2.0),
        ({"base": "medium", "vehicle": vehicle("bike")}, 2.0),
        ({"vehicle": vehicle("tank")}, -1.0),
        ({"vehicle": vehicle("air-tank")}, -1.0),
    ],
)
def test_reach_of_bases(changes: dict[str, Any], inches: float) -> None:
    assert base_reach(profile(**changes)) == inches


@covers("close-combat/ccwr-definition", "core/melee-weapon-profile")
def test_a_weapons_reach_replaces_that_of_the_base() -> None:
    short, long = blade("knife", ccwr=0.5), blade("pike", ccwr=1.5)
    plain = blade("club")
    position = table(
        *(squad(base="medium", blades=blades) for blades in ((short,), (short, long), (short, plain), ())),
    )
    assert [reach(model) for model in position.models] == [0.5, 1.5, 1.0, 1.0]
    tank = table(squad(base="large", vehicle=vehicle("tank"), blades=(long,)))
    assert reach(tank.model(0)) == -1.0


@covers("close-combat/engaged-definition", "close-combat/reach-difference", "core/measuring")
@pytest.mark.parametrize(("apart", "is_so"), [(1.0, True), (1.01, False)])
def test_engagement_is_mutual(apart: float, is_so: bool) -> None:
    """The longer reach engages both; the shorter one strikes nobody."""
    position = pair(apart, {}, {"base": "medium"})
    small, medium = position.models
    assert engaged(small, medium) is engaged(medium, small) is is_so
    assert (reaches(medium, small), reaches(small, medium)) == (is_so, False)
    assert is_engaged(small) is is_so


@covers("close-combat/ccwr-by-base", "core/bases")
@pytest.mark.parametrize(("apart", "is_so"), [(0.0, True), (0.05, False)])
def test_small_bases_are_engaged_in_contact(apart: float, is_so: bool) -> None:
    assert is_engaged(pair(apart, {}, {}).model(0)) is is_so


@covers("close-combat/engaged-definition")
def test_friends_and_the_fallen_engage_nobody() -> None:
    position = table(squad(2, at=(20, 10)), squad(side=1, at=(20, 11.2)))
    one, friend, enemy = position.models
    assert engaged_with(one) == [enemy]
    assert engaged_with(friend) == []
    position.remove(enemy, "melee")
    assert engaged_with(one) == []


@covers("close-combat/ccwr-by-base", "vehicles/tank-engaged")
def test_a_tank_reaches_nobody_and_is_reached() -> None:
    position = pair(0.5, {"vehicle": vehicle("tank"), "base": "large"}, {"base": "medium"})
    tank, medium = position.models
    assert (reaches(tank, medium), engaged(tank, medium)) == (False, True)
    position = pair(0.0, {"vehicle": vehicle("tank"), "base": "large"}, {})
    assert engaged(*position.models)
    position = pair(0.0, *([{"vehicle": vehicle("tank"), "base": "large"}] * 2))
    assert not engaged(*position.models)


@covers("close-combat/different-levels", "core/levels")
@pytest.mark.parametrize(("z", "is_so"), [(0.9, True), (1.0, False), (3.0, False)])
def test_nobody_is_engaged_across_levels(z: float, is_so: bool) -> None:
    position = table(squad(at=(20, 10), base="large"), squad(side=1, at=(20, 12), z=z, base="large"))
    assert engaged(*position.models) is is_so


@covers("close-combat/ccwr-definition", "movement/obstacles")
@pytest.mark.parametrize(
    ("tags", "height", "is_so"),
    [
        ((IMPASSABLE,), 2.0, False),
        ((INTACT,), 3.0, False),
        ((LINEAR,), 3.0, True),
        ((LINEAR,), 3.1, False),
        (("light",), 0.0, True),
    ],
)
def test_walls_stop_a_reach_and_low_obstacles_do_not(tags: tuple[str, ...], height: float, is_so: bool) -> None:
    wall = piece((15, 11.05), (10, 0.5), tags, height)
    position = pair(1.0, {"base": "medium"}, {"base": "medium"}, pieces=[wall])
    assert engaged(*position.models) is is_so


@covers("close-combat/ccwr-definition")
@pytest.mark.parametrize(("x", "is_so"), [(20.0, True), (23.0, False)])
def test_a_door_lets_a_reach_through(x: float, is_so: bool) -> None:
    """One stands inside by the wall, the other before it: beside the door, or farther along the wall."""
    house = piece((16, 10.9), (10, 6), (INTACT,), 3.0, name="house")
    door = piece((19.5, 10.8), (1, 0.2), (DOOR,), 2.0, name="house:door")
    squads = squad(at=(x, 10), base="medium"), squad(side=1, at=(x, 12), base="medium")
    assert engaged(*table(*squads, pieces=[house, door]).models) is is_so


@covers("close-combat/ccwr-definition")
def test_within_one_house_no_wall_stands_between() -> None:
    house = piece((16, 8), (10, 8), (INTACT,), 3.0, name="house")
    position = pair(1.0, {"base": "medium"}, {"base": "medium"}, pieces=[house])
    assert engaged(*position.models)


@covers("close-combat/engaged-definition")
def test_what_is_kept_goes_when_somebody_moves() -> None:
    position = pair(2.0, {"base": "medium"}, {"base": "medium"})
    one, other = position.models
    assert not is_engaged(one)
    one.move_to(one.x, one.y + 1.0)
    assert engaged_with(one) == [other]
    copy = position.copy()
    copy.model(0).move_to(one.x, one.y - 1.0)
    assert not is_engaged(copy.model(0))
    assert is_engaged(one)


@covers("movement/no-accidental-engagement", "close-combat/engaged-definition")
@pytest.mark.parametrize(("x", "met"), [(21.99, 1), (22.01, None)])
def test_a_path_engages_on_its_way(x: float, met: int | None) -> None:
    """It passes an enemy of reach 1 at a gap of 1 inch or a hair more."""
    position = table(squad(at=(20, 10)), squad(side=1, at=(x + 0.4, 15), base="medium"))
    found = engages_on_the_way(position.model(0), straight((20, 10), (20, 20)))
    assert (None if found is None else found.row) == met


@covers("movement/no-accidental-engagement")
def test_whoever_is_engaged_already_is_not_met_anew() -> None:
    position = table(squad(at=(20, 10)), squad(side=1, at=(20, 12), base="medium"))
    assert engages_on_the_way(position.model(0), straight((20, 10), (22, 12))) is None


@covers("movement/no-accidental-engagement", "close-combat/ccwr-definition")
def test_behind_a_wall_nobody_is_met() -> None:
    wall = piece((10, 16.9), (20, 0.2), (IMPASSABLE,), 3.0)
    squads = squad(at=(20, 10), base="medium"), squad(side=1, at=(22, 18), base="medium")
    way = straight((20, 10), (20, 16))
    assert engages_on_the_way(table(*squads, pieces=[wall]).model(0), way) is None
    assert engages_on_the_way(table(squads[0], squad(side=1, at=(22, 17), base="medium")).model(0), way) is not None
