"""The frames of close combat, by their names."""

from __future__ import annotations

from campale.mechanics.frames import Procedure
from campale.rulesets.wzr.close_combat import disengage, running_over

PROCEDURES: dict[str, Procedure] = {
    disengage.LEAVE: disengage.leave,
    disengage.FREE_STRIKES: disengage.free_strikes,
    disengage.FREE_STRIKE: disengage.free_strike,
    disengage.GO_ON: disengage.go_on,
    running_over.RUN_OVER: running_over.run_over,
    running_over.RUN_ON: running_over.run_on,
    running_over.RUN_ENDS: running_over.run_ends,
}
