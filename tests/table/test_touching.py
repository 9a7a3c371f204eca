"""Places of contact, judged by the gaps that the exact measures find there."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from campale.table.measure import gap
from campale.table.shapes import Circle, Hull, Point, Solid
from campale.table.touching import STEP, places, straight_place

BOX = Hull(((-1.5, -2.5), (1.5, -2.5), (1.5, 2.5), (-1.5, 2.5)))
TARGETS = [
    Solid(Circle(0.5), 30.0, 20.0),
    Solid(Circle(1.25), 30.0, 20.0),
    *(Solid(BOX, 30.0, 20.0, 0.0, f) for f in (0.0, 37.0)),
]


def gaps(found: object, radius: float, target: Solid) -> list[float]:
    return [gap(Solid(Circle(radius), x, y), target) for x, y in np.array(found).tolist()]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("radius", [0.5, 1.25])
@pytest.mark.parametrize("start", [(30.0, 12.0), (36.0, 21.0), (22.0, 27.0)])
def test_every_place_touches_and_none_overlaps(target: Solid, radius: float, start: Point) -> None:
    found = places(start, radius, target)
    assert len(found) >= 30
    assert all(0.0 < one < 0.0006 for one in gaps(found, radius, target))


@pytest.mark.parametrize("target", TARGETS)
def test_the_nearest_come_first_and_the_straight_place_is_the_nearest_of_all(target: Solid) -> None:
    start = 33.0, 12.0
    found = places(start, 0.5, target).tolist()
    off = [math.dist(start, place) for place in found]
    assert off == sorted(off)
    straight = straight_place(start, 0.5, target)
    assert gaps([straight], 0.5, target)[0] < 0.0006
    assert math.dist(start, straight) <= off[0] + 0.0002


def test_places_beside_another_base_touch_both() -> None:
    target, other = Solid(Circle(0.5), 30.0, 20.0), Solid(Circle(0.5), 30.0, 18.9)
    beside = np.array([(30.0, 18.9, 0.5), (40.0, 20.0, 0.5)])
    found = places((33.0, 12.0), 0.5, target, beside)
    assert len(found) == len(places((33.0, 12.0), 0.5, target)) + 2
    assert sum(0.0 < one < 0.001 for one in gaps(found, 0.5, other)) >= 2


def test_a_hull_is_tried_at_every_half_inch() -> None:
    found = places((30.0, 12.0), 0.5, Solid(BOX, 30.0, 20.0))
    front = sorted(x for x, y in found.tolist() if abs(y - 22.99) < 0.02 and 28.5 <= x <= 31.5)
    assert max(b - a for a, b in itertools.pairwise(front)) <= STEP + 0.001


def test_a_start_in_the_middle_of_a_target_finds_a_place_all_the_same() -> None:
    target = Solid(Circle(1.25), 30.0, 20.0)
    assert gaps([straight_place((30.0, 20.0), 0.5, target)], 0.5, target)[0] < 0.0006
