"""The bases of all models as arrays: their places and distances.

Stated by: e3m base-general/within, w10 core-concepts/measuring.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from campale.referee.position import Model, Position
from campale.table.measure import bounding_radius, gap
from campale.table.shapes import GRAIN, TOLERANCE, Circle, Point, Solid, rounded

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]


def upright(model: Model) -> Solid:
    """The solid over a model's base, from a profile with a ``shape`` and a ``height``. Kept until something moves."""
    kept, key = model.position.layout, ("solid", model.row)
    found: Solid | None = kept.get(key)
    if found is None:
        profile = model.profile
        found = kept[key] = Solid(profile.shape, model.x, model.y, model.z, model.facing, profile.height)
    return found


def within(far: float, limit: float) -> bool:
    """Whether a distance is within a limit, by the tolerance of all measurements."""
    return far <= limit + TOLERANCE


def distance(one: Model, other: Model) -> float:
    """The gap between the edges of two bases, in plan. Kept until something moves."""
    known = distances_from(one)
    found = known[other.row]
    if math.isnan(found):
        found = known[other.row] = rounded(gap(one.solid, other.solid))
    return found


def distances_from(model: Model) -> list[float]:
    """The distances from a model to the whole roster; NaN, until measured, where one of the bases is not a circle."""
    position, key = model.position, ("distances", model.row)
    found: list[float] | None = position.layout.get(key)
    if found is None:
        sizes, is_round = kept_with_roster(position)
        across, along = position.column("x") - model.x, position.column("y") - model.y
        away = np.maximum(0.0, np.sqrt(across * across + along * along) - (sizes + sizes[model.row]))
        exact = np.where(is_round & is_round[model.row], np.floor(away * GRAIN + 0.5) / GRAIN, np.nan)
        found = position.layout[key] = exact.tolist()
    return found


def gaps(ones: Sequence[Model], others: Sequence[Model]) -> Floats:
    """The gaps of the bases of models of one position and others, in plan: (ones, others); 0 where they overlap."""
    position = ones[0].position
    rows, columns = rows_of(ones), rows_of(others)
    found = np.maximum(circle_gaps(position, rows, columns), 0.0)
    is_round = round_ones(position)
    for k, n in zip(*np.nonzero(~(is_round[rows][:, None] & is_round[columns])), strict=True):
        found[k, n] = gap(ones[k].solid, others[n].solid)
    return found


def rows_of(models: Sequence[Model]) -> Ints:
    return np.array([m.row for m in models], np.int64)


def radii(position: Position) -> Floats:
    """The radius of the circle about the base of every model, by its row."""
    return kept_with_roster(position)[0]


def round_ones(position: Position) -> Flags:
    """Which rows have circular bases."""
    return kept_with_roster(position)[1]


def kept_with_roster(position: Position) -> tuple[Floats, Flags]:
    kept = position.roster
    if "bases" not in kept:
        shapes = [profile.shape for profile in position.profiles]
        sizes = np.array([bounding_radius(shape) for shape in shapes], np.float64)
        kept["bases"] = sizes, np.array([isinstance(shape, Circle) for shape in shapes], np.bool_)
    found: tuple[Floats, Flags] = kept["bases"]
    return found


def centres(position: Position) -> Floats:
    """The centre of the base of every model (rows, 2); for a model aboard, that of the vehicle. Kept in the same
    way."""
    kept = position.layout
    if "centres" not in kept:
        found = np.column_stack((position.column("x"), position.column("y")))
        for row, carrier in enumerate(position.aboard_of):
            if carrier >= 0:
                found[row] = position.model(carrier).at
        kept["centres"] = found
    whole: Floats = kept["centres"]
    return whole


def standing_rows(position: Position) -> Ints:
    """For every row that of the model that stands for it: itself, or the vehicle it is aboard. Kept likewise."""
    kept = position.layout
    if "standing" not in kept:
        kept["standing"] = np.array(
            [row if carrier < 0 else carrier for row, carrier in enumerate(position.aboard_of)], np.int64
        )
    whole: Ints = kept["standing"]
    return whole


def circle_gaps(position: Position, ones: Ints, others: Ints) -> Floats:
    """The gaps between the circles about the bases of some rows and others; for round bases those of the bases.

    Negative if they overlap.
    """
    at, sizes = centres(position), radii(position)
    away = at[others] - at[ones][:, None, :]
    return np.asarray(np.sqrt((away * away).sum(axis=2)) - (sizes[ones][:, None] + sizes[others]))


def pairs_about(
    position: Position, ones: Sequence[Model], others: Sequence[Model], limit: float
) -> Iterator[tuple[Model, Model]]:
    """The pairs whose circles are within a limit of each other: all other pairs are farther apart.

    A model aboard counts as the vehicle.
    """
    stands = standing_rows(position)
    off = circle_gaps(position, stands[rows_of(ones)], stands[rows_of(others)])
    return ((ones[n], others[k]) for n, k in np.argwhere(off <= limit + 2 * TOLERANCE).tolist())


def about_point(position: Position, models: Sequence[Model], at: Point, far: float) -> list[Model]:
    """The models on the table whose circles are within a distance of a point: all others are farther off."""
    rows = rows_of(models)
    across, along = position.column("x")[rows] - at[0], position.column("y")[rows] - at[1]
    off = np.sqrt(across * across + along * along) - radii(position)[rows]
    return [models[k] for k in (off <= far + 2 * TOLERANCE).nonzero()[0].tolist()]


def in_doubt(position: Position, ones: Ints, others: Ints, gaps: Floats, limit: Floats) -> Flags:
    """The pairs for which the circles do not decide whether the gap is within a limit.

    That is near the limit, or if a base is not a circle. ``gaps``: the gaps of the circles, which contain the bases.
    """
    is_round, sizes = round_ones(position), radii(position)
    both = is_round[ones][:, None] & is_round[others]
    at_most = gaps + sizes[ones][:, None] + sizes[others]
    near = np.abs(gaps - limit) <= 2 * TOLERANCE
    return np.asarray(near | (~both & (gaps <= limit) & (at_most > limit)))


def contacts(position: Position) -> tuple[tuple[int, int], ...]:
    """The rows of models of the first and the second side that touch each other. Kept until something moves."""
    kept = position.layout
    if "contacts" not in kept:
        kept["contacts"] = tuple(find_contacts(position))
    found: tuple[tuple[int, int], ...] = kept["contacts"]
    return found


def find_contacts(position: Position) -> Iterator[tuple[int, int]]:
    ones, others = (rows_of(position.on_table(side)) for side in (0, 1))
    near = np.argwhere(circle_gaps(position, ones, others) <= TOLERANCE)
    is_round = round_ones(position)
    for row, other in zip(ones[near[:, 0]].tolist(), others[near[:, 1]].tolist(), strict=True):
        if (is_round[row] and is_round[other]) or touch(position.model(row), position.model(other)):
            yield row, other


def touch(one: Model, other: Model) -> bool:
    """Whether two bases are in contact, wherever the models are."""
    return gap(one.solid, other.solid) <= TOLERANCE
