"""What draws a model, as a bot sees it: markers, the enemy's zone, an enemy to shoot at or to fight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from campale.mechanics.judgement.leads import presence
from campale.referee.position import Position
from campale.rulesets.wzr.armies.profile import Profile
from campale.rulesets.wzr.battle.missions import (
    BREAKTHROUGH,
    NEAR,
    OBJECTIVE,
    PASSED,
    STRONGPOINTS,
    counts_for,
    is_near,
)
from campale.rulesets.wzr.battle.zones import zone_of
from campale.rulesets.wzr.bots.prospects import Fighter, blows, shots
from campale.rulesets.wzr.bots.stakes import POINT, turns_to_come
from campale.rulesets.wzr.movement.moves import TWICE
from campale.rulesets.wzr.vehicles.driving import MOST_A_TURN
from campale.table.room import Area
from campale.table.shapes import Point

A_TURN = 0.15
"""The worth of one turn's way towards an enemy to fight, as a share of the model's points."""
IN_RANGE = 0.12
"""The same towards an enemy that it can only shoot at, while out of range."""
CLOSER = 0.03
"""The same towards any enemy, in range or not: a model hidden from all enemies does no harm either."""
AHEAD, BESIDE, AT_GRIPS = 0.35, 2.0, 2.0
"""The cost of one turn's way that a lone trooper is ahead of all friends, as a share of his points; the lead in inches
that costs nothing; and the gap to an enemy at which he fights, and is not on his way.
"""
READY = 0.5
"""The share of the remaining turns that the way to the enemy's zone may take, so that there is time to spare."""
ENOUGH = 1.5
"""Factor on a model's share of its squad, because half a squad is enough."""
ON_THE_WAY = 14.0
"""The worth in points of the whole way to the enemy's zone, besides the hope of arriving in time."""
MARKER, AROUND = 16.0, 10.0
"""The worth of presence at a marker, and the distance in inches at which it counts for a third."""


class Marker(NamedTuple):
    """A marker as one model sees it: its place, and the worth of one more model there."""

    at: Point
    worth: float


def pull(
    position: Position,
    one: Fighter,
    enemies: Sequence[Fighter],
    markers: Sequence[Marker] = (),
    army: Sequence[Fighter] = (),
) -> float:
    """How far the model of an army has come to where it is drawn, in points. Higher is better."""
    found = towards_enemies(one, enemies) + ahead_alone(one, army, enemies)
    if position.now.get("mission") == BREAKTHROUGH:
        found += passing(position, one)
    there = (m.worth * presence(math.dist((one.x, one.y), m.at) - NEAR, AROUND) for m in markers)
    return found + max(there, default=0.0)


def markers_for(position: Position, row: int) -> list[Marker]:
    """The markers of Strongpoints, worth most to a model that tips the balance there, less where its side leads."""
    if position.now.get("mission") != STRONGPOINTS:
        return []
    return [Marker((t.x, t.y), wanted_at(position, (t.x, t.y), row)) for t in position.tokens if t.kind == OBJECTIVE]


def wanted_at(position: Position, at: Point, row: int) -> float:
    """The worth of one more model at a marker, given those already there."""
    lead = 0
    for model in position.on_table():
        if model.row != row and is_near(model, at):
            lead += counts_for(model) * (1 if model.side == position.side_of[row] else -1)
    return MARKER if lead <= 0 else MARKER / (1.0 + lead)


def towards_enemies(one: Fighter, enemies: Sequence[Fighter]) -> float:
    """Minus the cost, in points, of the way still to go: to an enemy to fight or, if fire does more, into range."""
    if not enemies:
        return 0.0
    worth = one.profile.points * one.able
    kinds = {id(enemy.profile): enemy.profile for enemy in enemies}
    leans = {kind: lean(one.profile, profile) for kind, profile in kinds.items()}
    gaps = [
        max(0.0, (far := gap(one, enemy)) - wanted) * share + CLOSER * far
        for enemy in enemies
        for share, wanted in (leans[id(enemy.profile)],)
    ]
    return -worth * min(gaps) / a_turns_way(one)


def ahead_alone(one: Fighter, army: Sequence[Fighter], enemies: Sequence[Fighter]) -> float:
    """Minus the cost, in points, of walking ahead of the army: to a squad of a single trooper, such as a leader."""
    if one.share < 1.0 or one.profile.is_vehicle or not enemies:
        return 0.0
    friends = [other for other in army if other.row != one.row]
    if not friends:
        return 0.0
    nearest = min(enemies, key=lambda enemy: gap(one, enemy))
    far = gap(one, nearest)
    lead = min(gap(friend, nearest) for friend in friends) - far - BESIDE
    if far < AT_GRIPS or lead <= 0.0:
        return 0.0
    return -one.profile.points * one.able * AHEAD * lead / a_turns_way(one)


@lru_cache(maxsize=8192)
def lean(one: Profile, enemy: Profile) -> tuple[float, float]:
    """The worth of one turn's way nearer, and the distance near enough: contact, or the range of its shots."""
    shot = shots(one, enemy)
    if blows(one, enemy) > max((by[0] for _, by in shot), default=0.0):
        return A_TURN, 0.0
    return IN_RANGE, max((far for far, by in shot if by[0] > 0.0), default=0.0) * 0.8


def gap(one: Fighter, enemy: Fighter) -> float:
    return math.hypot(one.x - enemy.x, one.y - enemy.y) - one.radius - enemy.radius


# ---------------------------------------------------------------- missions/breakthrough


def passing(position: Position, one: Fighter) -> float:
    """The worth of the model's place in Breakthrough: its part of the squad's score, if it arrives in time."""
    zone, depth = zone_of(position, 1 - position.side_of[one.row]), position.ground.depth
    x, y = nearest_within(one, zone)
    far = math.hypot(one.x - x, one.y - y)
    late = max(0.0, far / a_turns_way(one) - READY * turns_to_come(position))
    hope = POINT[BREAKTHROUGH] * PASSED * math.exp(-late)
    return min(1.0, ENOUGH * one.share) * (hope + ON_THE_WAY * (1.0 - min(1.0, far / depth)))


def a_turns_way(one: Fighter) -> float:
    """How far the model goes in a turn over open ground, in inches."""
    times = MOST_A_TURN if one.profile.is_vehicle else TWICE
    return max(1.0, times * float(one.profile.m))


def nearest_within(one: Fighter, zone: Area) -> Point:
    """The nearest point where the model's base is wholly within the zone."""
    wide = one.radius
    return min(max(one.x, zone[0] + wide), zone[2] - wide), min(max(one.y, zone[1] + wide), zone[3] - wide)


def goals(position: Position, one: Fighter) -> list[Point]:
    """The places that matter for the mission."""
    mission = position.now.get("mission")
    if mission == BREAKTHROUGH:
        return [nearest_within(one, zone_of(position, 1 - position.side_of[one.row]))]
    return [(t.x, t.y) for t in position.tokens if mission == STRONGPOINTS and t.kind == OBJECTIVE]
