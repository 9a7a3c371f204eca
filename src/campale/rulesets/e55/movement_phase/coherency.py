"""Unit coherency (3.1.1): what links the models of a unit, whether it hangs together, and how far it is apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.footprints import height, shape
from campale.rulesets.e55.definitions.types import is_all_vehicles, is_character
from campale.rulesets.e55.definitions.units import APART, members
from campale.table import kernels
from campale.table.formations import groups
from campale.table.kernels import Floats
from campale.table.measure import circle_gap_matrix, overlaps
from campale.table.measure import gap as gap_of_solids
from campale.table.shapes import TOLERANCE, Circle, Solid

LINK, SQUADRON_LINK = 2.0, 4.0

Places = Mapping[int, Sequence[float]]
"""Where models (by row) would stand: x, y, z, and a facing where it matters."""

Stand = tuple[float, float, float, float]
Measured = Callable[[Solid, Solid], float]


@rule("3.1.1/coherency", "7.17/squadron-coherency")
def link(unit: Unit) -> float:
    """The longest stretch between two models, as it is measured."""
    return SQUADRON_LINK if is_all_vehicles(unit) else LINK


def real_link(unit: Unit) -> float:
    """The gap, as the planners count it, up to which the measured distance does not exceed the link."""
    return link(unit) + 1.0 - 2.0 * TOLERANCE


# ---------------------------------------------------------------- who stands where


def place_of(model: Model, places: Places | None) -> Stand:
    there = None if places is None else places.get(model.row)
    if there is None:
        return model.x, model.y, model.z, model.facing
    return there[0], there[1], there[2], there[3] if len(there) > 3 else model.facing


def radii_of(models: Sequence[Model]) -> Floats | None:
    """The radii of round bases; None where one of them is a hull."""
    shapes = [shape(model.profile) for model in models]
    return np.array([s.radius for s in shapes if isinstance(s, Circle)]) if all_round(shapes) else None


def all_round(shapes: Sequence[object]) -> bool:
    return all(isinstance(made, Circle) for made in shapes)


def between_circles(stand: Sequence[Stand], radii: Floats) -> Floats:
    """The gaps in plan between round bases, below 0 where they overlap."""
    x, y, _, _ = zip(*stand, strict=True)
    points = np.zeros(len(stand))
    return circle_gap_matrix(x, y, points, x, y, points) - (radii[:, None] + radii[None, :])


def between_solids(
    models: Sequence[Model], stand: Sequence[Stand], measured: Callable[[Solid, Solid], float]
) -> Floats:
    """The same table, of some measure, for bases of any shape."""
    solids = [
        Solid(shape(model.profile), x, y, z, facing, height(model.profile))
        for model, (x, y, z, facing) in zip(models, stand, strict=True)
    ]
    found = np.zeros((len(solids), len(solids)))
    for i in range(len(solids)):
        for j in range(i):
            found[i, j] = found[j, i] = measured(solids[i], solids[j])
    return found


def gaps(models: Sequence[Model], places: Places | None = None) -> Floats:
    """The exact distances between all of them, heights added."""
    stand = [place_of(model, places) for model in models]
    radii, z = radii_of(models), np.array([one[2] for one in stand])
    flat = between_solids(models, stand, gap_of_solids) if radii is None else between_circles(stand, radii)
    found: Floats = np.round(np.maximum(flat, 0.0) + np.abs(z[:, None] - z[None, :]), 4)
    return found


# ---------------------------------------------------------------- 3.1.1/coherency


def keeping(unit: Unit) -> list[Model]:
    """The models that count: all but the characters that have moved off on their own in this phase."""
    return [model for model in members(unit) if not model.marks(APART)]


def linked_groups(unit: Unit, models: Sequence[Model], places: Places | None = None) -> list[list[int]]:
    """The groups, as numbers in ``models``, that the links make."""
    if not models:
        return []
    stand, radii = [place_of(model, places) for model in models], radii_of(models)
    if radii is not None:
        found: dict[int, list[int]] = {}
        for k, group in enumerate(kernels.linked_discs(with_radii(stand, radii), link(unit)).tolist()):
            found.setdefault(group, []).append(k)
        return list(found.values())
    near = np.floor(gaps(models, places)) <= link(unit)
    np.fill_diagonal(near, False)
    return groups([np.flatnonzero(row).tolist() for row in near])


def with_radii(stand: Sequence[Stand], radii: Floats) -> Floats:
    """x, y, z and the radius of each (n, 4)."""
    found = np.array(stand, np.float64)
    found[:, 3] = radii
    return found


@rule("3.1.1/coherency", "8/independent-character")
def is_coherent(unit: Unit, places: Places | None = None) -> bool:
    """Whether one line of short stretches reaches every model; characters lengthen it and are not bound by it."""
    models = keeping(unit)
    if len(models) < 2:
        return True
    found = linked_groups(unit, models, places)
    if len(found) == 1:
        return True
    bound = [group for group in found if not all(is_character(models[k]) for k in group)]
    return len(bound) == 1


@rule("8/independent-character")
def cut_off(unit: Unit, places: Places | None = None, models: Sequence[Model] | None = None) -> list[Model]:
    """The characters that no line links to any other kind of model of their unit."""
    among = keeping(unit) if models is None else models
    if all(is_character(model) for model in among):
        return []
    found = [group for group in linked_groups(unit, among, places) if all(is_character(among[k]) for k in group)]
    return [among[k] for k in sorted(k for group in found for k in group)]


@rule("3.1.1/restore-coherency")
def widest_gap(unit: Unit, places: Places | None = None) -> float:
    """The longest stretch of the shortest line that reaches every model that is bound."""
    models = [model for model in keeping(unit) if not is_character(model)]
    if len(models) < 2:
        return 0.0
    between = gaps(models, places)
    left, reach, widest = list(range(1, len(models))), between[0].copy(), 0.0
    while left:
        nearest = min(left, key=lambda k: (float(reach[k]), k))
        widest = max(widest, float(reach[nearest]))
        left.remove(nearest)
        reach = np.minimum(reach, between[nearest])
    return widest


# ---------------------------------------------------------------- standing on each other


class Standing:
    """Where the models of a unit would stand: looked at for overlaps again and again while one or another is moved."""

    __slots__ = ("discs", "models", "stand")

    def __init__(self, unit: Unit, places: Places) -> None:
        self.models = members(unit)
        self.stand = [place_of(model, places) for model in self.models]
        radii = radii_of(self.models)
        self.discs: Floats | None = None
        if radii is not None and len(self.models) > 1:
            tall = np.array([[height(model.profile)] for model in self.models])
            self.discs = np.hstack((with_radii(self.stand, radii), tall))

    def put(self, row: int, place: Sequence[float]) -> None:
        """The model of a row stands elsewhere."""
        k = next(k for k, model in enumerate(self.models) if model.row == row)
        self.stand[k] = place_of(self.models[k], {row: place})
        if self.discs is not None:
            self.discs[k, :3] = self.stand[k][:3]

    def first_overlap(self) -> tuple[int, int] | None:
        """The rows of two models that would stand on each other, the first in the order of the roster."""
        if len(self.models) < 2:
            return None
        if self.discs is not None:
            i, j = kernels.first_overlap(self.discs)
            return None if i < 0 else (self.models[i].row, self.models[j].row)
        on_each_other: Any = np.triu(between_solids(self.models, self.stand, overlaps) > 0.0, 1)
        for i, j in np.argwhere(on_each_other).tolist():
            low, high = sorted((i, j), key=lambda k: self.stand[k][2])
            if self.stand[high][2] < self.stand[low][2] + height(self.models[low].profile):
                return self.models[i].row, self.models[j].row
        return None


def first_overlap(unit: Unit, places: Places) -> tuple[int, int] | None:
    """The rows of two models of a unit that would stand on each other, the first in the order of the roster."""
    return Standing(unit, places).first_overlap()
