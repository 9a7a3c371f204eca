"""Room for bases: the places in contact with their surroundings, and a search for room through these places.

Bases that stand somewhere without overlapping can be pushed until each touches two things: other bases, outlines, edges
of the table, the limits of their area. So the search tries only the crossings of curves: each curve holds the places of
a base's middle at which the base touches one thing. The checks of the rules judge the places found.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from campale.table import kernels
from campale.table.fields import Field
from campale.table.kernels import Flags, Floats
from campale.table.measure import corners_of, gap, outline_of
from campale.table.planner import CONTACT
from campale.table.shapes import GRAIN, Circle, Hull, Point, Shape, Solid
from campale.table.terrain import Ground, Piece

OVAL_CORNERS = 12
NODES = 120
"""The most times that a base is put down in the search in one direction."""
BRANCHES = 6
"""The number of places tried for a base after the bases before it are placed."""
LEAST = 1e-12
DIRECTIONS = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))

Area = tuple[float, float, float, float]
"""Least x and y, greatest x and y."""

Bound = tuple[Sequence[Point], float]
"""An outline (one point is enough), and the least or greatest distance of bases from it."""


class Rim(NamedTuple):
    """A base or hull as corners (k, 2) about its middle, turned to its facing, and how far it reaches beyond them."""

    shape: Shape
    facing: float
    corners: Floats
    radius: float


class Curves(NamedTuple):
    """Circles (n, 3): x, y, radius; and straight pieces (m, 4): from x, y to x, y."""

    circles: Floats
    lines: Floats

    def plus(self, *others: Curves) -> Curves:
        several = (self, *others)
        return Curves(np.concatenate([one.circles for one in several]), np.concatenate([one.lines for one in several]))

    def near(self, place: Point, reach: float) -> Curves:
        """The curves that come within ``reach`` of a place."""
        x, y, radius = self.circles.T
        off = np.abs(np.hypot(x - place[0], y - place[1]) - radius)
        feet = feet_on(self.lines, place)
        away = np.hypot(feet[:, 0] - place[0], feet[:, 1] - place[1])
        return Curves(self.circles[off <= reach], self.lines[away <= reach])


NOTHING = Curves(np.empty((0, 3)), np.empty((0, 4)))


def rim_of(shape: Shape, facing: float) -> Rim:
    """The rim of a shape at a facing. An oval becomes twelve corners and is slightly too large."""
    if isinstance(shape, Circle):
        return Rim(shape, facing, np.zeros((1, 2)), shape.radius)
    if isinstance(shape, Hull):
        return Rim(shape, facing, corners_of(Solid(shape, 0.0, 0.0, 0.0, facing)), 0.0)
    own = np.array(outline_of(Solid(shape, 0.0, 0.0, 0.0, facing)), np.float64)
    return Rim(shape, facing, own[:: len(own) // OVAL_CORNERS] / math.cos(math.pi / OVAL_CORNERS), 0.0)


# ---------------------------------------------------------------- the curves


def at_a_gap(rim: Rim, outline: Floats, far: float) -> Curves:
    """The curves of a base's middle while its edge is ``far`` from an outline (its corners), inside it too."""
    reach = far + rim.radius
    corners = (outline[:, None, :] - rim.corners[None, :, :]).reshape(-1, 2)
    circles = np.column_stack((corners, np.full(len(corners), reach)))
    lines = [moved_aside(sides_of(outline - corner), reach) for corner in rim.corners if len(outline) > 1]
    lines += [moved_aside(sides_of(corner - rim.corners), reach) for corner in outline if len(rim.corners) > 1]
    return Curves(circles if reach > CONTACT else NOTHING.circles, np.concatenate((NOTHING.lines, *lines)))


def sides_of(corners: Floats) -> Floats:
    return np.hstack((corners, np.roll(corners, -1, axis=0)))


def moved_aside(lines: Floats, by: float) -> Floats:
    """Straight pieces moved to either side."""
    along = lines[:, 2:] - lines[:, :2]
    long = np.maximum(np.hypot(along[:, 0], along[:, 1]), LEAST)[:, None]
    aside = np.stack((-along[:, 1], along[:, 0]), axis=1) / long * by
    return np.concatenate((lines + np.hstack((aside, aside)), lines - np.hstack((aside, aside))))


