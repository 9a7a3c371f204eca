"""Formations: where the models of a unit stand, and the same put down legally."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from campale.table.planner import Going, is_free
from campale.table.shapes import TOLERANCE, Point, heading, rounded

ROW = math.sqrt(3.0) / 2.0
CLEAR = 0.0002


class Coherency(msgspec.Struct, frozen=True):
    """What keeps a unit together: every model has ``companions`` others within ``distance``, edge to edge.

    ``one_group``: the links of that length join all of them. ``leader``: the number of a model; then each other model
    is within ``distance`` of it, and the rest is not asked.
    """

    distance: float
    companions: int = 1
    one_group: bool = True
    leader: int | None = None


def gap(a: Point, b: Point, radius_a: float, radius_b: float) -> float:
    """The gap between two round bases; below 0 where they overlap."""
    dx, dy = a[0] - b[0], a[1] - b[1]
    return math.sqrt(dx * dx + dy * dy) - radius_a - radius_b


def is_coherent(places: Sequence[Point], radii: Sequence[float], rule: Coherency) -> bool:
    """Whether models at these places are together. One model always is; no more companions are asked than there are."""
    if len(places) < 2:
        return True
    near = links(places, radii, rule.distance)
    if rule.leader is not None:
        return len(near[rule.leader]) == len(places) - 1
    asked = min(rule.companions, len(places) - 1)
    return all(len(found) >= asked for found in near) and (not rule.one_group or len(groups(near)) == 1)


def links(places: Sequence[Point], radii: Sequence[float], distance: float) -> list[list[int]]:
    """For each model the others that are within a distance of it, edge to edge."""
    models = range(len(places))
    limit = distance + TOLERANCE
    return [[j for j in models if j != i and gap(places[i], places[j], radii[i], radii[j]) <= limit] for i in models]


def groups(near: Sequence[Sequence[int]]) -> list[list[int]]:
    """The groups that links make, each in rising order, by their first member."""
    found: list[list[int]] = []
    seen = [False] * len(near)
    for first in range(len(near)):
        if seen[first]:
            continue
        group, seen[first] = [first], True
        for member in group:
            fresh = [other for other in near[member] if not seen[other]]
            for other in fresh:
                seen[other] = True
            group.extend(fresh)
        found.append(sorted(group))
    return found


def overlaps(place: Point, radius: float, places: Sequence[Point], radii: Sequence[float]) -> bool:
    """Whether a base at a place would overlap any of others."""
    return any(gap(place, other, radius, r) < 0.0 for other, r in zip(places, radii, strict=True))


def rows(count: int, spacing: float, columns: int, centre: Point, facing: float = 0.0) -> tuple[Point, ...]:
    """Places in rows of ``columns``, ``spacing`` apart both ways, the first row foremost, centred on a point."""
    fx, fy = heading(facing)
    deep = math.ceil(count / columns)
    found = []
    for i in range(count):
        row, column = divmod(i, columns)
        wide = min(columns, count - row * columns)
        right, ahead = (column - (wide - 1) / 2.0) * spacing, ((deep - 1) / 2.0 - row) * spacing
        found.append((centre[0] + right * fy + ahead * fx, centre[1] - right * fx + ahead * fy))
    return tuple((rounded(x), rounded(y)) for x, y in found)


def blob(count: int, spacing: float, centre: Point) -> tuple[Point, ...]:
    """Places as close about a point as ``spacing`` between centres allows, the middle one first."""
    return tuple(spots(centre, spacing, count))


def spots(centre: Point, spacing: float, count: int) -> Iterator[Point]:
    """The ``count`` points of a honeycomb that are nearest to its middle, nearest first."""
    for x, y in honeycomb(count):
        yield rounded(centre[0] + spacing * x), rounded(centre[1] + spacing * y)


@lru_cache(maxsize=64)
def honeycomb(count: int) -> tuple[Point, ...]:
    """The first points of the honeycomb of spacing 1 (a little more, for the grain), from the middle outwards."""
    rings = math.ceil(math.sqrt(count)) + 2
    points = [
        ((column + row / 2.0) * (1.0 + 1e-4), row * ROW * (1.0 + 1e-4))
        for row in range(-rings, rings + 1)
        for column in range(-2 * rings, 2 * rings + 1)
    ]
    points.sort(key=lambda p: (round(p[0] * p[0] + p[1] * p[1], 6), -round(p[1], 6), round(p[0], 6)))
    return tuple(points[:count])


def put_down(goings: Sequence[Going], wanted: Sequence[Point], tries: int = 200) -> tuple[Point, ...] | None:
    """The wanted places, each moved to the nearest spot found that is free and overlaps none before it.

    ``goings``: one for each model. The spots are ``tries`` of a honeycomb half a base wide; None when a model finds
    none. It asks for no coherency: see ``is_coherent``.
    """
    placed: list[Point] = []
    radii = [going.radius for going in goings]
    for going, place in zip(goings, wanted, strict=True):
        spot = next(
            (
                p
                for p in spots(place, going.radius / 2.0, tries)
                if is_free(going, *p) and not overlaps(p, going.radius, placed, radii[: len(placed)])
            ),
            None,
        )
        if spot is None:
            return None
        placed.append(spot)
    return tuple(placed)
