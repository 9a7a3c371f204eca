"""Posts: how good points of the table are as places to deploy. These are judgements for bots, not rules.

Points are arrays (n, 2); every function returns one number for each point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from campale.table.kernels import Floats
from campale.table.shapes import Point, heading
from campale.table.sight import crossings, states_of
from campale.table.terrain import Ground

VEILED = 0.5
"""The weight of a target behind a veil; a target in plain sight counts 1."""
LOW = 0.2
"""A piece shelters a model only if it is taller than this share of the model's height."""


class Front(NamedTuple):
    """The direction in which the owner of a strip of the table looks, and the edge at his back (the least ``deep``)."""

    facing: float
    back: float

    def deep(self, points: ArrayLike) -> Floats:
        """The distance of each point from the edge at the back."""
        return along(points, self.facing) - self.back

    def across(self, points: ArrayLike) -> Floats:
        """The distance of each point to the right, from the table's origin."""
        return along(points, self.facing + 90.0)


def front_of(ground: Ground, facing: float) -> Front:
    """The front of a side that has the edge of the table at its back and looks away from it."""
    corners = [(0.0, 0.0), (ground.width, 0.0), (0.0, ground.depth), (ground.width, ground.depth)]
    return Front(facing, float(along(corners, facing).min()))


def across_the_table(ground: Ground, facing: float, wide: Sequence[float], far: Sequence[float]) -> list[Point]:
    """Points at shares of the table's breadth, and at shares of its length from the edge at the side's back."""
    (ax, ay), (bx, by) = heading(facing), heading(facing + 90.0)
    middle = ground.width / 2.0, ground.depth / 2.0
    shifts = [(share - 0.5, deep - 0.5) for deep in far for share in wide]
    return [
        (middle[0] + ground.width * (bx * u + ax * v), middle[1] + ground.depth * (by * u + ay * v)) for u, v in shifts
    ]


def along(points: ArrayLike, facing: float) -> Floats:
    x, y = heading(facing)
    found = np.asarray(points, np.float64).reshape(-1, 2)
    return np.asarray(found[:, 0] * x + found[:, 1] * y)


def outlook(
    ground: Ground, opacity: ArrayLike, points: ArrayLike, targets: ArrayLike, eye: float, veil: float = math.inf
) -> Floats:
    """The share of the targets (m, 2) in sight from a height over each point, considering only terrain.

    More than ``veil`` of screens blocks.
    """
    at, to = (np.asarray(one, np.float64).reshape(-1, 2) for one in (points, targets))
    starts = lifted(np.repeat(at, len(to), axis=0), eye)
    ends = lifted(np.tile(to, (len(at), 1)), eye)
    states = states_of(crossings(ground, starts, ends)[0], opacity, veil).reshape(len(at), len(to))
    return np.asarray(((states == 0) + VEILED * (states == 1)).mean(axis=1))


def lifted(points: Floats, height: float) -> Floats:
    return np.column_stack([points, np.full(len(points), height)])


def shelter(ground: Ground, points: ArrayLike, facing: float, reach: float, height: float) -> NDArray[np.bool_]:
    """Whether a piece that is high enough, and does not contain the point, begins within ``reach`` ahead of it."""
    return ahead(ground, points, facing, reach, [piece.top > LOW * height for piece in ground.pieces])


def ahead(
    ground: Ground, points: ArrayLike, facing: float, reach: float, counts: Sequence[bool], aside: float = 0.0
) -> NDArray[np.bool_]:
    """Whether a piece that counts begins within ``reach`` ahead, straight on or ``aside`` to either side."""
    at, (x, y) = np.asarray(points, np.float64).reshape(-1, 2), heading(facing)
    if not ground.pieces:
        return np.zeros(len(at), np.bool_)
    met = np.zeros(len(at), np.bool_)
    for off in {0.0, aside, -aside}:
        start = at + np.array([y, -x]) * off
        first = crossings(ground, lifted(start, 0.0), lifted(start + np.array([x, y]) * reach, 0.0), in_plan=True)[1]
        counted = first[:, np.asarray(counts, np.bool_)]
        met |= ((counted > 0.0) & (counted <= reach)).any(axis=1)
    return met


def room(points: ArrayLike, others: ArrayLike, most: float) -> Floats:
    """The gap to the nearest of other round bases (k, 3: x, y, radius), at most ``most``."""
    at, round_ = np.asarray(points, np.float64).reshape(-1, 2), np.asarray(others, np.float64).reshape(-1, 3)
    if not len(round_):
        return np.full(len(at), most)
    gaps = np.hypot(at[:, None, 0] - round_[:, 0], at[:, None, 1] - round_[:, 1]) - round_[:, 2]
    return np.asarray(np.minimum(most, gaps.min(axis=1)))


def best_first(points: Sequence[Point], worth: Floats) -> list[Point]:
    """The points in falling order of worth; points of equal worth stay in the order given."""
    return [points[k] for k in np.argsort(-np.round(worth, 6), kind="stable").tolist()]