def about_a_base(rim: Rim, other: Rim, place: Point, far: float) -> Curves:
    """The curves of a base's middle while it is ``far`` from another base at a place."""
    return at_a_gap(rim, other.corners + np.array(place), far + other.radius)


def about_a_field(rim: Rim, field: Field, bounds: Sequence[Bound] = ()) -> Curves:
    """The curves of a base's middle while it touches one of the others, a barred piece, an edge or a bound."""
    return about(rim, field.ground, zip(field.others, field.gaps, strict=True), field.barred, bounds)


def about(
    rim: Rim,
    ground: Ground,
    others: Iterable[tuple[Solid, float]],
    barred: Iterable[Piece],
    bounds: Sequence[Bound] = (),
) -> Curves:
    """The curves of a base's middle about other bases, each with the gap to be kept from it."""
    found = [NOTHING]
    for other, kept in others:
        found.append(about_a_base(rim, rim_of(other.shape, other.facing), (other.x, other.y), kept + CONTACT))
    found += [at_a_gap(rim, np.array(piece.outline, np.float64), CONTACT) for piece in barred]
    found.append(at_a_gap(rim, np.array(corners_of_area((0.0, 0.0, ground.width, ground.depth))), CONTACT))
    for outline, far in bounds:
        corners = np.array(outline, np.float64).reshape(-1, 2)
        found += [at_a_gap(rim, corners, far - CONTACT), at_a_gap(rim, corners, far + CONTACT)]
    return NOTHING.plus(*found)


def corners_of_area(area: Area) -> tuple[Point, ...]:
    west, south, east, north = area
    return (west, south), (east, south), (east, north), (west, north)


# ---------------------------------------------------------------- places on the curves


def crossings(one: Curves, other: Curves) -> Floats:
    """The places (n, 2) where a curve of one set crosses a curve of the other."""
    found = [
        circles_crossing(one.circles, other.circles),
        lines_on_circles(one.lines, other.circles),
        lines_on_circles(other.lines, one.circles),
        lines_crossing(one.lines, other.lines),
    ]
    return on_the_grain(np.concatenate(found))


def circles_crossing(one: Floats, other: Floats) -> Floats:
    x, y, r = (one[:, None, k] for k in range(3))
    dx, dy, q = other[None, :, 0] - x, other[None, :, 1] - y, other[None, :, 2]
    apart = dx * dx + dy * dy
    square = np.maximum(apart, LEAST)
    along = (r * r - q * q + square) / (2.0 * square)
    left = r * r / square - along * along
    aside = np.sqrt(np.maximum(left, 0.0))
    meet = (apart > LEAST) & (left >= 0.0)
    px, py, ax, ay = x + along * dx, y + along * dy, aside * dy, aside * dx
    return np.concatenate([np.stack((px[meet] - s * ax[meet], py[meet] + s * ay[meet]), axis=1) for s in (1.0, -1.0)])


def lines_on_circles(lines: Floats, circles: Floats) -> Floats:
    x, y = lines[:, None, 0], lines[:, None, 1]
    dx, dy = lines[:, None, 2] - x, lines[:, None, 3] - y
    fx, fy = x - circles[None, :, 0], y - circles[None, :, 1]
    a, b, c = dx * dx + dy * dy, fx * dx + fy * dy, fx * fx + fy * fy - circles[None, :, 2] ** 2
    under, long = b * b - a * c, np.maximum(a, LEAST)
    root = np.sqrt(np.maximum(under, 0.0))
    found = [np.empty((0, 2))]
    for share in ((-b - root) / long, (-b + root) / long):
        on = (a > LEAST) & (under >= 0.0) & (share >= 0.0) & (share <= 1.0)
        found.append(np.stack(((x + share * dx)[on], (y + share * dy)[on]), axis=1))
    return np.concatenate(found)


