"""Fields of round bases and hulls: what is free, what bars a way, and planning round it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from campale.table.fields import Field, all_free, field, first_trouble, is_free, routed, swollen_outline, what_bars
from campale.table.measure import gap, gap_to_point, on_table, overlaps_outline
from campale.table.outlines import contains
from campale.table.paths import Path, at, plan_length
from campale.table.shapes import TOLERANCE, Circle, Hull, Solid, heading
from campale.table.terrain import Ground, Piece, rectangle

GROUND = Ground(40.0, 30.0)
BASE = Circle(0.5)
TANK = Hull(((-1.5, -2.5), (1.5, -2.5), (1.5, 2.5), (-1.5, 2.5)))
WALL = Piece("wall", "wall", rectangle(30.0, 10.0, 6.0, 1.0), 3.0)


def among(shape: Circle | Hull = BASE, kept: float = 1.0) -> Field:
    """Around (20, 15): a tank to the north kept off, a friend's base that may be touched."""
    others = (Solid(TANK, 20.0, 20.0, facing=30.0), Solid(BASE, 16.0, 15.0))
    return field(GROUND, shape, others, (kept, 0.0), (WALL,))


def by_measure(surroundings: Field, x: float, y: float, facing: float = 0.0) -> bool:
    """The same asked of the plain measures, one by one."""
    there = Solid(surroundings.shape, x, y, facing=facing)
    near = zip(surroundings.others, surroundings.gaps, strict=True)
    clear = all(gap(there, other) > kept or gap(there, other) >= kept > 0.0 for other, kept in near)
    barred = any(overlaps_outline(there, piece.outline) for piece in surroundings.barred)
    return clear and not barred and on_table(there, surroundings.ground)


@pytest.mark.parametrize("shape", [BASE, TANK])
def test_a_place_is_free_where_every_measure_says_so(shape: Circle | Hull) -> None:
    rng = Random(7)
    surroundings, told = among(shape), []
    for _ in range(600):
        x, y, facing = rng.uniform(0.0, 40.0), rng.uniform(0.0, 30.0), rng.uniform(0.0, 360.0)
        told.append(is_free(surroundings, x, y, facing))
        assert told[-1] == by_measure(surroundings, x, y, facing), (x, y, facing)
    assert 100 < sum(told) < 590


@pytest.mark.parametrize("shape", [BASE, TANK])
def test_many_places_are_judged_as_each_of_them_is(shape: Circle | Hull) -> None:
    rng, surroundings = Random(9), among(shape)
    places = [(rng.uniform(0.0, 40.0), rng.uniform(0.0, 30.0), rng.uniform(0.0, 360.0)) for _ in range(600)]
    found = all_free(surroundings, np.array(places))
    one_by_one = [is_free(surroundings, *place) for place in places]
    if shape is TANK:
        one_by_one = [what_bars(surroundings, *place) is None for place in places]
    assert found.tolist() == one_by_one


@pytest.mark.parametrize("shape", [BASE, TANK])
def test_a_straight_way_is_barred_where_a_place_on_it_is(shape: Circle | Hull) -> None:
    rng = Random(8)
    surroundings, barred = among(shape), 0
    for _ in range(250):
        x, y, facing = rng.uniform(2.0, 38.0), rng.uniform(2.0, 28.0), rng.choice((0.0, 45.0, 90.0))
        if not by_measure(surroundings, x, y, facing):
            continue
        dx, dy = heading(rng.uniform(0.0, 360.0))
        path = Path(((x, y), (x + 8.0 * dx, y + 8.0 * dy)), facing)
        found = first_trouble(surroundings, path)
        stops = [at(path, 8.0 * k / 400) for k in range(401)]
        clear = [by_measure(surroundings, stop.x, stop.y, facing) for stop in stops]
        if found is None:
            assert sum(not one for one in clear) <= 2
        else:
            barred += 1
            first = clear.index(False) if False in clear else len(clear)
            assert abs(found.progress * 400 - first) <= 4
    assert barred > 20


def test_what_bars_is_named() -> None:
    surroundings = among()
    assert first_trouble(surroundings, Path(((20.0, 12.0), (20.0, 17.0)))) is not None
    base = first_trouble(surroundings, Path(((20.0, 15.0), (10.0, 15.0))))
    wall = first_trouble(surroundings, Path(((30.0, 5.0), (30.0, 15.0))))
    edge = first_trouble(surroundings, Path(((5.0, 5.0), (-5.0, 5.0))))
    assert [(one.kind, one.which) for one in (base, wall, edge) if one is not None] == [
        ("base", 1),
        ("outline", 0),
        ("edge", edge.which if edge else -1),
    ]
    told = [what_bars(among(TANK), *place) for place in ((20.0, 17.0), (16.0, 15.0), (30.0, 10.0), (1.0, 15.0))]
    assert [one.kind if one else "" for one in told] == ["base", "base", "outline", "edge"]
    assert what_bars(among(TANK), 8.0, 8.0) is None


def test_nobody_stands_inside_a_hull_that_may_be_touched() -> None:
    surroundings = field(GROUND, BASE, (Solid(TANK, 20.0, 15.0),), (0.0,))
    assert not is_free(surroundings, 20.0, 15.5)
    outside = gap_to_point(Solid(TANK, 20.0, 15.0), 30.0, 15.0)
    assert is_free(surroundings, 30.0 - outside + BASE.radius, 15.0)
    assert not is_free(surroundings, 30.0 - outside + BASE.radius - 0.01, 15.0)


def test_who_stands_too_near_may_leave_and_not_come_nearer() -> None:
    """The tank's side is half an inch away; 1 inch is kept."""
    surroundings = field(GROUND, BASE, (Solid(TANK, 20.0, 15.0),), (1.0,))
    assert first_trouble(surroundings, Path(((22.5, 15.0), (26.0, 15.0)))) is None
    assert first_trouble(surroundings, Path(((22.5, 15.0), (22.3, 15.0)))) is not None


def test_a_planned_way_goes_round_a_hull_and_is_legal() -> None:
    surroundings = among()
    path = routed(surroundings, (20.0, 12.0), (20.0, 26.0))
    assert path is not None
    assert len(path.points) > 2
    assert first_trouble(surroundings, path) is None
    assert routed(surroundings, (20.0, 12.0), (20.0, 26.0), 14.5) is None
    assert plan_length(path) > 14.5


@pytest.mark.parametrize("by", [0.0, 1.0, 2.5])
def test_a_swollen_outline_holds_all_that_is_nearer_and_little_more(by: float) -> None:
    tank = Solid(TANK, 20.0, 15.0, facing=20.0)
    outline = swollen_outline(tank, by)
    rng = Random(9)
    for _ in range(500):
        x, y = rng.uniform(12.0, 28.0), rng.uniform(7.0, 23.0)
        off = gap_to_point(tank, x, y)
        if off < by - TOLERANCE:
            assert contains(outline, x, y)
        if off > by * 1.012 + TOLERANCE:
            assert not contains(outline, x, y)
