"""Measuring (1.1): the gap between footprints plus the difference of height, rounded down once.

``exact`` serves to compare two distances with each other, and for contact and the length of moves;
``distance`` serves to compare a distance with a number of the book.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.footprints import shape
from campale.rulesets.e55.definitions.types import (
    all_fly,
    is_flying,
    is_vehicle,
    may_be_in_the_air,
    operates_as_flyer,
)
from campale.rulesets.e55.definitions.units import members
from campale.table.kernels import Floats
from campale.table.measure import bounding_radius, circle_gap_matrix, gap_to_point, signed_gaps
from campale.table.measure import gap as gap_of_solids
from campale.table.shapes import GRAIN, TOLERANCE, Circle, Hull, Point, rounded

CONTACT = TOLERANCE


# ---------------------------------------------------------------- exact measures


def table_of_gaps(position: Position) -> Floats:
    """Return the exact distances (n, n) between all models of the roster; NaN for a hull not yet measured.

    Rows of models off the table are meaningless.
    """
    kept = position.layout.get("exact")
    if kept is None:
        x, y, z, r = *map(position.column, "xyz"), radii_of(position)
        kept = position.layout["exact"] = circle_gap_matrix(x, y, r, x, y, r) + np.abs(z[:, None] - z[None, :])
        kept[np.isnan(r), :] = kept[:, np.isnan(r)] = math.nan
    found: Floats = kept
    return found


def radii_of(position: Position) -> Floats:
    """Return the radii of all models of the roster, NaN for hulls."""
    kept = position.roster.get("radii")
    if kept is None:
        radii = [made.radius if isinstance(made := shape(p), Circle) else math.nan for p in position.profiles]
        kept = position.roster["radii"] = np.array(radii, np.float64)
    found: Floats = kept
    return found


def gaps_from(one: Model) -> list[float]:
    """Return the exact distances from a model to the whole roster, rounded; NaN as in the table."""
    kept, key = one.position.layout, ("gaps-from", one.row)
    found: list[float] | None = kept.get(key)
    if found is None:
        exactly = table_of_gaps(one.position)[one.row]
        found = kept[key] = (np.floor(exactly * GRAIN + 0.5) / GRAIN).tolist()
    return found


def measure_from_hull(hull: Model) -> None:
    """Fill in the exact distances from a hull to all round bases."""
    position, table = hull.position, table_of_gaps(hull.position)
    x, y, z = map(position.column, "xyz")
    across = np.maximum(0.0, signed_gaps(hull.solid, x, y) - radii_of(position)) + np.abs(hull.z - z)
    is_round = ~np.isnan(across)
    table[hull.row, is_round] = table[is_round, hull.row] = across[is_round]


def measure_hulls(one: Model, other: Model) -> float:
    """Return the exact distance of two models, one of them a hull.

    The hull's distances to all round bases are filled in too.
    """
    table = table_of_gaps(one.position)
    if np.isnan(table[one.row, other.row]):
        measure_from_hull(one if isinstance(one.solid.shape, Hull) else other)
    if np.isnan(table[one.row, other.row]):
        between = gap_of_solids(one.solid, other.solid) + abs(one.z - other.z)
        table[one.row, other.row] = table[other.row, one.row] = between
    return rounded(float(table[one.row, other.row]))


@rule("1.1/measure-nearest-points", "1.1/measure-height", "7/hull-measure")
def exact(one: Model, other: Model) -> float:
    """Return the horizontal gap between two footprints plus the difference of height, in inches."""
    known = gaps_from(one)
    found = known[other.row]
    if math.isnan(found):
        found = known[other.row] = measure_hulls(one, other)
    return found


def gap(one: Model, other: Model) -> float:
    """Return the horizontal gap alone, in inches."""
    return rounded(exact(one, other) - abs(one.z - other.z))


@rule("1.1/measure-nearest-points")
def exact_of_models(ones: Sequence[Model], others: Sequence[Model]) -> float:
    """Return the exact distance between the closest models of two groups; infinite if either is empty."""
    if not ones or not others:
        return math.inf
    table, rows, theirs = table_of_gaps(ones[0].position), [m.row for m in ones], [m.row for m in others]
    for i, j in np.argwhere(np.isnan(table[np.ix_(rows, theirs)])).tolist():
        exact(ones[i], others[j])
    return rounded(float(table[np.ix_(rows, theirs)].min()))


def nearest_pair(ones: Sequence[Model], others: Sequence[Model]) -> tuple[Model, Model]:
    """Return the two closest models; of equally close pairs, the first in roster order."""
    return min(((a, b) for a in ones for b in others), key=lambda pair: (exact(*pair), pair[0].row, pair[1].row))


@rule("1.1/measure-nearest-points")
def are_in_contact(one: Model, other: Model) -> bool:
    """Return whether two footprints touch (distance 0)."""
    return other.row in rows_touched(one)


def rows_touched(model: Model) -> frozenset[int]:
    """Return the rows of all models at distance 0 from a model, cached until something moves.

    Only those whose circles meet are measured.
    """
    position, key = model.position, ("touched", model.row)
    found: frozenset[int] | None = position.layout.get(key)
    if found is None:
        wide = spans_of(position)
        off = np.hypot(position.column("x") - model.x, position.column("y") - model.y) - wide - wide[model.row]
        near = map(position.model, (off <= 2.0 * CONTACT).nonzero()[0].tolist())
        found = position.layout[key] = frozenset(m.row for m in near if exact(model, m) <= CONTACT)
    return found


def spans_of(position: Position) -> Floats:
    """Return the radii of the circles around all footprints of the roster."""
    kept = position.roster.get("spans")
    if kept is None:
        spans = [bounding_radius(shape(profile)) for profile in position.profiles]
        kept = position.roster["spans"] = np.array(spans, np.float64)
    found: Floats = kept
    return found


def contacts(model: Model, others: Sequence[Model]) -> list[Model]:
    touched = rows_touched(model)
    return [other for other in others if other.row in touched]


# ---------------------------------------------------------------- distances


@rule("1.1/measure-round-down")
def rounded_down(measured: float) -> int:
    """Round down to the whole inch, once, after everything has been added."""
    return math.floor(rounded(measured))


@rule("7.13/flyer-distance", "7.14/aircraft-speeds")
def flyer_addition(one: Model, other: Model) -> float:
    """Return the movement values of the flyers at either end; 0 between flyers of one squadron."""
    unit_of = one.position.unit_of
    if not has_flying_vehicles(one.position) or unit_of[one.row] == unit_of[other.row]:
        return 0.0
    return sum([flying_speed(model) for model in (one, other) if operates_as_flyer(model)])


def has_flying_vehicles(position: Position) -> bool:
    """Return whether any vehicle of the roster could be in the air."""
    kept = position.roster.get("flying-vehicles")
    if kept is None:
        kept = position.roster["flying-vehicles"] = any(map(may_be_in_the_air, position.profiles))
    return bool(kept)


def flying_speed(model: Model) -> float:
    profile = model.profile
    return float(profile.flyer_speed or profile.speed)


@rule("1.1/measure-round-down", "1.1/measure-height", "7.13/flyer-distance")
def distance(one: Model, other: Model) -> int:
    return rounded_down(exact(one, other) + flyer_addition(one, other))


@rule("1.1/measure-nearest-points", "1.1/measure-round-down", "1.1/entity")
def distance_to_point(model: Model, point: Point, z: float = 0.0) -> int:
    """Return the distance from a footprint to a point, such as an objective, with the flyer's addition."""
    addition = flying_speed(model) if operates_as_flyer(model) else 0.0
    return rounded_down(exact_to_point(model, point, z) + addition)


