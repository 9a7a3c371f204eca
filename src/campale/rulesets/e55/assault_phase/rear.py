"""Charges from behind (3.3.2/rear-charge-definition), by the positions when the turn began."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.definitions.units import CHARGED, FACED_THEN, MEMBERS_THEN, OUTLIVED, REAR_CHARGED_BY, members
from campale.table.measure import gap
from campale.table.shapes import Solid, rounded

TURN = "turn"


@rule("3.3.2/rear-charge-definition")
def is_from_behind(charger: Unit, target: Unit) -> bool:
    """Return whether the angle at the target, from the charger to the unit it then faced, exceeds 90 degrees."""
    position, faced = charger.position, target.note(FACED_THEN)
    if faced is None or any(is_vehicle(model) for model in members(target)):
        return False
    chargers, targets = (standing_then(position, rows_of(one)) for one in (charger, target))
    beyond = standing_then(position, rows_then(Unit(position, int(faced))))
    if not chargers or not targets or not beyond:
        return False
    a, b = nearest_to(chargers, targets), nearest_to(targets, chargers)
    c = nearest_to(beyond, targets)
    return rounded((a.x - b.x) * (c.x - b.x) + (a.y - b.y) * (c.y - b.y)) < 0.0


def rows_of(unit: Unit) -> list[int]:
    """Return the models of a unit, including those lost since."""
    return [row for row, own in enumerate(unit.position.unit_of) if own == unit.row]


def rows_then(unit: Unit) -> Sequence[int]:
    """Return the models that a unit had when the turn began, including those that have left it since."""
    rows: Sequence[int] | None = unit.note(MEMBERS_THEN)
    return rows_of(unit) if rows is None else rows


def standing_then(position: Position, rows: Sequence[int]) -> list[Solid]:
    """Return the solids of models where they stood when the turn began."""
    then = position.snapshots.get(TURN, {})
    found = []
    for row in rows:
        if row in then:
            x, y, z, facing = then[row]
            found.append(Solid(position.model(row).solid.shape, x, y, z, facing))
    return found


def nearest_to(ones: Sequence[Solid], others: Sequence[Solid]) -> Solid:
    return min(ones, key=lambda one: min(rounded(gap(one, other) + abs(one.z - other.z)) for other in others))


@rule("3.3.2/rear-charge-effect", "1.1/unit-ceases")
def came_from_behind(unit: Unit, charger: Unit) -> bool:
    """Return whether a unit was charged from behind by another, or by the unit he has outlived, in this very turn."""
    by = unit.note(REAR_CHARGED_BY) or ()
    return bool(charger.marks(CHARGED)) and (charger.row in by or charger.note(OUTLIVED) in by)
