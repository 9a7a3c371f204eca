"""The parts of the table that matter now: where the sides deploy."""

from __future__ import annotations

from campale.mechanics.setup.edges import deployment_zones
from campale.referee.looks import Zone
from campale.referee.position import Position
from campale.rulesets.w10.battle.mission import zone_of

PHASES = ("formations", "deployment", "redeploy")


def zones(position: Position) -> list[Zone]:
    return deployment_zones(position, zone_of, "only-war/deployment-zones", PHASES)