def exact_to_point(model: Model, point: Point, z: float = 0.0) -> float:
    return rounded(gap_to_point(model.solid, *point) + abs(model.z - z))


# ---------------------------------------------------------------- distances of shots


@rule("3.2.1/range", "1.1/measure-shooting-down", "6.1.1/fmc-distance", "7.13/flyer-distance")
def shot_distance(shooter: Model, target: Unit, muzzle: tuple[float, float, float] | None = None) -> int:
    """Return the distance from a firing model, or from its fire point, to the nearest model of a unit.

    The additions for flying count.
    """
    return min(shot_distance_to(shooter, model, muzzle) for model in members(target)) if members(target) else 10_000


@rule("1.1/measure-shooting-down", "6.1.1/fmc-distance", "6.2.1/jetbike-distance", "6.4/flying-infantry-distance")
def shot_distance_to(shooter: Model, target: Model, muzzle: tuple[float, float, float] | None = None) -> int:
    """Return the distance of a shot in whole inches.

    The height is ignored if the target stands lower; a flying target is X/2 farther away.
    """
    firing = shooter.aboard_of or shooter
    straight = straight_from(shooter, target, muzzle)
    return rounded_down(straight + flyer_addition(firing, target) + flying_target(target))


def straight_from(shooter: Model, target: Model, muzzle: tuple[float, float, float] | None) -> float:
    """Return the gap plus the height by which the target stands higher, cached until something moves."""
    kept, key = shooter.position.layout, ("straight-from", shooter.row, target.row, muzzle)
    if key not in kept:
        if muzzle is None:
            flat, climb = gap(shooter, target), target.z - shooter.z
        else:
            flat, climb = gap_to_point(target.solid, muzzle[0], muzzle[1]), target.z - muzzle_level(shooter)
        kept[key] = flat + max(0.0, climb)
    return float(kept[key])


def muzzle_level(shooter: Model) -> float:
    """Return the height of the surface that a shooter, or the vehicle around it, stands on."""
    carrier = shooter.aboard_of
    return shooter.z if carrier is None else carrier.z


@rule("6.1.1/fmc-distance", "6.2.1/jetbike-distance", "6.4/flying-infantry-distance")
def flying_target(target: Model) -> float:
    """Return X/2, rounded down, if all models of the target's unit fly.

    Flyers have an addition of their own instead.
    """
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
