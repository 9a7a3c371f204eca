"""How well a side stands, for a bot: what is left of the forces, the mission, and the harm to come."""

from __future__ import annotations

import math

from campale.mechanics.judgement.appraisals import by_terms
from campale.mechanics.judgement.leads import presence
from campale.referee.position import RESERVE, Model, Position
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.missions import (
    BREAKTHROUGH,
    NEAR,
    OBJECTIVE,
    STRONGPOINTS,
    counts_for,
    warlord_is_gone,
)
from campale.rulesets.wzr.battle.missions import score as mission_score
from campale.rulesets.wzr.bots.prospects import Fighter, fighters, harm, threats
from campale.rulesets.wzr.bots.pulls import ahead_alone, passing, towards_enemies
from campale.rulesets.wzr.bots.stakes import POINT, may_do_more, of_harm

WON = 5000.0
"""The worth of a won battle, more than any position."""
HOPE, FEAR = 0.3, 0.3
"""Weight of the harm that one side may do, and of the harm that the other may do."""
WARLORD = 40.0
IN_RESERVE = 0.9
IDLE, FLEEING = 0.85, 0.7
"""Factors on the worth of a Pinned or stunned model, and of a Routed one."""
DRAWN, RUN = 14.0, 10.0
"""The worth of presence at a marker, and the distance in inches at which it counts for a third."""


def terms(position: Position, side: int) -> dict[str, float]:
    """The terms whose sum is the appraisal, with their present weights."""
    counts = of_harm(position)
    found = {"left": counts * (standing(position, side) - standing(position, 1 - side))}
    if int(position.now.get("turn", 0)) < 1:
        return found
    score, mission = mission_score(position), str(position.now.get("mission"))
    found["mission"] = POINT.get(mission, 0.0) * (score[side] - score[1 - side])
    both = fighters(position)
    ours, theirs = both[side], both[1 - side]
    forth, back = threats(position, ours, theirs)
    if may_do_more(position, side):
        found["hope"] = HOPE * counts * harm(ours, theirs, forth)
    if may_do_more(position, 1 - side):
        found["fear"] = -FEAR * counts * harm(theirs, ours, back)
    found["drawn"] = drawn(position, mission, side, both) - drawn(position, mission, 1 - side, both)
    return found


appraise = by_terms(terms, WON)


def standing(position: Position, side: int) -> float:
    """The worth of a force on the table or still to come."""
    found = sum(worth(m) for m in position.on_table(side))
    found += sum(IN_RESERVE * m.profile.points for m in position.models if m.side == side and m.where == RESERVE)
    return float(found - (WARLORD if warlord_is_gone(position, side) else 0.0))


def worth(model: Model) -> float:
    """The model's points, reduced by lost wounds or PS and by being Routed, Pinned or stunned."""
    profile = model.profile
    lost = model.marks(marks.WOUNDS) / max(1, profile.w)
    if profile.is_vehicle:
        full = sum(one.ps for one in profile.vehicle.locations)
        lost = sum(model.marks(f"ps-lost-{one.name}") for one in profile.vehicle.locations) / full
    able = FLEEING if model.unit.marks(marks.ROUTED) else 1.0
    able *= IDLE if model.marks(marks.PINNED) or model.marks(marks.STUN) else 1.0
    return float(profile.points * (1.0 - 0.5 * lost) * able)


# ---------------------------------------------------------------- what draws a side


def drawn(position: Position, mission: str, side: int, both: tuple[list[Fighter], list[Fighter]]) -> float:
    """Markers held or near, the way to the enemy's zone, the way to enemies to fight or shoot."""
    ours, enemies = both[side], both[1 - side]
    found = sum(towards_enemies(one, enemies) + ahead_alone(one, ours, enemies) for one in ours)
    if mission == STRONGPOINTS:
        return found + sum(at_marker(position, (t.x, t.y), side) for t in position.tokens if t.kind == OBJECTIVE)
    if mission == BREAKTHROUGH:
        found += sum(passing(position, one) for one in ours)
    return found


def at_marker(position: Position, at: tuple[float, float], side: int) -> float:
    """How strong a side is at a marker, in points. Each further model there adds less."""
    weights = [counts_for(m) * presence(math.dist(m.at, at) - NEAR, RUN) for m in position.on_table(side)]
    return DRAWN * math.sqrt(sum(weights))