def lines_crossing(one: Floats, other: Floats) -> Floats:
    x, y = one[:, None, 0], one[:, None, 1]
    dx, dy = one[:, None, 2] - x, one[:, None, 3] - y
    ex, ey = other[None, :, 2] - other[None, :, 0], other[None, :, 3] - other[None, :, 1]
    fx, fy = other[None, :, 0] - x, other[None, :, 1] - y
    turn = dx * ey - dy * ex
    is_slant = np.abs(turn) > LEAST
    by = np.where(is_slant, turn, 1.0)
    share, its = (fx * ey - fy * ex) / by, (fx * dy - fy * dx) / by
    on = is_slant & (share >= 0.0) & (share <= 1.0) & (its >= 0.0) & (its <= 1.0)
    return np.stack(((x + share * dx)[on], (y + share * dy)[on]), axis=1)


def nearest_on(curves: Curves, place: Point) -> Floats:
    """For each curve, its point nearest to a place: (n, 2)."""
    x, y, radius = curves.circles.T
    dx, dy = place[0] - x, place[1] - y
    far = np.hypot(dx, dy)
    off = far > 1e-9
    share = radius[off] / far[off]
    on_circles = np.stack((x[off] + share * dx[off], y[off] + share * dy[off]), axis=1)
    return on_the_grain(np.concatenate((on_circles, feet_on(curves.lines, place))))


def feet_on(lines: Floats, place: Point) -> Floats:
    begin, along = lines[:, :2], lines[:, 2:] - lines[:, :2]
    squared = np.maximum(np.sum(along * along, axis=1), LEAST)
    share = np.clip(np.sum((np.array(place) - begin) * along, axis=1) / squared, 0.0, 1.0)
    found: Floats = begin + share[:, None] * along
    return found


def farthest_on(curves: Curves, direction: Point) -> Floats:
    """For each curve, its point farthest in a direction."""
    ahead = np.array(direction)
    on_circles = curves.circles[:, :2] + curves.circles[:, 2:] * ahead
    first, last = curves.lines[:, :2], curves.lines[:, 2:]
    is_first = (first @ ahead >= last @ ahead)[:, None]
    return on_the_grain(np.concatenate((on_circles, np.where(is_first, first, last))))


def on_the_grain(places: Floats) -> Floats:
    return np.floor(places * GRAIN + 0.5) / GRAIN


# ---------------------------------------------------------------- the search


class Party(NamedTuple):
    """The models that look for room. Models of one kind share a base, a facing and the conditions on their places.

    ``kinds``: the kind of each model. ``curves``: the curves of the surroundings, by kind. ``legal`` takes places
    (n, 2) for a kind and returns those (m, 2) that are free and that the rules allow. ``link``: the greatest distance
    from one model to the next. ``holds``: whether the places of all models, in their order, are acceptable.
    """

    kinds: tuple[int, ...]
    rims: tuple[Rim, ...]
    curves: tuple[Curves, ...]
    legal: Callable[[int, Floats], Floats]
    link: float
    holds: Callable[[Sequence[Point]], bool]


class Placed(NamedTuple):
    kind: int
    place: Point


def find_room(party: Party) -> list[Point] | None:
    """Places for all models, in their order; None if none are found.

    The bases are put down from one side to the other, each in contact, in four directions; if one finds no place, the
    bases before it are taken up again. A search puts down at most ``NODES`` bases.
    """
    about = {kind: party.legal(kind, places_about(party.curves[kind])) for kind in sorted(set(party.kinds))}
    if any(not len(places) for places in about.values()):
        return None
    for is_linked in (True, False) if len(party.kinds) > 1 else (True,):
        for direction in DIRECTIONS:
            found = Search(party, direction, is_linked).goes_on([], Counter(party.kinds), about)
            if found is not None:
                return found
    return None


def places_about(curves: Curves) -> Floats:
    """The crossings of curves with each other, and their ends on all sides."""
    ends = [farthest_on(curves, direction) for direction in DIRECTIONS]
    return np.unique(np.concatenate((crossings(curves, curves), *ends)), axis=0)


