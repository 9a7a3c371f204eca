"""Paths: the way of a model, its length, and the place of the model after a given distance.

A path is a polyline of one model's centre. Its length is measured in plan unless a function says otherwise, in the unit
of the ruleset. A hull also turns: its turns are legs of the path, made on the spot.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec
import numpy as np

from campale.table.kernels import Floats
from campale.table.shapes import TOLERANCE, Circle, Ellipse, Point, Point3, Shape, heading, rounded

QUARTER = 90.0


class Path(msgspec.Struct, frozen=True):
    """The way of one model: the first point is its start, the last its end. One point is a model that stays.

    ``points``: (x, y) or (x, y, z) each, z being the height of the surface it stands on.
    ``facing``: its facing at the end, in degrees; None where the ruleset leaves facings out or it is chosen later.
    ``turns``: empty, or one angle for each point: how far it turns there before it goes on, in degrees, clockwise
    positive. A hull needs ``facing``; its facing at the start is ``facing`` less all the turns.
    """

    points: tuple[Point | Point3, ...]
    facing: float | None = None
    turns: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not self.points:
            raise ValueError("a path needs at least the point it starts from")
        if self.turns and len(self.turns) != len(self.points):
            raise ValueError("turns: one angle for each point of the path, or none at all")


class Stance(msgspec.Struct, frozen=True):
    """The stance of a model on its way: its centre, its height and, if the path has one, its facing."""

    x: float
    y: float
    z: float = 0.0
    facing: float | None = None


class Leg(msgspec.Struct, frozen=True):
    """A straight move from start to end with one facing, or (start equal to end) a turn by ``turn`` degrees."""

    start: Point3
    end: Point3
    length: float
    facing: float
    turn: float = 0.0


def straight(start: Point | Point3, end: Point | Point3, facing: float | None = None) -> Path:
    """The straight way from one point to another."""
    return Path((start, end), facing)


def plan_length(path: Path) -> float:
    """The length of the centre's way in plan."""
    return sum(_plan(a, b) for a, b in pairwise(path.points))


def climbs(path: Path) -> tuple[float, float]:
    """The total height that the path goes up, and down (both positive), by the heights of its points."""
    rises = [_height(b) - _height(a) for a, b in pairwise(path.points)]
    return sum(r for r in rises if r > 0.0), -sum(r for r in rises if r < 0.0)


def length_with_climbs(path: Path) -> float:
    """The length in plan with every climb, up and down, added."""
    up, down = climbs(path)
    return plan_length(path) + up + down


def slant_length(path: Path) -> float:
    """The length of the polyline in space."""
    total = 0.0
    for a, b in pairwise(path.points):
        rise = _height(b) - _height(a)
        flat = _plan(a, b)
        total += math.sqrt(flat * flat + rise * rise)
    return total


def furthest_length(path: Path, shape: Shape) -> float:
    """The longest way of any point of the outline, turns included, in plan. A round base turns free of cost.

    A turn costs the farthest corner its arc.
    """
    if isinstance(shape, Circle) or not path.turns:
        return plan_length(path)
    arc = sum(abs(turn) for turn in path.turns) * math.pi / 180.0
    return plan_length(path) + arc * span(shape)


def span(shape: Shape) -> float:
    """The distance of the furthest point of a shape from its centre."""
    if isinstance(shape, Circle):
        return shape.radius
    if isinstance(shape, Ellipse):
        return max(shape.half_length, shape.half_width)
    return max(math.sqrt(x * x + y * y) for x, y in shape.corners)


def start_facing(path: Path) -> float | None:
    """The facing at the start: the one at the end less all the turns."""
    return None if path.facing is None else (path.facing - sum(path.turns)) % 360.0


def at(path: Path, distance: float) -> Stance:
    """The stance of the model after its centre has gone ``distance`` in plan (cut to the path), turns there made."""
    return stance(path, progress_at(path, distance))


def at_each(path: Path, distances: Iterable[float]) -> list[Stance]:
    """The stance of the model at each of several distances, as in ``at``."""
    steps = legs(path)
    return [_stance(path, steps, _progress(steps, distance)) for distance in distances]


def upto(path: Path, distance: float) -> Path:
    """The path cut at a length in plan, for a model that gets only so far along its way. At 0 it turns and stays.

    The facing is the one at that point: for a path without turns it is the facing of the whole path.
    """
    if distance >= plan_length(path):
        return path
    return until(path, progress_at(path, distance))


def until(path: Path, progress: float) -> Path:
    """The path cut at a progress, such as one found by a sweep (see ``Met.progress``)."""
    steps = legs(path)
    return path if progress >= len(steps) else _cut(path, steps, progress)


def fraction(path: Path, share: float) -> Path:
    """The first ``share`` (0 to 1) of a path by its length in plan."""
    return upto(path, plan_length(path) * share)


def together(paths: Sequence[Path], distance: float) -> tuple[Path, ...]:
    """A unit stopped on its way: every model at the same share of its own route.

    ``distance`` is how far the model with the longest route has come.
    """
    longest = max((plan_length(path) for path in paths), default=0.0)
    share = 1.0 if longest <= distance else distance / longest
    return tuple(fraction(path, share) for path in paths)


