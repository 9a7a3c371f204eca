"""The solid that a model is (core/bases, core/line-of-sight, vehicles/types)."""

from __future__ import annotations

from campale.mechanics.bases import upright
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.table.shapes import Solid


@rule("core/bases", "vehicles/types")
def solid(model: Model) -> Solid:
    """A body upright on its base, or on the outline of its hull, as tall as it counts."""
    return upright(model)
