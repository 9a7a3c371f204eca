from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
import pytest
from benchmarks import sight as benchmark
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Polygon
from tests.table import twins

from campale.table import kernels
from campale.table.measure import outline_of
from campale.table.outlines import rectangle
from campale.table.shapes import Circle, Ellipse, Hull, Point3, Solid
from campale.table.sight import (
    BLOCKED,
    CLEAR,
    NINE,
    SCREEN,
    SOLID,
    VEILED,
    Look,
    Sampling,
    any_clear,
    clear_of,
    covering,
    crossings,
    eye_of,
    grid,
    look,
    meets_anything,
    points_of,
    see,
    see_solid,
    silhouette,
    state_of,
    states_of,
    through_body,
)
from campale.table.terrain import Ground, Piece, regular

few = settings(derandomize=True, max_examples=60, deadline=None, database=None)

MAN = Circle(0.5)
TANK = Hull(((-1.5, -3.0), (1.5, -3.0), (1.5, 3.0), (-1.5, 3.0)))
L_SHAPE = ((0.0, 0.0), (6.0, 0.0), (6.0, 2.0), (2.0, 2.0), (2.0, 6.0), (0.0, 6.0))


def man(x: float, y: float, z: float = 0.0, height: float = 2.0) -> Solid:
    return Solid(MAN, x, y, z, 0.0, height)


def field(*pieces: Piece) -> Ground:
    return Ground(40.0, 40.0, pieces)


def wall(height: float, name: str = "wall", y: float = 10.0, z: float = 0.0) -> Piece:
    return Piece(name, "wall", rectangle(20, y, 20, 1), height=height, z=z)


def seen(ground: Ground, viewer: Solid, target: Solid) -> Look:
    return look(ground, eye_of(viewer), target)


def one_line(ground: Ground, start: Point3, end: Point3) -> list[float]:
    lengths, _ = crossings(ground, [start], [end])
    return [float(value) for value in lengths[0]]


# --- the lines


def test_on_open_ground_every_line_is_free() -> None:
    found = seen(field(), man(20, 5), man(20, 15))
    assert found.all()
    assert found.any()
    assert found.fraction() == 1.0
    assert len(found.free()) == 9


def test_a_low_wall_hides_the_legs() -> None:
    found = seen(field(wall(1.0)), man(20, 9), man(20, 11))
    assert [line.end[2] for line in found.free()] == [1.0, 1.8] * 3
    assert not found.all()
    assert found.blockers() == ("wall",)


def test_a_high_wall_hides_everything_and_is_named() -> None:
    found = seen(field(wall(5.0), wall(5.0, "second", 13.0)), man(20, 5), man(20, 15))
    assert not found.any()
    assert found.blockers() == ("wall", "second")
    assert [met.what for met in found.lines[0].pieces] == ["wall", "second"]


def test_what_a_line_meets_comes_with_its_length_and_place() -> None:
    found = seen(field(wall(5.0)), man(20, 5), man(20, 15))
    (met,) = found.lines[5].pieces
    assert (found.lines[5].start, found.lines[5].end) == ((20, 5, 1.8), (20, 15, 1.8))
    assert [met.length, met.at] == pytest.approx([1.0, 4.5])


def test_a_line_at_the_height_of_the_top_passes_over() -> None:
    assert one_line(field(wall(1.8)), (20, 5, 1.8), (20, 15, 1.8)) == [0.0]
    assert one_line(field(wall(1.801)), (20, 5, 1.8), (20, 15, 1.8)) == [pytest.approx(1.0)]
    assert one_line(field(wall(0.1 + 0.2)), (20, 5, 0.3), (20, 15, 0.1 + 0.2)) == [0.0]


def test_a_line_along_the_ground_meets_what_stands_there() -> None:
    assert one_line(field(wall(1.0)), (20, 5, 0.0), (20, 15, 0.0)) == [pytest.approx(1.0)]


