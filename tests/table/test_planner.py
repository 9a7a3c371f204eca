"""The planner: whatever it proposes is legal, and it finds the short ways that are plainly there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point, Polygon
from tests.table import path_twins as twins

from campale.table import formations, planner, sweeps, turning, units
from campale.table.formations import Coherency
from campale.table.kernels import Floats
from campale.table.paths import Path, plan_length, until
from campale.table.planner import Going
from campale.table.shapes import Circle, Hull
from campale.table.terrain import Ground, Piece, rectangle

fields = settings(derandomize=True, max_examples=40, deadline=None)
OPEN = Ground(60.0, 60.0)
TANK = Hull(((-1.0, -2.0), (1.0, -2.0), (1.0, 2.0), (-1.0, 2.0)))

XY = tuple[float, float]
Field = tuple[list[tuple[float, float, float]], list[Piece]]

tenths = st.integers(20, 580).map(lambda n: n / 10.0)
places = st.tuples(tenths, tenths)
discs = st.lists(st.tuples(tenths, tenths, st.just(1.0)), max_size=10)
walls = st.lists(st.tuples(tenths, tenths, st.integers(2, 12), st.integers(1, 6), st.integers(0, 179)), max_size=6)


def wall(x: float, y: float, width: float, depth: float, turned: float = 0.0, name: str = "wall") -> Piece:
    return Piece(name, "wall", rectangle(x, y, width, depth, turned))


def built(others: list[tuple[float, float, float]], barred: list[tuple[float, float, int, int, int]]) -> Field:
    pieces = [wall(x, y, float(w), float(d), float(t), f"wall {i}") for i, (x, y, w, d, t) in enumerate(barred)]
    return others, pieces


def going(others: list[tuple[float, float, float]] | None = None, *barred: Piece, gap: float = 1.0) -> Going:
    return planner.going(OPEN, 1.0, np.array(others or np.zeros((0, 3))), gap, barred)


def is_clear(path: Path, field: Field, gap: float = 1.0) -> bool:
    """Shapely's word, for a start that is free."""
    line = LineString([point[:2] for point in path.points]) if len(path.points) > 1 else Point(path.points[0])
    apart = all(line.distance(Point(x, y)) >= 1.0 + r + gap - 0.001 for x, y, r in field[0])
    off = all(line.distance(Polygon(piece.outline)) >= 1.0 - 0.001 for piece in field[1])
    xs, ys = [p[0] for p in path.points], [p[1] for p in path.points]
    return apart and off and min(xs) >= 0.999 and max(xs) <= 59.001 and min(ys) >= 0.999 and max(ys) <= 59.001


def end(path: Path | None) -> XY:
    assert path is not None
    return path.points[-1][0], path.points[-1][1]


# One base to one place.


def test_the_way_is_straight_when_nothing_bars_it() -> None:
    assert planner.route(going(), (5.0, 5.0), (30.0, 40.0)) == Path(((5.0, 5.0), (30.0, 40.0)))


def test_exactly_one_from_an_enemy_is_passed_straight_and_less_is_not() -> None:
    assert planner.trouble(going([(20.0, 8.0, 1.0)]), Path(((5.0, 5.0), (40.0, 5.0)))) is None
    wrong = planner.trouble(going([(20.0, 7.998, 1.0)]), Path(((5.0, 5.0), (40.0, 5.0))))
    assert wrong is not None
    assert wrong.kind == "disc"
    past = planner.route(going([(20.0, 7.9, 1.0)]), (5.0, 5.0), (40.0, 5.0))
    assert past is not None
    assert len(past.points) > 2
    assert plan_length(past) < 35.1


@pytest.mark.parametrize("side", [(5.0, -5.0), (5.0, 65.0), (-5.0, 5.0), (65.0, 5.0), (-5.0, -15.0)])
def test_what_goes_over_an_edge_is_told_where_it_does(side: XY) -> None:
    """Base edge to table edge, and not where the leg begins."""
    way = Path(((30.0, 30.0), (20.0, 30.0), side))
    found = planner.trouble(going(), way)
    assert found is not None
    assert found.kind == "edge"
    for by, is_over in ((-0.001, False), (0.001, True)):
        x, y, *_ = until(way, found.progress + by).points[-1]
        assert (min(x, y, 60.0 - x, 60.0 - y) < 1.0 - 0.001) is is_over


def test_of_a_base_and_an_edge_the_first_is_told() -> None:
    way = Path(((30.0, 30.0), (30.0, 70.0)))
    for y, kind in ((50.0, "disc"), (65.0, "edge")):
        found = planner.trouble(going([(30.0, y, 1.0)]), way)
        assert found is not None
        assert found.kind == kind


