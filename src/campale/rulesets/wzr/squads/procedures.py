"""The frames of morale, by name."""

from __future__ import annotations

from campale.mechanics.frames import Procedure
from campale.rulesets.wzr.squads import flight, morale

PROCEDURES: dict[str, Procedure] = {
    morale.SQUAD_TESTS: morale.squad_tests,
    morale.EXECUTION_OFFER: morale.execution_offer,
    morale.RECOVERY: morale.recovery,
    morale.EXECUTION: morale.execution,
    morale.MORALE_TESTS: morale.morale_tests,
    morale.ROUT_TEST: morale.rout_test,
    morale.PINNING_TESTS: morale.pinning_tests,
    morale.PINNING_TEST: morale.pinning_test,
    morale.FLIGHT: flight.flight,
    flight.FLEE: flight.flee,
    flight.FLEE_MOVE: flight.flee_move,
}