def test_a_flat_piece_meets_no_line() -> None:
    assert one_line(field(wall(0.0)), (20, 5, 0.0), (20, 15, 0.0)) == [0.0]


def test_one_sees_under_a_bridge() -> None:
    bridge = wall(1.0, z=3.0)
    assert seen(field(bridge), man(20, 5), man(20, 15)).all()
    assert not seen(field(bridge), man(20, 5), man(20, 15, z=4.0)).all()


def test_a_slope_is_measured_through_the_air() -> None:
    (length,) = one_line(field(Piece("box", "b", rectangle(10, 10, 4, 4), height=10.0)), (6, 10, 0), (14, 10, 6))
    assert length == pytest.approx(5.0)


def test_a_line_along_an_edge_is_not_inside() -> None:
    ground = field(Piece("box", "b", rectangle(10, 10, 4, 4), height=5.0))
    for start, end in (((8, 2, 1), (8, 30, 1)), ((12, 2, 1), (12, 30, 1)), ((2, 12, 1), (30, 12, 1))):
        assert one_line(ground, start, end) == [0.0]
        assert one_line(ground, end, start) == [0.0]
    assert one_line(ground, (8.01, 2, 1), (8.01, 30, 1)) == [pytest.approx(4.0)]
    assert one_line(ground, (6, 10, 1), (10, 14, 1)) == [0.0]


def test_a_line_through_a_corner_and_along_an_inner_edge_is_cut_there() -> None:
    ground = field(Piece("ell", "b", L_SHAPE, height=5.0))
    assert one_line(ground, (2, -3, 1), (2, 9, 1)) == [pytest.approx(2.0)]
    assert one_line(ground, (1.99, -3, 1), (1.99, 9, 1)) == [pytest.approx(6.0)]
    assert one_line(ground, (-1, -1, 1), (9, 9, 1)) == [pytest.approx(2 * math.sqrt(2))]


def test_an_upright_line_is_inside_where_its_foot_is() -> None:
    ground = field(Piece("box", "b", rectangle(10, 10, 4, 4), height=5.0))
    assert one_line(ground, (10, 10, 1), (10, 10, 9)) == [pytest.approx(4.0)]
    assert one_line(ground, (8, 10, 1), (8, 10, 9)) == [0.0]
    assert one_line(ground, (4, 10, 1), (4, 10, 9)) == [0.0]


def test_in_plan_a_piece_has_no_top() -> None:
    ground = field(wall(0.0))
    assert look(ground, (20, 5, 9.0), man(20, 15), in_plan=True).blockers() == ("wall",)
    assert look(ground, (20, 5, 9.0), man(20, 15)).all()


points = st.tuples(*[st.integers(-20, 200).map(lambda v: v / 10)] * 2, st.integers(0, 40).map(lambda v: v / 10))
outlines = st.sampled_from(
    (L_SHAPE, rectangle(9, 9, 6, 3), rectangle(9, 9, 6, 3, 30), regular(8, 8, 5, 7), ((3, 3), (14, 4), (5, 12)))
)
pieces = st.builds(
    Piece,
    st.uuids(version=4).map(str),
    st.just("p"),
    outlines,
    st.integers(0, 40).map(lambda v: v / 10),
    st.sampled_from((0.0, 1.0)),
)


@few
@given(st.lists(pieces, max_size=4), points, points)
def test_lengths_inside_are_the_twins(found: list[Piece], start: Point3, end: Point3) -> None:
    ground = field(*found)
    lengths, firsts = crossings(ground, [start], [end])
    for p, piece in enumerate(ground.pieces):
        length, first = twins.length_inside(piece, start, end)
        assert lengths[0, p] == pytest.approx(length, abs=1e-8)
        if length > 1e-7:
            assert firsts[0, p] == pytest.approx(first, abs=1e-7)


