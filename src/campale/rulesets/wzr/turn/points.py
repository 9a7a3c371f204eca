"""Action points: how many a model has, and how it has used them (turn/action-points, turn/action-once)."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, changed
from campale.rulesets.wzr.basics import marks

USUAL, ENGAGED = 2, 1


@rule("turn/action-points", "close-combat/engaged-ap", "vehicles/tank-engaged")
def points_of(model: Model, engaged: bool) -> int:
    """The AP at the start of an activation: 2, or a vehicle's PA; 1 if engaged, except for Tanks and Air Tanks."""
    vehicle = model.profile.vehicle
    usual = USUAL if vehicle is None else vehicle.pa
    keeps_all = vehicle is not None and vehicle.kind in ("tank", "air-tank")
    full = ENGAGED if engaged and not keeps_all else usual
    return int(changed("ap", max(0, full - model.marks(marks.AP_LOST)), About(model)))


def left(model: Model) -> int:
    return model.marks(marks.AP)


def done(model: Model) -> tuple[str, ...]:
    """The names of the actions of this activation (for a vehicle: of this turn)."""
    found: tuple[str, ...] = model.note(marks.DONE, ())
    return found


def spend(model: Model, action: str, cost: int) -> None:
    model.mark(marks.AP, max(0, left(model) - cost))
    model.jot(marks.DONE, (*done(model), action))


def moved(model: Model) -> float:
    """The inches that the model has moved in this activation (for a vehicle: in this turn)."""
    return float(model.note(marks.MOVED, 0.0))
