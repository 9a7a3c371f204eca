"""Lines of sight against scenery, bodies and hulls at once."""

from __future__ import annotations

import numpy as np
import pytest
from tests.table import twins
from tests.table.test_sight import MAN, TANK, battlefield, cylinders, field, man, wall

from campale.table.measure import outline_of
from campale.table.shapes import Circle, Solid
from campale.table.sight import (
    BLOCKED,
    CLEAR,
    NINE,
    SCREEN,
    SOLID,
    VEILED,
    ends_towards,
    grid,
    lines_met,
    points_of,
    prisms_of,
)
from campale.table.terrain import Ground, Piece

EYE = (20.0, 0.0, 1.8)


def states(ground: Ground, opacity: list[int], target: Solid, **more: object) -> list[int]:
    ends = ends_towards([EYE], [target])
    return [int(one) for one in lines_met(ground, [EYE], ends, opacity, **more)[0, 0]]  # type: ignore[arg-type]


def as_prism(hull: Solid) -> Piece:
    return Piece("hull", "hull", outline_of(hull), hull.height, hull.z)


@pytest.mark.parametrize("seed", range(6))
def test_lines_are_the_twins_and_each_pair_alone(seed: int) -> None:
    ground, opacity = battlefield(seed)
    rng = np.random.default_rng(seed + 50)
    targets, bodies, eyes = cylinders(rng, 6), cylinders(rng, 7), cylinders(rng, 5)[:, [0, 1, 4]]
    solids = [Solid(Circle(r), x, y, z, 0.0, tall) for x, y, z, r, tall in targets.tolist()]
    (ax, ay), (bx, by) = rng.uniform(0, 20, (2, 2)).round(1).tolist()
    hulls = [Solid(TANK, ax, ay, 0.0, 0.0, 1.5), Solid(TANK, bx, by, 0.0, 30.0, 1.5)]
    near_eye, near_target = rng.random((5, 10)) < 0.3, rng.random((6, 10)) < 0.3
    ends = ends_towards(eyes, solids)
    found = lines_met(ground, eyes, ends, opacity, near_eye, near_target, bodies, prisms_of(hulls))
    assert len({int(v) for v in found.ravel()}) == 3
    for i, eye in enumerate(eyes.tolist()):
        for j in range(len(targets)):
            alone = lines_met(
                ground,
                eyes[i],
                ends[i : i + 1, j : j + 1],
                opacity,
                near_eye[i : i + 1],
                near_target[j : j + 1],
                bodies,
                prisms_of(hulls),
            )
            assert alone[0, 0].tolist() == found[i, j].tolist()
            spared = (near_eye[i] | near_target[j]).tolist()
            for line, end in enumerate(ends[i, j].tolist()):
                start, to = tuple(eye), tuple(end)
                met = any(twins.passes_body(body, start, to) for body in bodies.tolist())
                met = met or any(twins.length_inside(as_prism(hull), start, to)[0] > 1e-9 for hull in hulls)
                twin = BLOCKED if met else twins.state(ground, start, to, opacity, 1e9, spared)
                assert found[i, j, line] == twin


def test_a_screen_veils_and_never_blocks_and_a_solid_piece_blocks() -> None:
    target = man(20, 20)
    assert states(field(wall(3.0)), [SCREEN], target) == [VEILED] * 9
    assert states(field(wall(3.0)), [SOLID], target) == [BLOCKED] * 9
    assert states(field(wall(3.0)), [0], target) == [CLEAR] * 9
    both = field(wall(3.0), wall(3.0, "second", y=14.0))
    assert states(both, [SCREEN, SOLID], target) == [BLOCKED] * 9


def test_a_screen_hides_nothing_from_those_it_is_spared_to() -> None:
    ground, target = field(wall(3.0)), man(20, 20)
    assert states(ground, [SCREEN], target, near_eye=[[True]]) == [CLEAR] * 9
    assert states(ground, [SCREEN], target, near_target=[[True]]) == [CLEAR] * 9
    assert states(ground, [SOLID], target, near_eye=[[True]], near_target=[[True]]) == [BLOCKED] * 9


def test_bodies_and_hulls_block_what_is_behind_them() -> None:
    ground, target = field(), man(20, 20)
    body = [(20.0, 10.0, 0.0, 0.5, 2.0)]
    assert BLOCKED in states(ground, [], target, bodies=body)
    assert states(ground, [], target, bodies=[(25.0, 10.0, 0.0, 0.5, 2.0)]) == [CLEAR] * 9
    assert states(ground, [], target, hulls=prisms_of([Solid(TANK, 20, 10, 0, 90, 2.5)])) == [BLOCKED] * 9
    assert states(ground, [], target, hulls=prisms_of([Solid(TANK, 20, 10, 0, 90, 0.5)])) != [BLOCKED] * 9


def test_the_points_looked_at_are_those_of_every_shape() -> None:
    targets = [man(20, 20), Solid(TANK, 5, 25, 0, 30, 2.5), Solid(MAN, 20, 0, 0, 0, 1.0)]
    eyes = [EYE, (3.0, 4.0, 2.0)]
    for sampling in (NINE, grid(5)):
        ends = ends_towards(eyes, targets, sampling)
        for i, eye in enumerate(eyes):
            for j, target in enumerate(targets):
                assert ends[i, j] == pytest.approx(np.array(points_of(target, eye, sampling)))


def test_what_does_not_fit_is_refused_and_nobody_is_answered() -> None:
    ground, ends = field(wall(2.0)), ends_towards([EYE], [man(20, 20)])
    with pytest.raises(ValueError):
        lines_met(ground, [EYE], ends, [])
    with pytest.raises(ValueError):
        lines_met(ground, [EYE, EYE], ends, [SOLID])
    with pytest.raises(ValueError):
        lines_met(ground, [EYE], ends, [SOLID], np.zeros((2, 1), np.bool_))
    with pytest.raises(ValueError):
        prisms_of([man(0, 0)])
    assert lines_met(ground, [], ends_towards([], [man(20, 20)]), [SOLID]).shape == (0, 1, 9)
    assert lines_met(field(), [EYE], ends_towards([EYE], []), []).shape == (1, 0, 9)
