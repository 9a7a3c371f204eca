from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import Polygon

from campale.table.measure import overlaps_outline
from campale.table.outlines import area
from campale.table.shapes import Circle, Ellipse, Hull, Solid
from campale.table.templates import (
    Blast,
    Cone,
    Pose,
    Strip,
    Teardrop,
    Template,
    Wedge,
    best_blast,
    best_placement,
    edge_towards,
    is_under,
    outline_at,
    own_outline,
    placements,
    under,
    under_each,
)

few = settings(derandomize=True, max_examples=30, deadline=None, database=None)

FLAME = Teardrop(8.0, 2.5)
TEMPLATES: tuple[Template, ...] = (Blast(2.5), FLAME, Wedge(6.0, 30.0), Cone(8.0, 2.5), Strip(12.0, 1.0))
TANK = Hull(((-1.5, -3.0), (1.5, -3.0), (1.5, 3.0), (-1.5, 3.0)))


def man(x: float, y: float, radius: float = 0.5) -> Solid:
    return Solid(Circle(radius), x, y)


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_is_a_simple_outline_counter_clockwise(template: Template) -> None:
    assert area(own_outline(template)) > 0
    assert Polygon(own_outline(template)).is_valid
    moved = outline_at(template, Pose(5, 5, 90))
    assert Polygon(moved).area == pytest.approx(area(own_outline(template)))


def test_a_teardrop_is_the_hull_of_a_point_and_a_circle() -> None:
    true = shapely.convex_hull(shapely.union(shapely.Point(0, 0), shapely.Point(0, 6.75).buffer(1.25, 256)))
    assert shapely.hausdorff_distance(Polygon(own_outline(FLAME)), true) < 4e-4
    assert max(y for _, y in own_outline(FLAME)) == pytest.approx(8.0, abs=4e-4)


def test_a_wedge_is_all_within_its_length_and_angle() -> None:
    outline = own_outline(Wedge(6.0, 30.0))
    assert area(outline) == pytest.approx(math.pi * 36 * 30 / 360, abs=2e-3)
    with pytest.raises(ValueError):
        own_outline(Wedge(6.0, 180.0))


def test_a_base_is_under_a_circle_wholly_partly_or_by_contact() -> None:
    blast, pose = Blast(2.5), Pose(0, 0)
    assert is_under(blast, pose, man(3.0, 0))
    assert is_under(blast, pose, man(3.0009, 0))
    assert not is_under(blast, pose, man(3.002, 0))
    assert not is_under(blast, pose, man(3.0, 0), "partly")
    assert is_under(blast, pose, man(2.99, 0), "partly")
    assert is_under(blast, pose, man(2.0, 0), "wholly")
    assert not is_under(blast, pose, man(2.01, 0), "wholly")


def test_a_strip_reaches_its_length_and_no_further() -> None:
    strip, pose = Strip(12.0, 1.0), Pose(0, 0, 90)
    found = [man(12.5, 0), man(12.51, 0), man(6, 1.0), man(6, 1.01), man(-0.5, 0), man(-0.51, 0)]
    assert under(strip, pose, found) == (0, 2, 4)
    assert under(strip, pose, [man(6, 0), man(6, 0.01)], "wholly") == (0,)


def test_hulls_and_ovals_are_under_templates_too() -> None:
    oval = Solid(Ellipse(2, 1), 0, 4.4, facing=90)
    assert is_under(Blast(2.5), Pose(0, 0), Solid(TANK, 0, 5.5))
    assert not is_under(Blast(2.5), Pose(0, 0), Solid(TANK, 0, 5.51))
    assert not is_under(Strip(3.0, 1.0), Pose(0, 0), oval)
    assert is_under(Strip(3.5, 1.0), Pose(0, 0), oval, "partly")
    assert not is_under(Strip(3.5, 1.0), Pose(0, 0), oval, "wholly")
    assert is_under(Strip(9.0, 4.0), Pose(0, 0), oval, "wholly")


@few
@given(st.sampled_from(TEMPLATES), st.floats(-6, 10), st.floats(-6, 10), st.floats(0.2, 1.5))
def test_who_is_under_is_shapelys_answer(template: Template, x: float, y: float, radius: float) -> None:
    pose = Pose(1.0, 1.0, 30.0)
    shape, base = Polygon(outline_at(template, pose)), shapely.Point(x, y).buffer(radius, 256)
    off, solid = shapely.distance(shape, base), man(x, y, radius)
    if off > 0.003:
        assert not is_under(template, pose, solid)
    if base.within(shape.buffer(-0.003)):
        assert is_under(template, pose, solid, "wholly")
    if shapely.intersection(shape, base).area > 0.01:
        assert is_under(template, pose, solid, "partly")
    if not base.within(shape.buffer(0.003)):
        assert not is_under(template, pose, solid, "wholly")


def test_the_narrow_end_lies_against_the_base() -> None:
    assert edge_towards(man(0, 0), 90) == (0.5, 0.0)
    assert edge_towards(Solid(TANK, 0, 0, facing=90), 90) == (3.0, 0.0)
    assert edge_towards(Solid(Ellipse(2, 1), 0, 0), 90) == (1.0, 0.0)
    found = best_placement(FLAME, man(0, 0), [man(0, 6)])
    assert found is not None
    assert found.covered == (0,)
    assert found.pose == Pose(0.0, 0.5, 0.0)


