"""Edges and deployment zones (setup/pregame-initiative, setup/deployment)."""

from __future__ import annotations

from campale.mechanics.setup.edges import edge_of, strip
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.table.room import Area
from campale.table.sweeps import Edge

ZONE = 12.0


@rule("setup/table", "setup/pregame-initiative")
def own_edge(position: Position, side: int) -> Edge:
    """The side's edge, one of the two along x."""
    return edge_of(position, side)


@rule("setup/deployment")
def zone_of(position: Position, side: int) -> Area:
    """The deployment zone: 12 inches deep along the whole edge."""
    return strip(position.ground, own_edge(position, side), ZONE)
