"""How well a side stands: a bot's judgement."""

from __future__ import annotations

from campale.referee.position import Position, Unit
from campale.rulesets.e3m.battle.missions import ATTRITION, score
from campale.rulesets.e3m.command.orders import is_routed
from campale.rulesets.e3m.command.units import IMMOBILISED, is_below_half, members, wounds_left

GROUND_WORTH = 60.0


def appraise(position: Position, side: int) -> float:
    """The points that are left of each side, and what the mission would give now."""
    own, other = strength(position, side), strength(position, 1 - side)
    found = own - other
    if position.result is not None:
        winner = position.result.winner
        return found + (0.0 if winner is None else 1000.0 if winner == side else -1000.0)
    if int(position.now.get("turn", 0)) > 0 and position.now.get("mission") != ATTRITION:
        scores = score(position)
        found += GROUND_WORTH * (scores[side] - scores[1 - side])
    return found


def strength(position: Position, side: int) -> float:
    total = 0.0
    for row, owner in enumerate(position.unit_side):
        if owner == side:
            total += worth_left(Unit(position, row))
    return total


def worth_left(unit: Unit) -> float:
    """The points of those who are left, less for the wounded, the crippled and the routed."""
    models = members(unit)
    worth: float = sum(m.profile.points * wounds_left(m) / max(1, m.profile.w) for m in models)
    if is_routed(unit):
        worth *= 0.4
    elif is_below_half(unit):
        worth *= 0.85
    if models and models[0].marks(IMMOBILISED):
        worth *= 0.6
    return worth
