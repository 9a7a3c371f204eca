"""Measuring (1.1): the gap between footprints plus the difference of height, rounded down once.

``exact`` is what two distances are compared with each other by, and what contact and the length of moves go by;
``distance`` is what a number of the book is compared with.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.footprints import shape
from campale.rulesets.e55.types import all_fly, is_vehicle, operates_as_flyer
from campale.rulesets.e55.units import members
from campale.table.kernels import Floats
from campale.table.measure import circle_gap_matrix, gap_to_point
from campale.table.measure import gap as gap_of_solids
from campale.table.shapes import TOLERANCE, Circle, Point, rounded

CONTACT = TOLERANCE


# ---------------------------------------------------------------- exact measures


def table_of_gaps(position: Position) -> Floats:
    """The exact distance (n, n) between all models of the roster, NaN where a hull is concerned and nobody asked yet.

    Rows off the table hold what means nothing.
    """
    kept = position.layout.get("exact")
    if kept is None:
        radii = [made.radius if isinstance(made := shape(p), Circle) else math.nan for p in position.profiles]
        x, y, z, r = (np.array(column, np.float64) for column in (position.x, position.y, position.z, radii))
        kept = circle_gap_matrix(x, y, r, x, y, r) + np.abs(z[:, None] - z[None, :])
        kept[np.isnan(r), :] = kept[:, np.isnan(r)] = math.nan
        position.layout["exact"] = kept
    found: Floats = kept
    return found


@rule("1.1/measure-nearest-points", "1.1/measure-height", "7/hull-measure")
def exact(one: Model, other: Model) -> float:
    """The horizontal gap between the nearest points of two footprints, plus the difference of height."""
    table = table_of_gaps(one.position)
    found = float(table[one.row, other.row])
    if math.isnan(found):
        found = gap_of_solids(one.solid, other.solid) + abs(one.z - other.z)
        table[one.row, other.row] = table[other.row, one.row] = found
    return rounded(found)


def gap(one: Model, other: Model) -> float:
    """The horizontal gap alone."""
    return rounded(exact(one, other) - abs(one.z - other.z))


@rule("1.1/measure-nearest-points")
def exact_of_models(ones: Sequence[Model], others: Sequence[Model]) -> float:
    """Between the closest models of two units; infinite where there are none."""
    if not ones or not others:
        return math.inf
    table = table_of_gaps(ones[0].position)
    block = table[np.ix_([m.row for m in ones], [m.row for m in others])]
    if np.isnan(block).any():
        return min(exact(a, b) for a in ones for b in others)
    return rounded(float(block.min()))


def nearest_pair(ones: Sequence[Model], others: Sequence[Model]) -> tuple[Model, Model]:
    """The two closest models, the first in the order of the roster where several are as close."""
    return min(((a, b) for a in ones for b in others), key=lambda pair: (exact(*pair), pair[0].row, pair[1].row))


@rule("1.1/measure-nearest-points")
def are_in_contact(one: Model, other: Model) -> bool:
    """Touching footprints are at distance 0."""
    return exact(one, other) <= CONTACT


def contacts(model: Model, others: Sequence[Model]) -> list[Model]:
    return [other for other in others if are_in_contact(model, other)]


# ---------------------------------------------------------------- distances


@rule("1.1/measure-round-down")
def rounded_down(measured: float) -> int:
    """To the whole inch below, once, after all that is added."""
    return math.floor(rounded(measured))


@rule("7.13/flyer-distance", "7.14/aircraft-speeds")
def flyer_addition(one: Model, other: Model) -> float:
    """The movement value of a flyer at either end; not between flyers of one squadron."""
    if one.unit == other.unit:
        return 0.0
    return sum(flying_speed(model) for model in (one, other) if operates_as_flyer(model))


def flying_speed(model: Model) -> float:
    profile = model.profile
    return float(profile.flyer_speed or profile.speed)


@rule("1.1/measure-round-down", "1.1/measure-height", "7.13/flyer-distance")
def distance(one: Model, other: Model) -> int:
    return rounded_down(exact(one, other) + flyer_addition(one, other))


@rule("1.1/measure-nearest-points", "1.1/measure-round-down", "1.1/entity")
def distance_to_point(model: Model, point: Point, z: float = 0.0) -> int:
    """From a footprint to a point, such as an objective, with the flyer's addition."""
    addition = flying_speed(model) if operates_as_flyer(model) else 0.0
    return rounded_down(exact_to_point(model, point, z) + addition)


def exact_to_point(model: Model, point: Point, z: float = 0.0) -> float:
    return rounded(gap_to_point(model.solid, *point) + abs(model.z - z))


# ---------------------------------------------------------------- distances of shots


@rule("3.2.1/range", "1.1/measure-shooting-down", "6.1.1/fmc-distance", "7.13/flyer-distance")
def shot_distance(shooter: Model, target: Unit, muzzle: tuple[float, float, float] | None = None) -> int:
    """From a firing model, or the fire point it fires from, to the nearest model of a unit, with what flying adds."""
    return min(shot_distance_to(shooter, model, muzzle) for model in members(target)) if members(target) else 10_000


@rule("1.1/measure-shooting-down", "6.1.1/fmc-distance", "6.2.1/jetbike-distance", "6.4/flying-infantry-distance")
def shot_distance_to(shooter: Model, target: Model, muzzle: tuple[float, float, float] | None = None) -> int:
    """The height is left out when the target stands lower; a flying target counts as X/2 farther away."""
    if muzzle is None:
        flat, climb = gap(shooter, target), target.z - shooter.z
    else:
        flat, climb = gap_to_point(target.solid, muzzle[0], muzzle[1]), target.z - muzzle_level(shooter)
    firing = shooter.aboard_of or shooter
    return rounded_down(flat + max(0.0, climb) + flyer_addition(firing, target) + flying_target(target))


def muzzle_level(shooter: Model) -> float:
    """The surface that a shooter, or the vehicle that it is in, stands on."""
    carrier = shooter.aboard_of
    return shooter.z if carrier is None else carrier.z


@rule("6.1.1/fmc-distance", "6.2.1/jetbike-distance", "6.4/flying-infantry-distance")
def flying_target(target: Model) -> float:
    """X/2, rounded down, for a unit all of whose models are flying; flyers have their own addition."""
    if is_vehicle(target) or not all_fly(target.unit):
        return 0.0
    return float(target.profile.x // 2)


# ---------------------------------------------------------------- comparing


@rule("1.1/distance-comparators")
def within(measured: int, number: float) -> bool:
    return measured <= number


@rule("1.1/distance-comparators")
def less_than(measured: int, number: float) -> bool:
    return measured < number


@rule("1.1/distance-comparators")
def beyond(measured: int, number: float) -> bool:
    return measured > number
