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
from campale.rulesets.e55.definitions.footprints import shape
from campale.rulesets.e55.definitions.types import all_fly, is_flying, is_vehicle, operates_as_flyer
from campale.rulesets.e55.definitions.units import members
from campale.table.kernels import Floats
from campale.table.measure import circle_gap_matrix, gap_to_point, signed_gaps
from campale.table.measure import gap as gap_of_solids
from campale.table.shapes import GRAIN, TOLERANCE, Circle, Hull, Point, rounded

CONTACT = TOLERANCE


# ---------------------------------------------------------------- exact measures


def table_of_gaps(position: Position) -> Floats:
    """The exact distance (n, n) between all models of the roster, NaN where a hull is concerned and nobody asked yet.

    Rows off the table hold what means nothing.
    """
    kept = position.layout.get("exact")
    if kept is None:
        x, y, z, r = *map(position.column, "xyz"), radii_of(position)
        kept = position.layout["exact"] = circle_gap_matrix(x, y, r, x, y, r) + np.abs(z[:, None] - z[None, :])
        kept[np.isnan(r), :] = kept[:, np.isnan(r)] = math.nan
    found: Floats = kept
    return found


def radii_of(position: Position) -> Floats:
    """The radii of all models of the roster, NaN for hulls."""
    kept = position.roster.get("radii")
    if kept is None:
        radii = [made.radius if isinstance(made := shape(p), Circle) else math.nan for p in position.profiles]
        kept = position.roster["radii"] = np.array(radii, np.float64)
    found: Floats = kept
    return found


def gaps_from(one: Model) -> list[float]:
    """The exact distances from a model to all of the roster, rounded; NaN as in the table."""
    kept, key = one.position.layout, ("gaps-from", one.row)
    found: list[float] | None = kept.get(key)
    if found is None:
        exactly = table_of_gaps(one.position)[one.row]
        found = kept[key] = (np.floor(exactly * GRAIN + 0.5) / GRAIN).tolist()
    return found


def measure_from_hull(hull: Model) -> None:
    """The exact distances of a hull to all round bases."""
    position, table = hull.position, table_of_gaps(hull.position)
    x, y, z = map(position.column, "xyz")
    across = np.maximum(0.0, signed_gaps(hull.solid, x, y) - radii_of(position)) + np.abs(hull.z - z)
    is_round = ~np.isnan(across)
    table[hull.row, is_round] = table[is_round, hull.row] = across[is_round]


def measure_hulls(one: Model, other: Model) -> float:
    """The exact distance of two models, one of them a hull; with it those of the hull to all round bases."""
    table = table_of_gaps(one.position)
    if np.isnan(table[one.row, other.row]):
        measure_from_hull(one if isinstance(one.solid.shape, Hull) else other)
    if np.isnan(table[one.row, other.row]):
        between = gap_of_solids(one.solid, other.solid) + abs(one.z - other.z)
        table[one.row, other.row] = table[other.row, one.row] = between
    return rounded(float(table[one.row, other.row]))


@rule("1.1/measure-nearest-points", "1.1/measure-height", "7/hull-measure")
def exact(one: Model, other: Model) -> float:
    """The horizontal gap between the nearest points of two footprints, plus the difference of height."""
    known = gaps_from(one)
    found = known[other.row]
    if math.isnan(found):
        found = known[other.row] = measure_hulls(one, other)
    return found


def gap(one: Model, other: Model) -> float:
    """The horizontal gap alone."""
    return rounded(exact(one, other) - abs(one.z - other.z))


@rule("1.1/measure-nearest-points")
def exact_of_models(ones: Sequence[Model], others: Sequence[Model]) -> float:
    """Between the closest models of two units; infinite where there are none."""
    if not ones or not others:
        return math.inf
    table, rows, theirs = table_of_gaps(ones[0].position), [m.row for m in ones], [m.row for m in others]
    for i, j in np.argwhere(np.isnan(table[np.ix_(rows, theirs)])).tolist():
        exact(ones[i], others[j])
    return rounded(float(table[np.ix_(rows, theirs)].min()))


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
    unit_of = one.position.unit_of
    if unit_of[one.row] == unit_of[other.row]:
        return 0.0
    return sum([flying_speed(model) for model in (one, other) if operates_as_flyer(model)])


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
    firing = shooter.aboard_of or shooter
    straight = straight_from(shooter, target, muzzle)
    return rounded_down(straight + flyer_addition(firing, target) + flying_target(target))


def straight_from(shooter: Model, target: Model, muzzle: tuple[float, float, float] | None) -> float:
    """The gap and what the target stands higher. Kept until something moves."""
    kept, key = shooter.position.layout, ("straight-from", shooter.row, target.row, muzzle)
    if key not in kept:
        if muzzle is None:
            flat, climb = gap(shooter, target), target.z - shooter.z
        else:
            flat, climb = gap_to_point(target.solid, muzzle[0], muzzle[1]), target.z - muzzle_level(shooter)
        kept[key] = flat + max(0.0, climb)
    return float(kept[key])


def muzzle_level(shooter: Model) -> float:
    """The surface that a shooter, or the vehicle that it is in, stands on."""
    carrier = shooter.aboard_of
    return shooter.z if carrier is None else carrier.z


@rule("6.1.1/fmc-distance", "6.2.1/jetbike-distance", "6.4/flying-infantry-distance")
def flying_target(target: Model) -> float:
    """X/2, rounded down, for a unit all of whose models are flying; flyers have their own addition."""
    if is_vehicle(target) or not is_flying(target) or not all_fly(target.unit):
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
