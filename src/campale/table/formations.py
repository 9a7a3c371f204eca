"""Formations: places for the models of a unit, and the legal places nearest to them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

import msgspec
import numpy as np

from campale.table import kernels
from campale.table.kernels import Floats
from campale.table.planner import Going, is_free
from campale.table.shapes import GRAIN, TOLERANCE, Point, heading, rounded

ROW = math.sqrt(3.0) / 2.0
CLEAR = 0.0002
Spot = TypeVar("Spot", bound=Sequence[float])


class Coherency(msgspec.Struct, frozen=True):
    """What keeps a unit together: every model has ``companions`` others within ``distance``, edge to edge.

    ``one_group``: links of that length must join all models. ``leader``: the number of a model; then each other model
    must be within ``distance`` of it, and the other conditions are not checked.
    """

    distance: float
    companions: int = 1
    one_group: bool = True
    leader: int | None = None


def gap(a: Point, b: Point, radius_a: float, radius_b: float) -> float:
    """The gap between two round bases; below 0 if they overlap."""
    dx, dy = a[0] - b[0], a[1] - b[1]
    return math.sqrt(dx * dx + dy * dy) - radius_a - radius_b


def is_coherent(places: Sequence[Point], radii: Sequence[float], rule: Coherency) -> bool:
    """Whether models at these places are coherent. One model always is; no more companions are required than exist."""
    if len(places) < 2:
        return True
    near = links(places, radii, rule.distance)
    if rule.leader is not None:
        return len(near[rule.leader]) == len(places) - 1
    asked = min(rule.companions, len(places) - 1)
    return all(len(found) >= asked for found in near) and (not rule.one_group or len(groups(near)) == 1)


def links(places: Sequence[Point], radii: Sequence[float], distance: float) -> list[list[int]]:
    """For each model, the numbers of the others within a distance of it, edge to edge."""
    near = kernels.near_each_other(
        np.array(places, np.float64).reshape(-1, 2), np.array(radii, np.float64), distance + TOLERANCE
    )
    return [row.nonzero()[0].tolist() for row in near]


def stand_apart(places: Sequence[Point], radii: Sequence[float]) -> bool:
    """Whether no two bases overlap."""
    near = kernels.near_each_other(np.array(places, np.float64).reshape(-1, 2), np.array(radii, np.float64), -TOLERANCE)
    return not any(gap(places[i], places[j], radii[i], radii[j]) < -TOLERANCE for i, j in np.argwhere(near).tolist())


def groups(near: Sequence[Sequence[int]]) -> list[list[int]]:
    """The groups that links form, each in rising order; the groups are in the order of their first members."""
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
    """Whether a base at a place would overlap any of the others."""
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


def wedge(count: int, spacing: float, centre: Point, facing: float = 0.0) -> tuple[Point, ...]:
    """Places in rows of one, two, three and so on, the point foremost, centred on a point; ``spacing`` between rows."""
    (fx, fy), deep = heading(facing), math.ceil((math.sqrt(8.0 * count + 1.0) - 1.0) / 2.0)
    found: list[Point] = []
    for row in range(deep):
        wide = min(row + 1, count - row * (row + 1) // 2)
        for column in range(wide):
            right, ahead = (column - (wide - 1) / 2.0) * spacing, ((deep - 1) / 2.0 - row) * spacing
            found.append((rounded(centre[0] + right * fy + ahead * fx), rounded(centre[1] - right * fx + ahead * fy)))
    return tuple(found)


def led(places: Sequence[Spot], leader: int | None) -> list[Spot]:
    """The places with the one nearest to their middle given to the leader; the others keep their order."""
    if leader is None:
        return list(places)
    x, y = (sum(place[n] for place in places) / len(places) for n in (0, 1))
    middle = min(range(len(places)), key=lambda k: rounded(math.dist(places[k][:2], (x, y))))
    others = [place for k, place in enumerate(places) if k != middle]
    return [*others[:leader], places[middle], *others[leader:]]


def blob(count: int, spacing: float, centre: Point) -> tuple[Point, ...]:
    """Places as close about a point as ``spacing`` between centres allows, the middle one first."""
    return tuple(spots(centre, spacing, count))


def spots(centre: Point, spacing: float, count: int) -> Iterator[Point]:
    """The ``count`` points of a honeycomb nearest to its middle, nearest first."""
    for x, y in honeycomb(count):
        yield rounded(centre[0] + spacing * x), rounded(centre[1] + spacing * y)


def all_spots(centre: Point, spacing: float, count: int) -> Floats:
    """``spots`` as an array (count, 2)."""
    found = np.array(centre, np.float64) + spacing * _honeycomb(count)
    return np.asarray(np.floor(found * GRAIN + 0.5) / GRAIN)


@lru_cache(maxsize=64)
def _honeycomb(count: int) -> Floats:
    return np.array(honeycomb(count), np.float64)


@lru_cache(maxsize=64)
def honeycomb(count: int) -> tuple[Point, ...]:
    """The first points of the honeycomb of spacing 1 (slightly more, for the grain), from the middle outwards."""
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

    ``goings``: one for each model. The spots are ``tries`` points of a honeycomb half a base wide. Returns None if a
    model finds none. It does not check coherency: see ``is_coherent``.
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
