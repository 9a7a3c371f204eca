"""The frames of close combat, by name."""

from __future__ import annotations

from campale.mechanics.frames import Procedure
from campale.rulesets.wzr.abilities import fear
from campale.rulesets.wzr.close_combat import (
    approach,
    attack,
    charging,
    combat,
    disengage,
    running_over,
    throwing,
    trampling,
)

PROCEDURES: dict[str, Procedure] = {
    approach.APPROACH: approach.offer_approach,
    attack.ATTACK: combat.attack,
    attack.BLOWS: combat.blows,
    charging.CHARGE_FEAR: fear.fear_of_charging,
    charging.CHARGE_GOES: charging.charge_goes,
    charging.COUNTER_CHARGE: charging.counter_charge,
    charging.CHARGE_ARRIVES: charging.charge_arrives,
    charging.CHARGE_ATTACK: charging.charge_attack,
    charging.TURNS_TO: charging.turns_to,
    combat.FEAR_IN_MELEE: fear.fear_of_fighting,
    combat.FUMBLED: combat.fumbled,
    combat.HELD: combat.held,
    disengage.LEAVE: disengage.leave,
    disengage.FREE_STRIKES: disengage.free_strikes,
    disengage.FREE_STRIKE: disengage.free_strike,
    disengage.GO_ON: disengage.go_on,
    running_over.RUN_OVER: running_over.run_over,
    running_over.RUN_ON: running_over.run_on,
    running_over.RUN_ENDS: running_over.run_ends,
    trampling.RUN_BEGINS: trampling.run_begins,
    throwing.THROWN: throwing.thrown,
}
