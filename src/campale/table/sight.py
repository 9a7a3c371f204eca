"""True line of sight on simple solids: terrain is prisms, models are upright solids.

A line goes from an eye to a point of the target. It is inside a piece where it is strictly over the piece's outline
and not under ``z`` nor at or above ``z + height``; along an edge or a top it is not inside. The ruleset decides what
counts as seen: it names the sample points, the effect of each piece on a line, and how to read the results.

Lines to a target are numbered column by column: column c, height h is line ``c * len(heights) + h``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from campale.table import kernels
from campale.table.measure import bounding_radius, corners_of, outline_of
from campale.table.outlines import SAME_PLACE
from campale.table.shapes import Circle, Ellipse, Hull, Point, Point3, Solid, heading
from campale.table.terrain import Ground, Prisms

Floats = NDArray[np.float64]
States = NDArray[np.int8]

CLEAR, VEILED, BLOCKED = 0, 1, 2
"""The states of a line."""

NOTHING, SOLID, SCREEN = 0, 1, 2
"""Effects of a piece on a line: none; it blocks over any length; it veils up to an allowance, then blocks."""

NEAR = 1e-9


class Sampling(msgspec.Struct, frozen=True):
    """The points that lines of sight start from and end at.

    ``eye``: the fraction of the viewer's height, over the centre of its base. ``columns``: where across the target, as
    seen from the eye: 0 is its centre, -1 and 1 the left and right ends of its silhouette, between them in proportion
    (on a circle, along the diameter square to the line of sight). ``heights``: fractions of the target's height.
    """

    eye: float = 0.9
    columns: tuple[float, ...] = (-1.0, 0.0, 1.0)
    heights: tuple[float, ...] = (0.1, 0.5, 0.9)

    @property
    def lines(self) -> int:
        """The number of lines drawn to a target."""
        return len(self.columns) * len(self.heights)

    @property
    def bands(self) -> tuple[float, ...]:
        """The upper ends of the bands that the heights stand for: midway between them, in fractions of the height."""
        return tuple((low + high) / 2.0 for low, high in pairwise(self.heights))


NINE = Sampling()
"""Three columns by three heights."""


def flat(points: Floats) -> Floats:
    """Points of the plan (n, 2) on the table itself (n, 3)."""
    return np.column_stack((points, np.zeros(len(points))))


def grid(fineness: int = 5, eye: float = 0.9) -> Sampling:
    """``fineness`` columns from end to end of the silhouette by as many heights, each in the middle of its band.

    With 5 it draws 25 lines. ValueError under 2.
    """
    if fineness < 2:
        raise ValueError(f"a grid needs 2 columns, not {fineness}")
    columns = tuple(2.0 * k / (fineness - 1) - 1.0 for k in range(fineness))
    return Sampling(eye, columns, tuple((k + 0.5) / fineness for k in range(fineness)))


# --- one pair, with its witnesses


class Met(msgspec.Struct, frozen=True):
    """A piece (by name) or a body (by its place in ``bodies``) that a line passes through.

    ``length``: how much of the line is inside it; ``at``: the distance from the eye at which it is first met.
    """

    what: str | int
    length: float
    at: float


class Line(msgspec.Struct, frozen=True):
    """A line from the eye to a point of the target, with what it passes through, the nearest first."""

    start: Point3
    end: Point3
    pieces: tuple[Met, ...] = ()
    bodies: tuple[Met, ...] = ()


Blocks = Callable[[Line], bool]


def meets_terrain(line: Line) -> bool:
    """Whether a line passes through any piece."""
    return bool(line.pieces)


def meets_anything(line: Line) -> bool:
    """Whether a line passes through any piece or body."""
    return bool(line.pieces or line.bodies)


class Look(msgspec.Struct, frozen=True):
    """All the lines from an eye to a target. ``blocks`` says which of them are not free."""

    lines: tuple[Line, ...]

    def free(self, blocks: Blocks = meets_terrain) -> tuple[Line, ...]:
        """The free lines: the witnesses that something is seen."""
        return tuple(line for line in self.lines if not blocks(line))

    def any(self, blocks: Blocks = meets_terrain) -> bool:
        """Whether any line is free."""
        return bool(self.free(blocks))

    def all(self, blocks: Blocks = meets_terrain) -> bool:
        """Whether every line is free."""
        return len(self.free(blocks)) == len(self.lines)

    def fraction(self, blocks: Blocks = meets_terrain) -> float:
        """The share of free lines."""
        return len(self.free(blocks)) / len(self.lines)

    def blockers(self, blocks: Blocks = meets_terrain) -> tuple[str | int, ...]:
        """The pieces and bodies met by lines that are not free, each once, the nearest to the eye first."""
        nearest: dict[str | int, float] = {}
        for line in self.lines:
            for met in (*line.pieces, *line.bodies) if blocks(line) else ():
                nearest[met.what] = min(met.at, nearest.get(met.what, math.inf))
        return tuple(sorted(nearest, key=lambda what: (nearest[what], str(what))))


def eye_of(viewer: Solid, sampling: Sampling = NINE) -> Point3:
    """The eye of a model: over the centre of its base, at the sampling's fraction of its height."""
    return viewer.x, viewer.y, viewer.z + sampling.eye * viewer.height


