"""Levels: where one can stand, and ways that go up and down between them."""

from __future__ import annotations

import pytest

from campale.table.levels import (
    climbs_of,
    floor_under,
    is_level,
    keeps_to_floor,
    on_the_table,
    rests,
    runs,
    stretch,
    walked,
    with_heights,
)
from campale.table.outlines import rectangle
from campale.table.paths import Path
from campale.table.shapes import Circle, Solid
from campale.table.terrain import Floor, Ground, Piece

LOW, HIGH = Floor(rectangle(10.0, 10.0, 8.0, 6.0), 4.0), Floor(rectangle(8.0, 10.0, 4.0, 6.0), 8.0)
HOUSE = Piece("house", "house", rectangle(10.0, 10.0, 8.0, 6.0), 8.0, 0.0, (LOW, HIGH))
GROUND = Ground(40.0, 30.0, (HOUSE,))


def test_one_stands_on_the_table_everywhere_and_on_floors_where_they_are() -> None:
    assert is_level(GROUND, (30.0, 20.0), 0.0)
    assert is_level(GROUND, (7.0, 10.0), 8.0)
    assert not is_level(GROUND, (12.0, 10.0), 8.0)
    assert not is_level(GROUND, (7.0, 10.0), 6.0)


def test_a_way_keeps_to_a_floor_from_end_to_end() -> None:
    assert keeps_to_floor(GROUND, (7.0, 10.0), (13.0, 10.0), 4.0)
    assert not keeps_to_floor(GROUND, (7.0, 10.0), (15.0, 10.0), 4.0)
    assert keeps_to_floor(GROUND, (7.0, 10.0), (15.0, 10.0), 0.0)


def test_whoever_leaves_a_floor_comes_to_the_next_below() -> None:
    assert floor_under(GROUND, (7.0, 10.0), 8.0) == 8.0
    assert floor_under(GROUND, (12.0, 10.0), 8.0) == 4.0
    assert floor_under(GROUND, (20.0, 10.0), 8.0) == 0.0
    assert floor_under(GROUND, (7.0, 10.0), 0.0) == 0.0


@pytest.mark.parametrize(("x", "z", "found"), [(7.0, 4.0, True), (6.5, 4.0, False), (7.0, 0.0, False)])
def test_all_of_a_base_lies_on_one_floor_of_its_height(x: float, z: float, found: bool) -> None:
    assert rests(Solid(Circle(1.0), x, 10.0, z), HOUSE.floors) is found


def test_a_floor_is_left_on_its_level_or_on_the_table() -> None:
    """Up under the place where one ends, unless the whole way lies over the floor."""
    up = walked(GROUND, Path(((20.0, 10.0), (12.0, 10.0, 4.0))))
    assert up.points == ((20.0, 10.0, 0.0), (12.0, 10.0, 0.0), (12.0, 10.0, 4.0))
    along = walked(GROUND, Path(((7.0, 10.0, 4.0), (12.0, 10.0, 4.0))))
    assert along.points == ((7.0, 10.0, 4.0), (12.0, 10.0, 4.0))
    over = walked(GROUND, Path(((12.0, 10.0, 4.0), (7.0, 10.0, 8.0))))
    assert over.points == ((12.0, 10.0, 4.0), (7.0, 10.0, 4.0), (7.0, 10.0, 8.0))
    away = walked(GROUND, Path(((12.0, 10.0, 4.0), (20.0, 10.0, 0.0))))
    assert away.points == ((12.0, 10.0, 4.0), (12.0, 10.0, 0.0), (20.0, 10.0, 0.0))


def test_turns_are_made_where_they_were_meant() -> None:
    way = walked(GROUND, Path(((20.0, 10.0), (12.0, 10.0, 4.0)), 90.0, (30.0, 60.0)))
    assert way.turns == (30.0, 0.0, 60.0)
    first, second = runs(way)
    assert (first.facing, first.turns) == (30.0, (30.0, 0.0))
    assert (second.facing, second.turns) == (90.0, (60.0,))


def test_runs_and_climbs_make_up_a_way() -> None:
    way = walked(GROUND, Path(((12.0, 10.0, 4.0), (7.0, 10.0, 8.0), (20.0, 10.0, 0.0))))
    assert climbs_of(way) == [(4.0, 8.0), (8.0, 0.0)]
    assert [run.points for run in runs(way)] == [
        ((12.0, 10.0, 4.0), (7.0, 10.0, 4.0)),
        ((7.0, 10.0, 8.0),),
        ((7.0, 10.0, 0.0), (20.0, 10.0, 0.0)),
    ]
    assert stretch(way, 0, 1).points == ((12.0, 10.0, 4.0),)


def test_heights_may_be_changed_or_left_out() -> None:
    low = Path(((1.0, 1.0, 0.0), (2.0, 1.0, 0.0)))
    assert on_the_table(low).points == ((1.0, 1.0), (2.0, 1.0))
    high = with_heights(low, lambda z: z + 3.0)
    assert high.points == ((1.0, 1.0, 3.0), (2.0, 1.0, 3.0))
    assert on_the_table(high) == high
