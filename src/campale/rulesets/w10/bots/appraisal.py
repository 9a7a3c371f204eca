"""How a bot judges the standing of a side: points left, victory and command points, markers, expected harm."""

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
"""The value of a battle won, above any position."""
PER_VP, PER_MARKER, PER_CLAIM = 0.15, 0.04, 0.08
"""The value of a victory point, a held marker, and an uncontested claim on one, as shares of an army.

They roughly follow logistic fits, phase by phase, to the results of 77 battles between scripted players; so do the
weights of expected harm.
"""
PER_CP, LESS = 6.0, 0.7
"""The value of a command point in points; each further one counts less by this factor, as every round brings more."""
AWAY = 7.0
"""The distance in inches from a marker at which forces count a third of their weight at the marker."""
LONE = 2.0
"""The scale for a claim that no enemy disputes: the levels of control of a few models."""


def terms(position: Position, side: int) -> dict[str, float]:
    """The terms of the appraisal, as they stand now; their sum is the appraisal."""
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
    """The points left in a force, on the table or still to arrive, plus the value of its command points."""
    left = sum(points_left(m) for m in position.models if m.side == side and m.where != GONE)
    return float(left + PER_CP * (1.0 - LESS ** position.holds(side, CP)) / (1.0 - LESS))


def army_of(position: Position) -> float:
    """The average purchase value of the two armies, in points."""
    return sum(unit.marks(POINTS) for unit in position.units) / 2.0


def ahead(position: Position, side: int) -> float:
    """The balance of held markers and of claims on them, for as long as they can still score."""
    if int(position.now.get("turn", 0)) >= 2 * ROUNDS:
        return 0.0
    found = 0.0
    for token in markers(position):
        mine, theirs = level(position, token, side), level(position, token, 1 - side)
        found += PER_MARKER * (float(mine > theirs) - float(theirs > mine)) + PER_CLAIM * claim(position, token, side)
    return found


def claim(position: Position, token: Token, side: int) -> float:
    """A side's advantage in levels of control near a marker, as a share of the total there, from -1 to 1."""
    forces = [0.0, 0.0]
    for model in position.on_table():
        far = ((model.x - token.x) ** 2 + (model.y - token.y) ** 2) ** 0.5 - REACH
        if far < 4.0 * AWAY:
            forces[model.side] += objective_control(model) * presence(far, AWAY)
    return (forces[side] - forces[1 - side]) / (forces[0] + forces[1] + LONE)
