"""Fields: the obstacles of a moving base where round bases and hulls stand together, some with a gap to be kept.

``planner`` knows only discs and outlines. A field holds bases of any shape, each with the gap to be kept from it; its
checks are exact for round movers and for hulls. For planning it gives a ``Going`` in which hulls are drawn a little too
large; the ways that the planner finds still pass through the exact checks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import msgspec
import numpy as np

from campale.table import kernels, planner
from campale.table.kernels import Flags, Floats, Ints
from campale.table.measure import (
    bounding_radius,
    corners_of,
    gap,
    on_table,
    outline_of,
    overlaps,
    overlaps_outline,
    shrunk,
)
from campale.table.outlines import inset
from campale.table.paths import Path
from campale.table.planner import Going, Trouble
from campale.table.shapes import TOLERANCE, Circle, Ellipse, Hull, Point, Shape, Solid, heading
from campale.table.sweeps import crossings, edges_met, first_near
from campale.table.terrain import Ground, Piece, Prisms, joined
from campale.table.turning import inner_radius

HALF = TOLERANCE / 2
"""The length by which each of two bases is drawn in if they may touch."""

CORNER_STEPS = 4
"""The number of sides that stand for the quarter circle about a corner; they are drawn outside the circle."""


class Field(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The surroundings of a mover of one shape.

    They are ``others`` with the gap kept from each, barred pieces (those of ``fence``), and the edges. ``discs`` and
    ``hulls`` are the indices in ``others`` of the round bases and of the rest. ``going`` is for checks of round movers
    (without hulls), ``plans`` for planning (with hulls). Parts that few callers need are made on demand.
    """

    ground: Ground
    shape: Shape
    others: tuple[Solid, ...]
    gaps: tuple[float, ...]
    fence: Ground
    discs: tuple[int, ...]
    hulls: tuple[int, ...]
    going: Going

    @cached_property
    def plans(self) -> Going:
        """The going with the hulls in it, drawn a little too large."""
        if not self.hulls:
            return self.going
        swollen = [swollen_prism(self.others[k], self.gaps[k]) for k in self.hulls]
        prisms = joined([self.fence.prisms, *swollen])
        with_hulls = planner.going(self.ground, self.going.radius, barred=prisms)
        return with_hulls._replace(discs=self.going.discs)

    @cached_property
    def reach(self) -> Floats:
        """For each of the others x, y and the distance within which it may bar the mover's centre: (n, 3)."""
        wide = bounding_radius(self.shape) + 0.1
        pairs = zip(self.others, self.gaps, strict=True)
        far = [(one.x, one.y, kept + wide + bounding_radius(one.shape)) for one, kept in pairs]
        return np.array(far, np.float64).reshape(-1, 3)

    @property
    def barred(self) -> tuple[Piece, ...]:
        return self.fence.pieces

    @property
    def is_round(self) -> bool:
        return isinstance(self.shape, Circle)

    @cached_property
    def has_ovals(self) -> bool:
        """Whether any base is an oval: then places are checked one by one."""
        return isinstance(self.shape, Ellipse) or any(isinstance(self.others[k].shape, Ellipse) for k in self.hulls)

    @cached_property
    def hull_pack(self) -> tuple[Floats, Ints]:
        """The outlines of the hulls, drawn in if no gap is kept from them, and the index at which each begins."""
        found = [corners_of(_kept_clear_of(self.others[k], self.gaps[k])) for k in self.hulls]
        starts = np.cumsum([0, *map(len, found)], dtype=np.int64)
        return np.concatenate(found) if found else np.empty((0, 2)), starts

    @cached_property
    def for_discs(self) -> tuple[Any, ...]:
        """The arguments of ``kernels.clear_of_hulls`` for a round mover."""
        radius, which = bounding_radius(self.shape), list(self.hulls)
        return radius, radius - HALF, *self.hull_pack, np.array(self.gaps)[which], self.reach[which]

    @cached_property
    def for_hulls(self) -> tuple[Any, ...]:
        """The arguments of ``kernels.hulls_clear`` for a hull."""
        shape, kept = self.shape, np.array(self.gaps)[:, None]
        assert isinstance(shape, Hull)
        sizes = [[one.shape.radius if isinstance(one.shape, Circle) else one.facing] for one in self.others]
        rows = np.hstack((self.reach, kept.reshape(-1, 1), np.array(sizes, np.float64).reshape(-1, 1)))
        pieces = self.fence.kept(_drawn_in)
        return (
            *(self.ground.width, self.ground.depth),
            *(np.array(shape.corners, np.float64), np.array(inset(shape.corners, HALF), np.float64)),
            *(rows[list(self.discs)], rows[list(self.hulls)], *self.hull_pack),
            *(pieces.corners, pieces.starts),
        )


