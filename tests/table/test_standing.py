"""Where models stand together: gaps, groups, the widest gap, and whether two stand on each other."""

from __future__ import annotations

import pytest

from campale.table.shapes import Circle, Hull, Shape, Solid
from campale.table.standing import Stand, Standing

MAN, HULL = Circle(0.5), Hull(((-1.5, -2.5), (1.5, -2.5), (1.5, 2.5), (-1.5, 2.5)))


def line(*xs: float, shape: Shape = MAN, height: float = 1.25) -> list[Solid]:
    return [Solid(shape, x, 20.0, 0.0, 0.0, height) for x in xs]


def test_gaps_are_those_of_the_edges_with_the_difference_of_height_added() -> None:
    there = Standing(line(10.0, 13.0, 13.5), [(10.0, 20.0, 0.0, 0.0), (13.0, 20.0, 0.0, 0.0), (13.5, 20.0, 3.0, 0.0)])
    assert there.gaps().tolist() == [[0.0, 2.0, 5.5], [2.0, 0.0, 3.0], [5.5, 3.0, 0.0]]
    hulls = Standing(line(10.0, 15.0, shape=HULL), [(10.0, 20.0, 0.0, 0.0), (15.0, 20.0, 0.0, 90.0)])
    assert hulls.gaps().tolist() == [[0.0, 1.0], [1.0, 0.0]]


@pytest.mark.parametrize("shape", [MAN, HULL])
def test_who_is_within_reach_of_one_of_a_group_belongs_to_it(shape: Shape) -> None:
    wide = 1.0 if shape is MAN else 3.0
    places = [0.0, wide + 2.0, 2 * wide + 4.0, 3 * wide + 6.1]
    standing = Standing(line(*places, shape=shape))
    assert standing.groups(2.0) == [[0, 1, 2], [3]]
    assert standing.groups(2.1) == [[0, 1, 2, 3]]
    assert standing.groups(1.9999) == [[0], [1], [2], [3]]
    assert Standing([]).groups(2.0) == []


def test_the_widest_gap_is_the_longest_stretch_of_the_shortest_line() -> None:
    assert Standing(line(0.0, 20.0, 3.0, 8.0)).widest_gap() == 11.0
    assert Standing(line(0.0)).widest_gap() == 0.0


@pytest.mark.parametrize(
    ("shape", "stand", "is_over"),
    [
        (MAN, (10.9, 20.0, 0.0, 0.0), True),
        (MAN, (11.0, 20.0, 0.0, 0.0), False),
        (MAN, (10.0, 20.0, 3.0, 0.0), False),
        (MAN, (10.0, 20.0, 1.0, 0.0), True),
        (HULL, (12.9, 20.0, 0.0, 0.0), True),
        (HULL, (13.0, 20.0, 0.0, 0.0), False),
        (HULL, (13.9, 20.0, 0.0, 90.0), True),
        (HULL, (13.9, 20.0, 3.0, 90.0), False),
    ],
)
def test_two_stand_on_each_other_where_their_bodies_do(shape: Shape, stand: Stand, is_over: bool) -> None:
    there = Standing(line(10.0, 30.0, shape=shape))
    assert there.first_overlap() is None
    there.put(1, stand)
    assert there.first_overlap() == ((0, 1) if is_over else None)
    assert Standing(line(10.0, 30.0, shape=shape), [there.stand[0], stand]).first_overlap() == there.first_overlap()


def test_of_several_the_first_in_their_order_is_found() -> None:
    assert Standing(line(10.0, 20.0, 30.0, 20.1, 10.1)).first_overlap() == (0, 4)
    assert Standing(line(10.0)).first_overlap() is None