@few
@given(outlines, points, points)
def test_lengths_in_plan_are_shapelys(outline: tuple[tuple[float, float], ...], start: Point3, end: Point3) -> None:
    start, end = (*start[:2], 1.0), (*end[:2], 1.0)
    (length,) = one_line(field(Piece("p", "p", outline, height=3.0)), start, end)
    shape = Polygon(outline)
    line = LineString((start[:2], end[:2]))
    along_edge = line.intersection(shape.boundary).length
    assert length == pytest.approx(line.intersection(shape).length - along_edge, abs=1e-8)


@few
@given(st.lists(pieces, max_size=4), points, points)
def test_lengths_are_the_same_from_both_ends(found: list[Piece], start: Point3, end: Point3) -> None:
    ground = field(*found)
    assert one_line(ground, start, end) == pytest.approx(one_line(ground, end, start), abs=1e-8)


# --- sampling


def test_the_columns_are_the_ends_of_the_silhouette() -> None:
    assert silhouette(man(0, 10), 0, 0) == ((-0.5, 10.0), (0.5, 10.0))
    assert silhouette(Solid(TANK, 0, 10), 0, 0) == ((-1.5, 7.0), (1.5, 7.0))
    left, right = silhouette(Solid(TANK, 10, 10, facing=45), 0, 0)
    assert left == pytest.approx((10 - 4.5 / math.sqrt(2), 10 - 1.5 / math.sqrt(2)))
    assert right[0] > left[0]
    assert silhouette(man(0, 0), 0, 0) == ((-0.5, 0.0), (0.5, 0.0))


@few
@given(st.integers(0, 359), st.integers(0, 359), st.integers(3, 30))
def test_an_ovals_silhouette_is_where_the_tangents_touch(facing: int, around: int, off: int) -> None:
    oval = Solid(Ellipse(2.0, 1.0), 0, 0, facing=float(facing))
    x, y = off * math.sin(math.radians(around)), off * math.cos(math.radians(around))
    left, right = silhouette(oval, x, y)

    def slant(p: tuple[float, float]) -> float:
        return math.atan2((p[0] - x) * -y - (p[1] - y) * -x, (p[0] - x) * -x + (p[1] - y) * -y)

    drawn = [slant(p) for p in outline_of(oval)]
    assert slant(left) == pytest.approx(min(drawn), abs=1e-3)
    assert slant(right) == pytest.approx(max(drawn), abs=1e-3)


def test_from_inside_a_hull_the_ends_keep_their_sides() -> None:
    left, right = silhouette(Solid(TANK, 0, 1.0), 0, 0)
    assert (left[0], right[0]) == (-1.5, 1.5)


def test_from_inside_an_oval_the_ends_are_square_to_the_line() -> None:
    left, right = silhouette(Solid(Ellipse(2.0, 1.0), 0, 1.0), 0, 0)
    assert left == pytest.approx((-1.0, 1.0), abs=1e-6)
    assert right == pytest.approx((1.0, 1.0), abs=1e-6)


def test_a_grid_has_at_least_twenty_five_lines() -> None:
    assert grid(5).lines == 25
    assert grid(5).columns == (-1.0, -0.5, 0.0, 0.5, 1.0)
    assert grid(5).heights == pytest.approx((0.1, 0.3, 0.5, 0.7, 0.9))
    assert len(points_of(Solid(TANK, 0, 10, height=3), (0, 0, 2), grid(5))) == 25
    with pytest.raises(ValueError):
        grid(1)


def test_half_a_tank_behind_a_wall_is_half_seen() -> None:
    ground = field(Piece("wall", "wall", rectangle(10, 10, 20, 1), height=9.0))
    found = look(ground, (20.0, 0.0, 2.0), Solid(TANK, 20, 20, 0, 90, 3), grid(6))
    assert found.fraction() == 0.5


# --- bodies