def field(
    ground: Ground, shape: Shape, others: Sequence[Solid], gaps: Sequence[float], barred: Ground | Sequence[Piece] = ()
) -> Field:
    """The field of a mover. ``gaps``: one for each of the others, 0 where contact is allowed.

    ``barred``: the pieces, or a ground that holds only them, so that their prepared arrays are made once.
    """
    fence = barred if isinstance(barred, Ground) else Ground(ground.width, ground.depth, tuple(barred))
    discs, hulls, rows, kept = list[int](), list[int](), list[tuple[float, float, float]](), list[float]()
    for k, (one, gap_kept) in enumerate(zip(others, gaps, strict=True)):
        if isinstance(one.shape, Circle):
            discs.append(k)
            rows.append((one.x, one.y, one.shape.radius))
            kept.append(gap_kept)
        else:
            hulls.append(k)
    around = np.array(rows, np.float64).reshape(-1, 3)
    radius = shape.radius if isinstance(shape, Circle) else inner_radius(shape)
    going = planner.going(ground, radius, around, kept, fence.prisms)
    return Field(ground, shape, tuple(others), tuple(gaps), fence, tuple(discs), tuple(hulls), going)


def first_trouble(field: Field, path: Path) -> Trouble | None:
    """The first thing wrong with a path, by the exact checks: kind "base" (its index in ``others``), "outline", "edge".

    A mover too near to a base at the start may leave it as long as the gap does not shrink.
    """
    found = _round_troubles(field, path) if field.is_round else _hull_troubles(field, path)
    return min(found, key=lambda one: one.progress, default=None)


def is_free(field: Field, x: float, y: float, facing: float = 0.0) -> bool:
    """Whether the base may stand with its centre at a place, all gaps kept."""
    if field.is_round and not field.hulls:
        return planner.is_free(field.going, x, y)
    return bool(all_free(field, np.array(((x, y, facing),)))[0])


def all_free(field: Field, places: Floats) -> Flags:
    """``is_free`` for many places (n, 3: x, y, facing) at once."""
    if field.has_ovals:
        return np.array([what_bars(field, *place) is None for place in places.tolist()], np.bool_)
    if not field.is_round:
        headings = np.array([heading(facing) for facing in places[:, 2].tolist()], np.float64).reshape(-1, 2)
        return kernels.hulls_clear(np.hstack((places, headings)), *field.for_hulls)
    found = planner.all_free(field.going, places)
    return found & kernels.clear_of_hulls(places, *field.for_discs) if field.hulls and found.any() else found


def what_bars(field: Field, x: float, y: float, facing: float = 0.0) -> Trouble | None:
    """The reason why the base may not stand at a place; None if it may."""
    there = Solid(field.shape, x, y, 0.0, facing)
    if not on_table(there, field.ground):
        return Trouble("edge", 0, 0.0)
    for k in _in_reach(field, x, y):
        if _is_too_near(there, field.others[k], field.gaps[k]):
            return Trouble("base", k, 0.0)
    for k, piece in enumerate(field.barred):
        if overlaps_outline(there, piece.outline):
            return Trouble("outline", k, 0.0)
    return None


def routed(field: Field, start: Point, goal: Point, allowance: float | None = None) -> Path | None:
    """The shortest way found for a round base to a goal, checked exactly; None if none is found."""
    found = planner.route(field.plans, start, goal, allowance)
    return None if found is None or (field.hulls and first_trouble(field, found) is not None) else found


def swollen_outline(solid: Solid, by: float) -> tuple[Point, ...]:
    """An outline round everything nearer to a base than ``by``, at most a hundredth of that too large."""
    corners = outline_of(solid)
    return corners if by <= 0.0 else _swollen(corners, by)


def swollen_prism(solid: Solid, by: float) -> Prisms:
    """``swollen_outline`` as prisms, for the planner."""
    return _prism(swollen_outline(solid, by))


@lru_cache(maxsize=4096)
def _prism(outline: tuple[Point, ...]) -> Prisms:
    return Ground(0.0, 0.0, (Piece("", "", outline),)).prisms