def points_of(target: Solid, eye: Point3, sampling: Sampling = NINE) -> list[Point3]:
    """The points of a target that an eye looks at, in the order of the lines."""
    left, right = silhouette(target, eye[0], eye[1])
    points = []
    for column in sampling.columns:
        end, share = (right, column) if column > 0 else (left, -column)
        x, y = target.x + share * (end[0] - target.x), target.y + share * (end[1] - target.y)
        points += [(x, y, target.z + height * target.height) for height in sampling.heights]
    return points


def silhouette(target: Solid, x: float, y: float) -> tuple[Point, Point]:
    """The left and right ends of a base as seen in plan from (x, y).

    On a circle they are the ends of the diameter square to the line of sight, on an ellipse the points where the
    tangents touch it, on a hull its outermost corners. From inside an oval they are square to the line to the centre.
    """
    ahead = _towards(x, y, target)
    if isinstance(target.shape, Circle):
        across = (target.shape.radius * ahead[1], -target.shape.radius * ahead[0])
        return (target.x - across[0], target.y - across[1]), (target.x + across[0], target.y + across[1])
    if isinstance(target.shape, Ellipse):
        return _ends_of_ellipse(target, target.shape, x, y, ahead)
    return _ends_of_hull(outline_of(target), x, y, ahead)


def look(
    ground: Ground,
    eye: Point3,
    target: Solid,
    sampling: Sampling = NINE,
    bodies: Sequence[Solid] = (),
    *,
    in_plan: bool = False,
) -> Look:
    """All the lines from an eye to a target, with everything that each passes through and for how long.

    ``in_plan`` treats every piece as endlessly high and deep (lengths are still along the line).
    """
    ends = points_of(target, eye, sampling)
    lengths, firsts = crossings(ground, [eye] * len(ends), ends, in_plan=in_plan)
    near = _near(bodies, eye, ends)
    lines = []
    for k, end in enumerate(ends):
        inside, at = lengths[k].tolist(), firsts[k].tolist()
        pieces = [Met(piece.name, inside[p], at[p]) for p, piece in enumerate(ground.pieces) if inside[p] > NEAR]
        met = [Met(b, *through_body(bodies[b], eye, end)) for b in near[k]]
        lines.append(Line(eye, end, _nearest_first(pieces), _nearest_first(met)))
    return Look(tuple(lines))


def state_of(line: Line, opacity: Mapping[str, int], allowance: float = 0.0, exempt: Sequence[str] = ()) -> int:
    """The state of a line, as ``see`` judges it; pieces that ``opacity`` does not name have no effect."""
    solid = any(opacity.get(str(met.what), NOTHING) == SOLID for met in line.pieces)
    screens = [met for met in line.pieces if opacity.get(str(met.what), NOTHING) == SCREEN]
    if solid or sum(met.length for met in screens) > allowance + NEAR:
        return BLOCKED
    return VEILED if any(met.what not in exempt for met in screens) else CLEAR


