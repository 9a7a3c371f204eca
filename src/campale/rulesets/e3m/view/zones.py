"""The parts of the table that matter now: deployment zones, mission zones, and where a routed unit stops."""

from __future__ import annotations

from itertools import product

from campale.referee.looks import Zone
from campale.referee.position import Position
from campale.referee.rule import rule
from campale.rulesets.e3m.battle.missions import CENTRE, NEAR_CENTRE, QUARTERS, quarters_of, score
from campale.rulesets.e3m.battle.zones import zone_of
from campale.rulesets.e3m.command.orders import is_routed
from campale.rulesets.e3m.command.units import units_of
from campale.table.room import corners_of_area

DEPLOYMENT, RALLY, QUARTER = "deployment", "rally", "quarter"
WHERE = ("south-west", "north-west", "south-east", "north-east")
"""Where the quarters lie, in the order in which they are told."""


def zones(position: Position) -> list[Zone]:
    if position.now.get("phase") == DEPLOYMENT:
        return [zone_of_side(position, side, DEPLOYMENT, "setup/deployment") for side in (0, 1)]
    if int(position.now.get("turn", 0)) < 1 or position.result is not None:
        return []
    return [*of_mission(position), *where_they_rally(position)]


def of_mission(position: Position) -> list[Zone]:
    mission = position.now.get("mission")
    if mission == QUARTERS:
        return quarters(position)
    return [centre(position)] if mission == CENTRE else []


@rule("victory/quarters")
def quarters(position: Position) -> list[Zone]:
    """The quarters, each with the side that holds it now."""
    held = [quarters_of(position, side) for side in (0, 1)]
    width, depth = position.ground.width / 2.0, position.ground.depth / 2.0
    found = []
    for k, n in product((0, 1), (0, 1)):
        holders = [side for side in (0, 1) if (k, n) in held[side]]
        outline = corners_of_area((k * width, n * depth, (k + 1) * width, (n + 1) * depth))
        side = holders[0] if len(holders) == 1 else -1
        found.append(Zone(QUARTER, "victory/quarters", outline, side=side))
    return found


@rule("victory/centre")
def centre(position: Position) -> Zone:
    """The centre, with the side that has more units there now."""
    counts = score(position)
    side = -1 if counts[0] == counts[1] else int(counts[1] > counts[0])
    middle = position.ground.width / 2.0, position.ground.depth / 2.0
    return Zone("centre", "victory/centre", (), middle, NEAR_CENTRE, side)


@rule("orders/retreat-stop")
def where_they_rally(position: Position) -> list[Zone]:
    """The own zone of each side that has a routed unit."""
    sides = [side for side in (0, 1) if any(is_routed(unit) for unit in units_of(position, side))]
    return [zone_of_side(position, side, RALLY, "orders/retreat-stop") for side in sides]


@rule("setup/deployment")
def zone_of_side(position: Position, side: int, kind: str, cited: str) -> Zone:
    return Zone(kind, cited, corners_of_area(zone_of(position, side)), side=side)
