"""The planner: short legal ways for one base, round its obstacles.

It proposes; the checks of ``sweeps`` decide. Every way that it returns has passed those checks and is legal by them. It
may miss a way, or return one longer than the shortest: it bends only at a few places round each obstacle (eight round a
disc, two at a corner) and then draws the way tight. If a goal is a whole ring or area, it tries a number of places.

A base that is too near to another at the start may leave it as long as the gap does not shrink; a base that stands in a
barred outline at the start may leave it, but not enter it again.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from campale.table import kernels
from campale.table.kernels import Flags, Floats
from campale.table.kernels import Going as Going
from campale.table.paths import Path, plan_length, until
from campale.table.shapes import Point, heading
from campale.table.sweeps import EDGES, Edge
from campale.table.terrain import Ground, Piece, Prisms

CONTACT = 0.00025
"""The gap that the planner leaves in contact, so that coordinates on the grain stay apart and within 0.0005."""

FAN = 36
"""The number of places tried round a target or on the edge of a range."""

NO_LIMIT = 1e30
_EMPTY = np.zeros((0, 3))
_TURNS = np.array([heading(360.0 * k / FAN) for k in range(FAN)])


class Trouble(msgspec.Struct, frozen=True):
    """Why a way is not legal: ``kind`` is "disc", "outline" or "edge"; ``which`` its number; where, as progress."""

    kind: str
    which: int
    progress: float


def going(
    ground: Ground,
    radius: float,
    discs: Floats | None = None,
    gap: float | Sequence[float] | Floats = 0.0,
    barred: Sequence[Piece] | Prisms = (),
) -> Going:
    """What a base of ``radius`` has to keep clear of.

    ``discs``: (n, 3) x, y, radius of the bases in its way; ``gap``: how far it stays from their edges, one for all or
    one each (0: contact is allowed). ``barred``: the pieces that it may not overlap, or their prisms.
    """
    kept = np.array(_EMPTY if discs is None else discs, dtype=np.float64).reshape(-1, 3)
    kept[:, 2] += radius + np.asarray(gap, dtype=np.float64)
    prisms = barred if isinstance(barred, Prisms) else Ground(ground.width, ground.depth, tuple(barred)).prisms
    grown = prisms.boxes + np.array([-radius, -radius, radius, radius])
    return Going(float(ground.width), float(ground.depth), float(radius), kept, prisms.corners, prisms.starts, grown)


def without(going: Going, which: int) -> Going:
    """The going without one of the discs."""
    return going._replace(discs=np.delete(going.discs, which, axis=0))


def with_discs(going: Going, discs: Floats) -> Going:
    """The going with more discs (n, 3) x, y, how far the centres keep apart; they come last."""
    return going._replace(discs=np.vstack((going.discs, discs.reshape(-1, 3))))


def is_free(going: Going, x: float, y: float) -> bool:
    """Whether the base may stand with its centre at a place (to 0.0002)."""
    return bool(kernels.stands_free(going, x, y))


def all_free(going: Going, places: Floats) -> Flags:
    """``is_free`` for many places (n, 2 or more columns: x, y) at once."""
    found: Flags = kernels.all_stand_free(going, places)
    return found


def sample_free(going: Going, region: Sequence[Point], chances: Floats) -> Floats:
    """Places (m, 2) in a region (an outline) at which the base may stand.

    ``chances`` (n, 2): the caller's uniform numbers from 0 to 1; each pair picks a place in the region's box, and those
    outside the region or not free are left out, so m may be 0.
    """
    places: Floats = kernels.sample_places(going, np.array(region, dtype=np.float64), chances)
    return places


def trouble(going: Going, path: Path) -> Trouble | None:
    """The first fault of a round base's path, by the exact checks; None if it is legal."""
    way = np.array([point[:2] for point in path.points], dtype=np.float64)
    kind, which, progress = kernels.way_trouble(going, way)
    return None if kind == 0 else Trouble(("disc", "outline", "edge")[kind - 1], which, progress)


