"""The bases of all models as arrays: where they are, and how far they are from each other.

Stated by: e3m base-general/within, w10 core-concepts/measuring.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from campale.referee.position import Model, Position
from campale.table.measure import bounding_radius, gap
from campale.table.shapes import TOLERANCE, Circle

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]


def rows_of(models: Sequence[Model]) -> Ints:
    return np.array([m.row for m in models], np.int64)


def radii(position: Position) -> Floats:
    """The radius of the circle about the base of every model, by its row."""
    return kept_with_roster(position)[0]


def round_ones(position: Position) -> Flags:
    """Whose bases are circles, by their rows."""
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
    """The centre of the base of every model (rows, 2); of whoever is aboard, that of the vehicle. Kept likewise."""
    kept = position.layout
    if "centres" not in kept:
        found = np.column_stack((position.column("x"), position.column("y")))
        for model in position.models:
            carrier = model.aboard_of
            if carrier is not None:
                found[model.row] = carrier.at
        kept["centres"] = found
    whole: Floats = kept["centres"]
    return whole


def circle_gaps(position: Position, ones: Ints, others: Ints) -> Floats:
    """The gaps of the circles about the bases of some rows and others: those of the bases, where these are round.

    Negative where they overlap.
    """
    at, sizes = centres(position), radii(position)
    away = at[others] - at[ones][:, None, :]
    return np.asarray(np.sqrt((away * away).sum(axis=2)) - (sizes[ones][:, None] + sizes[others]))


def in_doubt(position: Position, ones: Ints, others: Ints, gaps: Floats, limit: Floats) -> Flags:
    """Where the circles do not tell whether the gap of two bases is within a limit: near it, or where one is no circle.

    ``gaps``: of the circles, which no base reaches beyond, and each holds its centre.
    """
    is_round, sizes = round_ones(position), radii(position)
    both = is_round[ones][:, None] & is_round[others]
    at_most = gaps + sizes[ones][:, None] + sizes[others]
    near = np.abs(gaps - limit) <= 2 * TOLERANCE
    return np.asarray(near | (~both & (gaps <= limit) & (at_most > limit)))


def contacts(position: Position) -> tuple[tuple[int, int], ...]:
    """The rows of the models of the first and the second side that touch each other. Kept until something moves."""
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
