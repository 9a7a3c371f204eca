"""Two sides on an empty table for a query: every attacker at the requested distance from the target.

The targets stand in a line along x. The attackers stand on the curve of all points at that distance from it: opposite
the targets first, then on the arcs round the ends of the line; if these are full too, in a second rank.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from campale.referee.position import Position
from campale.table.shapes import Point, Point3

SIZE = 240.0
MIDDLE = SIZE / 2.0
"""The middle of an empty table, in inches, that is large enough for any query."""

ATTACKER, TARGET = 0, 1
"""The rows of the units."""

FACINGS = {"front": 180.0, "side": 90.0, "rear": 0.0}
"""The facing of a vehicle that shows this side to a model opposite."""

APART = 0.5
"""The free space between the footprints of neighbours."""
Station = tuple[float, float, float]
"""x, y, and the angle round the end of the line, in degrees."""


class Body(NamedTuple):
    """The room that a model takes along the line and across it; an ``is_hull`` body has corners, others are round."""

    wide: float
    deep: float
    is_hull: bool = False


class Opposing(NamedTuple):
    """The places (x, y) of the targets and of the attackers, both in the given order."""

    targets: list[Point]
    attackers: list[Station]


class Preparing(Protocol):
    def prepare(self, position: Position) -> None: ...


def prepared(position: Position, stage: Preparing) -> None:
    """What a scenario file does to a position once all models stand there; the facings stay."""
    facings = position.facing[:]
    stage.prepare(position)
    position.facing = facings


def opposing(
    attackers: Sequence[Body],
    targets: Sequence[Body],
    distance: float,
    middle: float,
    *,
    spare: float = 0.0,
    widest: float = 80.0,
) -> Opposing:
    """Both sides about the middle of the table, with the near side of the line of targets through it.

    ``spare``: how much farther away the attackers round the ends of the line stand, so that no rounding brings them too
    near; ``widest``: how far round they go, in degrees from straight ahead.
    """
    line = in_line(targets, middle)
    front = front_of(targets, line, middle, max(one.wide for one in attackers) + APART)
    return Opposing(line, stations(attackers, front, distance, spare, widest))


def in_line(bodies: Sequence[Body], middle: float) -> list[Point]:
    """Targets side by side, with their nearest points to the attackers all on one line."""
    step = max(one.wide for one in bodies) + APART
    first = middle - step * (len(bodies) - 1) / 2.0
    return [(first + k * step, middle + one.deep / 2.0) for k, one in enumerate(bodies)]


class Front(NamedTuple):
    """The near side of a line: its y, the places opposite it (x), its two ends as circles."""

    y: float
    opposite: tuple[float, ...]
    left: Point3
    right: Point3


def front_of(bodies: Sequence[Body], line: Sequence[Point], y: float, wide: float) -> Front:
    """The places opposite every round base, and along every hull as they fit."""
    places: list[float] = []
    for body, (x, _) in zip(bodies, line, strict=True):
        half = body.wide / 2.0 if body.is_hull else 0.0
        room = int(2.0 * half / wide)
        spots = [x + (k - room / 2.0) * wide for k in range(room + 1)]
        places += [spot for spot in spots if not places or spot - places[-1] >= wide - 1e-9]
    return Front(y, tuple(places), end_of(bodies[0], line[0], y, -1.0), end_of(bodies[-1], line[-1], y, 1.0))


def end_of(body: Body, place: Point, y: float, sign: float) -> Point3:
    """The end of a line: a round base is its own circle (x, y, radius); a hull has its corner."""
    if body.is_hull:
        return place[0] + sign * body.wide / 2.0, y, 0.0
    return place[0], place[1], body.deep / 2.0


def stations(bodies: Sequence[Body], front: Front, distance: float, spare: float, widest: float) -> list[Station]:
    """The places of the attackers, rank behind rank."""
    has_hulls = any(one.is_hull for one in bodies)
    inwards = 0.0 if has_hulls else min(one.deep for one in bodies) / 2.0
    wide, deep = max(one.wide for one in bodies) + APART, max(one.deep for one in bodies)
    found: list[Station] = []
    rank = 0
    while len(found) < len(bodies):
        halves = [one.deep / 2.0 for one in bodies[len(found) :]]
        away = distance + rank * (deep + APART + (wide if has_hulls else 0.0))
        angle = degrees_for(wide, away + front.left[2] + inwards)
        around = [angle * k for k in range(1, len(halves) + 1) if angle * k <= widest]
        found += one_rank(halves, front, away, around, spare)
        rank += 1
    return found


def one_rank(
    halves: Sequence[float], front: Front, distance: float, around: Sequence[float], spare: float
) -> list[Station]:
    """As many places as fit: opposite first, from the middle outwards, then ``around`` the two ends (degrees)."""
    middle = sum(front.opposite) / len(front.opposite)
    opposite = sorted(front.opposite, key=lambda x: (abs(x - middle), x))
    found = [(x, front.y - distance - half, 0.0) for x, half in zip(opposite, halves, strict=False)]
    ends = [(end, sign * turned) for turned in around for end, sign in ((front.left, -1.0), (front.right, 1.0))]
    for half, ((x, y, radius), turned) in zip(halves[len(found) :], ends, strict=False):
        away, way = distance + radius + half + spare, math.radians(turned)
        found.append((x + away * math.sin(way), y - away * math.cos(way), turned))
    return found


def degrees_for(wide: float, radius: float) -> float:
    """The angle between neighbours on a circle."""
    return 180.0 if wide >= 2.0 * radius else math.degrees(2.0 * math.asin(wide / (2.0 * radius)))
