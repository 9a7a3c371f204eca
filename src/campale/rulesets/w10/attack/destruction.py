"""Models destroyed, and what follows of it (destroyed/*, core-abilities/deadly-demise)."""

from __future__ import annotations

from campale.referee.position import Model, Position
from campale.referee.rule import rule

FELL = "fell"
"""The rows of models destroyed whose Deadly Demise is still to be rolled."""


@rule("destroyed/model", "destroyed/unit", "destroyed/by")
def destroy(model: Model, cause: str, by: int) -> None:
    """A model goes, to the account of a model of the other side or of nobody (-1)."""
    position = model.position
    killer = by if by >= 0 and position.side_of[by] != model.side else -1
    position.remove(model, cause, killer)
    if model.profile.can("deadly-demise") or model.profile.capacity:
        position.declare(FELL, (*position.declared.get(FELL, ()), model.row))


def fallen(position: Position) -> list[Model]:
    return [position.model(row) for row in position.declared.get(FELL, ())]
