"""Paths, what they meet, and what height adds to them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Polygon
from tests.table import path_twins as twins

from campale.table import climbs, paths, sweeps
from campale.table.paths import Path
from campale.table.shapes import Circle, Ellipse, Hull, Solid
from campale.table.terrain import Ground, Piece, rectangle

exactly = settings(derandomize=True, max_examples=60, deadline=None)
coordinate = st.integers(-1000, 1000).map(lambda n: n / 50.0)
place = st.tuples(coordinate, coordinate)
way = st.lists(place, min_size=2, max_size=4).filter(lambda ps: math.dist(ps[0], ps[1]) > 0.1)
size = st.integers(5, 100).map(lambda n: n / 20.0)
disc = st.tuples(coordinate, coordinate, size)

TANK = Hull(((-1.0, -2.0), (1.0, -2.0), (1.0, 2.0), (-1.0, 2.0)))
BASE = Circle(1.0)


def east(length: float) -> Path:
    return Path(((0.0, 0.0), (length, 0.0)))


def at(x: float, y: float, radius: float = 1.0) -> list[Solid]:
    return [Solid(Circle(radius), x, y)]


def block(x0: float, y0: float, x1: float, y1: float, height: float = 0.0) -> Piece:
    return Piece("block", "block", ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), height)


# The path itself.


def test_a_path_is_measured_in_plan() -> None:
    assert paths.plan_length(Path(((0.0, 0.0, 0.0), (3.0, 4.0, 2.0), (3.0, 5.0, 0.0)))) == 6.0


def test_climbs_up_and_down_are_added_where_a_book_adds_them() -> None:
    path = Path(((0.0, 0.0, 0.0), (4.0, 0.0, 3.0), (4.0, 0.0, 1.0)))
    assert paths.climbs(path) == (3.0, 2.0)
    assert paths.length_with_climbs(path) == 9.0
    assert paths.slant_length(path) == 7.0


def test_a_path_without_points_or_with_too_few_turns_is_refused() -> None:
    with pytest.raises(ValueError, match="starts from"):
        Path(())
    with pytest.raises(ValueError, match="one angle"):
        Path(((0.0, 0.0), (1.0, 0.0)), 0.0, (10.0,))


def test_a_turn_costs_the_furthest_corner_its_arc_and_a_round_base_nothing() -> None:
    path = Path(((0.0, 0.0), (0.0, 6.0)), 90.0, (0.0, 90.0))
    assert paths.furthest_length(path, TANK) == pytest.approx(6.0 + math.sqrt(5.0) * math.pi / 2.0)
    assert paths.furthest_length(path, BASE) == 6.0


def test_a_model_that_gets_only_so_far_stands_on_its_announced_route() -> None:
    path = Path(((0.0, 0.0), (3.0, 0.0), (3.0, 4.0)), 45.0)
    assert paths.at(path, 5.0) == paths.Stance(3.0, 2.0, 0.0, 45.0)
    assert paths.upto(path, 5.0) == Path(((0.0, 0.0), (3.0, 0.0), (3.0, 2.0)), 45.0)
    assert paths.upto(path, 3.0) == Path(((0.0, 0.0), (3.0, 0.0)), 45.0)
    assert paths.upto(path, 99.0) is path
    assert paths.upto(path, 0.0) == Path(((0.0, 0.0),), 45.0)


def test_a_hull_stopped_on_its_way_keeps_the_turns_it_has_made() -> None:
    path = Path(((0.0, 0.0), (0.0, 6.0), (6.0, 6.0)), 90.0, (0.0, 90.0, 0.0))
    assert paths.start_facing(path) == 0.0
    assert paths.upto(path, 5.0) == Path(((0.0, 0.0), (0.0, 5.0)), 0.0, (0.0, 0.0))
    assert paths.upto(path, 6.0) == Path(((0.0, 0.0), (0.0, 6.0)), 90.0, (0.0, 90.0))
    half = paths.until(path, 1.5)
    assert half.facing == pytest.approx(2.0 * math.degrees(math.atan(0.5)), abs=1e-3)


def test_a_unit_stopped_on_its_way_stands_at_the_same_share_of_its_routes() -> None:
    short, long = paths.together((east(5.0), east(10.0)), 6.0)
    assert short.points[-1] == (3.0, 0.0)
    assert long.points[-1] == (6.0, 0.0)


@exactly
@given(way, st.floats(0.0, 1.0))
def test_the_part_of_a_path_is_as_long_as_it_was_cut(points: list[tuple[float, float]], share: float) -> None:
    path = Path(tuple(points))
    cut = paths.fraction(path, share)
    assert paths.plan_length(cut) == pytest.approx(share * paths.plan_length(path), abs=1e-9)
    assert cut.points[-1] == pytest.approx((paths.at(path, paths.plan_length(cut)).x, cut.points[-1][1]), abs=1e-6)


# Gaps.


@pytest.mark.parametrize(("aside", "is_refused"), [(3.0, False), (2.9995, False), (2.998, True)])
def test_exactly_one_is_allowed_and_less_is_not(aside: float, is_refused: bool) -> None:
    met = sweeps.first_within(east(10.0), BASE, at(5.0, aside), 1.0)
    assert (met is not None) is is_refused


def test_the_place_and_the_least_gap_of_a_meeting_are_told() -> None:
    met = sweeps.first_within(east(10.0), BASE, [*at(5.0, 9.0), *at(5.0, 2.5)], 1.0, tolerance=0.0)
    assert met is not None
    assert met.other == 1
    assert met.distance == pytest.approx(5.0 - math.sqrt(9.0 - 6.25))
    assert met.at.x == pytest.approx(met.distance)
    assert met.gap == pytest.approx(0.5)


def test_who_starts_too_near_may_move_away_but_not_closer() -> None:
    away, closer = Path(((0.0, 0.0), (9.0, 0.0))), Path(((0.0, 0.0), (-0.2, 0.0), (9.0, 0.0)))
    enemy = at(-2.5, 0.0)
    assert sweeps.first_within(away, BASE, enemy, 1.0) is not None
    assert sweeps.first_within(away, BASE, enemy, 1.0, unless_receding=True) is None
    met = sweeps.first_within(closer, BASE, enemy, 1.0, unless_receding=True)
    assert met is not None
    assert met.gap == pytest.approx(0.3)


def test_who_moved_away_from_too_near_may_not_come_back_to_where_it_was() -> None:
    there_and_back = Path(((0.0, 0.0), (0.3, 0.0), (0.1, 0.0)))
    assert sweeps.first_within(there_and_back, BASE, at(-2.5, 0.0), 1.0, unless_receding=True) is not None


def test_bases_in_contact_may_slide_along_each_other_no_more_than_the_tolerance() -> None:
    assert sweeps.first_overlap(east(5.0), BASE, at(2.0, 2.0)) is None
    assert sweeps.first_overlap(east(5.0), BASE, at(2.0, 1.998)) is not None
    assert sweeps.first_contact(east(5.0), BASE, at(2.0, 2.0)) is not None
    assert sweeps.first_contact(east(5.0), BASE, at(2.0, 2.001)) is None


def test_every_meeting_is_told_in_the_order_met() -> None:
    path = Path(((0.0, 0.0), (20.0, 0.0), (0.0, 0.0)))
    met = sweeps.every_within(path, BASE, [*at(15.0, 1.0), *at(5.0, 1.0)], 0.0, tolerance=0.0)
    assert [stretch.other for stretch in met] == [1, 0, 0, 1]
    assert met[0].start == pytest.approx(5.0 - math.sqrt(3.0))
    assert met[0].end == pytest.approx(5.0 + math.sqrt(3.0))


def test_a_model_that_stays_is_checked_where_it_stands() -> None:
    still = Path(((0.0, 0.0),))
    assert sweeps.first_within(still, BASE, at(2.5, 0.0), 1.0) is not None
    assert sweeps.first_within(still, BASE, at(3.5, 0.0), 1.0) is None


@exactly
@given(way, disc, size)
def test_the_first_meeting_is_where_fine_sampling_finds_it(
    points: list[tuple[float, float]], other: tuple[float, float, float], radius: float
) -> None:
    reach = radius + other[2]
    met = sweeps.first_within(Path(tuple(points)), Circle(radius), np.array([other]), 0.0, tolerance=0.0)
    seen = twins.first_nearer(points, reach, other[:2])
    grain = max(math.dist(a, b) for a, b in pairwise(points)) / 4000
    if seen is None:
        assert met is None or twins.least_distance(points, other[:2]) > reach - 0.05
    else:
        assert met is not None
        assert seen - grain - 1e-9 <= met.distance <= seen + 1e-9


@exactly
@given(way, st.lists(disc, min_size=1, max_size=6), size)
def test_the_nearest_approach_is_shapelys(
    points: list[tuple[float, float]], others: list[tuple[float, float, float]], radius: float
) -> None:
    met = sweeps.nearest_approach(Path(tuple(points)), Circle(radius), np.array(others))
    gaps = [twins.least_distance(points, other[:2]) - radius - other[2] for other in others]
    assert met is not None
    assert met.gap == pytest.approx(min(gaps), abs=1e-9)
    assert gaps[met.other] == pytest.approx(met.gap, abs=1e-9)
    assert list(sweeps.gaps_along(Path(tuple(points)), Circle(radius), np.array(others))) == pytest.approx(gaps)


# Outlines and edges.


def test_touching_an_outline_from_outside_is_not_entering_it() -> None:
    assert sweeps.crossings(east(10.0), BASE, [block(3.0, 1.0, 6.0, 4.0)]) == ()
    assert sweeps.crossings(east(10.0), BASE, [block(3.0, 0.998, 6.0, 4.0)]) != ()


def test_entering_leaving_and_crossing_are_told_apart() -> None:
    wood = [block(2.0, -5.0, 6.0, 5.0)]
    (crossed,) = sweeps.crossings(east(20.0), BASE, wood, tolerance=0.0)
    assert (crossed.start, crossed.end) == pytest.approx((1.0, 7.0))
    assert (crossed.from_outset, crossed.to_end) == (False, False)
    (entered,) = sweeps.crossings(east(4.0), BASE, wood)
    assert (entered.from_outset, entered.to_end) == (False, True)
    (inside,) = sweeps.crossings(Path(((3.0, 0.0), (4.0, 0.0))), Circle(0.5), wood)
    assert (inside.from_outset, inside.to_end) == (True, True)


@exactly
@given(way, st.tuples(coordinate, coordinate, size, size, st.integers(0, 89)), size)
def test_the_stretch_in_a_piece_is_as_long_as_shapelys(
    points: list[tuple[float, float]], where: tuple[float, float, float, float, int], radius: float
) -> None:
    outline = rectangle(*where[:4], float(where[4]))
    ground = Ground(100.0, 100.0, (Piece("p", "p", outline),))
    met = sweeps.crossings(Path(tuple(points)), Circle(radius), ground, tolerance=0.0)
    length = sum(stretch.end - stretch.start for stretch in met)
    asked = sum(twins.overlap_length(leg, radius, outline) for leg in pairwise(points))
    shallow = math.sqrt(2.0 * radius * 2e-4 * radius) * 8.0
    assert length == pytest.approx(asked, abs=0.002 + shallow)


@exactly
@given(way)
def test_a_bent_outline_is_entered_where_shapely_says(points: list[tuple[float, float]]) -> None:
    bent = ((-8.0, -8.0), (8.0, -8.0), (8.0, 8.0), (5.0, 8.0), (5.0, -5.0), (-5.0, -5.0), (-5.0, 8.0), (-8.0, 8.0))
    met = sweeps.crossings(Path(tuple(points)), Circle(0.0011), [Piece("u", "u", bent)])
    inside = sum(float(LineString(leg).intersection(Polygon(bent)).length) for leg in pairwise(points))
    assert sum(stretch.end - stretch.start for stretch in met) == pytest.approx(inside, abs=0.01)


def test_a_base_on_the_edge_of_the_table_is_on_it_and_beyond_is_off() -> None:
    assert sweeps.first_off(Path(((5.0, 5.0), (9.0, 5.0))), BASE, 10.0, 10.0) is None
    met = sweeps.first_off(Path(((5.0, 5.0), (9.1, 5.0))), BASE, 10.0, 10.0)
    assert met is not None
    assert met[0] == "east"
    assert met[1].start == pytest.approx(4.001)


def test_touching_an_edge_can_be_asked_for() -> None:
    touch = sweeps.edges_met(Path(((5.0, 5.0), (5.0, 1.0))), BASE, 10.0, 10.0, beyond=-0.001)
    assert [sweeps.EDGES[stretch.other] for stretch in touch] == ["south"]
    assert sweeps.edges_met(Path(((5.0, 5.0), (5.0, 1.01))), BASE, 10.0, 10.0, beyond=-0.001) == ()


# Hulls and ovals.


def test_a_hull_meets_sideways_what_its_flank_reaches() -> None:
    path = Path(((0.0, 0.0), (0.0, 10.0)), 0.0)
    assert sweeps.first_overlap(path, TANK, at(1.9995, 5.0)) is None
    assert sweeps.first_overlap(path, TANK, at(1.998, 5.0)) is not None


def test_a_hull_that_turns_on_the_spot_sweeps_what_its_corner_reaches() -> None:
    turn = Path(((0.0, 0.0),), 90.0, (90.0,))
    corner = math.sqrt(5.0)
    out = math.sqrt(0.5)
    near, far = (corner + 1.0 - 0.01) * out, (corner + 1.0 + 0.01) * out
    met = sweeps.first_overlap(turn, TANK, at(near, near))
    assert met is not None
    assert 0.0 < met.progress < 1.0
    assert sweeps.first_overlap(turn, TANK, at(far, far)) is None


def test_an_oval_is_wider_along_its_facing() -> None:
    oval = Ellipse(2.0, 1.0)
    assert sweeps.first_overlap(Path(((0.0, 0.0), (0.0, 9.0)), 0.0), oval, at(2.01, 5.0)) is None
    assert sweeps.first_overlap(Path(((0.0, 0.0), (0.0, 9.0)), 90.0), oval, at(2.9, 5.0)) is not None
    assert sweeps.first_overlap(Path(((0.0, 0.0), (0.0, 9.0)), 90.0), oval, at(3.01, 5.0)) is None


def test_hulls_in_contact_slide_along_each_other() -> None:
    other = [Solid(TANK, 2.0, 5.0)]
    assert sweeps.first_overlap(Path(((0.0, 0.0), (0.0, 10.0)), 0.0), TANK, other) is None
    assert sweeps.first_overlap(Path(((0.01, 0.0), (0.01, 10.0)), 0.0), TANK, other) is not None


def test_a_small_hull_inside_a_big_piece_is_in_it_all_the_way() -> None:
    (met,) = sweeps.crossings(Path(((0.0, 0.0), (5.0, 0.0)), 0.0), TANK, [block(-50.0, -50.0, 50.0, 50.0)])
    assert (met.from_outset, met.to_end) == (True, True)


@settings(derandomize=True, max_examples=25, deadline=None)
@given(place, st.integers(0, 359), st.integers(-180, 180), st.tuples(coordinate, coordinate), st.integers(0, 359))
def test_a_hulls_least_gap_is_shapelys(
    end: tuple[float, float], facing: int, turn: int, other: tuple[float, float], stands: int
) -> None:
    path = Path(((0.0, 0.0), end), float((facing + turn) % 360), (0.0, float(turn)))
    solid = Solid(TANK, *other, facing=float(stands))
    shape = twins.hull_at(TANK.corners, *other, float(stands))
    places = [(0.0, 0.0, float(facing)), (*end, float(facing)), (*end, float(facing + turn))]
    asked = twins.hull_gap(TANK.corners, places, shape)
    (gap,) = sweeps.gaps_along(path, TANK, [solid])
    grain = (math.dist((0.0, 0.0), end) + 4.0) / 300.0
    assert asked - grain <= gap <= asked + 0.001
    met = sweeps.first_within(path, TANK, [solid], 1.0)
    assert (met is not None) or gap > 0.998
    assert (met is None) or gap < 1.0


# Height.


def test_the_way_through_the_air_is_the_taut_line_over_the_block() -> None:
    block_ahead = [block(8.0, -5.0, 18.0, 5.0, 4.0)]
    base = Circle(0.5)
    asked = math.sqrt(7.5**2 + 16.0) + 11.0 + math.sqrt(11.5**2 + 16.0)
    assert climbs.air_length(east(30.0), base, block_ahead, 2.0) == pytest.approx(asked)


def test_low_pieces_do_not_bend_the_way_through_the_air() -> None:
    assert climbs.air_length(east(30.0), BASE, [block(8.0, -5.0, 18.0, 5.0, 2.0)], 2.0) == pytest.approx(30.0)


def test_a_piece_under_the_taut_line_does_not_bend_it() -> None:
    pieces = [block(8.0, -5.0, 18.0, 5.0, 8.0), block(21.0, -5.0, 22.0, 5.0, 3.0)]
    line = climbs.air_line(east(40.0), BASE, pieces, 2.0)
    assert np.array(line) == pytest.approx(np.array([(0.0, 0.0), (7.0, 8.0), (19.0, 8.0), (40.0, 0.0)]))


def test_going_over_a_piece_costs_the_climb_and_the_drop() -> None:
    path = east(30.0)
    pieces = [block(8.0, -5.0, 18.0, 5.0, 4.0)]
    assert climbs.climbing_length(path, BASE, pieces, 2.0) == pytest.approx(38.0)
    assert climbs.climbing_length(path, BASE, pieces, 4.0) == pytest.approx(30.0)
    assert climbs.rises(path, BASE, pieces) == (climbs.Rise(7.0, 4.0), climbs.Rise(19.0, -4.0))


@pytest.mark.parametrize(("overlap", "length"), [(0.0, 12.0), (0.0009, 12.0), (0.0011, 18.0)])
def test_grazing_a_piece_within_the_tolerance_is_no_climb(overlap: float, length: float) -> None:
    radius = BASE.radius
    beside = [block(4.0, radius - overlap, 8.0, 9.0, 3.0)]
    assert climbs.climbing_length(east(12.0), BASE, beside, 2.0) == pytest.approx(length)


def test_who_stands_inside_a_ruin_does_not_climb_it_to_leave() -> None:
    ruin = [block(-5.0, -5.0, 5.0, 5.0, 6.0)]
    assert climbs.climbing_length(east(12.0), BASE, ruin) == pytest.approx(12.0)
    from_its_roof = Path(((0.0, 0.0, 6.0), (12.0, 0.0, 0.0)))
    assert climbs.climbing_length(from_its_roof, BASE, ruin) == pytest.approx(18.0)
