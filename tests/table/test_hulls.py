from __future__ import annotations

import pytest

from campale.table.hulls import (
    bounding_radius,
    centre,
    face_angles,
    face_points,
    faces_most_seen,
    in_arc_of_hull,
    in_quarter,
    in_sector,
    is_turret,
    point,
    rectangle_of,
    sectors_of,
)
from campale.table.shapes import Circle, Ellipse, Hull, Solid

TANK = Hull(
    ((-1.5, -3.0), (1.5, -3.0), (1.5, 3.0), (-1.5, 3.0)),
    points={"gun": (0.0, 4.0, 2.0), "hatch": (1.5, -1.0, 1.0)},
    turrets=("gun",),
)
LONG = Solid(TANK, 10, 20)
TURNED = Solid(TANK, 10, 20, z=1.0, facing=90.0)


def man(x: float, y: float) -> Solid:
    return Solid(Circle(0.5), x, y)


def test_named_points_turn_with_the_hull() -> None:
    assert point(LONG, "gun") == (10.0, 24.0, 2.0)
    assert point(TURNED, "gun") == (14.0, 20.0, 3.0)
    assert point(TURNED, "hatch") == (9.0, 18.5, 2.0)
    assert is_turret(LONG, "gun")
    assert not is_turret(LONG, "hatch")
    with pytest.raises(KeyError):
        point(LONG, "door")
    with pytest.raises(KeyError):
        point(man(0, 0), "gun")


def test_the_centre_is_that_of_the_rectangle_not_of_the_pivot() -> None:
    ahead = Hull(((-1.0, -1.0), (1.0, -1.0), (1.0, 3.0), (-1.0, 3.0)))
    assert centre(Solid(ahead, 0, 0, facing=90)) == (1.0, 0.0)
    assert centre(LONG) == (10.0, 20.0)
    assert bounding_radius(TANK) == pytest.approx(11.25**0.5)


def test_faces_run_round_the_rectangle() -> None:
    assert rectangle_of(LONG) == ((8.5, 17.0), (11.5, 17.0), (11.5, 23.0), (8.5, 23.0))
    assert face_points(LONG, "front") == ((11.5, 23.0), (8.5, 23.0))
    assert face_points(TURNED, "front") == ((13.0, 18.5), (13.0, 21.5))
    assert rectangle_of(Solid(Ellipse(2, 1), 0, 0))[2] == (1.0, 2.0)


def test_sectors_are_cut_through_the_corners() -> None:
    assert sectors_of(LONG, 10, 30) == ("front",)
    assert sectors_of(LONG, 12.9, 26) == ("front",)
    assert sectors_of(LONG, 13.1, 26) == ("right",)
    assert sectors_of(LONG, 13, 26) == ("front", "right")
    assert sectors_of(LONG, 0, 20) == ("left",)
    assert sectors_of(LONG, 10, 0) == ("rear",)
    assert sectors_of(TURNED, 10, 0) == ("right",)
    assert sectors_of(LONG, 10, 20) == ("front", "right", "rear", "left")
    assert sectors_of(man(0, 0), 1.9, 2) == ("front",)


def test_a_target_is_in_a_sector_by_its_nearest_point() -> None:
    straddling = man(13.2, 26)
    assert in_sector(LONG, "right", straddling)
    assert not in_sector(LONG, "front", straddling)
    assert in_sector(LONG, "front", man(12.8, 26))


def test_quarters_are_forty_five_degrees_either_way() -> None:
    assert in_quarter(LONG, "front", man(20, 29.5))
    assert not in_quarter(LONG, "front", man(20, 29.2))
    assert not in_quarter(LONG, "front", man(20, 29.5), part="centre")
    assert in_quarter(LONG, "right", man(20, 29.5))
    assert in_quarter(LONG, "rear", man(10, 10))
    assert in_quarter(LONG, "left", man(0, 20))
    assert in_arc_of_hull(LONG, man(0, 20), -180, 180)
    with pytest.raises(KeyError):
        in_quarter(LONG, "top", man(0, 0))


def test_the_face_most_seen_spans_the_largest_angle() -> None:
    assert faces_most_seen(LONG, 10, 40) == ("front",)
    assert faces_most_seen(LONG, 30, 25) == ("right",)
    assert faces_most_seen(LONG, 0, 10) == ("left",)
    assert faces_most_seen(LONG, 0, 0) == ("rear",)
    assert face_angles(LONG, 10, 40)["rear"] == 0.0
    assert faces_most_seen(man(0, 0), 5, 5) == ("front", "right")
    assert faces_most_seen(man(0, 0), 5, 5.01) == ("front",)


def test_from_inside_all_faces_are_seen() -> None:
    angles = face_angles(LONG, 10, 20)
    assert sum(angles.values()) == pytest.approx(360)
    assert faces_most_seen(LONG, 10, 20) == ("right", "left")
