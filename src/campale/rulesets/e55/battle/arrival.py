"""The state of a unit that has come from reserve (10.5)."""

from __future__ import annotations

from campale.referee.position import ABOARD, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import ARRIVED, ARRIVES_BY, COMBAT_SPEED, DONE, MOVED, SPEED, in_play
from campale.rulesets.e55.vehicles import transports


@rule("10.5/reserve-entry", "3.1/moved-flag")
def has_arrived(unit: Unit) -> None:
    """Mark a unit that came, and its passengers, as having moved; they make no further move."""
    unit.jot(ARRIVES_BY, None)  # where two edges meet, a unit's place does not reveal what was written for it
    came = [unit, *(inside for model in in_play(unit) for inside in transports.units_inside(model))]
    for one in came:
        for name in (MOVED, DONE, ARRIVED):
            one.mark(name, 1)
        for model in in_play(one):
            if is_vehicle(model) and model.where != ABOARD:
                model.mark(SPEED, COMBAT_SPEED)
