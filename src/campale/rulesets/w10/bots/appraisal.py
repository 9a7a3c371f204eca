"""How well a side stands, in the eyes of a bot: points left, victory and command points, markers, harm to come."""

from __future__ import annotations

from typing import NamedTuple

from campale.referee.position import GONE, Position
from campale.rulesets.w10.basics.units import POINTS
from campale.rulesets.w10.battle.only_war import ROUNDS, scores
from campale.rulesets.w10.bots.outlook import outlook
from campale.rulesets.w10.bots.prospects import points_left
from campale.rulesets.w10.bots.scoring import to_be_scored
from campale.rulesets.w10.windows.windows import CP

WON = 5000.0
PER_CP, LESS = 6.0, 0.7
"""What a command point is worth, in points; each further one, for there are new ones every round, so much less."""


class Weights(NamedTuple):
    """What counts for how much in a round: points, those to be lost too; of an army, a victory point won or likely."""

    points: float
    won: float
    likely: float


BY_ROUND = (
    Weights(1.0, 0.08, 0.0),
    Weights(1.0, 0.09, 0.02),
    Weights(0.95, 0.11, 0.05),
    Weights(0.5, 0.15, 0.12),
    Weights(0.25, 0.2, 0.21),
)
"""About what the results of 136 battles between scripted players tell, round by round (logistic fits)."""


def appraise(position: Position, side: int) -> float:
    """Higher is better for the side; a battle won is worth more than any position."""
    if position.result is not None:
        winner = position.result.winner
        return 0.0 if winner is None else WON if winner == side else -WON
    weights = BY_ROUND[min(ROUNDS, max(1, int(position.now.get("round", 1)))) - 1]
    left = standing(position, side) - standing(position, 1 - side) + outlook(position, side)
    vp = scores(position)
    points = weights.won * (vp[side] - vp[1 - side]) + weights.likely * to_be_scored(position, side)
    return float(weights.points * left + army_of(position) * points)


def standing(position: Position, side: int) -> float:
    """What is left of a force, on the table or still to come, and its command points."""
    left = sum(points_left(m) for m in position.models if m.side == side and m.where != GONE)
    return float(left + PER_CP * (1.0 - LESS ** position.holds(side, CP)) / (1.0 - LESS))


def army_of(position: Position) -> float:
    """The points that an army was bought for, on the average."""
    return sum(unit.marks(POINTS) for unit in position.units) / 2.0
