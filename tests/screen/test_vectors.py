"""The geometry of the page's previews is the table's: both sides run the same cases.

``web/tests/vectors.json`` holds them with what the table says of each; to write it: ``python -m
tests.screen.test_vectors``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from campale.screen.scene import shape_shown
from campale.table.formations import Coherency, is_coherent
from campale.table.measure import gap, gap_to_point, on_table, overlaps
from campale.table.outlines import rectangle, regular
from campale.table.paths import Path as Way
from campale.table.paths import plan_length
from campale.table.shapes import Circle, Ellipse, Hull, Shape, Solid, facing_towards, rounded
from campale.table.sight import NINE, Sampling
from campale.table.terrain import Ground

FILE = Path(__file__).parents[2] / "web" / "tests" / "vectors.json"
CLOSE = 1e-9
GROUND = Ground(24.0, 24.0)


def shapes() -> list[Shape]:
    notched = ((-1.5, -2.0), (1.5, -2.0), (1.5, 2.0), (0.5, 2.0), (0.5, 0.5), (-0.5, 0.5), (-0.5, 2.0), (-1.5, 2.0))
    return [
        Circle(0.5),
        Circle(1.25),
        Ellipse(1.75, 1.0),
        Ellipse(0.7, 1.4),
        Hull(rectangle(0.0, 0.0, 3.0, 5.0)),
        Hull(regular(0.0, 0.0, 1.5, 6)),
        Hull(notched),
    ]


def stood(shape: Shape, rng: Random) -> Solid:
    x, y = rounded(rng.uniform(-1.0, 25.0)), rounded(rng.uniform(-1.0, 25.0))
    return Solid(shape, x, y, facing=rounded(rng.uniform(0.0, 360.0)), height=1.0)


def near(solid: Solid, shape: Shape, rng: Random) -> Solid:
    """Another beside it: about half of them lie on it."""
    x, y = solid.x + rng.uniform(-3.0, 3.0), solid.y + rng.uniform(-3.0, 3.0)
    return Solid(shape, rounded(x), rounded(y), facing=rounded(rng.uniform(0.0, 360.0)), height=1.0)


def plain(solid: Solid) -> dict[str, Any]:
    shown = shape_shown(solid)
    shape = {name: one for name in ("radius", "half", "corners") if (one := getattr(shown, name))}
    return {"x": solid.x, "y": solid.y, "facing": solid.facing, "shape": shape}


def pairs(rng: Random) -> Iterator[dict[str, Any]]:
    for one in shapes():
        for other in shapes():
            for _ in range(4):
                a = stood(one, rng)
                b = near(a, other, rng)
                told = {"gap": gap(a, b), "overlaps": overlaps(a, b)}
                yield {"a": plain(a), "b": plain(b), **told}


def points(rng: Random) -> Iterator[dict[str, Any]]:
    for shape in shapes():
        for _ in range(6):
            a = stood(shape, rng)
            x, y = rounded(a.x + rng.uniform(-3.0, 3.0)), rounded(a.y + rng.uniform(-3.0, 3.0))
            told = {"gap": gap_to_point(a, x, y), "on_table": on_table(a, GROUND)}
            yield {"a": plain(a), "point": [x, y], "facing": facing_towards((a.x, a.y), (x, y)), **told}


def ways(rng: Random) -> Iterator[dict[str, Any]]:
    for count in (2, 3, 5, 8):
        way = tuple((rounded(rng.uniform(0.0, 24.0)), rounded(rng.uniform(0.0, 24.0))) for _ in range(count))
        yield {"points": [list(one) for one in way], "length": plan_length(Way(way))}


def units(rng: Random) -> Iterator[dict[str, Any]]:
    for reach in (1.0, 2.0, 3.0):
        for count in (2, 5, 10):
            at = [(rounded(rng.uniform(0.0, 2.0 * count)), rounded(rng.uniform(0.0, 3.0))) for _ in range(count)]
            together = is_coherent(at, [0.5] * count, Coherency(reach))
            yield {"places": [list(one) for one in at], "radius": 0.5, "reach": reach, "is_together": together}


def vectors() -> dict[str, Any]:
    """The cases, always the same, with what the table says now."""
    rng = Random("vectors of the page")
    made = (("pairs", pairs), ("points", points), ("ways", ways), ("units", units))
    return {"table": [GROUND.width, GROUND.depth], **{name: list(cases(rng)) for name, cases in made}}


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from numbers(one)
    elif isinstance(value, bool | int | float):
        yield float(value)


def test_the_page_is_tested_against_what_the_table_says_today() -> None:
    held, now = json.loads(FILE.read_text()), json.loads(json.dumps(vectors()))
    assert held.keys() == now.keys()
    for name in held:
        assert list(numbers(held[name])) == pytest.approx(list(numbers(now[name])), abs=CLOSE), name


def test_the_cases_lie_on_both_sides_of_each_boundary() -> None:
    made = vectors()
    for name, key in (("pairs", "overlaps"), ("points", "on_table"), ("units", "is_together")):
        assert {case[key] for case in made[name]} == {True, False}, key
    assert any(case["gap"] == 0.0 for case in made["points"])
    assert any(case["gap"] > 1.0 for case in made["points"])


if __name__ == "__main__":
    FILE.write_text(json.dumps(vectors(), separators=(",", ":")) + "\n")


def test_the_parts_of_a_solid_end_midway_between_the_heights_that_sight_looks_at() -> None:
    assert Sampling(heights=(0.0, 0.5, 0.75)).bands == (0.25, 0.625)
    assert Sampling(heights=(0.5,)).bands == ()
    assert shape_shown(Solid(Circle(0.5), 0.0, 0.0, height=2.0), NINE.bands).bands == [0.6, 1.4]
    assert shape_shown(Solid(Circle(0.5), 0.0, 0.0, height=2.0)).bands == []