class Search:
    """The search in one direction: each base lies at least as far in that direction as the base before it."""

    def __init__(self, party: Party, direction: Point, is_linked: bool) -> None:
        self.party, self.direction, self.is_linked = party, np.array(direction), is_linked
        self.left = NODES

    def goes_on(self, placed: list[Placed], waiting: Counter[int], free: dict[int, Floats]) -> list[Point] | None:
        """Put down the waiting bases. ``free``: for each waiting kind, the places in contact that are clear so far."""
        if not waiting:
            return self.in_order(placed)
        for one in self.tried(placed, waiting, free):
            if self.left <= 0:
                return None
            self.left -= 1
            then = [*placed, one]
            rest = waiting - Counter((one.kind,))
            found = self.goes_on(then, rest, {kind: self.free_beside(kind, free[kind], then) for kind in rest})
            if found is not None:
                return found
        return None

    def tried(self, placed: list[Placed], waiting: Counter[int], free: dict[int, Floats]) -> Iterator[Placed]:
        """The first few places in the direction that are not behind the base placed last."""
        last = float(np.dot(placed[-1].place, self.direction)) if placed else -math.inf
        found = []
        for kind in waiting:
            places = free[kind]
            height = places @ self.direction
            ahead = places[height >= last - CONTACT]
            if self.is_linked and placed:
                ahead = ahead[self.linked(kind, ahead, placed)]
            found += [(float(np.dot(p, self.direction)), kind, (float(p[0]), float(p[1]))) for p in ahead]
        found.sort()
        return (Placed(kind, place) for _, kind, place in found[:BRANCHES])

    def free_beside(self, kind: int, places: Floats, placed: list[Placed]) -> Floats:
        """The places that the base placed last leaves free, and new places in contact with it."""
        own, last = self.party.rims[kind], placed[-1]
        beside = self.beside(kind, last)
        others = self.party.curves[kind].plus(*(self.beside(kind, one) for one in placed[:-1]))
        new = np.concatenate((crossings(beside, others), *(farthest_on(beside, d) for d in DIRECTIONS)))
        for one in placed[:-1]:
            new = new[are_clear(own, new, self.party.rims[one.kind], one.place)]
        new = self.party.legal(kind, new) if len(new) else new
        both = np.concatenate((places, new))
        return both[are_clear(own, both, self.party.rims[last.kind], last.place)]

    def beside(self, kind: int, one: Placed) -> Curves:
        """The curves of places in contact with a placed base, or exactly a link away from it."""
        own, other = self.party.rims[kind], self.party.rims[one.kind]
        gaps = (CONTACT, self.party.link - CONTACT)
        return NOTHING.plus(*(about_a_base(own, other, one.place, far) for far in gaps))

    def linked(self, kind: int, places: Floats, placed: list[Placed]) -> Flags:
        own, link = self.party.rims[kind], self.party.link
        near = [gaps_to(own, places, self.party.rims[one.kind], one.place) <= link for one in placed]
        found: Flags = np.logical_or.reduce(near)
        return found

    def in_order(self, placed: list[Placed]) -> list[Point] | None:
        waiting = {kind: [one.place for one in placed if one.kind == kind] for kind in set(self.party.kinds)}
        found = [waiting[kind].pop(0) for kind in self.party.kinds]
        return found if self.party.holds(found) else None


def are_clear(rim: Rim, places: Floats, other: Rim, at: Point) -> Flags:
    """Whether a base at each of the places (n, 2) is clear of another."""
    return gaps_to(rim, places, other, at) > 0.0


def gaps_to(rim: Rim, places: Floats, other: Rim, at: Point) -> Floats:
    """The gap between a base at each of the places (n, 2) and another: 0 or less if they overlap."""
    if isinstance(rim.shape, Circle) and isinstance(other.shape, Circle):
        found: Floats = np.hypot(places[:, 0] - at[0], places[:, 1] - at[1]) - rim.radius - other.radius
        return found
    there = Solid(other.shape, *at, 0.0, other.facing)
    if isinstance(rim.shape, Hull) and isinstance(other.shape, Hull):
        stands, outline = places[:, None, :] + rim.corners[None, :, :], corners_of(there)
        return np.array([kernels.polygons_gap(stand, outline) for stand in stands], np.float64)
    return np.array([gap(Solid(rim.shape, x, y, 0.0, rim.facing), there) for x, y in places.tolist()], np.float64)