def test_coarse_steps_still_try_the_way_to_each_target() -> None:
    aside = [man(2.4, 6.6)]
    found = best_placement(FLAME, man(0, 0), aside, step=90)
    assert found is not None
    assert 0 < found.pose.facing < 45


def test_the_best_placement_covers_most() -> None:
    targets = [man(0, 7), man(1.2, 7), man(-6, 0)]
    found = best_placement(FLAME, man(0, 0), targets)
    assert found is not None
    assert found.covered == (0, 1)
    groups = [placement.covered for placement in placements(FLAME, man(0, 0), targets)]
    assert groups[:2] == [(0, 1), (0,)]
    assert (2,) in groups


def test_one_of_the_right_targets_must_be_covered() -> None:
    targets = [man(0, 7), man(1.2, 7), man(-6, 0)]
    found = best_placement(FLAME, man(0, 0), targets, must=(2,))
    assert found is not None
    assert found.covered == (2,)
    assert best_placement(FLAME, man(0, 0), [man(0, 20)]) is None


def test_no_friend_may_be_under_it_but_contact_is_allowed() -> None:
    targets, friend = [man(0, 7)], man(0, 4)
    assert best_placement(FLAME, man(0, 0), targets, [friend]) is None
    beside = man(1.9, 5)
    found = best_placement(FLAME, man(0, 0), targets, [beside])
    assert found is not None
    assert not overlaps_outline(beside, outline_at(FLAME, found.pose))
    clear = best_placement(FLAME, man(0, 0), targets, [beside], clear_of="touched")
    assert clear is not None
    assert not is_under(FLAME, clear.pose, beside)


def test_a_narrow_stretch_of_directions_is_found() -> None:
    targets, friend = [man(-0.58, 3.22), man(2.26, 5.72), man(2.42, 7.41), man(0.53, 4.54)], man(1.48, 2.42)
    found = best_placement(FLAME, man(0, 0), targets, [friend], part="partly", step=2)  # half a degree is enough
    assert found is not None
    assert found.covered == (0, 1, 2, 3)
    apart = [man(-0.65, 3.2), *targets[1:]]
    found = best_placement(FLAME, man(0, 0), apart, [friend], part="partly", step=2)
    assert found is not None
    assert len(found.covered) == 3


@few
@given(
    st.lists(st.tuples(st.integers(-36, 36), st.integers(5, 36)), min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(-36, 36), st.integers(5, 36)), max_size=3),
)
def test_no_direction_of_a_fine_fan_covers_more(places: list[tuple[int, int]], friends: list[tuple[int, int]]) -> None:
    targets, barred = [man(x / 4, y / 4) for x, y in places], [man(x / 4, y / 4) for x, y in friends]
    found = best_placement(FLAME, man(0, 0), targets, barred, part="partly", step=4)
    poses = [Pose(*edge_towards(man(0, 0), k / 10), k / 10) for k in range(3600)]
    clear = ~under_each(FLAME, poses, barred, "partly").any(axis=1)
    most = int((under_each(FLAME, poses, targets, "partly").sum(axis=1) * clear).max())
    assert (len(found.covered) if found else 0) >= most


def test_an_arc_and_a_muzzle_hold_the_template() -> None:
    behind = [man(0, -6)]
    assert best_placement(FLAME, man(0, 0), behind, arc=(-90, 90)) is None
    assert best_placement(FLAME, man(0, 0), behind) is not None
    found = best_placement(FLAME, man(0, 0), behind, muzzle=(0, 1))
    assert found is not None
    assert (found.pose.x, found.pose.y) == (0, 1)
    far = man(0, 8.7)
    assert best_placement(FLAME, man(0, 0), [far]) is not None
    assert best_placement(FLAME, man(0, 0), [far], muzzle=(0, 0)) is None


def test_a_circle_is_laid_where_it_covers_most() -> None:
    ring = [man(2.9, 0), man(-2.9, 0), man(0, 2.9), man(9, 9)]
    found = best_blast(Blast(2.5), ring)
    assert found is not None
    assert found.covered == (0, 1, 2)
    spread = [man(3.05, 0), man(-3.05, 0)]
    apart = best_blast(Blast(2.5), spread)
    assert apart is not None
    assert len(apart.covered) == 1


def test_a_circle_keeps_clear_of_friends_and_where_it_is_allowed() -> None:
    targets, friend = [man(0, 0)], man(0.8, 0)
    found = best_blast(Blast(1.0), targets, [friend])
    assert found is not None
    assert not is_under(Blast(1.0), found.pose, friend, "partly")
    assert best_blast(Blast(1.0), targets, [man(0, 0)], clear_of="touched") is None
    assert best_blast(Blast(1.0), targets, allowed=lambda x, y: x > 5 and y > 5) is None
    small = best_blast(Blast(1.0), [man(0, 0, 3.0)], [man(0, 0, 0.2)])
    assert small is not None


@few
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=6))
def test_no_circle_on_a_fine_lattice_covers_more(places: list[tuple[int, int]]) -> None:
    targets = [man(x, y) for x, y in places]
    found = best_blast(Blast(2.5), targets)
    assert found is not None
    lattice = [(x / 4, y / 4) for x in range(0, 50, 2) for y in range(0, 50, 2)]
    most = max(sum(math.dist(c, p) <= 3.0 for p in places) for c in lattice)
    assert len(found.covered) >= most
