"""Posts: what a point sees, what shelters it, how much room it has, on whichever edge one stands."""

from __future__ import annotations

import pytest

from campale.table import posts
from campale.table.terrain import Ground, Piece, rectangle

WALL = Piece("wall", "wall", rectangle(30.0, 20.0, 10.0, 1.0), 3.0)
MAT = Piece("mat", "mat", rectangle(10.0, 20.0, 10.0, 1.0), 0.1)
TABLE = Ground(60.0, 40.0, (WALL, MAT))
SOLID = [1, 1]


def test_a_wall_hides_what_lies_behind_it_and_a_mat_hides_nothing() -> None:
    targets = [(30.0, 30.0), (10.0, 30.0)]
    seen = posts.outlook(TABLE, SOLID, [(30.0, 10.0), (10.0, 10.0), (20.0, 25.0)], targets, 1.5)
    assert seen.tolist() == [0.5, 1.0, 1.0]
    over = posts.outlook(TABLE, SOLID, [(30.0, 10.0)], targets, 3.5)
    assert over.tolist() == [1.0]


def test_a_screen_counts_half_for_as_long_as_it_is_seen_through() -> None:
    one = [(30.0, 10.0)], [(30.0, 30.0)]
    assert posts.outlook(TABLE, [2, 0], *one, 1.5, veil=1.0).tolist() == [0.5]
    assert posts.outlook(TABLE, [2, 0], *one, 1.5, veil=0.9).tolist() == [0.0]


def test_what_shelters_is_near_ahead_and_not_too_low() -> None:
    points = [(30.0, 17.0), (30.0, 15.0), (10.0, 17.0), (30.0, 23.0)]
    assert posts.shelter(TABLE, points, 0.0, 3.0, 1.6).tolist() == [True, False, False, False]
    assert posts.shelter(TABLE, points, 180.0, 3.0, 1.6).tolist() == [False, False, False, True]


def test_ground_is_closed_where_something_that_counts_lies_ahead_or_aside() -> None:
    points = [(24.0, 15.0), (24.0, 5.0)]
    assert posts.ahead(TABLE, points, 0.0, 8.0, [True, False]).tolist() == [False, False]
    assert posts.ahead(TABLE, points, 0.0, 8.0, [True, False], aside=1.5).tolist() == [True, False]
    assert posts.ahead(TABLE, points, 0.0, 8.0, [False, True], aside=1.5).tolist() == [False, False]
    assert posts.ahead(Ground(9.0, 9.0), points, 0.0, 8.0, []).tolist() == [False, False]


def test_room_is_the_gap_to_the_nearest_base() -> None:
    bases = [(0.0, 0.0, 1.0), (10.0, 0.0, 2.0)]
    assert posts.room([(3.0, 0.0), (7.0, 0.0), (30.0, 0.0)], bases, 9.0).tolist() == [2.0, 1.0, 9.0]
    assert posts.room([(3.0, 0.0)], [], 9.0).tolist() == [9.0]


@pytest.mark.parametrize(
    ("facing", "deep", "across"), [(0.0, 5.0, 20.0), (180.0, 35.0, -20.0), (90.0, 20.0, -5.0), (270.0, 40.0, 5.0)]
)
def test_a_front_counts_from_the_edge_at_its_back(facing: float, deep: float, across: float) -> None:
    front = posts.front_of(TABLE, facing)
    assert front.deep([(20.0, 5.0)]).tolist() == pytest.approx([deep])
    assert front.across([(20.0, 5.0)]).tolist() == pytest.approx([across])


def test_points_across_the_table_are_counted_from_ones_own_edge() -> None:
    assert posts.across_the_table(TABLE, 0.0, [0.25], [0.9]) == [pytest.approx((15.0, 36.0))]
    assert posts.across_the_table(TABLE, 180.0, [0.25], [0.9]) == [pytest.approx((45.0, 4.0))]
    assert posts.across_the_table(TABLE, 90.0, [0.5], [0.9]) == [pytest.approx((54.0, 20.0))]


def test_the_best_come_first_and_equals_in_their_order() -> None:
    points = [(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)]
    worth = posts.room(points, [(4.0, 0.0, 0.0)], 2.0)
    assert posts.best_first(points, worth) == [(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)]
    assert posts.best_first(points, -worth) == [(4.0, 0.0), (3.0, 0.0), (1.0, 0.0), (2.0, 0.0)]