def test_who_stands_over_an_edge_may_go_along_it_and_back_but_not_farther_over() -> None:
    for end, kind in (((30.0, 0.5), None), ((20.0, 3.0), None), ((30.0, 0.4), "edge")):
        found = planner.trouble(going(), Path(((20.0, 0.5), end)))
        assert (None if found is None else found.kind) == kind


def test_a_wall_is_gone_round_by_its_nearer_end() -> None:
    path = planner.route(going(None, wall(20.0, 22.0, 2.0, 20.0)), (10.0, 20.0), (30.0, 20.0))
    assert path is not None
    assert min(y for _, y, *_ in path.points) == pytest.approx(11.0, abs=0.3)
    assert plan_length(path) < 2.0 * math.hypot(9.0, 9.0) + 2.0 + 0.5


def test_a_place_where_it_may_not_stand_has_no_route() -> None:
    assert planner.route(going([(20.0, 20.0, 1.0)]), (5.0, 5.0), (21.0, 20.0)) is None
    assert planner.route(going(), (5.0, 5.0), (0.5, 20.0)) is None


def test_a_place_walled_in_has_no_route() -> None:
    ring = [wall(30.0, y, 12.0, 1.0, 0.0, f"{y}") for y in (24.0, 36.0)]
    ring += [wall(x, 30.0, 1.0, 13.0, 0.0, f"x{x}") for x in (24.0, 36.0)]
    assert planner.route(going(None, *ring), (5.0, 5.0), (30.0, 30.0)) is None


def test_the_allowance_equal_to_the_length_is_enough() -> None:
    assert planner.route(going(), (5.0, 5.0), (8.0, 9.0), 5.0) is not None
    assert planner.route(going(), (5.0, 5.0), (8.0, 9.0), 4.99) is None


def test_a_base_too_near_at_the_start_may_leave_away_but_not_past() -> None:
    near = going([(18.0, 20.0, 1.0)])
    assert planner.route(near, (20.2, 20.0), (30.0, 20.0)) == Path(((20.2, 20.0), (30.0, 20.0)))
    back = planner.route(near, (20.2, 20.0), (5.0, 20.0))
    assert back is not None
    assert planner.trouble(near, back) is None
    assert len(back.points) > 2


def test_a_base_in_a_barred_piece_may_leave_it_but_not_enter_again() -> None:
    inside = going(None, wall(20.0, 20.0, 4.0, 4.0))
    assert planner.route(inside, (20.0, 20.0), (30.0, 20.0)) is not None
    assert planner.trouble(inside, Path(((20.0, 20.0), (30.0, 20.0), (20.0, 20.0)))) is not None


@fields
@given(places, places, discs, walls)
def test_every_route_is_legal_and_about_as_short_as_a_plain_search(
    start: XY, goal: XY, others: list[tuple[float, float, float]], barred: list[tuple[float, float, int, int, int]]
) -> None:
    field = built(others, barred)
    here = going(field[0], *field[1])
    if not (planner.is_free(here, *start) and planner.is_free(here, *goal)):
        return
    found = planner.route(here, start, goal)
    kept = [(x, y, 2.0 + r) for x, y, r in field[0]]
    asked = twins.shortest(start, goal, kept, [piece.outline for piece in field[1]], 1.0)
    if found is not None:
        assert is_clear(found, field)
        assert end(found) == goal
        assert asked is None or plan_length(found) <= 1.01 * asked + 0.2
    else:
        assert asked is None


@fields
@given(places, places, discs, walls, st.integers(1, 20))
def test_the_nearest_place_is_legal_within_the_allowance_and_no_worse_than_staying(
    start: XY,
    goal: XY,
    others: list[tuple[float, float, float]],
    barred: list[tuple[float, float, int, int, int]],
    allowance: int,
) -> None:
    field = built(others, barred)
    here = going(field[0], *field[1])
    if not planner.is_free(here, *start):
        return
    path = planner.nearest(here, start, goal, float(allowance))
    assert is_clear(path, field)
    assert plan_length(path) <= allowance + 0.001
    assert math.dist(end(path), goal) <= math.dist(start, goal) + 0.001
    if len(field[0]) + len(field[1]) == 0:
        assert math.dist(end(path), goal) <= max(0.0, math.dist(start, goal) - allowance) + 0.001


# Towards and away.


def test_towards_an_edge_goes_straight_at_it_and_round_what_is_in_the_way() -> None:
    assert end(planner.towards_edge(going(), (30.0, 30.0), "south", 12.0)) == (30.0, 18.0)
    assert end(planner.towards_edge(going(), (30.0, 30.0), "north", 99.0)) == pytest.approx((30.0, 59.0), abs=0.001)
    round_it = planner.towards_edge(going([(30.0, 25.0, 1.0)]), (30.0, 30.0), "south", 12.0)
    assert end(round_it)[1] < 19.5


