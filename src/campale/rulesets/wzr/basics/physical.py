"""The solid of a model (core/bases, core/line-of-sight, vehicles/types)."""

from __future__ import annotations

from campale.mechanics.bases import upright
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.table.shapes import Solid


@rule("core/bases", "vehicles/types")
def solid(model: Model) -> Solid:
    """An upright body on the model's base or hull outline, as tall as its profile counts."""
    return upright(model)
