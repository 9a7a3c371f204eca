"""The edges of the table: their owners, the strip along each for deployment, the inward facing."""

from __future__ import annotations

from collections.abc import Callable, Container

from campale.referee.looks import Zone
from campale.referee.position import Position
from campale.referee.refusal import Plain
from campale.table.room import Area, corners_of_area
from campale.table.shapes import rounded
from campale.table.sweeps import Edge
from campale.table.terrain import Ground

EDGE = "edge"
"""The holding of a side that names its edge of the table."""

SOUTH: Edge = "south"
NORTH: Edge = "north"
USUAL = (SOUTH, NORTH)
"""The edges of the sides before any is chosen: the long edges, if the table has any."""

OPPOSITE: dict[str, Edge] = {"south": "north", "north": "south", "west": "east", "east": "west"}
INWARD: dict[str, float] = {"south": 0.0, "north": 180.0, "west": 90.0, "east": 270.0}
"""The facing of models with the edge at their backs, in degrees."""


def edge_of(position: Position, side: int) -> Edge:
    held = position.hand(side, EDGE)
    edge: Edge = held[0] if held else USUAL[side]
    return edge


def facing_inward(position: Position, side: int) -> float:
    return INWARD[edge_of(position, side)]


def take_edges(position: Position, side: int, edge: Edge) -> None:
    """Give a side an edge, and the other side the opposite one."""
    position.hold(side, EDGE, (edge,))
    position.hold(1 - side, EDGE, (OPPOSITE[edge],))


def strip(ground: Ground, edge: str, depth: float) -> Area:
    """The part of the table along an edge."""
    width, length = ground.width, ground.depth
    areas: dict[str, Area] = {
        "south": (0.0, 0.0, width, depth),
        "north": (0.0, length - depth, width, length),
        "west": (0.0, 0.0, depth, length),
        "east": (width - depth, 0.0, width, length),
    }
    return areas[edge]


def inset(area: Area, by: float) -> Area:
    return area[0] + by, area[1] + by, area[2] - by, area[3] - by


def whole_table(ground: Ground) -> Area:
    return 0.0, 0.0, ground.width, ground.depth


def reach_from(ground: Ground, edge: str, extent: Area) -> tuple[float, float]:
    """The least and the greatest distance from an edge within an extent."""
    west, south, east, north = extent
    width, depth = ground.width, ground.depth
    near, far = {
        "south": (south, north),
        "north": (depth - north, depth - south),
        "west": (west, east),
        "east": (width - east, width - west),
    }[edge]
    return rounded(near), rounded(far)


def deployment_zones(
    position: Position, zone_of: Callable[[Position, int], Area], cited: str, phases: Container[Plain]
) -> list[Zone]:
    """The deployment zones of the sides, in these phases, once the edges are assigned."""
    if position.now.get("phase") not in phases or not position.hand(0, EDGE):
        return []
    return [Zone("deployment", cited, corners_of_area(zone_of(position, side)), side=side) for side in (0, 1)]
