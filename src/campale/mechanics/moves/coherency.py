"""Whether the models of a unit stand together, or would: a book gives the numbers for how far apart they may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from campale.referee.position import Model
from campale.referee.refusal import Fault
from campale.table.formations import groups
from campale.table.kernels import Flags
from campale.table.shapes import TOLERANCE, Solid
from campale.table.standing import Stand, Standing

Places = Mapping[int, Sequence[float]]
"""The places (by row) of models: x, y, z, and a facing if it matters."""


def standing(models: Sequence[Model], places: Places | None = None) -> Standing:
    """Models in their places, or some of them in others."""
    return Standing([model.solid for model in models], [place_of(model, places) for model in models])


def place_of(model: Model, places: Places | None) -> Stand:
    there = None if places is None else places.get(model.row)
    if there is None:
        position, row = model.position, model.row
        return position.x[row], position.y[row], position.z[row], position.facing[row]
    return there[0], there[1], there[2], there[3] if len(there) > 3 else model.facing


def first_overlap(models: Sequence[Model], places: Places | None = None) -> tuple[int, int] | None:
    """The rows of the first two models that would stand on each other."""
    found = standing(models, places).first_overlap()
    return None if found is None else (models[found[0]].row, models[found[1]].row)


def is_together(solids: Sequence[Solid], link: float, companions: int = 1, high: float | None = None) -> bool:
    """Whether bases are linked in one group, each within ``link`` of ``companions`` others.

    ``high``: how far up or down a link may reach, if that is measured separately; otherwise the height is added.
    """
    if len(solids) < 2:
        return True
    standing = Standing(solids)
    on_one_level = len({one.z for one in solids}) < 2
    if on_one_level or high is None:
        if len(standing.groups(link + TOLERANCE)) > 1:
            return False
        if companions < 2:
            return True
    near = linked(standing, link, high)
    few = near.sum(axis=1) < min(companions, len(solids) - 1)
    return not few.any() and len(groups([row.nonzero()[0].tolist() for row in near])) < 2


def linked(standing: Standing, link: float, high: float | None) -> Flags:
    """Which of several bases are within a link of each other (n, n); no base is linked to itself."""
    if high is None:
        near = standing.gaps() <= link + TOLERANCE
    else:
        near = (standing.gaps_in_plan() <= link + TOLERANCE) & (standing.rises() <= high + TOLERANCE)
    np.fill_diagonal(near, False)
    return near


def beyond_link(models: Sequence[Model], solids: Sequence[Solid], link: float, companions: int = 1) -> Fault | None:
    """A unit would not stand together."""
    return None if is_together(solids, link, companions) else Fault(limit=link, model=models[0].row)


def on_each_other(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    """Two models would stand on the same ground, given these solids; the fault names the later one."""
    found = Standing(solids).first_overlap()
    if found is None:
        return None
    return Fault(shown(solids[found[1]]), model=models[found[1]].row)


def shown(solid: Solid) -> tuple[float, float]:
    return round(solid.x, 2), round(solid.y, 2)