def through_body(body: Solid, start: Point3, end: Point3) -> tuple[float, float]:
    """The length of a line inside a solid, and the distance from its start at which it meets it (inf if never)."""
    shape = body.shape
    if isinstance(shape, Circle):
        cylinder = np.array((body.x, body.y, body.z, shape.radius, body.height), np.float64)
        return kernels.through_cylinder(*start, *end, cylinder)
    if isinstance(shape, Ellipse):
        return _through_ellipse(body, shape, start, end)
    piece = _one_prism(outline_of(body), body.z, body.z + body.height)
    lengths, firsts = kernels.crossings(*piece, _points([start]), _points([end]))
    return float(lengths[0, 0]), float(firsts[0, 0])


# --- many at once


def see(
    ground: Ground,
    eyes: ArrayLike,
    targets: ArrayLike,
    sampling: Sampling,
    opacity: ArrayLike,
    allowance: float = 0.0,
    exempt: NDArray[np.bool_] | None = None,
) -> States:
    """The state of each line from n eyes to m round targets: (n, m, lines) of 0 clear, 1 veiled, 2 blocked.

    ``eyes`` (n, 3: x, y, z), ``targets`` (m, 5: x, y, z, radius, height), ``opacity`` int8 per piece: ``NOTHING``,
    ``SOLID`` (blocks over any length), ``SCREEN`` (veils the line; more than ``allowance`` in total over all screens
    met blocks it). ``exempt`` (n, pieces): screens that do not veil for that eye, though their length counts. The
    result for a pair does not depend on the others. ValueError if opacity or exempt do not fit the pieces.
    """
    prisms = ground.prisms
    viewers = _points(eyes)
    opaque = np.ascontiguousarray(opacity, np.int8)
    if exempt is None:
        exempt = np.zeros((len(viewers), len(ground.pieces)), np.bool_)
    if opaque.shape != prisms.low.shape or exempt.shape != (len(viewers), len(ground.pieces)):
        raise ValueError("opacity is one number per piece, exempt one answer per eye and piece")
    return kernels.see(
        prisms.corners,
        prisms.starts,
        prisms.boxes,
        prisms.low,
        prisms.high,
        viewers,
        _cylinders(targets),
        *_samples(sampling.columns, sampling.heights),
        opaque,
        allowance,
        exempt,
    )


def see_solid(
    ground: Ground,
    eye: Point3,
    target: Solid,
    sampling: Sampling,
    opacity: ArrayLike,
    allowance: float = 0.0,
    exempt: ArrayLike | None = None,
) -> States:
    """The state of each line from one eye to one solid of any shape (lines), as ``see``; ``exempt`` is per piece."""
    ends = points_of(target, eye, sampling)
    lengths, _ = crossings(ground, [eye] * len(ends), ends)
    return states_of(lengths, opacity, allowance, exempt)


def covering(
    eyes: ArrayLike,
    targets: ArrayLike,
    bodies: ArrayLike,
    sampling: Sampling = NINE,
    states: States | None = None,
) -> tuple[NDArray[np.bool_], Floats]:
    """Whether any line from each of n eyes to each of m targets passes through each of k bodies: (n, m, k).

    Also returns the distances in plan (n, k) from each eye to the centre of each body. ``eyes`` (n, 3), ``targets`` (m,
    5) and ``bodies`` (k, 5) are as for ``see``; ``states`` (the result of ``see``) leaves blocked lines out. The caller
    masks a body that is a viewer or target.
    """
    viewers, seen, standing = _points(eyes), _cylinders(targets), _cylinders(bodies)
    if states is None:
        states = np.zeros((len(viewers), len(seen), sampling.lines), np.int8)
    columns, heights = _samples(sampling.columns, sampling.heights)
    found = kernels.covering(viewers, seen, standing, columns, heights, states)
    dx = standing[None, :, 0] - viewers[:, None, 0]
    dy = standing[None, :, 1] - viewers[:, None, 1]
    return found, np.sqrt(dx * dx + dy * dy)


def ends_towards(eyes: ArrayLike, targets: Sequence[Solid], sampling: Sampling = NINE) -> Floats:
    """The points of m targets of any shape that each of n eyes looks at: (n, m, lines, 3), as ``points_of``.

    Round targets are computed all at once.
    """
    viewers = _points(eyes)
    ends = np.empty((len(viewers), len(targets), sampling.lines, 3))
    round_ones = [j for j, target in enumerate(targets) if isinstance(target.shape, Circle)]
    if round_ones:
        ends[:, round_ones] = _ends_of_round(viewers, [targets[j] for j in round_ones], sampling)
    for j, target in enumerate(targets):
        if not isinstance(target.shape, Circle):
            for i, eye in enumerate(viewers.tolist()):
                ends[i, j] = points_of(target, (eye[0], eye[1], eye[2]), sampling)
    return ends


