"""How well a side stands, in the eyes of a bot: points left on the table, victory points, markers held."""

from __future__ import annotations

from campale.referee.position import Model, Position
from campale.rulesets.w10.basics.markers import level, markers
from campale.rulesets.w10.basics.units import POINTS, START, wounds_left
from campale.rulesets.w10.battle.only_war import ROUNDS, scores

WON = 5000.0
PER_VP = 40.0
PER_MARKER = 25.0


def appraise(position: Position, side: int) -> float:
    """Higher is better for the side; a battle won is worth more than any position."""
    if position.result is not None:
        winner = position.result.winner
        return 0.0 if winner is None else WON if winner == side else -WON
    mine, theirs = (sum(worth(m) for m in position.on_table(one)) for one in (side, 1 - side))
    vp = scores(position)
    return float(mine - theirs + PER_VP * (vp[side] - vp[1 - side]) + PER_MARKER * ahead(position, side))


def worth(model: Model) -> float:
    """Its share of the points of its unit, less for every wound lost."""
    unit = model.bought_with
    share = unit.marks(POINTS) / max(1, unit.marks(START))
    return float(share * (0.5 + 0.5 * wounds_left(model) / model.profile.w))


def ahead(position: Position, side: int) -> float:
    """Markers held by a side less those of the other, while rounds are left to score them."""
    left = ROUNDS - int(position.now.get("round", 0))
    held = 0.0
    for token in markers(position):
        mine, theirs = level(position, token, side), level(position, token, 1 - side)
        held += float(mine > theirs) - float(theirs > mine)
    return float(held * max(0, left) ** 0.5)
