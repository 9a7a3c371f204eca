"""Missions and victory: what counts at the end (victory/*, setup/mission, setup/game-length)."""

from __future__ import annotations

from campale.mechanics.missions import finish_by_score, wiped_out
from campale.referee.position import ABOARD, TABLE, Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.command.orders import is_routed
from campale.rulesets.e3m.command.units import (
    IMMOBILISED,
    LOST_MOUNTS,
    POINTS,
    START,
    is_below_half,
    is_vehicle,
    members,
    units_of,
)
from campale.table.measure import extent, gap_to_point
from campale.table.shapes import TOLERANCE

QUARTERS, CENTRE, ATTRITION = "quarters", "centre", "attrition"
MISSIONS = (QUARTERS, CENTRE, ATTRITION)
BY_FACE = {1: QUARTERS, 2: QUARTERS, 3: CENTRE, 4: CENTRE, 5: ATTRITION, 6: ATTRITION}
TURNS = 6
NEAR_CENTRE = 12.0
LEAD = 10
"""The lead that wins is the army's points divided by this."""


# ---------------------------------------------------------------- setup/game-length


@rule("setup/game-length")
def end_if_wiped_out(position: Position) -> None:
    """A side without any model on the table has lost, whatever the mission."""
    if position.result is not None or int(position.now.get("turn", 0)) < 1:
        return
    result = wiped_out(position.on_table, "setup/game-length")
    if result is not None:
        position.finish(result)


@rule("setup/mission")
def finish(position: Position) -> None:
    """Finish the battle by its mission, after the last turn."""
    name = str(position.now["mission"])
    least = points_of_army(position) / LEAD if name == ATTRITION else 1
    finish_by_score(position, f"victory/{name}", score(position), least)


def score(position: Position) -> tuple[int, int]:
    """The points of each side, by the mission."""
    by_name = {QUARTERS: quarters_held, CENTRE: units_at_the_centre, ATTRITION: attrition}
    count = by_name[str(position.now["mission"])]
    return count(position, 0), count(position, 1)


# ---------------------------------------------------------------- victory/*


@rule("victory/scoring-units")
def counts(unit: Unit) -> bool:
    """Whether a unit counts: not routed, not below half strength, and not an immobilised vehicle."""
    models = members(unit)
    if not models or is_routed(unit) or is_below_half(unit):
        return False
    return not (is_vehicle(unit) and models[0].marks(IMMOBILISED))


@rule("victory/quarters")
def quarters_held(position: Position, side: int) -> int:
    """The quarters with a counting unit of this side wholly inside and none of the other side."""
    held = [quarters_of(position, one) for one in (0, 1)]
    return len(held[side] - held[1 - side])


def quarters_of(position: Position, side: int) -> set[tuple[int, int]]:
    found = (quarter_of(unit) for unit in units_of(position, side) if counts(unit))
    return {one for one in found if one is not None}


def quarter_of(unit: Unit) -> tuple[int, int] | None:
    """The quarter that the unit is wholly in, or None. Units aboard are where their vehicle is."""
    ground = unit.position.ground
    x, y = ground.width / 2.0, ground.depth / 2.0
    found = set()
    for model in members(unit):
        carrier = model.aboard_of
        west, south, east, north = extent((model if carrier is None else carrier).solid)
        if not (east <= x + TOLERANCE or west >= x - TOLERANCE) or not (
            north <= y + TOLERANCE or south >= y - TOLERANCE
        ):
            return None
        found.add((int(west >= x - TOLERANCE), int(south >= y - TOLERANCE)))
    return found.pop() if len(found) == 1 else None


@rule("victory/centre")
def units_at_the_centre(position: Position, side: int) -> int:
    """The counting units with a model within 12 inches of the table's centre."""
    middle = position.ground.width / 2.0, position.ground.depth / 2.0
    return sum(any(is_near(m, middle) for m in members(unit)) for unit in units_of(position, side) if counts(unit))


def is_near(model: Model, middle: tuple[float, float]) -> bool:
    carrier = model.aboard_of
    solid = (model if carrier is None else carrier).solid
    return gap_to_point(solid, *middle) <= NEAR_CENTRE + TOLERANCE


@rule("victory/attrition")
def attrition(position: Position, side: int) -> int:
    """The points of every enemy unit gone or routed, and half the points of crippled ones."""
    return sum(worth_of_harm(Unit(position, row)) for row, owner in enumerate(position.unit_side) if owner != side)


@rule("victory/attrition")
def worth_of_harm(unit: Unit) -> int:
    """The points for one unit as bought. Special models count separately wherever they have joined."""
    points = int(unit.marks(POINTS))
    models = [m for m in unit.bought if m.where in (TABLE, ABOARD)]
    if not models or is_routed(models[0].unit):
        return points
    if models[0].profile.has_armour:
        lost = tuple(models[0].note(LOST_MOUNTS, ()))
        crippled = models[0].marks(IMMOBILISED) or any(k in lost for k in models[0].profile.main_weapons)
    else:
        crippled = 2 * len(models) < unit.marks(START)
    return points // 2 if crippled else 0


def points_of_army(position: Position) -> float:
    """The points of the larger army."""
    sides = [
        sum(Unit(position, row).marks("points") for row, owner in enumerate(position.unit_side) if owner == side)
        for side in (0, 1)
    ]
    return float(max(sides))
