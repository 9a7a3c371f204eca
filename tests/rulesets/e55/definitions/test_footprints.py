"""Footprints and heights, eyes, muzzles, hatches and fire points, where the roster gives none and where it does."""

from __future__ import annotations

import pytest

from campale.rulesets.e55.armies.profile import Mount
from campale.rulesets.e55.definitions.footprints import eyes, fire_points, hatches, height, muzzle, shape
from campale.table.shapes import Circle, Hull
from tests.rulesets.e55.kit import WEAPONS, model, profile, squad, table

GUN = WEAPONS["machine-gun"]


@pytest.mark.covers("1.1/default-footprints", "1.1/model", "1.1/model-is-its-base")
@pytest.mark.parametrize(
    ("kind", "diameter", "tall"),
    [
        ("militia", 1.0, 1.25),
        ("jump-trooper", 1.0, 1.25),
        ("hound", 1.5, 1.5),
        ("biker", 1.5, 1.5),
        ("jetbiker", 1.5, 1.5),
        ("great-beast", 2.5, 3.0),
        ("winged-beast", 2.5, 3.0),
        ("walker", 2.5, 3.0),
    ],
)
def test_round_bases(kind: str, diameter: float, tall: float) -> None:
    position = table(squad(kind, at=(20, 20)))
    solid = model(position, 0).solid
    assert (solid.shape, solid.height) == (Circle(diameter / 2), tall)
    assert (solid.x, solid.y) == (20.0, 20.0)


@pytest.mark.covers("1.1/default-footprints", "1.1/model-without-base")
def test_a_vehicle_is_its_hull() -> None:
    made = shape(profile("tank"))
    assert isinstance(made, Hull)
    assert made.corners == ((-1.5, -2.5), (1.5, -2.5), (1.5, 2.5), (-1.5, 2.5))
    assert height(profile("tank")) == 2.5


@pytest.mark.covers("1.1/default-footprints")
def test_a_roster_may_override_each_size() -> None:
    assert shape(profile("militia", diameter=2.0)) == Circle(1.0)
    assert height(profile("militia", height=2.0)) == 2.0
    broad = shape(profile("tank", length=8.0, width=4.0))
    assert isinstance(broad, Hull)
    assert broad.corners[2] == (2.0, 4.0)


@pytest.mark.covers("1.1/default-footprints", "1.1/los-line")
def test_eyes_are_over_the_centre_at_nine_tenths_of_the_height() -> None:
    position = table(squad("militia", at=(20, 20), z=3.0))
    assert eyes(model(position, 0)) == (20.0, 20.0, 3.0 + 0.9 * 1.25)


@pytest.mark.covers("1.1/default-footprints", "6.1/mc-muzzle")
def test_the_muzzle_of_a_monster_and_of_a_man() -> None:
    position = table(squad(profile("great-beast", GUN), at=(20, 20)), squad("militia", 1, 0, (30, 20), "rifle"))
    assert muzzle(model(position, 0), Mount(GUN)) == (20.0, 20.0, 2.0)
    assert muzzle(model(position, 0), Mount(GUN, muzzle=(0.0, 1.0, 1.5))) == (20.0, 21.0, 1.5)
    assert muzzle(model(position, 1), Mount(GUN)) == eyes(model(position, 1))


@pytest.mark.covers("1.1/default-footprints")
@pytest.mark.parametrize(
    ("mount", "place"),
    [
        (Mount(GUN), (20.0, 22.5, 1.25)),
        (Mount(GUN, ("rear",)), (20.0, 17.5, 1.25)),
        (Mount(GUN, ("left",)), (18.5, 20.0, 1.25)),
        (Mount(GUN, ("right",)), (21.5, 20.0, 1.25)),
        (Mount(GUN, is_turret=True), (20.0, 20.0, 2.5)),
        (Mount(GUN, muzzle=(1.0, 1.0, 2.0)), (21.0, 21.0, 2.0)),
    ],
)
def test_the_muzzles_of_a_tank(mount: Mount, place: tuple[float, float, float]) -> None:
    position = table(squad(profile("tank", mount), at=(20, 20)))
    assert muzzle(model(position, 0), mount) == place


@pytest.mark.covers("1.1/default-footprints")
def test_muzzles_turn_with_the_hull() -> None:
    position = table(squad(profile("tank", GUN), at=(20, 20), facing=90))
    assert muzzle(model(position, 0), Mount(GUN)) == pytest.approx((22.5, 20.0, 1.25))


@pytest.mark.covers("1.1/default-footprints", "7.10/capacity", "7.10/fire-points")
def test_hatches_are_left_right_and_rear_and_there_are_no_fire_points_unless_the_profile_says_so() -> None:
    position = table(squad("carrier", at=(20, 20)))
    assert hatches(model(position, 0)) == ((18.5, 20.0, 0.0), (21.5, 20.0, 0.0), (20.0, 17.5, 0.0))
    assert fire_points(model(position, 0)) == ()
    own = profile("carrier", hatches=((0.0, 2.5, 0.0),), fire_points=((0.0, 0.0, 2.5),))
    position = table(squad(own, at=(20, 20), facing=180))
    assert hatches(model(position, 0)) == ((20.0, 17.5, 0.0),)
    assert fire_points(model(position, 0)) == ((20.0, 20.0, 2.5),)
