"""Where a model is drawn to, in the eyes of a bot: markers, the enemy's zone, an enemy to shoot at or to fight."""

from __future__ import annotations

import math
from collections.abc import Sequence

from campale.mechanics.judgement.leads import presence
from campale.referee.position import Position
from campale.rulesets.wzr.battle.missions import BREAKTHROUGH, NEAR, OBJECTIVE, STRONGPOINTS
from campale.rulesets.wzr.battle.zones import zone_of
from campale.rulesets.wzr.bots.prospects import Fighter, blows, shots
from campale.table.room import Area

A_TURN = 0.08
"""What a turn's way nearer to an enemy whom it may fight is worth, of the points of the model."""
IN_RANGE = 0.05
"""The same of one whom it may only shoot at, as far as it is out of range."""
THROUGH = 34.0
"""What a squad is worth in the enemy's zone in Breakthrough, in points; on the way there in proportion."""
MARKER, AROUND = 14.0, 10.0
"""What presence at a marker is worth, and how far off it counts for a third."""


def pull(position: Position, mission: str, one: Fighter, enemies: Sequence[Fighter]) -> float:
    """How far a model has come where it is drawn to, in points. Higher is better."""
    found = towards_enemies(one, enemies)
    if mission == BREAKTHROUGH:
        zone = zone_of(position, 1 - position.side_of[one.row])
        found += THROUGH * one.share * (1.0 - min(1.0, far_from(one, zone) / position.ground.depth))
    if mission == STRONGPOINTS:
        places = [math.hypot(one.x - t.x, one.y - t.y) for t in position.tokens if t.kind == OBJECTIVE]
        found += MARKER * max((presence(far - NEAR, AROUND) for far in places), default=0.0) * one.worth / 100.0
    return found


def towards_enemies(one: Fighter, enemies: Sequence[Fighter]) -> float:
    """Nearer to whom it may fight; where it does more by fire, as near as its range wants."""
    if not enemies:
        return 0.0
    stride = max(1.0, 2.0 * one.profile.m)
    return max(-worth_of_way(one, enemy) * max(0.0, gap(one, enemy) - wanted(one, enemy)) / stride for enemy in enemies)


def worth_of_way(one: Fighter, enemy: Fighter) -> float:
    return one.worth * one.able * (A_TURN if fights(one, enemy) else IN_RANGE)


def wanted(one: Fighter, enemy: Fighter) -> float:
    """How near it wants to be: a charge away, or within the range of its best shot."""
    if fights(one, enemy):
        return 0.0
    return max((far for far, by in shots(one.profile, enemy.profile) if by[0] > 0.0), default=0.0) * 0.8


def fights(one: Fighter, enemy: Fighter) -> bool:
    """Whether it does more to an enemy in a combat than by fire."""
    return blows(one.profile, enemy.profile) > max((by[0] for _, by in shots(one.profile, enemy.profile)), default=0.0)


def gap(one: Fighter, enemy: Fighter) -> float:
    return math.hypot(one.x - enemy.x, one.y - enemy.y) - one.radius - enemy.radius


def far_from(one: Fighter, zone: Area) -> float:
    x, y = min(max(one.x, zone[0]), zone[2]), min(max(one.y, zone[1]), zone[3])
    return math.hypot(one.x - x, one.y - y)
