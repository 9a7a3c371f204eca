"""The things on the table: bases, hulls and the upright solids over them.

Lengths are bare floats in the unit of the ruleset (inches or centimetres). A facing is in degrees, clockwise
from the table's +y axis (0 looks along +y, 90 along +x). A hull's own coordinates have +y forward and +x to
its right.
"""

from __future__ import annotations

import math
from functools import lru_cache

import msgspec

Point = tuple[float, float]
Point3 = tuple[float, float, float]

TOLERANCE = 0.001
"""Contact, overlap and the length of a move allow this much if a ledger gives no tolerance of its own."""

GRAIN = 10_000
"""Coordinates are whole multiples of 1/GRAIN once they enter the position."""


class Circle(msgspec.Struct, frozen=True, tag="circle"):
    radius: float


class Ellipse(msgspec.Struct, frozen=True, tag="ellipse"):
    """An oval base: ``half_length`` along the facing, ``half_width`` across it."""

    half_length: float
    half_width: float


class Hull(msgspec.Struct, frozen=True, tag="hull"):
    """A simple polygon, counter-clockwise, in the hull's own coordinates (+y forward), with its named points.

    ``points`` are muzzles, hatches and fire points: name to (x, y, z above the ground under the hull).
    ``turrets`` are names of points whose arc is all round, whatever the hull's facing.
    """

    corners: tuple[Point, ...]
    points: dict[str, Point3] = {}
    turrets: tuple[str, ...] = ()


Shape = Circle | Ellipse | Hull


class Solid(msgspec.Struct, frozen=True):
    """A shape in its place: the upright solid over its base, ``height`` tall, from ``z`` up."""

    shape: Shape
    x: float
    y: float
    z: float = 0.0
    facing: float = 0.0
    height: float = 0.0


def rounded(value: float) -> float:
    """The value on the grain of the position, so that no rule depends on a last bit."""
    return math.floor(value * GRAIN + 0.5) / GRAIN


@lru_cache(maxsize=4096)
def heading(facing: float) -> Point:
    """The unit vector of a facing (degrees clockwise from +y), rounded so that every machine agrees on it."""
    angle = math.radians(facing % 360.0)
    return round(math.sin(angle), 12), round(math.cos(angle), 12)


def facing_towards(from_: Point, to: Point) -> float:
    """The facing, in degrees, from one point towards another; 0 when they coincide."""
    return rounded(math.degrees(math.atan2(to[0] - from_[0], to[1] - from_[1])) % 360.0)