def prisms_of(solids: Sequence[Solid]) -> Prisms:
    """Hulls as prisms, for ``lines_met``. ValueError for a round or oval base."""
    if any(not isinstance(solid.shape, Hull) for solid in solids):
        raise ValueError("only hulls are prisms")
    outlines = [corners_of(solid) for solid in solids]
    starts = np.cumsum([0, *(len(outline) for outline in outlines)], dtype=np.int64)
    corners = np.concatenate(outlines) if outlines else np.empty((0, 2))
    boxes = [np.concatenate((outline.min(axis=0), outline.max(axis=0))) for outline in outlines]
    low = np.array([solid.z for solid in solids], np.float64)
    high = np.array([solid.z + solid.height for solid in solids], np.float64)
    return Prisms(corners, starts, np.array(boxes, np.float64).reshape(-1, 4), low, high)


def lines_met(
    ground: Ground,
    eyes: ArrayLike,
    ends: ArrayLike,
    opacity: ArrayLike,
    near_eye: ArrayLike | None = None,
    near_target: ArrayLike | None = None,
    bodies: ArrayLike = (),
    hulls: Prisms | None = None,
) -> States:
    """The state of every line from n eyes to m targets: (n, m, lines) of 0 clear, 1 veiled, 2 blocked.

    ``ends`` (n, m, lines, 3) are the points looked at (``ends_towards``), ``opacity`` int8 per piece: ``NOTHING``,
    ``SOLID`` (blocks), ``SCREEN`` (veils, and never blocks). A screen does not veil for the eyes of ``near_eye``
    (n, pieces) nor the targets of ``near_target`` (m, pieces). Upright cylinders ``bodies`` (k, 5: x, y, z, radius,
    height) and ``hulls`` block. The answer for a pair does not depend on the others. ValueError when sizes do not fit.
    """
    viewers, points = _points(eyes), np.ascontiguousarray(ends, np.float64)
    opaque = np.ascontiguousarray(opacity, np.int8)
    if points.ndim != 4 or points.shape[0] != len(viewers) or points.shape[3] != 3:
        raise ValueError("ends are a point for every eye, target and line")
    pieces = len(ground.pieces)
    spared = _spared(near_eye, (len(viewers), pieces)), _spared(near_target, (points.shape[1], pieces))
    if opaque.shape != (pieces,):
        raise ValueError("opacity is one number per piece")
    asked = (opaque, viewers, points, *spared, _cylinders(bodies))
    arguments = (*_flat(ground.prisms), *asked, *_flat(NO_HULLS if hulls is None else hulls))
    return kernels.lines_met(*arguments)


def crossings(ground: Ground, starts: ArrayLike, ends: ArrayLike, *, in_plan: bool = False) -> tuple[Floats, Floats]:
    """For every line (n, 3) to (n, 3) and every piece: the length inside, the distance at which it is first met.

    Both are (n, pieces); the distance is infinite if it does not meet the piece.
    """
    prisms = ground.prisms
    low = np.full_like(prisms.low, -1e9) if in_plan else prisms.low
    high = np.full_like(prisms.high, 1e9) if in_plan else prisms.high
    return kernels.crossings(prisms.corners, prisms.starts, prisms.boxes, low, high, _points(starts), _points(ends))


def clear_of(
    ground: Ground, starts: ArrayLike, ends: ArrayLike, bodies: ArrayLike = (), spare: float = 0.0
) -> NDArray[np.bool_]:
    """Which lines (n, 3) to (n, 3) are clear: (n,).

    They meet no upright cylinder of ``bodies`` (k, 5: x, y, z, radius, height), and no piece over more than ``spare``.
    """
    lines = _points(starts), _points(ends)
    return kernels.clear_of(*_flat(ground.prisms), _cylinders(bodies), *lines, spare)