def is_within_allowance(length: float, allowance: float, tolerance: float = TOLERANCE) -> bool:
    """Whether a length does not exceed an allowance, equal being enough."""
    return length <= allowance + tolerance


# Legs and progress: number of the leg plus the fraction of it that is done.


def legs(path: Path) -> tuple[Leg, ...]:
    """The path as moves and turns in the order made, a turn of more than a quarter in several. Never empty."""
    facing = start_facing(path) or 0.0
    made: list[Leg] = []
    for i, point in enumerate(path.points):
        turn = path.turns[i] if path.turns else 0.0
        if turn != 0.0:
            made.extend(_turn_legs(point, facing, turn))
            facing += turn
        if i + 1 < len(path.points):
            end = path.points[i + 1]
            made.append(Leg(_spatial(point), _spatial(end), _plan(point, end), facing))
    if not made:
        made.append(Leg(_spatial(path.points[0]), _spatial(path.points[0]), 0.0, facing))
    return tuple(made)


def leg_array(path: Path) -> Floats:
    """The legs in the form of the kernels: (l, 7) x, y, dx, dy, heading x, heading y, tangent of half the turn."""
    if not path.turns:
        return _straight_array(path)
    rows = [
        (
            *(leg.start[0], leg.start[1], leg.end[0] - leg.start[0], leg.end[1] - leg.start[1]),
            *heading(leg.facing),
            round(math.tan(math.radians(leg.turn) / 2.0), 12),
        )
        for leg in legs(path)
    ]
    return np.array(rows, dtype=np.float64)


def stance(path: Path, progress: float) -> Stance:
    """The stance of the model at a progress."""
    return _stance(path, legs(path), progress)


def _stance(path: Path, steps: tuple[Leg, ...], progress: float) -> Stance:
    number = min(int(progress), len(steps) - 1)
    share = min(1.0, progress - number)
    leg = steps[number]
    (x, y, z), (to_x, to_y, to_z) = leg.start, leg.end
    x, y, z = x + share * (to_x - x), y + share * (to_y - y), z + share * (to_z - z)
    if path.facing is None:
        return Stance(x, y, z)
    if not path.turns:
        return Stance(x, y, z, path.facing)
    return Stance(x, y, z, (leg.facing + _turned(leg.turn, share)) % 360.0)


def distance_at(path: Path, progress: float) -> float:
    """The distance in plan that the centre has gone at a progress."""
    total = 0.0
    for i, leg in enumerate(legs(path)):
        if progress <= i:
            break
        total += leg.length * min(1.0, progress - i)
    return total


def progress_at(path: Path, distance: float) -> float:
    """The furthest progress at which the centre has gone no more than ``distance``: turns made there are made."""
    return _progress(legs(path), distance)


def _progress(steps: tuple[Leg, ...], distance: float) -> float:
    left = max(0.0, distance)
    for i, leg in enumerate(steps):
        if leg.length > left:
            return i + left / leg.length
        left -= leg.length
    return float(len(steps))


def _straight_array(path: Path) -> Floats:
    hx, hy = heading(path.facing or 0.0)
    points = path.points if len(path.points) > 1 else (path.points[0], path.points[0])
    rows = [(a[0], a[1], b[0] - a[0], b[1] - a[1], hx, hy, 0.0) for a, b in pairwise(points)]
    return np.array(rows, dtype=np.float64)


def _turn_legs(point: Point | Point3, facing: float, turn: float) -> list[Leg]:
    parts = max(1, math.ceil(abs(turn) / QUARTER - 1e-9))
    place = _spatial(point)
    return [Leg(place, place, 0.0, facing + k * turn / parts, turn / parts) for k in range(parts)]


def _turned(turn: float, share: float) -> float:
    """The part of a turn made when ``share`` of the tangent of its half is made, which is how the kernels count it."""
    if turn == 0.0:
        return 0.0
    tangent = math.tan(math.radians(turn) / 2.0)
    return rounded(math.degrees(2.0 * math.atan(tangent * share)))


def _cut(path: Path, steps: tuple[Leg, ...], progress: float) -> Path:
    here = stance(path, progress)
    flat = len(path.points[0]) == 2
    end: Point | Point3 = (here.x, here.y) if flat else (here.x, here.y, here.z)
    points: list[Point | Point3] = [path.points[0]]
    turns = [0.0]
    for i, leg in enumerate(steps):
        if i > progress or (i == progress and i > 0):
            break
        share = min(1.0, progress - i)
        if leg.length == 0.0:
            turns[-1] += _turned(leg.turn, share)
        elif share > 0.0:
            whole = leg.end[:2] if flat else leg.end
            points.append(whole if share == 1.0 else end)
            turns.append(0.0)
    return Path(tuple(points), here.facing, tuple(turns) if path.turns else ())


def _plan(a: Point | Point3, b: Point | Point3) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    return math.sqrt(dx * dx + dy * dy)


def _height(point: Point | Point3) -> float:
    return point[2] if len(point) == 3 else 0.0


def _spatial(point: Point | Point3) -> Point3:
    return point[0], point[1], _height(point)