@lru_cache(maxsize=4096)
def _swollen(corners: tuple[Point, ...], by: float) -> tuple[Point, ...]:
    drawn: list[Point] = []
    for before, corner, after in zip((corners[-1], *corners[:-1]), corners, (*corners[1:], corners[0]), strict=True):
        drawn += _rounded_corner(before, corner, after, by)
    return tuple(drawn)


# How it is done.


def _round_troubles(field: Field, path: Path) -> list[Trouble]:
    troubles = []
    found = planner.trouble(field.going, path)
    if found is not None and found.kind == "edge":
        troubles += _over_the_edge(field, path)
    elif found is not None:
        which = field.discs[found.which] if found.kind == "disc" else found.which
        troubles.append(Trouble("base" if found.kind == "disc" else found.kind, which, found.progress))
    hulls = set(field.hulls)
    return troubles + _met(field, path, [k for k in _passed(field, path) if k in hulls] if hulls else [])


def _hull_troubles(field: Field, path: Path) -> list[Trouble]:
    troubles = _met(field, path, _passed(field, path))
    inside = [one for one in crossings(path, field.shape, field.fence) if not one.from_outset]
    troubles += [Trouble("outline", one.other, one.first) for one in inside]
    return troubles + _over_the_edge(field, path)


def _over_the_edge(field: Field, path: Path) -> list[Trouble]:
    over = edges_met(path, field.shape, field.ground.width, field.ground.depth)
    return [Trouble("edge", one.other, one.first) for one in over if not one.from_outset or one.to_end]


def _met(field: Field, path: Path, which: Sequence[int]) -> list[Trouble]:
    troubles = []
    for kept in sorted({field.gaps[k] for k in which}):
        group = [k for k in which if field.gaps[k] == kept]
        met = first_near(path, field.shape, [field.others[k] for k in group], kept)
        if met is not None:
            troubles.append(Trouble("base", group[met[0]], met[1]))
    return troubles


def _passed(field: Field, path: Path) -> list[int]:
    """The indices in ``others`` of the bases near enough to the path to need a check."""
    xs, ys = [p[0] for p in path.points], [p[1] for p in path.points]
    x, y, far = field.reach[:, 0], field.reach[:, 1], field.reach[:, 2]
    across = (x - far <= max(xs)) & (x + far >= min(xs))
    found: list[int] = (across & (y - far <= max(ys)) & (y + far >= min(ys))).nonzero()[0].tolist()
    return found


def _in_reach(field: Field, x: float, y: float) -> list[int]:
    """The indices in ``others`` of the bases that may bar a mover with its centre at a point."""
    near = (np.abs(field.reach[:, 0] - x) <= field.reach[:, 2]) & (np.abs(field.reach[:, 1] - y) <= field.reach[:, 2])
    found: list[int] = near.nonzero()[0].tolist()
    return found


def _drawn_in(fence: Ground) -> Prisms:
    pieces = (msgspec.structs.replace(piece, outline=inset(piece.outline, HALF)) for piece in fence.pieces)
    return Ground(fence.width, fence.depth, tuple(pieces)).prisms


def _kept_clear_of(solid: Solid, kept: float) -> Solid:
    """A base as it is measured: whole if a gap is kept from it, drawn in if contact is allowed."""
    return solid if kept > 0.0 else shrunk(solid, HALF)


def _is_too_near(one: Solid, other: Solid, kept: float) -> bool:
    return gap(one, other) < kept - TOLERANCE if kept > 0.0 else overlaps(one, other)


def _rounded_corner(before: Point, corner: Point, after: Point, by: float) -> list[Point]:
    """The corners of a line outside the arc about a corner, from one side's normal to the next one's."""
    first, last = _outward(before, corner), _outward(corner, after)
    turn = math.degrees(math.atan2(first[0] * last[1] - first[1] * last[0], first[0] * last[0] + first[1] * last[1]))
    if turn <= 0.0:
        return [corner]
    steps = max(1, math.ceil(turn / 90.0 * CORNER_STEPS))
    half = turn / steps / 2.0
    out = by / round(math.cos(math.radians(half)), 12)
    bearing = math.degrees(math.atan2(first[0], first[1]))
    angles = [bearing - (2 * k + 1) * half for k in range(steps)]
    return [(corner[0] + out * heading(a)[0], corner[1] + out * heading(a)[1]) for a in angles]


def _outward(a: Point, b: Point) -> Point:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.sqrt(dx * dx + dy * dy)
    return dy / length, -dx / length
