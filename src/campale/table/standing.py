"""Models of a unit where they stand or would stand: their gaps, their groups, and overlaps between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from campale.table import kernels, measure
from campale.table.formations import groups
from campale.table.kernels import Floats
from campale.table.shapes import Circle, Solid

Stand = tuple[float, float, float, float]
"""x, y, z and the facing."""


class Standing:
    """Solids side by side, in their places or in others.

    ``stand``: the place of each one, if different; then only the shapes and heights of the solids count.
    """

    __slots__ = ("discs", "solids", "stand")

    def __init__(self, solids: Sequence[Solid], stand: Sequence[Stand] | None = None) -> None:
        self.solids = solids
        self.stand = [(s.x, s.y, s.z, s.facing) for s in solids] if stand is None else list(stand)
        self.discs: Floats | None = None
        sizes = [(one.shape.radius, one.height) for one in solids if isinstance(one.shape, Circle)]
        if solids and len(sizes) == len(solids):
            self.discs = np.array([(*at[:3], *size) for at, size in zip(self.stand, sizes, strict=True)], np.float64)

    def put(self, number: int, at: Stand) -> None:
        """Put a model in another place."""
        self.stand[number] = at
        if self.discs is not None:
            self.discs[number, :3] = at[:3]

    def placed(self) -> list[Solid]:
        """The solids in the places where they were put."""
        return [
            Solid(one.shape, x, y, z, facing, one.height)
            for one, (x, y, z, facing) in zip(self.solids, self.stand, strict=True)
        ]

    def gaps(self) -> Floats:
        """The exact distances between all of them (n, n), with the difference of height added."""
        found: Floats = np.round(self.flat_gaps() + self.rises(), 4)
        return found

    def gaps_in_plan(self) -> Floats:
        """The gaps between all of them (n, n), whatever their heights."""
        found: Floats = np.round(self.flat_gaps(), 4)
        return found

    def flat_gaps(self) -> Floats:
        if self.discs is None:
            return np.maximum(self.of_pairs(measure.gap), 0.0)
        x, y, _, radii, _ = self.discs.T
        points = np.zeros(len(radii))
        flat = measure.circle_gap_matrix(x, y, points, x, y, points) - (radii[:, None] + radii[None, :])
        found: Floats = np.maximum(flat, 0.0)
        return found

    def rises(self) -> Floats:
        """The differences of height between all of them (n, n)."""
        z = np.array([at[2] for at in self.stand])
        found: Floats = np.abs(z[:, None] - z[None, :])
        return found

    def of_pairs(self, measured: Callable[[Solid, Solid], float]) -> Floats:
        """The measure of every pair (n, n); 0 for a solid with itself."""
        solids = self.placed()
        found = np.zeros((len(solids), len(solids)))
        for i in range(len(solids)):
            for j in range(i):
                found[i, j] = found[j, i] = measured(solids[i], solids[j])
        return found

    def groups(self, reach: float) -> list[list[int]]:
        """The groups, as numbers of models, linked by distances up to ``reach``, rounded to the grain."""
        if self.discs is None:
            near = self.gaps() <= reach
            np.fill_diagonal(near, False)
            return groups([row.nonzero()[0].tolist() for row in near])
        found: dict[int, list[int]] = {}
        for number, group in enumerate(kernels.linked_discs(self.discs, reach).tolist()):
            found.setdefault(group, []).append(number)
        return list(found.values())

    def widest_gap(self) -> float:
        """The longest link of the shortest tree that joins all of them; 0 for one alone."""
        if len(self.solids) < 2:
            return 0.0
        between = self.gaps()
        left, reach, widest = list(range(1, len(self.solids))), between[0].copy(), 0.0
        while left:
            nearest = min(left, key=lambda k: (float(reach[k]), k))
            widest = max(widest, float(reach[nearest]))
            left.remove(nearest)
            reach = np.minimum(reach, between[nearest])
        return widest

    def first_overlap(self) -> tuple[int, int] | None:
        """The numbers of the first two models, in their order, that overlap; None if none do."""
        if len(self.solids) < 2:
            return None
        if self.discs is not None:
            i, j = kernels.first_overlap(self.discs)
            return None if i < 0 else (i, j)
        over: Floats = np.triu(self.of_pairs(measure.overlaps), 1)
        for i, j in np.argwhere(over > 0.0).tolist():
            low, high = sorted((i, j), key=lambda k: self.stand[k][2])
            if self.stand[high][2] < self.stand[low][2] + self.solids[low].height:
                return i, j
        return None