def route(going: Going, start: Point, goal: Point, allowance: float | None = None) -> Path | None:
    """The shortest way found to a goal, straight if nothing bars it.

    None if the base may not stand there, or if no way is found within the allowance.
    """
    return _searched(going, start, np.array((goal,), dtype=np.float64), goal, 0.0, allowance)


def nearest(going: Going, start: Point, goal: Point, allowance: float | None = None) -> Path:
    """A way to the goal or, if that is impossible, in a straight line to the nearest place found."""
    found = route(going, start, goal, allowance)
    return _best(going, start, 0, goal, allowance) if found is None else found


def towards(going: Going, start: Point, goal: Point, allowance: float) -> Path:
    """As ``nearest``: as near to a point as the allowance permits."""
    return nearest(going, start, goal, allowance)


def towards_edge(going: Going, start: Point, edge: Edge, allowance: float | None) -> Path:
    """As near to an edge of the table as the allowance permits."""
    return _best(going, start, 2, _outward(edge, -1.0), allowance)


def away(going: Going, start: Point, threat: Point, allowance: float) -> Path:
    """As far from a point, in a straight line, as the allowance permits."""
    return _best(going, start, 1, threat, allowance)


def away_from_edge(going: Going, start: Point, edge: Edge, allowance: float) -> Path:
    """As far from an edge of the table as the allowance permits."""
    return _best(going, start, 2, _outward(edge, 1.0), allowance)


def into_contact(
    going: Going, start: Point, target: tuple[float, float, float], allowance: float | None = None
) -> Path | None:
    """The shortest way found into contact with a disc (x, y, radius); the gap at its end is above 0, at most 0.0005.

    The target is not among the discs of the going (see ``without``). The places tried are the one straight before it,
    35 more round it, and those that also touch another obstacle. None if none is reached.
    """
    x, y, radius = target
    reach = going.radius + radius
    if _between(start, (x, y)) <= reach + 0.0005:
        return Path((start,))
    with_target = with_discs(going, np.array([[x, y, reach]]))
    places = np.vstack((ring(start, (x, y), reach + CONTACT), _squeezed(going, x, y, reach + CONTACT)))
    return _searched(with_target, start, places, (x, y), reach + CONTACT, allowance)


def within(going: Going, start: Point, point: Point, reach: float, allowance: float | None = None) -> Path | None:
    """The shortest way found to a place whose centre is at most ``reach`` from a point. None if none is reached."""
    if _between(start, point) <= reach:
        return Path((start,))
    rings = [ring(start, point, max(0.0, reach * share - 0.0002)) for share in (1.0, 0.75, 0.5, 0.25)]
    places = np.vstack((*rings, np.array((point,), dtype=np.float64)))
    direct = _searched(going, start, places[:1], point, reach, allowance)
    if direct is not None and len(direct.points) == 2:
        return direct
    return _searched(going, start, places, point, reach, allowance)


def onto(going: Going, start: Point, point: Point, allowance: float | None = None) -> Path | None:
    """The shortest way found to a place at which the base covers a point."""
    return within(going, start, point, going.radius - 0.001, allowance)


def into_area(
    going: Going, start: Point, outline: Sequence[Point], *, wholly: bool = False, allowance: float | None = None
) -> Path | None:
    """The shortest way found to a place whose base overlaps an outline (by 0.01) or lies ``wholly`` inside it.

    The outline runs counter-clockwise. The places tried are the nearest one, eight along each side and the middle; None
    if none of them is reached.
    """
    corners = np.array(outline, dtype=np.float64)
    depth, limit = (-going.radius - 0.0003, going.radius) if wholly else (going.radius - 0.01, going.radius - 0.009)
    places = _along(start, corners, depth)
    held = kernels.in_area(corners, np.vstack((np.array((start,), dtype=np.float64), places)), limit, wholly)
    if held[0]:
        return Path((start,))
    reach = float(np.sqrt(((places - places[-1]) ** 2).sum(axis=1).max()))
    return _searched(going, start, places[held[1:]], (places[-1, 0], places[-1, 1]), reach, allowance)


