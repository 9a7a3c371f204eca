"""How well a side stands, in the eyes of a bot: the worth of what is left, the mission, what may come of it."""

from __future__ import annotations

from campale.referee.position import Model, Position
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import OBJECTIVE, counts_for
from campale.rulesets.wzr.battle.missions import score as mission_score
from campale.table.measure import gap_to_point

WON = 5000.0
NEAR_ENEMY, NEAR_MARKER, POINT = 0.05, 0.5, 5.0


def appraise(position: Position, side: int) -> float:
    """Higher is better for the side; a battle won is worth more than any position."""
    if position.result is not None:
        winner = position.result.winner
        return 0.0 if winner is None else WON if winner == side else -WON
    found = sum(worth(m) * (1 if m.side == side else -1) for m in position.on_table())
    if int(position.now.get("turn", 0)) >= 1:
        found += POINT * (mission_score(position)[side] - mission_score(position)[1 - side])
        found += sum(placed(m) * (1 if m.side == side else -1) for m in position.on_table())
    return found


def worth(model: Model) -> float:
    """Its points, as far as it has its wounds and its wits."""
    points = model.profile.points
    lost = model.marks(marks.WOUNDS) / max(1, model.profile.w)
    idle = 0.2 if model.marks(marks.PINNED) or model.marks(marks.STUN) or model.unit.marks(marks.ROUTED) else 0.0
    return float(points * (1.0 - 0.5 * lost) * (1.0 - idle))


def placed(model: Model) -> float:
    """Nearer to the markers, and to the enemy, is better."""
    tokens = [t for t in model.position.tokens if t.kind == OBJECTIVE]
    if tokens and counts_for(model):
        return -NEAR_MARKER * min(gap_to_point(model.solid, t.x, t.y) for t in tokens)
    enemies = model.position.on_table(1 - model.side)
    return -NEAR_ENEMY * min((gap_to_point(model.solid, *m.at) for m in enemies), default=0.0)
