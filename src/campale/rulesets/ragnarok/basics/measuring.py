"""Measures and roundings. Every base is round; every length is in centimetres."""

from __future__ import annotations

import math

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.table.shapes import Point

ALLOWANCE = 0.001
CONTACT = 0.05


@rule("measuring/base-edge")
def gap(one: Model, other: Model) -> float:
    """Return the horizontal gap between two base edges, never below 0."""
    return gap_between(one.at, one.profile.base_radius, other.at, other.profile.base_radius)


def gap_between(one: Point, one_radius: float, other: Point, other_radius: float) -> float:
    dx, dy = one[0] - other[0], one[1] - other[1]
    return round(max(0.0, math.sqrt(dx * dx + dy * dy) - one_radius - other_radius), 4)


@rule("measuring/three-dimensions")
def distance(one: Model, other: Model) -> float:
    """Return the straight line between the nearest base edges, with the height of the ground."""
    return in_space(gap(one, other), one.z - other.z)


def in_space(flat: float, rise: float) -> float:
    return round(math.sqrt(flat * flat + rise * rise), 4) if rise else flat


@rule("measuring/three-dimensions")
def distance_to_place(model: Model, point: Point, radius: float = 0.0) -> float:
    """Return the distance from a base edge to a base at a point, on the table or up on a hill."""
    rise = model.position.ruleset.level(model.position, *point) - model.z
    return in_space(gap_between(model.at, model.profile.base_radius, point, radius), rise)


def could_be_within(model: Model, point: Point, limit: float) -> bool:
    """Return whether measuring could matter: the base reaches into the square of side 2 x ``limit`` round a point."""
    reach = limit + model.profile.base_radius + CONTACT
    return bool(abs(model.x - point[0]) <= reach and abs(model.y - point[1]) <= reach)


@rule("measuring/base-edge")
def distance_to_point(model: Model, point: Point) -> float:
    """Return the distance from the base edge to a point of the ground."""
    return distance_to_place(model, point)


@rule("measuring/comparisons")
def within(measured: float, limit: float) -> bool:
    return measured <= limit + ALLOWANCE


def beyond(measured: float, limit: float) -> bool:
    return not within(measured, limit)


def less_than(measured: float, limit: float) -> bool:
    return measured < limit - ALLOWANCE


def touch(one: Model, other: Model) -> bool:
    """Return whether two bases are in contact; a difference of height does not matter."""
    return gap(one, other) <= CONTACT


@rule("rounding/up")
def rounded_up(value: float) -> int:
    return math.ceil(value - 1e-9)


@rule("rounding/up")
def half(value: float) -> int:
    return rounded_up(value / 2)


@rule("rounding/up")
def third(value: float) -> int:
    return rounded_up(value / 3)