def ring(start: Point, centre: Point, reach: float) -> Floats:
    """FAN places (n, 2) on a ring round a centre, the one nearest to the start first."""
    dx, dy = start[0] - centre[0], start[1] - centre[1]
    far = (dx * dx + dy * dy) ** 0.5
    ux, uy = (dx / far, dy / far) if far > 0.0 else (1.0, 0.0)
    sines, cosines = _TURNS[:, 0], _TURNS[:, 1]
    places = np.empty((FAN, 2))
    places[:, 0] = centre[0] + reach * (ux * cosines - uy * sines)
    places[:, 1] = centre[1] + reach * (ux * sines + uy * cosines)
    return places


# How it is done.


def _searched(
    going: Going, start: Point, places: Floats, around: Point, reach: float, allowance: float | None
) -> Path | None:
    limit = NO_LIMIT if allowance is None else float(allowance)
    way = kernels.plan_route(
        going, float(start[0]), float(start[1]), places, float(around[0]), float(around[1]), reach, limit
    )
    if len(way) == 0 or kernels.way_trouble(going, way)[0] != 0:
        return None
    return _path(start, way)


def _best(going: Going, start: Point, kind: int, aim: Point, allowance: float | None) -> Path:
    budget = going.width + going.depth if allowance is None else float(allowance)
    way = kernels.plan_best(going, float(start[0]), float(start[1]), kind, float(aim[0]), float(aim[1]), budget)
    path = _path(start, way)
    wrong = trouble(going, path)
    if wrong is not None:
        path = until(path, max(0.0, wrong.progress - 0.001))
        path = Path((start,)) if trouble(going, path) is not None else path
    return path


def _path(start: Point, way: Floats) -> Path:
    points: list[Point] = [start]
    for x, y in way[1:].tolist():
        if (x, y) != points[-1]:
            points.append((x, y))
    return Path(tuple(points))


def _squeezed(going: Going, x: float, y: float, reach: float) -> Floats:
    """The places at ``reach`` from a point that are just clear of one of the discs."""
    dx, dy, keep = going.discs[:, 0] - x, going.discs[:, 1] - y, going.discs[:, 2] + 0.0001
    square = dx * dx + dy * dy
    near = (square > 1e-9) & (square < (reach + keep) ** 2) & (square > (reach - keep) ** 2)
    dx, dy, keep, square = dx[near], dy[near], keep[near], square[near]
    along = (reach * reach - keep * keep + square) / (2.0 * square)
    aside = np.sqrt(np.maximum(0.0, reach * reach / square - along * along))
    one = np.column_stack((x + along * dx - aside * dy, y + along * dy + aside * dx))
    two = np.column_stack((x + along * dx + aside * dy, y + along * dy - aside * dx))
    return np.vstack((one, two))


def _along(start: Point, corners: Floats, depth: float) -> Floats:
    """Places ``depth`` outside an outline's sides (below 0: inside): by the start, eight each; the middle."""
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.sqrt((sides * sides).sum(axis=1))
    out = np.column_stack((sides[:, 1], -sides[:, 0])) * (depth / lengths)[:, None]
    foot = ((np.array(start) - corners) * sides).sum(axis=1) / (lengths * lengths)
    margin = np.minimum(0.5, max(0.0, -depth) / lengths)
    rows = [corners + out + sides * np.clip(foot, margin, 1.0 - margin)[:, None]]
    rows += [corners + out + sides * ((k + 0.5) / 8.0) for k in range(8)]
    return np.vstack((*rows, corners.mean(axis=0)[None, :]))


def _outward(edge: Edge, sign: float) -> Point:
    """The vector whose product with a place gives its distance from an edge, or (sign -1) its nearness."""
    return ((0.0, -sign), (0.0, sign), (-sign, 0.0), (sign, 0.0))[EDGES.index(edge)]


def _between(a: Point, b: Point) -> float:
    return plan_length(Path((a, b)))
