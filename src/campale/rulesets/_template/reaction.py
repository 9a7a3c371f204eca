"""Chapter "reaction": what the other side may answer."""

from __future__ import annotations

from campale.referee.ask import confirm
from campale.referee.position import Model
from campale.referee.rule import rule

from .fire import Shot, cannot_be_target, shoot


@rule("reaction/return-fire")
def may_return_fire(model: Model, to: Model) -> bool:
    return model.is_on_table and not model.marks("answered") and cannot_be_target(Shot(model, to)) is None


@rule("reaction/return-fire")
async def return_fire(model: Model, to: Model) -> None:
    """A question to the other side; what it answers is carried out with the very shot of an activation."""
    if may_return_fire(model, to) and await confirm(model.side, "return-fire", model=model.row, at=to.row):
        model.mark("answered", 1)
        await shoot(Shot(model, to))
