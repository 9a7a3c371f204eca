"""Edges and deployment zones (setup/deployment)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.table.measure import bounding_radius, extent
from campale.table.room import Area
from campale.table.shapes import TOLERANCE, Point

ZONE = 12.0
SOUTH, NORTH = "south", "north"
OPPOSITE = {SOUTH: NORTH, NORTH: SOUTH}
INWARD = {SOUTH: 0.0, NORTH: 180.0}


@rule("setup/deployment")
def edge_of(position: Position, side: int) -> str:
    """The long edge of a side: its own edge for retreats."""
    held = position.hand(side, "edge")
    return str(held[0]) if held else (SOUTH, NORTH)[side]


def edge_y(position: Position, side: int) -> float:
    return 0.0 if edge_of(position, side) == SOUTH else position.ground.depth


@rule("setup/deployment")
def zone_of(position: Position, side: int) -> Area:
    """12 inches deep along the whole edge."""
    width, depth = position.ground.width, position.ground.depth
    if edge_of(position, side) == SOUTH:
        return 0.0, 0.0, width, ZONE
    return 0.0, depth - ZONE, width, depth


@rule("orders/retreat-stop")
def nearest_in_zone(model: Model) -> Iterator[Point]:
    """The nearest place in the zone of its side at which a base stands wholly inside, then others to either side."""
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
    position = models[0].position
    at_south = edge_of(position, models[0].side) == SOUTH
    for model in (m for m in models if m.is_on_table):
        _, south, _, north = extent(model.solid)
        if (south if at_south else position.ground.depth - north) <= 0.02 + TOLERANCE:
            return True
    return False
