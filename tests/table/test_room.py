"""Room for bases: the places in contact with what stands about, and the search that goes through them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from campale.table import fields, room
from campale.table.fields import Field
from campale.table.kernels import Flags, Floats
from campale.table.measure import gap
from campale.table.room import Curves, Party
from campale.table.shapes import Circle, Hull, Point, Shape, Solid
from campale.table.terrain import Ground, Piece, rectangle

BOX = Hull(((-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)))


def ground(*pieces: Piece) -> Ground:
    return Ground(40.0, 30.0, pieces)


def pocket(x: float, y: float, wide: float, deep: float) -> Ground:
    """Walls round a rectangle, by its nearest corner."""
    around = [(x - 1, y + deep / 2, 2.0, deep + 4), (x + wide + 1, y + deep / 2, 2.0, deep + 4)]
    around += [(x + wide / 2, y - 1, wide, 2.0), (x + wide / 2, y + deep + 1, wide, 2.0)]
    return ground(*(Piece(f"wall {k}", "wall", rectangle(*one), 3.0) for k, one in enumerate(around)))


def party(where: Ground, shapes: Sequence[Shape], others: Sequence[Solid] = (), inside: Ground | None = None) -> Party:
    """Models of some shapes, all in one place: within the walls of ``inside`` where that is given."""
    kinds = [one for k, one in enumerate(shapes) if one not in shapes[:k]]
    found: list[Field] = [fields.field(where, one, others, [0.0] * len(others), where) for one in kinds]
    rims = tuple(room.rim_of(one, 0.0) for one in kinds)
    curves = tuple(room.about_a_field(rim, field) for rim, field in zip(rims, found, strict=True))

    def legal(kind: int, places: Floats) -> Floats:
        free = fields.all_free(found[kind], np.hstack((places, np.zeros((len(places), 1)))))
        return places[free & within(places, inside)]

    def holds(places: Sequence[Point]) -> bool:
        stand = [Solid(one, x, y) for one, (x, y) in zip(shapes, places, strict=True)]
        return all(gap(one, other) > 0.0 for k, one in enumerate(stand) for other in stand[:k])

    return Party(tuple(kinds.index(one) for one in shapes), rims, curves, legal, 2.0, holds)


def within(places: Floats, walls: Ground | None) -> Flags:
    if walls is None:
        return np.ones(len(places), np.bool_)
    west, east, south, north = (np.array(piece.outline) for piece in walls.pieces)
    x, y = places.T
    found: Flags = (x > west[:, 0].max()) & (x < east[:, 0].min()) & (y > south[:, 1].max()) & (y < north[:, 1].min())
    return found


# ---------------------------------------------------------------- curves


def test_the_curves_of_a_base_about_another_and_along_an_outline() -> None:
    rim = room.rim_of(Circle(0.5), 0.0)
    about = room.about_a_base(rim, room.rim_of(Circle(1.0), 0.0), (3.0, 4.0), 0.25)
    assert about.circles.tolist() == [[3.0, 4.0, 1.75]]
    assert len(about.lines) == 0
    along = room.at_a_gap(rim, np.array(rectangle(10, 10, 4, 2)), 0.1)
    assert sorted(along.circles[:, 2]) == [0.6] * 4
    assert len(along.lines) == 8
    assert {round(float(y), 3) for y in along.lines[along.lines[:, 1] == along.lines[:, 3]][:, 1]} == {
        8.4,
        9.6,
        10.4,
        11.6,
    }


def test_the_curves_of_a_hull_are_those_of_its_corners_and_sides() -> None:
    """Round a base: four corners at its radius, four sides moved out by it, and in."""
    found = room.about_a_base(room.rim_of(BOX, 0.0), room.rim_of(Circle(1.0), 0.0), (0.0, 0.0), 0.0)
    assert sorted(map(tuple, found.circles.round(3).tolist())) == [(x, y, 1.0) for x in (-1, 1) for y in (-0.5, 0.5)]
    assert len(found.lines) == 8
    turned = room.rim_of(BOX, 90.0)
    assert np.ptp(turned.corners[:, 0]) == pytest.approx(1.0)


def test_crossings_lie_on_both_curves() -> None:
    rng = np.random.default_rng(7)
    curves = Curves(rng.uniform(1.0, 9.0, (6, 3)), rng.uniform(0.0, 10.0, (6, 4)))
    found = room.crossings(curves, curves)
    assert len(found) > 40
    for x, y in found.tolist():
        on_circles = np.abs(np.hypot(curves.circles[:, 0] - x, curves.circles[:, 1] - y) - curves.circles[:, 2]) < 0.001
        feet = room.feet_on(curves.lines, (x, y))
        on_lines = np.hypot(feet[:, 0] - x, feet[:, 1] - y) < 0.001
        assert on_circles.sum() + on_lines.sum() >= 2
    assert len(room.crossings(room.NOTHING, curves)) == 0


def test_what_does_not_come_near_is_left_out() -> None:
    curves = Curves(
        np.array([[0.0, 0.0, 5.0], [20.0, 0.0, 5.0]]), np.array([[0.0, 4.0, 0.0, 9.0], [0.0, 8.0, 0.0, 9.0]])
    )
    near = curves.near((0.0, 0.0), 5.0)
    assert near.circles.tolist() == [[0.0, 0.0, 5.0]]
    assert near.lines.tolist() == [[0.0, 4.0, 0.0, 9.0]]


# ---------------------------------------------------------------- the search


@pytest.mark.parametrize("seed", range(40))
def test_room_is_found_where_somebody_has_stood(seed: int) -> None:
    """Bases thrown together at random, and walls drawn as near about all of them as they go."""
    rng = Random(f"room {seed}")
    shapes = [Circle(rng.choice((0.5, 0.62, 0.98))) for _ in range(rng.choice((1, 2, 3, 4)))]
    stood: list[tuple[float, float, float]] = []
    for one in shapes:
        while True:
            x, y, turn = 20.0, 15.0, rng.uniform(0, 2 * math.pi)
            if stood:
                beside = rng.choice(stood)
                far = beside[2] + one.radius + 0.001
                x, y = beside[0] + far * math.cos(turn), beside[1] + far * math.sin(turn)
            if all(math.hypot(x - a, y - b) >= one.radius + r for a, b, r in stood):
                stood.append((x, y, one.radius))
                break
    west, south = min(x - r for x, _, r in stood) - 0.002, min(y - r for _, y, r in stood) - 0.002
    east, north = max(x + r for x, _, r in stood) + 0.002, max(y + r for _, y, r in stood) + 0.002
    walls = pocket(west, south, east - west, north - south)
    found = room.find_room(party(walls, shapes, inside=walls))
    assert found is not None
    for k, (one, (x, y)) in enumerate(zip(shapes, found, strict=True)):
        assert west <= x - one.radius < x + one.radius <= east
        assert south <= y - one.radius < y + one.radius <= north
        assert all(math.dist(found[j], (x, y)) >= shapes[j].radius + one.radius for j in range(k))


def test_none_is_found_where_there_is_none() -> None:
    walls = pocket(18.0, 14.0, 2.9, 1.1)
    two, three = [Circle(0.5)] * 2, [Circle(0.5)] * 3
    assert room.find_room(party(walls, two, inside=walls)) is not None
    assert room.find_room(party(walls, three, inside=walls)) is None
    assert room.find_room(party(walls, [Circle(0.56)], inside=walls)) is None
    standing = [Solid(Circle(0.5), 18.9, 14.55)]
    assert room.find_room(party(walls, [Circle(0.5)], standing, walls)) is not None
    assert room.find_room(party(walls, two, standing, walls)) is None


def test_a_hull_and_a_base_fit_beside_each_other() -> None:
    walls = pocket(18.0, 14.0, 3.1, 1.05)
    assert room.find_room(party(walls, [BOX, Circle(0.5)], inside=walls)) is not None
    assert room.find_room(party(walls, [BOX, Circle(0.6)], inside=walls)) is None
