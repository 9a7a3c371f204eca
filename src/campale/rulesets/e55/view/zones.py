"""The parts of the table that matter now: where the sides deploy."""

from __future__ import annotations

from campale.mechanics.setup.edges import deployment_zones
from campale.referee.looks import Zone
from campale.referee.position import Position
from campale.rulesets.e55.battle.deployment import zone_of

PHASES = ("reserves", "deployment")


def zones(position: Position) -> list[Zone]:
    return deployment_zones(position, zone_of, "10.3/zone", PHASES)