def test_bodies_are_met_nearest_first() -> None:
    bodies = (man(20, 12), Solid(TANK, 20, 7, 0, 90, 3), Solid(Ellipse(1, 2), 20, 10, 0, 0, 2))
    found = look(field(), (20, 2, 1.8), man(20, 18), bodies=bodies)
    met = found.lines[5].bodies
    assert [one.what for one in met] == [1, 2, 0]
    assert [one.length for one in met] == pytest.approx([3.0, 2.0, 1.0])
    assert [one.at for one in met] == pytest.approx([3.5, 7.0, 9.5])
    assert found.all()
    assert not found.any(meets_anything)
    assert found.blockers(meets_anything) == (1, 2, 0)


def test_a_line_over_a_body_or_beside_it_does_not_pass_through() -> None:
    body = man(20, 10)
    assert through_body(body, (20, 5, 2.0), (20, 15, 2.0)) == (0.0, math.inf)
    assert through_body(body, (20, 5, 1.99), (20, 15, 1.99)) == pytest.approx((1.0, 4.5))
    assert through_body(body, (20.5, 5, 1), (20.5, 15, 1))[0] == 0.0
    assert through_body(body, (20.49, 5, 1), (20.49, 15, 1))[0] > 0.0
    assert through_body(body, (20, 10, 1), (20, 10, 5)) == pytest.approx((1.0, 0.0))
    assert through_body(body, (21, 10, 1), (21, 10, 5))[0] == 0.0


