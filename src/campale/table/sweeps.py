"""What a base meets on its way: the exact, continuous checks of a path, in plan.

Everything comes in the order met and nothing is decided by sampling. Straight moves are closed forms, whatever the
bases; the turns of a hull are followed by conservative advancement, which may report a meeting up to 0.0002 before it
and the end of one up to 0.001 after it. An oval is a polygon of 96 corners on its edge: at most 0.0006 of its half
length is missing, between the corners.

"Nearer than a distance" is strict and allows ``tolerance``: at a distance of 1, a gap of 1.000 is allowed and, with the
usual tolerance of 0.001, one of 0.998 is refused. Two bases in contact have a gap of 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec
import numpy as np

from campale.table import kernels
from campale.table.kernels import Floats, Ints
from campale.table.outlines import inset
from campale.table.paths import Path, Stance, distance_at, leg_array, stance
from campale.table.shapes import TOLERANCE, Circle, Ellipse, Hull, Point, Shape, Solid, heading
from campale.table.terrain import Ground, Piece

OVAL_CORNERS = 96
FAR_OUT = 1000.0

Edge = Literal["south", "north", "west", "east"]
EDGES: tuple[Edge, ...] = ("south", "north", "west", "east")

Others = Sequence[Solid] | Floats
"""Standing bases: solids, or an array (n, 3) of discs x, y, radius."""

Terrain = Ground | Sequence[Piece]
"""The pieces in question, numbered in their order."""


class Met(msgspec.Struct, frozen=True):
    """A meeting on the way.

    ``distance``: how far along the path, in plan. ``at``: the place of the mover then. ``other``: the number of the
    base or piece met. ``gap``: the least gap between the edges in the whole stretch or path in question; for
    overlapping bases it is below 0 between discs, 0 or below otherwise. ``progress``: the leg and the fraction of it,
    for ``paths.until`` and ``paths.stance``: it distinguishes moments while a hull turns on the spot.
    """

    distance: float
    at: Stance
    other: int
    gap: float
    progress: float


class Stretch(msgspec.Struct, frozen=True):
    """A part of the path, from ``start`` to ``end`` in plan, in which the mover meets ``other`` (a base or a piece).

    ``from_outset`` and ``to_end``: whether it already did at the start, and still does at the end of the path.
    ``first`` and ``last`` are the same bounds as progress.
    """

    other: int
    start: float
    end: float
    first: float
    last: float
    from_outset: bool
    to_end: bool


class Pack(msgspec.Struct, frozen=True, eq=False):
    """Cores as the kernels read them: all corners (m, 2), where each core begins (k + 1), the radius round each (k)."""

    corners: Floats
    starts: Ints
    radii: Floats


def first_within(
    path: Path,
    shape: Shape,
    others: Others,
    distance: float,
    *,
    tolerance: float = TOLERANCE,
    unless_receding: bool = False,
) -> Met | None:
    """The first moment at which the moving base is nearer than ``distance`` to another; None if it never is.

    With ``unless_receding`` another that is too near at the start is no fault as long as the gap to it does not shrink,
    until it has grown to ``distance``; from then on it counts like the others. A tolerance below 0 means "at most"
    instead: ``first_within(path, shape, others, 0.0, tolerance=-0.0005)`` is contact.
    """
    rows, legs, core, pack = _sweep(path, shape, others, distance, tolerance, unless_receding)
    if len(rows) == 0:
        return None
    which, progress = _first_of(rows)
    nearest = kernels.sweep_nearest(legs, core.corners, *_one(pack, which))
    return _met(path, which, progress, nearest[0, 0] - core.radii[0] - pack.radii[which])


def first_near(path: Path, shape: Shape, others: Others, distance: float) -> tuple[int, float] | None:
    """The number of the base that ``first_within`` meets (receding ones left out) and the progress, without the gap."""
    rows, *_ = _sweep(path, shape, others, distance, TOLERANCE, True)
    return _first_of(rows) if len(rows) else None


def _first_of(rows: Floats) -> tuple[int, float]:
    row = min(rows.tolist(), key=lambda found: (found[1], found[0]))
    return int(row[0]), float(row[1])


def every_within(
    path: Path, shape: Shape, others: Others, distance: float, *, tolerance: float = TOLERANCE
) -> tuple[Stretch, ...]:
    """All the stretches in which the moving base is nearer than ``distance`` to another, in the order met."""
    rows, legs, _, _ = _sweep(path, shape, others, distance, tolerance, False)
    return _stretches(path, rows, len(legs))


def first_overlap(path: Path, shape: Shape, others: Others, *, unless_receding: bool = False) -> Met | None:
    """The first base that the moving base runs into. Contact is no overlap."""
    return first_within(path, shape, others, 0.0, unless_receding=unless_receding)


def first_contact(path: Path, shape: Shape, others: Others, tolerance: float = 0.0005) -> Met | None:
    """The first moment at which the gap to another is at most ``tolerance``."""
    return first_within(path, shape, others, 0.0, tolerance=-tolerance)


def nearest_approach(path: Path, shape: Shape, others: Others) -> Met | None:
    """The moment at which the moving base is nearest to any of the others; None if there are none."""
    pack, core = pack_others(others), core_of(shape)
    if len(pack.radii) == 0:
        return None
    found = kernels.sweep_nearest(leg_array(path), core.corners, pack.corners, pack.starts)
    gaps = [float(row[0] - core.radii[0] - pack.radii[k]) for k, row in enumerate(found)]
    which = min(range(len(gaps)), key=lambda k: (gaps[k], found[k, 1], k))
    return _met(path, which, float(found[which, 1]), gaps[which])


def gaps_along(path: Path, shape: Shape, others: Others) -> tuple[float, ...]:
    """The least gap of the moving base to each of the others along the path."""
    pack, core = pack_others(others), core_of(shape)
    found = kernels.sweep_nearest(leg_array(path), core.corners, pack.corners, pack.starts)
    return tuple(float(row[0] - core.radii[0] - pack.radii[k]) for k, row in enumerate(found))


def crossings(path: Path, shape: Shape, terrain: Terrain, *, tolerance: float = TOLERANCE) -> tuple[Stretch, ...]:
    """The stretches in which the moving base overlaps a piece's outline, in plan and in the order met.

    Touching from outside is no overlap. ``from_outset`` and ``to_end`` distinguish entering, leaving and crossing. With
    a tolerance below 0, coming within that distance of the outline counts as meeting it.
    """
    corners, starts = outlines_of(terrain)
    core, reach = _reaching(shape, 0.0, tolerance)
    legs = leg_array(path)
    wide = np.full(len(starts) - 1, reach + core.radii[0])
    rows = kernels.sweep(legs, core.corners, corners, starts, wide, 0.0, False)
    return _stretches(path, rows, len(legs))


def edges_met(
    path: Path, shape: Shape, width: float, depth: float, *, beyond: float = TOLERANCE
) -> tuple[Stretch, ...]:
    """The stretches in which the base is over an edge of the table by more than ``beyond``, in the order met.

    ``other`` numbers the edge as in ``EDGES``: south is y = 0, west is x = 0. With ``beyond`` below 0, such as
    -0.001, touching the edge is enough.
    """
    corners, starts = _outside(width, depth)
    core, reach = _reaching(shape, 0.0, beyond)
    legs = leg_array(path)
    wide = np.full(4, reach + core.radii[0])
    rows = kernels.sweep(legs, core.corners, corners, starts, wide, 0.0, False)
    return _stretches(path, rows, len(legs))


def first_off(
    path: Path, shape: Shape, width: float, depth: float, *, beyond: float = TOLERANCE
) -> tuple[Edge, Stretch] | None:
    """The first edge of the table that the base goes over (see ``edges_met``), or None."""
    met = edges_met(path, shape, width, depth, beyond=beyond)
    return (EDGES[met[0].other], met[0]) if met else None


# Cores and packs.


def core_of(shape: Shape, shrink: float = 0.0) -> Pack:
    """A shape as one core in its own coordinates; ``shrink`` draws the edge of a polygon inwards by this much."""
    if isinstance(shape, Circle):
        return _disc_core(shape.radius)
    if isinstance(shape, Ellipse):
        return _polygon_core(oval(shape), shrink)
    return _polygon_core(shape.corners, shrink)


def pack_others(others: Others) -> Pack:
    """Standing bases as one pack."""
    if isinstance(others, np.ndarray):
        discs = others.reshape(-1, 3)
        starts = np.arange(len(discs) + 1, dtype=np.int64)
        return Pack(np.ascontiguousarray(discs[:, :2]), starts, np.ascontiguousarray(discs[:, 2]))
    standing = [_standing(solid) for solid in others]
    starts = np.zeros(len(standing) + 1, np.int64)
    if standing:
        starts[1:] = np.cumsum([len(corners) for corners, _ in standing])
    corners = [corner for found, _ in standing for corner in found]
    return Pack(np.array(corners, np.float64).reshape(-1, 2), starts, np.array([r for _, r in standing], np.float64))


def outlines_of(terrain: Terrain) -> tuple[Floats, Ints]:
    """The outlines of the pieces: all corners (m, 2) and where each begins (k + 1)."""
    ground = terrain if isinstance(terrain, Ground) else Ground(0.0, 0.0, tuple(terrain))
    return ground.prisms.corners, ground.prisms.starts


@lru_cache(maxsize=256)
def oval(shape: Ellipse) -> tuple[Point, ...]:
    """The corners that stand for an oval base, in its own coordinates, counter-clockwise."""
    turns = (heading(360.0 * k / OVAL_CORNERS) for k in range(OVAL_CORNERS))
    return tuple((-shape.half_width * x, shape.half_length * y) for x, y in turns)


@lru_cache(maxsize=1024)
def _disc_core(radius: float) -> Pack:
    return Pack(np.zeros((1, 2)), np.array([0, 1], np.int64), np.array([radius]))


@lru_cache(maxsize=1024)
def _polygon_core(corners: tuple[Point, ...], shrink: float) -> Pack:
    drawn = inset(corners, shrink) if shrink > 0.0 else corners
    return Pack(np.array(drawn, np.float64), np.array([0, len(drawn)], np.int64), np.zeros(1))


def _standing(solid: Solid) -> tuple[list[Point], float]:
    shape = solid.shape
    if isinstance(shape, Circle):
        return [(solid.x, solid.y)], shape.radius
    corners = shape.corners if isinstance(shape, Hull) else oval(shape)
    hx, hy = heading(solid.facing)
    return [(solid.x + x * hy + y * hx, solid.y - x * hx + y * hy) for x, y in corners], 0.0


def _reaching(shape: Shape, distance: float, tolerance: float) -> tuple[Pack, float]:
    """The core of a mover and the gap in question; a polygon is drawn in if that gap would be below 0."""
    reach = distance - tolerance
    if isinstance(shape, Circle) or reach >= 0.0:
        return core_of(shape), reach
    return core_of(shape, -reach), 0.0


def _sweep(
    path: Path, shape: Shape, others: Others, distance: float, tolerance: float, receding: bool
) -> tuple[Floats, Floats, Pack, Pack]:
    pack, legs = pack_others(others), leg_array(path)
    core, reach = _reaching(shape, distance, tolerance)
    slack = TOLERANCE if receding else 0.0
    wide = pack.radii + (core.radii[0] + reach + slack)
    rows: Floats = kernels.sweep(legs, core.corners, pack.corners, pack.starts, wide, slack, receding)
    return rows, legs, core, pack


def _one(pack: Pack, which: int) -> tuple[Floats, Ints]:
    first, last = pack.starts[which], pack.starts[which + 1]
    return pack.corners[first:last], np.array([0, last - first], np.int64)


def _met(path: Path, which: int, progress: float, gap: float) -> Met:
    return Met(distance_at(path, progress), stance(path, progress), which, float(gap), progress)


def _stretches(path: Path, rows: Floats, legs: int) -> tuple[Stretch, ...]:
    found = sorted(rows.tolist(), key=lambda row: (row[1], row[0]))
    return tuple(
        Stretch(int(which), distance_at(path, lo), distance_at(path, hi), lo, hi, lo <= 0.0, hi >= legs - 1e-12)
        for which, lo, hi in found
    )


@lru_cache(maxsize=64)
def _outside(width: float, depth: float) -> tuple[Floats, Ints]:
    """The four strips beyond the edges, in the order of EDGES."""
    w, d, far = width, depth, FAR_OUT + math.floor(width + depth)
    strips = [
        ((-far, -far), (w + far, -far), (w + far, 0.0), (-far, 0.0)),
        ((-far, d), (w + far, d), (w + far, d + far), (-far, d + far)),
        ((-far, -far), (0.0, -far), (0.0, d + far), (-far, d + far)),
        ((w, -far), (w + far, -far), (w + far, d + far), (w, d + far)),
    ]
    corners = np.array([corner for strip in strips for corner in strip], np.float64)
    return corners, np.array([0, 4, 8, 12, 16], np.int64)