def test_away_from_a_threat_runs_straight_off_and_stops_at_the_table() -> None:
    assert end(planner.away(going(), (30.0, 30.0), (27.0, 26.0), 10.0)) == pytest.approx((36.0, 38.0), abs=0.001)
    cornered = end(planner.away(going(), (58.0, 58.0), (50.0, 50.0), 10.0))
    assert cornered == pytest.approx((59.0, 59.0), abs=0.01)
    assert end(planner.away_from_edge(going(), (30.0, 30.0), "west", 5.0)) == (35.0, 30.0)


def test_as_near_as_possible_slides_along_a_wall() -> None:
    path = planner.nearest(going(None, wall(30.0, 30.0, 40.0, 2.0)), (20.0, 20.0), (30.0, 35.0), 11.0)
    assert end(path) == pytest.approx((20.0 + math.sqrt(57.0), 28.0), abs=0.01)


# Contact, areas, ranges.


def test_into_contact_ends_in_contact_and_not_on_the_target() -> None:
    path = planner.into_contact(going(), (10.0, 10.0), (30.0, 20.0, 1.5), 30.0)
    gap = math.dist(end(path), (30.0, 20.0)) - 2.5
    assert 0.0 <= gap <= 0.0005
    assert path is not None
    assert plan_length(path) == pytest.approx(math.hypot(20.0, 10.0) - 2.5, abs=0.001)


def test_into_contact_finds_a_side_that_is_left() -> None:
    guards = [(25.0, 17.5, 1.0), (26.0, 15.0, 1.0)]
    path = planner.into_contact(going(guards), (10.0, 10.0), (30.0, 20.0, 1.0), 40.0)
    assert path is not None
    assert planner.trouble(going(guards), path) is None
    assert 0.0 <= math.dist(end(path), (30.0, 20.0)) - 2.0 <= 0.0005


def test_contact_beyond_the_allowance_is_none_and_contact_already_made_stays() -> None:
    assert planner.into_contact(going(), (10.0, 10.0), (30.0, 10.0, 1.0), 17.9) is None
    assert planner.into_contact(going(), (10.0, 10.0), (12.0, 10.0, 1.0), 5.0) == Path(((10.0, 10.0),))


@fields
@given(places, places, discs, walls)
def test_every_charge_is_legal(
    start: XY, target: XY, others: list[tuple[float, float, float]], barred: list[tuple[float, float, int, int, int]]
) -> None:
    field = built(others, barred)
    here = going(field[0], *field[1])
    if not planner.is_free(here, *start) or math.dist(start, target) < 2.5:
        return
    path = planner.into_contact(here, start, (*target, 1.0))
    if path is not None:
        assert is_clear(path, field)
        assert sweeps.first_overlap(path, Circle(1.0), np.array([(*target, 1.0)])) is None
        assert 0.0 <= math.dist(end(path), target) - 2.0 <= 0.0005


def test_within_a_range_stops_as_soon_as_it_is() -> None:
    path = planner.within(going(), (10.0, 10.0), (40.0, 10.0), 12.0)
    assert end(path) == pytest.approx((28.0, 10.0), abs=0.001)
    assert math.dist(end(path), (40.0, 10.0)) <= 12.0
    assert planner.within(going(), (30.0, 10.0), (40.0, 10.0), 12.0) == Path(((30.0, 10.0),))


def test_on_to_a_point_covers_it() -> None:
    assert math.dist(end(planner.onto(going(), (10.0, 10.0), (20.0, 20.0))), (20.0, 20.0)) < 1.0


def test_into_an_area_overlaps_it_or_is_wholly_inside() -> None:
    wood = rectangle(30.0, 30.0, 8.0, 8.0)
    pieces = [Piece("wood", "wood", wood)]
    partly = planner.into_area(going(), (10.0, 30.0), wood)
    wholly = planner.into_area(going(), (10.0, 30.0), wood, wholly=True)
    assert partly is not None
    assert plan_length(partly) == pytest.approx(15.0, abs=0.05)
    assert sweeps.crossings(partly, Circle(1.0), pieces)[-1].to_end
    assert end(wholly) == pytest.approx((27.0, 30.0), abs=0.01)
    assert Polygon(wood).contains(Point(end(wholly)).buffer(0.9999))


def test_an_area_too_small_for_the_base_cannot_hold_it() -> None:
    assert planner.into_area(going(), (10.0, 30.0), rectangle(30.0, 30.0, 1.5, 8.0), wholly=True) is None


# Places.


def test_free_places_are_free_and_in_the_region() -> None:
    chances: Floats = np.random.default_rng(7).uniform(0.0, 1.0, (300, 2))
    here = going([(30.0, 30.0, 3.0)], wall(20.0, 20.0, 6.0, 3.0))
    region = ((10.0, 10.0), (40.0, 12.0), (35.0, 40.0))
    found = planner.sample_free(here, region, chances)
    assert 0 < len(found) < 300
    for x, y in found.tolist():
        assert planner.is_free(here, x, y)
        assert Polygon(region).contains(Point(x, y))
    assert not planner.is_free(here, 30.0, 34.9)
    assert planner.is_free(here, 30.0, 35.0)


