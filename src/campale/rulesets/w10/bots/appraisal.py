"""How well a side stands, in the eyes of a bot: points left, victory and command points, markers held or near."""

from __future__ import annotations

from campale.referee.position import GONE, Model, Position, Token
from campale.rulesets.w10.basics.markers import REACH, level, markers
from campale.rulesets.w10.basics.units import POINTS, START, wounds_left
from campale.rulesets.w10.battle.only_war import ROUNDS, scores
from campale.rulesets.w10.windows.windows import CP

WON = 5000.0
PER_VP = 40.0
PER_MARKER = 25.0
PER_CP = 12.0
"""What a command point is worth, in points."""
NEAR, FAR = 10.0, 24.0
"""What it is worth at the most to have a model near to a marker, and from how far that begins."""


def appraise(position: Position, side: int) -> float:
    """Higher is better for the side; a battle won is worth more than any position."""
    if position.result is not None:
        winner = position.result.winner
        return 0.0 if winner is None else WON if winner == side else -WON
    mine, theirs = (standing(position, one) for one in (side, 1 - side))
    vp = scores(position)
    return float(mine - theirs + PER_VP * (vp[side] - vp[1 - side]) + ahead(position, side))


def standing(position: Position, side: int) -> float:
    """What is left of a force, on the table or still to come, and its command points."""
    left = sum(worth(m) for m in position.models if m.side == side and m.where != GONE)
    return left + PER_CP * position.holds(side, CP)


def worth(model: Model) -> float:
    """Its share of the points of its unit, less for every wound lost."""
    unit = model.bought_with
    share = unit.marks(POINTS) / max(1, unit.marks(START))
    return float(share * (0.5 + 0.5 * wounds_left(model) / model.profile.w))


def ahead(position: Position, side: int) -> float:
    """Markers held by a side less those of the other, and nearness to them, while rounds are left to score them."""
    left = ROUNDS - int(position.now.get("round", 0))
    found = 0.0
    for token in markers(position):
        mine, theirs = level(position, token, side), level(position, token, 1 - side)
        found += PER_MARKER * (float(mine > theirs) - float(theirs > mine))
        found += NEAR * (nearness(position, token, side) - nearness(position, token, 1 - side))
    return float(found * max(0, left) ** 0.5)


def nearness(position: Position, token: Token, side: int) -> float:
    """From 0 to 1: how near to a marker the nearest model of a side is."""
    gaps = [((m.x - token.x) ** 2 + (m.y - token.y) ** 2) ** 0.5 - REACH for m in position.on_table(side)]
    return max(0.0, 1.0 - max(0.0, min(gaps, default=FAR)) / FAR)
