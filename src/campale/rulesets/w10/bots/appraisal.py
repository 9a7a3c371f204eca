"""How well a side stands, in the eyes of a bot: points left, victory and command points, markers, harm to come."""

from __future__ import annotations

from campale.mechanics.judgement.appraisals import by_terms
from campale.mechanics.judgement.leads import presence
from campale.referee.position import GONE, Position, Token
from campale.rulesets.w10.basics.characteristics import objective_control
from campale.rulesets.w10.basics.markers import REACH, level, markers
from campale.rulesets.w10.basics.units import POINTS
from campale.rulesets.w10.battle.only_war import ROUNDS, scores
from campale.rulesets.w10.bots.outlook import outlook
from campale.rulesets.w10.bots.prospects import points_left
from campale.rulesets.w10.windows.windows import CP

WON = 5000.0
"""What a battle won is worth: more than any position."""
PER_VP, PER_MARKER, PER_CLAIM = 0.15, 0.04, 0.08
"""What a victory point is worth, a marker held, and the only claim on one, as a share of an army.

They are about what the results of 77 battles between scripted players tell (logistic fits, phase by phase), as are
those of harm to come.
"""
PER_CP, LESS = 6.0, 0.7
"""What a command point is worth, in points; each further one, for there are new ones every round, so much less."""
AWAY = 7.0
"""From how far away forces count for a third of what they count for at a marker."""
LONE = 2.0
"""What a claim that nobody disputes is measured by: the levels of control of a few models."""


def terms(position: Position, side: int) -> dict[str, float]:
    """What the appraisal is the sum of, as it counts now."""
    vp, army = scores(position), army_of(position)
    hope, fear = outlook(position, side)
    return {
        "left": standing(position, side) - standing(position, 1 - side),
        "victory points": PER_VP * army * (vp[side] - vp[1 - side]),
        "markers": army * ahead(position, side),
        "hope": hope,
        "fear": -fear,
    }


appraise = by_terms(terms, WON)


def standing(position: Position, side: int) -> float:
    """What is left of a force, on the table or still to come, and its command points."""
    left = sum(points_left(m) for m in position.models if m.side == side and m.where != GONE)
    return float(left + PER_CP * (1.0 - LESS ** position.holds(side, CP)) / (1.0 - LESS))


def army_of(position: Position) -> float:
    """The points that an army was bought for, on the average."""
    return sum(unit.marks(POINTS) for unit in position.units) / 2.0


def ahead(position: Position, side: int) -> float:
    """Markers held by a side less those of the other, and claims on them, while they may still be scored."""
    if int(position.now.get("turn", 0)) >= 2 * ROUNDS:
        return 0.0
    found = 0.0
    for token in markers(position):
        mine, theirs = level(position, token, side), level(position, token, 1 - side)
        found += PER_MARKER * (float(mine > theirs) - float(theirs > mine)) + PER_CLAIM * claim(position, token, side)
    return found


def claim(position: Position, token: Token, side: int) -> float:
    """From -1 to 1: what a side has more of the levels of control near a marker, as a share of all there."""
    forces = [0.0, 0.0]
    for model in position.on_table():
        far = ((model.x - token.x) ** 2 + (model.y - token.y) ** 2) ** 0.5 - REACH
        if far < 4.0 * AWAY:
            forces[model.side] += objective_control(model) * presence(far, AWAY)
    return (forces[side] - forces[1 - side]) / (forces[0] + forces[1] + LONE)