def any_clear(
    ground: Ground,
    plan: tuple[ArrayLike, ArrayLike],
    ups: ArrayLike,
    downs: ArrayLike,
    bodies: ArrayLike = (),
    spare: float = 0.0,
) -> bool:
    """Whether one of some lines is clear, in the sense of ``clear_of``.

    ``plan`` has their ends, (n, 2) each; each line is tried from every height of ``ups`` to every height of ``downs``.
    """
    eyes, ends = (np.ascontiguousarray(points, np.float64).reshape(-1, 2) for points in plan)
    heights = np.ascontiguousarray(ups, np.float64), np.ascontiguousarray(downs, np.float64)
    return bool(kernels.any_clear(*_flat(ground.prisms), _cylinders(bodies), eyes, ends, *heights, spare))


def pieces_over(ground: Ground, points: ArrayLike) -> NDArray[np.bool_]:
    """Whether points (n, 2) lie over the outlines of the pieces, edges included: (n, pieces)."""
    prisms = ground.prisms
    at = np.ascontiguousarray(points, np.float64).reshape(-1, 2)
    return kernels.points_inside(prisms.corners, prisms.starts, prisms.boxes, at, SAME_PLACE)


def states_of(lengths: Floats, opacity: ArrayLike, allowance: float = 0.0, exempt: ArrayLike | None = None) -> States:
    """The state of each line (n), from the lengths that ``crossings`` gives; ``exempt`` is per piece."""
    opaque = np.ascontiguousarray(opacity, np.int8)
    spared = np.zeros(opaque.shape, np.bool_) if exempt is None else np.ascontiguousarray(exempt, np.bool_)
    return kernels.line_states(lengths, opaque, allowance, spared)


# --- below the surface


NO_HULLS = Prisms(np.empty((0, 2)), np.zeros(1, np.int64), np.empty((0, 4)), np.empty(0), np.empty(0))


def _flat(prisms: Prisms) -> tuple[Floats, NDArray[np.int64], Floats, Floats, Floats]:
    return prisms.corners, prisms.starts, prisms.boxes, prisms.low, prisms.high


def _spared(near: ArrayLike | None, shape: tuple[int, int]) -> NDArray[np.bool_]:
    found = np.zeros(shape, np.bool_) if near is None else np.ascontiguousarray(near, np.bool_)
    if found.shape != shape:
        raise ValueError("who is spared a screen is one answer per eye, or target, and piece")
    return found


def _ends_of_round(viewers: Floats, targets: Sequence[Solid], sampling: Sampling) -> Floats:
    """``points_of`` for round targets: (n, m, lines, 3)."""
    x, y, z, height = (np.array([getattr(t, name) for t in targets], np.float64) for name in ("x", "y", "z", "height"))
    radius = np.array([bounding_radius(t.shape) for t in targets], np.float64)
    dx, dy = x[None, :] - viewers[:, 0:1], y[None, :] - viewers[:, 1:2]
    off = np.sqrt(dx * dx + dy * dy)
    far = off >= NEAR
    share = np.where(far, off, 1.0)
    ahead_x, ahead_y = np.where(far, dx / share, 0.0), np.where(far, dy / share, 1.0)
    columns, heights = _samples(sampling.columns, sampling.heights)
    found = np.empty((*off.shape, len(columns), len(heights), 3))
    across = (columns[None, None, :] * radius[None, :, None])[..., None]
    found[..., 0] = x[None, :, None, None] + across * ahead_y[:, :, None, None]
    found[..., 1] = y[None, :, None, None] - across * ahead_x[:, :, None, None]
    found[..., 2] = (z[:, None] + heights[None, :] * height[:, None])[None, :, None, :]
    return found.reshape(*off.shape, sampling.lines, 3)


@lru_cache(maxsize=64)
def _samples(columns: tuple[float, ...], heights: tuple[float, ...]) -> tuple[Floats, Floats]:
    return np.array(columns, np.float64), np.array(heights, np.float64)


def _points(values: ArrayLike) -> Floats:
    return np.ascontiguousarray(values, np.float64).reshape(-1, 3)


def _cylinders(values: ArrayLike) -> Floats:
    return np.ascontiguousarray(values, np.float64).reshape(-1, 5)


