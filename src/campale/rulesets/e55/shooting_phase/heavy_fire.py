"""Heavy fire (3.1/heavy-fire-losses): units that cost a target a quarter of its models, and units that still may."""

from __future__ import annotations

from collections import Counter

from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.units import AT_PHASE_START, HEAVY_FIRE_BY, LOST_BEFORE, active

HEAVY_SHARE = 0.25


@rule("3.1/heavy-fire-losses")
def record_heavy_fire(position: Position) -> None:
    """Record, at the end of the shooting phase, which enemy units cost a target at least a quarter of its models."""
    for unit in position.units:
        if unit.side != active(position):
            lost = lost_to(unit)
            unit.jot(HEAVY_FIRE_BY, [row for row in sorted(lost) if is_heavy(unit, lost[row])] or None)


@rule("3.1/heavy-fire-losses")
def is_heavy(unit: Unit, lost: int) -> bool:
    return lost >= HEAVY_SHARE * unit.marks(AT_PHASE_START)


@rule("3.1/heavy-fire-losses")
def lost_to(unit: Unit) -> Counter[int]:
    """Return how many models the fire of each enemy unit (row) has cost a unit since the phase began."""
    position = unit.position
    return Counter(
        loss.by
        for loss in position.losses[int(position.now.get(LOST_BEFORE, 0)) :]
        if position.unit_of[loss.model] == unit.row and is_of_fire(unit, loss.cause, loss.by)
    )


def is_of_fire(unit: Unit, cause: str, by: int) -> bool:
    """Return whether a loss comes from fire of the active player at an enemy."""
    side = active(unit.position)
    return cause == "fire" and by >= 0 and unit.side != side and unit.position.unit_side[by] == side


def may_become_heavy(unit: Unit, more: Counter[int]) -> set[int]:
    """Return the units (rows) whose fire is not heavy yet, but would be with ``more`` models lost to each."""
    lost = lost_to(unit)
    return {row for row in more if not is_heavy(unit, lost[row]) and is_heavy(unit, lost[row] + more[row])}
