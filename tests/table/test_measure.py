from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import Polygon
from tests.table import twins

from campale.table import kernels, measure
from campale.table.measure import (
    all_in_front,
    apart,
    circle_gap_matrix,
    circle_gaps,
    farthest,
    gap,
    gap_to_outline,
    gap_to_point,
    gaps_to_outlines,
    in_arc,
    in_front,
    is_behind,
    is_wholly_within,
    is_within,
    nearest_point,
    on_table,
    outline_of,
    over_outlines,
    overlaps,
    overlaps_outline,
    rise,
    touches,
    wholly_inside_outline,
)
from campale.table.outlines import contains, rectangle
from campale.table.shapes import Circle, Ellipse, Hull, Shape, Solid
from campale.table.terrain import Ground, Piece, regular

few = settings(derandomize=True, max_examples=60, deadline=None, database=None)

BASE = Circle(0.5)
OVAL = Ellipse(2.0, 1.0)
TANK = Hull(((-1.5, -3.0), (1.5, -3.0), (1.5, 3.0), (-1.5, 3.0)))
HOLLOW = Hull(((-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (1.0, 3.0), (1.0, 0.0), (-1.0, 0.0), (-1.0, 3.0), (-3.0, 3.0)))
SHAPES: tuple[Shape, ...] = (BASE, OVAL, TANK, HOLLOW)

places = st.floats(-8, 8).map(lambda v: round(v, 4))
facings = st.floats(0, 360).map(lambda v: round(v, 1))
solids = st.builds(Solid, st.sampled_from(SHAPES), places, places, st.just(0.0), facings)


def at(x: float, y: float, shape: Shape = BASE, facing: float = 0.0, z: float = 0.0, height: float = 2.0) -> Solid:
    return Solid(shape, x, y, z, facing, height)


def drawn(solid: Solid) -> Polygon:
    """The base for Shapely: an ellipse with many corners."""
    if isinstance(solid.shape, Circle):
        return shapely.Point(solid.x, solid.y).buffer(solid.shape.radius, quad_segs=512)
    return Polygon(outline_of(solid))


def test_the_gap_goes_from_edge_to_edge() -> None:
    assert gap(at(0, 0), at(3, 4)) == 4.0
    assert gap(at(0, 0), at(0.6, 0)) == 0.0
    assert gap(at(0, 0), at(4, 0, TANK)) == 2.0
    assert gap(at(0, 0), at(4, 0, TANK, facing=90)) == 0.5
    assert gap(at(0, 0, TANK), at(5, 7, TANK)) == math.sqrt(2 * 2 + 1)
    assert gap(at(0, 0, OVAL), at(0, 5)) == pytest.approx(2.5, abs=1e-12)
    assert gap(at(0, 0, OVAL, facing=90), at(0, 5)) == pytest.approx(3.5, abs=1e-12)
    assert gap(at(0, 0, OVAL), at(0, 5, OVAL, facing=90)) == pytest.approx(2.0, abs=1e-9)
    assert gap(at(0, 0, OVAL), at(0, 0, OVAL)) == 0.0


def test_a_base_in_the_hollow_of_a_hull_does_not_touch_it() -> None:
    assert gap(at(0, 1.5), at(0, 0, HOLLOW)) == 0.5
    assert not overlaps(at(0, 1.5), at(0, 0, HOLLOW))
    assert gap(at(2, 1.5), at(0, 0, HOLLOW)) == 0.0


@few
@given(solids, solids)
def test_the_gap_is_shapelys(a: Solid, b: Solid) -> None:
    assert gap(a, b) == pytest.approx(shapely.distance(drawn(a), drawn(b)), abs=2e-4)


@few
@given(solids, solids)
def test_the_gap_is_the_same_both_ways(a: Solid, b: Solid) -> None:
    assert gap(a, b) == gap(b, a)
    assert overlaps(a, b) == overlaps(b, a)


@few
@given(st.floats(0.2, 3), st.floats(0.2, 3), places, places)
def test_a_point_to_an_ellipse_is_its_twins(half_x: float, half_y: float, x: float, y: float) -> None:
    twin = twins.point_to_ellipse(half_x, half_y, (x, y))
    assert kernels.point_to_ellipse(half_x, half_y, x, y) == pytest.approx(twin, abs=1e-9)


@few
@given(places, places, facings, facings)
def test_two_ellipses_are_as_far_as_their_nearest_points(x: float, y: float, one: float, two: float) -> None:
    a, b = at(0, 0, OVAL, one), at(x, y, Ellipse(1.5, 0.5), two)
    walked = min(gap_to_point(a, px, py) for px, py in outline_of(b))
    assert walked - 2e-4 <= gap(a, b) <= walked + 1e-9


def test_a_flat_ellipse_beside_another_is_measured_to_a_millionth() -> None:
    a, b = at(0, 0, Ellipse(3.0, 0.2)), at(1.0, 0, Ellipse(3.0, 0.2))
    assert gap(a, b) == pytest.approx(0.6, abs=1e-9)
    slanting = at(2.0, 1.0, Ellipse(3.0, 0.2), facing=45)
    points = [kernels.point_to_ellipse(0.2, 3.0, *measure._local(a, x, y)) for x, y in fine(slanting)]
    assert gap(a, slanting) == pytest.approx(min(points), abs=1e-6)


def fine(oval: Solid) -> list[tuple[float, float]]:
    assert isinstance(oval.shape, Ellipse)
    turns = [2 * math.pi * k / 20000 for k in range(20000)]
    wide, deep = oval.shape.half_width, oval.shape.half_length
    lean = math.radians(oval.facing)
    own = [(wide * math.cos(t), deep * math.sin(t)) for t in turns]
    return [
        (oval.x + u * math.cos(lean) + v * math.sin(lean), oval.y - u * math.sin(lean) + v * math.cos(lean))
        for u, v in own
    ]


def test_the_rise_is_between_top_and_foot() -> None:
    low, high = at(0, 0, z=0, height=2), at(4, 0, z=6, height=1)
    assert rise(low, high) == rise(high, low) == 4.0
    assert rise(low, at(0, 0, z=1)) == 0.0
    assert apart(low, high) == 5.0


@pytest.mark.parametrize("shape", SHAPES)
def test_contact_is_no_overlap(shape: Shape) -> None:
    edge = max(x for x, _ in outline_of(at(0, 0, shape)))
    assert not overlaps(at(0, 0, shape), at(edge + 0.5, 0))
    assert not overlaps(at(0, 0, shape), at(edge + 0.5 - 0.0009, 0))
    assert overlaps(at(0, 0, shape), at(edge + 0.5 - 0.002, 0))
    assert touches(at(0, 0, shape), at(edge + 0.5 + 0.0009, 0))
    assert not touches(at(0, 0, shape), at(edge + 0.5 + 0.002, 0))


def test_within_thirty_is_thirty_and_no_hundredth_more() -> None:
    viewer = at(0, 0)
    assert is_within(viewer, at(31.0, 0), 30.0)
    assert is_within(viewer, at(31.0009, 0), 30.0)
    assert not is_within(viewer, at(31.0011, 0), 30.0)
    assert not is_within(viewer, at(31.01, 0), 30.0)
    high = at(31.0, 0, z=5.0)
    assert not is_within(viewer, high, 30.0)
    assert is_within(viewer, high, 30.0, measured=gap)


def test_wholly_within_asks_for_the_far_edge() -> None:
    viewer = at(0, 0)
    assert farthest(at(30.0, 0), viewer) == 30.0
    assert is_wholly_within(at(30.0, 0), viewer, 30.0)
    assert not is_wholly_within(at(30.01, 0), viewer, 30.0)
    assert farthest(at(0, 5, TANK), viewer) == pytest.approx(math.sqrt(1.5**2 + 64) - 0.5)
    assert is_wholly_within(at(0, 0), at(0, 0, TANK), 0.0)
    assert farthest(at(1.2, 0), at(0, 0, TANK)) == pytest.approx(0.2)
    assert not is_wholly_within(at(2, 0, z=5, height=3), viewer, 5.9)
    assert is_wholly_within(at(2, 0, z=5, height=3), viewer, 5.9, in_plan=True)


def test_points_are_measured_from_the_edge_too() -> None:
    assert gap_to_point(at(0, 0), 3.5, 0) == 3.0
    assert gap_to_point(at(0, 0, TANK), 0, 1) == 0.0
    assert nearest_point(at(0, 0, TANK), 4, 1) == (1.5, 1.0)
    assert nearest_point(at(0, 0), 3, 4) == pytest.approx((0.3, 0.4))
    assert nearest_point(at(0, 0), 0.1, 0.2) == (0.1, 0.2)
    assert nearest_point(at(0, 0), 0, 0) == (0, 0)
    assert nearest_point(at(0, 0, OVAL), 0, 9) == pytest.approx((0, 2), abs=1e-4)


FIELD = rectangle(0, 0, 10, 10)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_base_is_wholly_inside_up_to_the_edge(shape: Shape) -> None:
    edge = max(x for x, _ in outline_of(at(0, 0, shape)))
    assert wholly_inside_outline(at(5 - edge, 0, shape), FIELD)
    assert wholly_inside_outline(at(5 - edge + 0.0009, 0, shape), FIELD)
    assert not wholly_inside_outline(at(5 - edge + 0.002, 0, shape), FIELD)
    assert not wholly_inside_outline(at(20, 0, shape), FIELD)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_base_is_over_an_outline_beyond_its_edge(shape: Shape) -> None:
    edge = max(x for x, _ in outline_of(at(0, 0, shape)))
    assert gap_to_outline(at(7 + edge, 0, shape), FIELD) == pytest.approx(2.0, abs=1e-9)
    assert not overlaps_outline(at(5 + edge, 0, shape), FIELD)
    assert not overlaps_outline(at(5 + edge - 0.0009, 0, shape), FIELD)
    assert overlaps_outline(at(5 + edge - 0.002, 0, shape), FIELD)
    assert gap_to_outline(at(0, 0, shape), FIELD) == 0.0


@few
@given(solids)
def test_inside_and_over_an_outline_are_shapelys(solid: Solid) -> None:
    outline = HOLLOW.corners
    field = Polygon(outline)
    base = drawn(solid)
    assert gap_to_outline(solid, outline) == pytest.approx(shapely.distance(base, field), abs=2e-4)
    if base.within(field.buffer(-0.01)):
        assert wholly_inside_outline(solid, outline)
    if not base.within(field.buffer(0.01)):
        assert not wholly_inside_outline(solid, outline)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_base_may_reach_the_edge_of_the_table(shape: Shape) -> None:
    edge = max(x for x, _ in outline_of(at(0, 0, shape)))
    ground = Ground(72, 48)
    assert on_table(at(edge, 20, shape), ground)
    assert not on_table(at(edge - 0.01, 20, shape), ground)
    assert on_table(at(72 - edge, 20, shape), ground)
    assert not on_table(at(72 - edge + 0.01, 20, shape), ground)
    assert not on_table(at(36, 47.9, shape), ground)


def test_the_front_begins_at_the_line_through_the_centre() -> None:
    viewer = at(0, 0, facing=90)
    assert in_front(viewer, at(-0.5, 3))
    assert not in_front(viewer, at(-0.501, 3))
    assert not in_front(at(0, 0, facing=270), at(5, 0))
    assert in_front(viewer, at(-3, 0, TANK, facing=90))
    assert not in_front(viewer, at(-3, 0, TANK))
    assert is_behind(viewer, at(-0.001, 3))
    assert not is_behind(viewer, at(0, 3))


def test_a_base_is_in_an_arc_by_any_part_or_by_its_centre() -> None:
    viewer = at(0, 0)
    beside = at(5.6, 5)
    assert in_arc(viewer, beside, -45, 45)
    assert not in_arc(viewer, beside, -45, 45, part="centre")
    assert in_arc(viewer, at(5, 5), -45, 45, part="centre")
    assert not in_arc(viewer, at(5.8, 5), -45, 45)
    assert not in_arc(viewer, at(0, -5), -45, 45)
    assert in_arc(viewer, at(0, -5), 135, 225)
    assert in_arc(viewer, at(-9, 0), 225, 315)
    assert in_arc(viewer, at(0, -5), -180, 180)
    assert in_arc(viewer, at(-5, 0), 45, 315, part="centre")
    assert not in_arc(viewer, at(0, 5), 45, 315, part="centre")
    assert in_arc(viewer, at(3, 0), -90, 90, part="centre")
    assert not in_arc(viewer, at(3, -0.001), -90, 90, part="centre")
    assert in_arc(viewer, at(0, 5), 0, 0, part="centre")
    assert not in_arc(viewer, at(0, -5), 0, 0, part="centre")
    with pytest.raises(ValueError):
        in_arc(viewer, beside, 0, 90, part="edge")


@few
@given(solids, st.integers(0, 359), st.integers(1, 350))
def test_an_arc_is_shapelys_slice(other: Solid, from_: int, span: int) -> None:
    angles = [math.radians(from_ + span * k / 60) for k in range(61)]
    piece = Polygon([(0, 0), *((40 * math.sin(a), 40 * math.cos(a)) for a in angles)])
    far = shapely.distance(drawn(other), piece)
    deep = shapely.intersection(drawn(other), piece).area
    if far > 0.001:
        assert not in_arc(at(0, 0), other, from_, from_ + span)
    elif deep > 0.001:
        assert in_arc(at(0, 0), other, from_, from_ + span)


def test_many_circles_are_measured_as_one_pair_is() -> None:
    rng = np.random.default_rng(5)
    x, y, r = rng.uniform(0, 20, 12), rng.uniform(0, 20, 12), rng.uniform(0.2, 1.5, 12)
    bases = [at(a, b, Circle(c)) for a, b, c in zip(x.tolist(), y.tolist(), r.tolist(), strict=True)]
    assert circle_gaps(x, y, r, 3).tolist() == [gap(bases[3], b) if b is not bases[3] else 0.0 for b in bases]
    table = circle_gap_matrix(x, y, r, x[:4], y[:4], r[:4])
    assert table.tolist() == [[gap(a, b) for b in bases[:4]] for a in bases]


def test_many_circles_to_all_pieces_is_the_twins() -> None:
    ground = Ground(20, 20, (Piece("a", "a", regular(8, 8, 4, 7)), Piece("b", "b", HOLLOW.corners)))
    rng = np.random.default_rng(6)
    x, y, r = rng.uniform(-5, 20, 30), rng.uniform(-5, 20, 30), rng.uniform(0.2, 1.5, 30)
    found = gaps_to_outlines(x, y, r, ground)
    for i in range(30):
        for p, piece in enumerate(ground.pieces):
            twin = twins.point_to_outline((float(x[i]), float(y[i])), piece.outline) - r[i]
            assert found[i, p] == pytest.approx(max(0.0, twin), abs=1e-12)
    assert gaps_to_outlines(x, y, r, Ground(20, 20)).shape == (30, 0)


def test_many_fronts_are_each_pairs() -> None:
    rng = np.random.default_rng(7)
    viewers = np.column_stack([rng.uniform(0, 20, (8, 2)), rng.uniform(0, 360, 8).round(1)])
    targets = np.column_stack([rng.uniform(0, 20, (9, 2)), rng.uniform(0.3, 1, 9)])
    found = all_in_front(viewers, targets)
    for i, (x, y, facing) in enumerate(viewers.tolist()):
        for k, (tx, ty, r) in enumerate(targets.tolist()):
            assert found[i, k] == in_front(at(x, y, facing=facing), at(tx, ty, Circle(r)))


@few
@given(solids)
def test_gap_to_a_point_is_the_distance_of_the_nearest_point(solid: Solid) -> None:
    x, y = nearest_point(solid, 9.0, 9.0)
    assert math.dist((x, y), (9.0, 9.0)) == pytest.approx(gap_to_point(solid, 9.0, 9.0), abs=2e-4)


def test_points_over_outlines_are_those_that_the_outlines_contain() -> None:
    rng = np.random.default_rng(3)
    pieces = [Piece("a", "a", rectangle(5.0, 5.0, 4.0, 3.0, 20.0)), Piece("b", "b", regular(12.0, 6.0, 3.0, 7))]
    ground = Ground(20.0, 12.0, (*pieces, Piece("c", "c", rectangle(10.0, 6.0, 20.0, 12.0))))
    points = np.vstack((rng.uniform(0.0, 12.0, (500, 2)), np.array(pieces[1].outline), np.array(pieces[0].outline)))
    found = over_outlines(points, ground, (0, 1))
    assert not found[:, 2].any()
    for k, piece in enumerate(pieces):
        assert found[:, k].tolist() == [contains(piece.outline, x, y) for x, y in points.tolist()]
