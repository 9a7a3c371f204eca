"""Edges and deployment zones (setup/deployment)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from campale.mechanics.setup.edges import SOUTH, edge_of, reach_from, strip
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.table.measure import bounding_radius, extent
from campale.table.room import Area
from campale.table.shapes import TOLERANCE, Point
from campale.table.sweeps import Edge

ZONE = 12.0


@rule("setup/deployment")
def own_edge(position: Position, side: int) -> Edge:
    """The long edge of a side, which is also its edge for retreats."""
    return edge_of(position, side)


def edge_y(position: Position, side: int) -> float:
    return 0.0 if own_edge(position, side) == SOUTH else position.ground.depth


@rule("setup/deployment")
def zone_of(position: Position, side: int) -> Area:
    """The deployment zone: 12 inches deep along the whole edge."""
    return strip(position.ground, own_edge(position, side), ZONE)


@rule("orders/retreat-stop")
def nearest_in_zone(model: Model) -> Iterator[Point]:
    """The nearest place where a base stands wholly inside its side's zone, then others to either side."""
    west, low, east, high = zone_of(model.position, model.side)
    size = bounding_radius(model.profile.shape) + 0.01
    y = min(max(model.y, low + size), high - size)
    yield model.x, y
    for step in range(1, 13):
        for x in (model.x - step, model.x + step):
            if west + size <= x <= east - size:
                yield x, y


@rule("orders/retreat-leaves-table")
def touches_own_edge(models: Sequence[Model]) -> bool:
    position, side = models[0].position, models[0].side
    edge = own_edge(position, side)
    solids = (m.solid for m in models if m.is_on_table)
    return any(reach_from(position.ground, edge, extent(one))[0] <= 0.02 + TOLERANCE for one in solids)