def _near(bodies: Sequence[Solid], eye: Point3, ends: Sequence[Point3]) -> list[list[int]]:
    """For each line from an eye, the bodies that it comes near enough to in plan to pass through them."""
    if not bodies:
        return [[] for _ in ends]
    standing = np.array([(body.x, body.y, bounding_radius(body.shape)) for body in bodies], np.float64)
    ways = np.array(ends, np.float64)[:, None, :2] - eye[:2]
    off = standing[None, :, :2] - eye[:2]
    squares = np.maximum((ways * ways).sum(axis=2), NEAR)
    share = np.clip((ways * off).sum(axis=2) / squares, 0.0, 1.0)
    away = off - share[..., None] * ways
    is_near = (away * away).sum(axis=2) < (standing[:, 2] + SAME_PLACE) ** 2
    return [row.nonzero()[0].tolist() for row in is_near]


def _nearest_first(met: list[Met]) -> tuple[Met, ...]:
    return tuple(sorted((one for one in met if one.length > NEAR), key=lambda one: one.at))


def _towards(x: float, y: float, target: Solid) -> Point:
    """The unit vector from (x, y) to a target's centre; +y when they coincide."""
    dx, dy = target.x - x, target.y - y
    off = math.sqrt(dx * dx + dy * dy)
    return (dx / off, dy / off) if off >= NEAR else (0.0, 1.0)


def _one_prism(
    outline: Sequence[Point], low: float, high: float
) -> tuple[Floats, NDArray[np.int64], Floats, Floats, Floats]:
    corners = np.array(outline, np.float64)
    edges = np.concatenate((corners.min(axis=0), corners.max(axis=0))).reshape(1, 4)
    return corners, np.array((0, len(corners)), np.int64), edges, np.array((low,)), np.array((high,))


def _ends_of_hull(corners: Sequence[Point], x: float, y: float, ahead: Point) -> tuple[Point, Point]:
    """The corners seen farthest to the left and to the right of the line to the centre."""

    def slant(corner: Point) -> float:
        along = (corner[0] - x) * ahead[0] + (corner[1] - y) * ahead[1]
        across = (corner[0] - x) * ahead[1] - (corner[1] - y) * ahead[0]
        return across / max(along, NEAR)

    return min(corners, key=slant), max(corners, key=slant)


def _ends_of_ellipse(target: Solid, shape: Ellipse, x: float, y: float, ahead: Point) -> tuple[Point, Point]:
    """Where the tangents from a point touch an ellipse: those to the unit circle, once the axes are scaled away."""
    facing = heading(target.facing)
    dx, dy = x - target.x, y - target.y
    u = (dx * facing[1] - dy * facing[0]) / shape.half_width
    v = (dx * facing[0] + dy * facing[1]) / shape.half_length
    square = u * u + v * v
    if square <= 1.0:
        u = -(ahead[0] * facing[1] - ahead[1] * facing[0]) * 1e9
        v = -(ahead[0] * facing[0] + ahead[1] * facing[1]) * 1e9
        square = u * u + v * v
    foot, side = 1.0 / square, math.sqrt(square - 1.0) / square
    ends = []
    for sign in (1.0, -1.0):
        px = (u * foot + sign * v * side) * shape.half_width
        py = (v * foot - sign * u * side) * shape.half_length
        ends.append((target.x + px * facing[1] + py * facing[0], target.y - px * facing[0] + py * facing[1]))
    return ends[0], ends[1]


def _through_ellipse(body: Solid, shape: Ellipse, start: Point3, end: Point3) -> tuple[float, float]:
    """As through a cylinder of radius 1 in axes scaled to the ellipse; lengths scaled back along the line."""
    ahead_x, ahead_y = heading(body.facing)
    scaled = []
    for x, y, z in (start, end):
        dx, dy = x - body.x, y - body.y
        across, along = dx * ahead_y - dy * ahead_x, dx * ahead_x + dy * ahead_y
        scaled.append((across / shape.half_width, along / shape.half_length, z))
    unit = np.array((0.0, 0.0, body.z, 1.0, body.height), np.float64)
    length, at = kernels.through_cylinder(*scaled[0], *scaled[1], unit)
    whole = math.dist(scaled[0], scaled[1])
    scale = math.dist(start, end) / whole if whole > 0 else 1.0
    return length * scale, at * scale