def cylinders(rng: np.random.Generator, count: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    columns = [rng.uniform(0, 20, count).round(1) for _ in range(2)]
    rest = [rng.choice((0.0, 1.0), count), rng.uniform(0.3, 1.0, count), rng.uniform(1.0, 3.0, count).round(1)]
    return np.column_stack([*columns, *rest])


def test_covering_is_the_twins() -> None:
    rng = np.random.default_rng(3)
    targets, bodies, eyes = cylinders(rng, 8), cylinders(rng, 9), cylinders(rng, 7)[:, [0, 1, 4]]
    found, distances = covering(eyes, targets, bodies)
    for i, eye in enumerate(eyes.tolist()):
        for j, target in enumerate(targets.tolist()):
            ends = twins.nine_points(tuple(eye), target)
            for k, body in enumerate(bodies.tolist()):
                assert found[i, j, k] == any(twins.passes_body(body, tuple(eye), end) for end in ends)
        assert distances[i, 0] == pytest.approx(math.dist(eye[:2], bodies[0][:2]))
    assert 0 < found.sum() < found.size


def test_blocked_lines_do_not_count_as_covered_when_left_out() -> None:
    eyes, targets, bodies = [(0, 0, 1.8)], [(0, 10, 0, 0.5, 2)], [(0, 5, 0, 0.3, 2)]
    states = np.full((1, 1, 9), BLOCKED, np.int8)
    assert covering(eyes, targets, bodies)[0].all()
    assert not covering(eyes, targets, bodies, NINE, states)[0].any()
    states[0, 0, 4] = VEILED
    assert covering(eyes, targets, bodies, NINE, states)[0].all()


# --- clear lines


@few
@given(st.lists(pieces, max_size=3), st.lists(points, min_size=6, max_size=6), st.integers(0, 9))
def test_lines_are_clear_of_what_the_twins_find_in_their_way(found: list[Piece], ends: list[Point3], seed: int) -> None:
    ground, bodies = field(*found), cylinders(np.random.default_rng(seed), 4)
    clear = clear_of(ground, ends[:3], ends[3:], bodies)
    for n, (start, end) in enumerate(zip(ends[:3], ends[3:], strict=True)):
        blocked = any(length > 0.0 for length in one_line(ground, start, end))
        hit = any(twins.passes_body(body, start, end) for body in bodies.tolist())
        assert clear[n] == (not blocked and not hit)


def test_a_spare_length_inside_a_piece_does_not_block() -> None:
    ground = field(wall(5.0))
    start, end = (20.0, 5.0, 1.0), (20.0, 15.0, 1.0)
    assert clear_of(ground, [start], [end], spare=1.001).tolist() == [True]
    assert clear_of(ground, [start], [end], spare=0.999).tolist() == [False]


def test_one_of_several_heights_is_clear_over_a_wall_or_a_body() -> None:
    plan = [(20.0, 5.0)], [(20.0, 15.0)]
    assert not any_clear(field(wall(3.0)), plan, [2.0, 1.0], [3.5, 0.0])
    assert any_clear(field(wall(3.0)), plan, [2.0, 3.5], [3.5, 0.0])
    body = [(20.0, 10.0, 0.0, 0.5, 2.0)]
    assert any_clear(field(), plan, [0.0, 2.0], [2.0], body)
    assert not any_clear(field(), plan, [0.0, 1.9], [2.0], body)
    assert any_clear(field(), ([(20.0, 5.0), (21.0, 5.0)], [(20.0, 15.0), (21.0, 15.0)]), [1.0], [1.0], body)


# --- many at once


def test_a_screen_lets_through_up_to_its_allowance() -> None:
    def through(*depths: float) -> int:
        woods = [Piece(f"w{k}", "wood", rectangle(20, 6 + 8 * k, 9, d), height=9.0) for k, d in enumerate(depths)]
        spot = Sampling(0.9, (0.0,), (0.9,))
        opacity = [SCREEN] * len(woods)
        return int(see(field(*woods), [(20, 0, 1.8)], [(20, 30, 0, 0.5, 2)], spot, opacity, 5.0)[0, 0, 0])

    assert through() == CLEAR
    assert through(5.0) == VEILED
    assert through(5.01) == BLOCKED
    assert through(2.0, 3.0) == VEILED
    assert through(2.0, 3.01) == BLOCKED


def test_a_screen_one_leans_on_does_not_veil_though_it_counts() -> None:
    woods = [Piece(f"w{k}", "wood", rectangle(20, 6 + 8 * k, 9, 3), height=9.0) for k in range(2)]
    exempt = np.array([[True, False]])

    def state(*which: int, allowance: float) -> int:
        ground = field(*(woods[k] for k in which))
        found = see(ground, [(20, 4.5, 1.8)], [(20, 30, 0, 0.5, 2)], NINE, [SCREEN] * len(which), allowance,
                    np.ascontiguousarray(exempt[:, list(which)]))  # fmt: skip
        return int(found[0, 0, 4])

    assert state(0, allowance=5.0) == CLEAR
    assert state(0, allowance=2.9) == BLOCKED
    assert state(1, allowance=5.0) == VEILED
    assert state(0, 1, allowance=7.0) == VEILED
    assert state(0, 1, allowance=5.0) == BLOCKED


def test_opacity_and_exempt_must_fit_the_pieces() -> None:
    ground, target = field(wall(2.0)), [(20, 30, 0, 0.5, 2)]
    with pytest.raises(ValueError):
        see(ground, [(20, 0, 1.8)], target, NINE, [])
    with pytest.raises(ValueError):
        see(ground, [(20, 0, 1.8)], target, NINE, [SOLID], 0.0, np.zeros((2, 1), np.bool_))


def battlefield(seed: int) -> tuple[Ground, list[int]]:
    rng = np.random.default_rng(seed)
    pieces = []
    for k in range(10):
        x, y = rng.uniform(2, 18, 2).round(1).tolist()
        outline = (
            rectangle(x, y, float(rng.integers(1, 6)), float(rng.integers(1, 4)), float(rng.choice((0, 30, 90))))
            if k % 2
            else tuple((px + x - 3, py + y - 3) for px, py in L_SHAPE)
        )
        pieces.append(Piece(f"p{k}", "p", outline, round(float(rng.uniform(0, 3)), 1), float(rng.choice((0, 0, 1)))))
    return Ground(20, 20, tuple(pieces)), rng.integers(0, 3, 10).tolist()


@pytest.mark.parametrize("seed", range(4))
def test_a_batch_is_the_twins_and_each_pair_alone(seed: int) -> None:
    ground, opacity = battlefield(seed)
    rng = np.random.default_rng(seed + 100)
    targets, eyes = cylinders(rng, 6), cylinders(rng, 5)[:, [0, 1, 4]]
    exempt = rng.random((5, 10)) < 0.3
    found = see(ground, eyes, targets, NINE, opacity, 2.5, exempt)
    assert len({int(v) for v in found.ravel()}) == 3
    for i, eye in enumerate(eyes.tolist()):
        for j, target in enumerate(targets.tolist()):
            alone = see(ground, eyes[i], targets[j], NINE, opacity, 2.5, exempt[i : i + 1])
            assert alone[0, 0].tolist() == found[i, j].tolist()
            ends = twins.nine_points(tuple(eye), target)
            twin = [twins.state(ground, tuple(eye), end, opacity, 2.5, exempt[i].tolist()) for end in ends]
            assert found[i, j].tolist() == twin


@pytest.mark.parametrize("seed", range(5))
def test_a_batch_is_what_shapely_sees(seed: int) -> None:
    ground, opacity = benchmark.battlefield(seed)
    eyes, targets = benchmark.models(seed)
    found = see(ground, eyes, targets, NINE, opacity, benchmark.ALLOWANCE)
    oracle = benchmark.ByShapely(ground, opacity)
    assert oracle.see(*benchmark.all_lines(eyes, targets)).tolist() == found.ravel().tolist()


def test_a_look_judges_as_the_batch_does() -> None:
    ground, opacity = battlefield(9)
    named = {piece.name: what for piece, what in zip(ground.pieces, opacity, strict=True)}
    rng = np.random.default_rng(9)
    for target in cylinders(rng, 6).tolist():
        solid = Solid(Circle(target[3]), target[0], target[1], target[2], 0.0, target[4])
        found = look(ground, (1.0, 1.0, 1.5), solid)
        batch = see(ground, [(1.0, 1.0, 1.5)], [target], NINE, opacity, 2.5)[0, 0].tolist()
        assert [state_of(line, named, 2.5) for line in found.lines] == batch
        assert see_solid(ground, (1.0, 1.0, 1.5), solid, NINE, opacity, 2.5).tolist() == batch
        ends = [line.end for line in found.lines]
        lengths, _ = crossings(ground, [(1.0, 1.0, 1.5)] * 9, ends)
        assert states_of(lengths, opacity, 2.5).tolist() == batch


def test_exempt_pieces_are_named_in_a_look() -> None:
    ground = field(Piece("wood", "wood", rectangle(20, 10, 9, 3), height=9.0))
    (line,) = look(ground, (20, 5, 1.8), man(20, 20), Sampling(0.9, (0.0,), (0.5,))).lines
    assert state_of(line, {"wood": SCREEN}, 5.0) == VEILED
    assert state_of(line, {"wood": SCREEN}, 5.0, exempt=("wood",)) == CLEAR
    assert state_of(line, {"wood": SOLID}) == BLOCKED
    assert state_of(line, {}) == CLEAR


def test_an_empty_table_and_nobody_to_look_are_answered() -> None:
    assert see(field(), np.zeros((0, 3)), [(1, 1, 0, 0.5, 2)], NINE, []).shape == (0, 1, 9)
    assert see(field(), [(1, 1, 1)], [(1, 1, 0, 0.5, 2)], NINE, []).tolist() == [[[0] * 9]]


def test_kernels_are_compiled_anew_where_no_cache_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    compile_: Any = numba.njit

    def without_folder(*args: Any, **options: Any) -> Any:
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return compile_(*args, **options)

    monkeypatch.setattr(numba, "njit", without_folder)

    def double(value: float) -> float:
        return 2.0 * value

    assert kernels.kernel(double)(21.0) == 42.0