# Hulls.


def test_a_hull_turns_towards_its_way_and_is_checked_as_a_hull() -> None:
    field = turning.Field(OPEN, np.array([[30.0, 20.0, 1.0]]), 1.0)
    path = turning.hull_route(field, TANK, (10.0, 20.0), 0.0, (50.0, 20.0))
    assert path is not None
    assert path.turns[0] != 0.0
    assert turning.is_legal(field, TANK, path)


def test_a_hull_takes_a_lane_that_only_its_narrow_side_fits() -> None:
    lane = (wall(30.0, 26.0, 20.0, 9.8), wall(30.0, 14.0, 20.0, 9.8, 0.0, "other"))
    field = turning.Field(OPEN, np.zeros((0, 3)), 0.0, lane)
    path = turning.hull_route(field, TANK, (10.0, 20.0), 90.0, (50.0, 20.0))
    assert path == Path(((10.0, 20.0), (50.0, 20.0)), 90.0, (0.0, 0.0))
    across = turning.hull_route(field, TANK, (10.0, 20.0), 0.0, (50.0, 20.0), sideways=True)
    assert across is None or plan_length(across) > 45.0


def test_turns_go_the_shorter_way_round() -> None:
    assert turning.shorter_turn(350.0, 10.0) == 20.0
    assert turning.shorter_turn(10.0, 350.0) == -20.0


# Units and formations.


def test_a_unit_in_the_open_moves_as_one() -> None:
    starts = formations.rows(6, 2.5, 3, (10.0, 10.0))
    ways = units.unit_route([going()] * 6, starts, (20.0, 10.0), Coherency(2.0), 6.0)
    assert ways is not None
    assert {round(end(path)[0] - path.points[0][0], 3) for path in ways} == {5.999}


@fields
@given(places, discs, walls, st.integers(2, 7))
def test_a_unit_ends_coherent_apart_and_by_legal_ways(
    target: XY,
    others: list[tuple[float, float, float]],
    barred: list[tuple[float, float, int, int, int]],
    count: int,
) -> None:
    field = built(others, barred)
    here = going(field[0], *field[1])
    starts = formations.put_down([here] * count, formations.blob(count, 2.2, (30.0, 30.0)))
    rule = Coherency(2.0, 2 if count > 6 else 1)
    if starts is None or not units.is_legal_end(starts, [1.0] * count, rule):
        return
    ways = units.unit_route([here] * count, starts, target, rule, 8.0)
    assert ways is not None
    assert all(is_clear(path, field) and plan_length(path) <= 8.001 for path in ways)
    assert units.is_legal_end([end(path) for path in ways], [1.0] * count, rule)


def test_coherency_is_by_companions_by_group_and_by_leader() -> None:
    pairs = [(0.0, 0.0), (3.0, 0.0), (20.0, 0.0), (23.0, 0.0)]
    radii = [1.0] * 4
    assert not formations.is_coherent(pairs, radii, Coherency(2.0))
    assert formations.is_coherent(pairs, radii, Coherency(2.0, one_group=False))
    assert not formations.is_coherent(pairs[:2], radii[:2], Coherency(0.998))
    assert formations.is_coherent(pairs[:2], radii[:2], Coherency(1.0))
    line = [(0.0, 0.0), (3.0, 0.0), (6.0, 0.0)]
    assert formations.is_coherent(line, radii[:3], Coherency(1.0, leader=1))
    assert not formations.is_coherent(line, radii[:3], Coherency(1.0, leader=0))
    assert not formations.is_coherent(line, radii[:3], Coherency(1.0, companions=2))


def test_rows_face_forward_and_blobs_leave_room() -> None:
    assert formations.rows(3, 2.0, 2, (10.0, 10.0), 0.0) == ((9.0, 11.0), (11.0, 11.0), (10.0, 9.0))
    assert formations.rows(2, 2.0, 1, (10.0, 10.0), 90.0) == ((11.0, 10.0), (9.0, 10.0))
    crowd = formations.blob(19, 2.0, (10.0, 10.0))
    assert crowd[0] == (10.0, 10.0)
    assert min(math.dist(a, b) for i, a in enumerate(crowd) for b in crowd[:i]) >= 2.0


def test_a_unit_is_put_down_beside_what_is_in_the_way() -> None:
    here = going([(10.0, 10.0, 1.0)])
    spots = formations.put_down([here] * 3, [(10.0, 10.0)] * 3)
    assert spots is not None
    assert all(planner.is_free(here, *spot) for spot in spots)
    assert min(math.dist(a, b) for i, a in enumerate(spots) for b in spots[:i]) >= 2.0
