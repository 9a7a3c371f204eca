"""Squads: their models, their Commander, their states (squads/*)."""

from __future__ import annotations

from campale.mechanics import units
from campale.mechanics.frames import stack
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks

SQUAD_ENDS = "squad-ends"
"""The frame that ends a squad's activation."""


def members(unit: Unit) -> list[Model]:
    """The models of a squad on the table."""
    return units.members(unit)


def squads_of(position: Position, side: int) -> list[Unit]:
    """The squads of a side with at least one model on the table."""
    return units.units_of(position, side)


@rule("core/simultaneous")
def side_to_begin(position: Position) -> int:
    """The side whose squad is active; outside activations, the one with the initiative."""
    active = (position.unit_side[int(str(frame[1]))] for frame in stack(position) if frame[0] == SQUAD_ENDS)
    return next(active, int(position.now["initiative"]))


@rule("squads/commander", "squads/substitute")
def commander(unit: Unit) -> Model | None:
    """The Squad Commander or the Substitute. A single model is its own Commander."""
    models = members(unit)
    marked = next((m for m in models if m.marks(marks.COMMANDER) or m.marks(marks.SUBSTITUTE)), None)
    return marked if marked is not None or len(models) != 1 else models[0]


def is_routed(unit: Unit) -> bool:
    return bool(unit.marks(marks.ROUTED))


def is_pinned(model: Model) -> bool:
    return bool(model.marks(marks.PINNED))


def is_stunned(model: Model) -> bool:
    return bool(model.marks(marks.STUN))
