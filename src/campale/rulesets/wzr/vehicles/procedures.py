"""The frames of vehicles, by name."""

from __future__ import annotations

from campale.mechanics.frames import Procedure
from campale.rulesets.wzr.vehicles import damage, driving, ram

PROCEDURES: dict[str, Procedure] = {
    "drive": driving.drive,
    "pivot": driving.pivot,
    "terrain-test": damage.terrain_test,
    "flat-out-hit": damage.flat_out_hit,
    "explosion": damage.explosion,
    "ram-begins": ram.ram_begins,
    "ram-model": ram.ram_model,
    "step-aside": ram.step_aside,
    "ram-ends": ram.ram_ends,
}
