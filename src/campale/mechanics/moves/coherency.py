"""Whether the models of a unit stand together, or would: a book says by numbers how far each may be from the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from campale.referee.position import Model
from campale.referee.refusal import Fault
from campale.table.shapes import TOLERANCE, Solid
from campale.table.standing import Stand, Standing

Places = Mapping[int, Sequence[float]]
"""Where models (by row) would stand: x, y, z, and a facing where it matters."""


def standing(models: Sequence[Model], places: Places | None = None) -> Standing:
    """Models where they are, or some of them elsewhere."""
    return Standing([model.solid for model in models], [place_of(model, places) for model in models])


def place_of(model: Model, places: Places | None) -> Stand:
    there = None if places is None else places.get(model.row)
    if there is None:
        return model.x, model.y, model.z, model.facing
    return there[0], there[1], there[2], there[3] if len(there) > 3 else model.facing


def first_overlap(models: Sequence[Model], places: Places | None = None) -> tuple[int, int] | None:
    """The rows of two models that would stand on each other, the first in their order."""
    found = standing(models, places).first_overlap()
    return None if found is None else (models[found[0]].row, models[found[1]].row)


def is_together(solids: Sequence[Solid], link: float, companions: int = 1) -> bool:
    """Whether bases are linked in one group, each within ``link`` of so many others."""
    if len(solids) < 2:
        return True
    standing = Standing(solids)
    if len(standing.groups(link + TOLERANCE)) > 1:
        return False
    if companions < 2:
        return True
    near = (standing.gaps() <= link + TOLERANCE).sum(axis=1) - 1
    return bool((near >= min(companions, len(solids) - 1)).all())


def beyond_link(models: Sequence[Model], solids: Sequence[Solid], link: float, companions: int = 1) -> Fault | None:
    """A unit would not stand together."""
    return None if is_together(solids, link, companions) else Fault(limit=link, model=models[0].row)


def on_each_other(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    """Two models would stand on the same ground as these solids: of the later one."""
    found = Standing(solids).first_overlap()
    if found is None:
        return None
    return Fault(shown(solids[found[1]]), model=models[found[1]].row)


def shown(solid: Solid) -> tuple[float, float]:
    return round(solid.x, 2), round(solid.y, 2)
