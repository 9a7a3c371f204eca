"""Where a unit might go, best first: by the fire possible from there, the mission, cover, its leader."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from campale.mechanics.bases import Floats, Ints
from campale.mechanics.judgement.spots import best_apart, on_the_table, round_about
from campale.referee.position import Position, Unit
from campale.rulesets.e3m.bots.ground import held_by, places_of_mission, presences, worth_of_lead
from campale.rulesets.e3m.bots.leading import places_by_leader, unled_there
from campale.rulesets.e3m.bots.prospects import (
    AHEAD,
    APPROACH,
    FAR,
    FEAR,
    HOPE,
    LATER,
    NOW,
    RUSH,
    View,
    ahead_of_army,
    is_lone_commander,
    melee_value,
    threat,
    threats_from,
    useful_reach,
    value,
    view_of,
    worths_of,
)
from campale.rulesets.e3m.bots.risks import losses_there
from campale.rulesets.e3m.bots.squads import Squad
from campale.rulesets.e3m.bots.timing import reach_of_move
from campale.rulesets.e3m.command.orders import ASSAULT, order_of
from campale.rulesets.e3m.movement.moves import assault_distance, normal_distance
from campale.rulesets.e3m.movement.sight import NONE, area_cover, saves_of, see_points
from campale.table.shapes import Point
from campale.table.sight import pieces_over

SHARES = (1.0, 0.5)
APART = 2.0
MARGIN = 1.5
MANY = 0.3
"""Weight of the harm by enemies other than the most dangerous one."""
SPREAD = 3.0
"""How far in front of their unit's middle the nearest models are, for two units together, in inches."""


class Spots(NamedTuple):
    """Points with the enemies that see each of them, and the cover there."""

    points: list[Point]
    seen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
    saves: Ints


def wanted(unit: Unit) -> Iterator[Point]:
    """Points around a unit that its order lets it reach. Kept until something moves."""
    position, order = unit.position, order_of(unit)
    kept, key = position.layout, ("wanted", unit.row, order, position.now.get("phase"))
    if key not in kept:
        kept[key] = list(find_wanted(unit, order))
    yield from kept[key]


def find_wanted(unit: Unit, order: str) -> Iterator[Point]:
    points, worths = rated(unit, order)
    yield from best_apart(points, worths, APART)


def gain_of_move(unit: Unit) -> float:
    """What the unit gains by moving, compared with staying."""
    worths = rated(unit, order_of(unit))[1]
    return float(worths.max(initial=0.0) - worths[0]) if len(worths) else 0.0


def rated(unit: Unit, order: str) -> tuple[list[Point], Floats]:
    """Points that the unit may go to, its own first, and the worth of each."""
    position, side = unit.position, unit.side
    view = view_of(position, side)
    k, one = next((k, one) for k, one in enumerate(view.squads[side]) if one.unit.row == unit.row)
    enemies = [other for other in view.squads[1 - side] if not other.is_aboard]
    points = points_for(position, one, order, enemies)
    if not enemies or not points:
        return points, np.zeros(len(points))
    spots = spots_at(position, points, enemies)
    ours = view.squads[side]
    acts = order == ASSAULT and not is_assault_move(position)
    worths = worths_there(one, acts, enemies, spots) - unled_there(one, ours, points) - losses_there(one, points)
    worths -= exposed_there(view, side, k, gaps_from(points, enemies))
    for rider in riders_of(one, ours):
        worths += gains_there(rider, False, enemies, spots)
    return points, worths + ground_there(view.squads, side, k, order, points)


def exposed_there(view: View, side: int, k: int, gaps: Floats) -> Floats:
    """The cost, at each point, of a commander who is alone in front of his army."""
    one, nearest = view.squads[side][k], gaps.min(axis=1)
    if not is_lone_commander(one):
        return np.zeros(len(gaps))
    return np.asarray(AHEAD * one.worth * np.maximum(0.0, ahead_of_army(view, side)[k] + nearest[0] - nearest))


def is_assault_move(position: Position) -> bool:
    """Whether units on Assault that have declared nothing make their longer move now."""
    return position.now.get("phase") == "assault"


def points_for(position: Position, one: Squad, order: str, enemies: Sequence[Squad]) -> list[Point]:
    """Its own point, points all around, and points straight towards enemies, the mission's places and the leader."""
    far = assault_distance(one.unit) if is_assault_move(position) else reach_of_move(one, order)
    goals = [other.at for other in enemies] + places_of_mission(one) + places_by_leader(one)
    points = round_about(one.at, [share * far for share in SHARES]) + [step_to(one.at, goal, far) for goal in goals]
    return on_the_table(points, position.ground.width, position.ground.depth, MARGIN)


def step_to(at: Point, goal: Point, far: float) -> Point:
    share = min(1.0, far / max(0.01, math.dist(at, goal)))
    return at[0] + share * (goal[0] - at[0]), at[1] + share * (goal[1] - at[1])


def spots_at(position: Position, points: list[Point], enemies: Sequence[Squad]) -> Spots:
    ground = position.ground
    seen = see_points(position, [other.eye for other in enemies], points)
    saves = np.full(len(points), NONE, np.int64)
    if ground.pieces:
        has = pieces_over(ground, np.array(points, np.float64)) & ground.kept(area_cover)
        saves = np.where(has, ground.kept(saves_of), NONE).min(axis=1)
    return Spots(points, seen, saves)


def riders_of(one: Squad, squads: Sequence[Squad]) -> Iterator[Squad]:
    """The units that ride in a vehicle, as if they stood beside it."""
    for other in squads:
        if other.is_aboard and other.eye.aboard_of == one.eye:
            yield other._replace(is_aboard=False)


def worth_outside(unit: Unit) -> float:
    """The worth, for a unit, of standing where its vehicle is."""
    view = view_of(unit.position, unit.side)
    one = next(one for one in view.squads[unit.side] if one.unit == unit)._replace(is_aboard=False)
    enemies = [other for other in view.squads[1 - unit.side] if not other.is_aboard]
    return float(worths_there(one, True, enemies, spots_at(unit.position, [one.at], enemies))[0]) if enemies else 0.0


def worths_there(one: Squad, acts: bool, enemies: Sequence[Squad], spots: Spots) -> Floats:
    """What the unit may do and suffer at each point. ``acts``: it may still fire and charge in this turn."""
    gaps = gaps_from(spots.points, enemies)
    mine, theirs = worths_of([one]), worths_of(enemies)
    saves = np.broadcast_to(spots.saves[:, None], gaps.shape)
    back = threats_from(threats_of([(other, one) for other in enemies], gaps, saves), spots.seen)
    harm = LATER * np.maximum(value(back.full, *mine), melee_value(back.struck, back.lost, mine, theirs))
    danger = (1.0 - MANY) * harm.max(axis=1) + MANY * harm.sum(axis=1)
    return np.asarray(gains_there(one, acts, enemies, spots) - FEAR * danger)


def gains_there(one: Squad, acts: bool, enemies: Sequence[Squad], spots: Spots) -> Floats:
    """What the unit may do from each point, now and in later turns, less the cost of being far from the enemy."""
    gaps = gaps_from(spots.points, enemies)
    mine, theirs = worths_of([one]), worths_of(enemies)
    in_open = np.full(gaps.shape, NONE, np.int64)
    ours = threats_from(threats_of([(one, other) for other in enemies], gaps, in_open), spots.seen)
    charge = melee_value(ours.struck, ours.lost, theirs, mine)
    ahead = gaps <= normal_distance(one.unit) + assault_distance(one.unit)
    gain = LATER * np.maximum(value(ours.full, *theirs), RUSH * ahead * charge)
    if acts:
        gain += NOW * (value(ours.light, *theirs) + charge * (gaps <= assault_distance(one.unit)))
    fighting = [n for n, other in enumerate(enemies) if not other.is_routed]
    far = np.maximum(0.0, gaps[:, fighting].min(axis=1, initial=FAR) - useful_reach(one))
    return np.asarray(HOPE * gain.max(axis=1) - APPROACH * one.worth * far)


def gaps_from(points: list[Point], enemies: Sequence[Squad]) -> Floats:
    """The approximate gaps between points and the nearest models of enemies: (points, enemies)."""
    away = np.array(points, np.float64)[:, None] - np.array([other.at for other in enemies], np.float64)
    return np.maximum(0.0, np.hypot(away[..., 0], away[..., 1]) - SPREAD)


def threats_of(pairs: Sequence[tuple[Squad, Squad]], gaps: Floats, saves: Ints) -> Floats:
    """The threats of the first to the second of each pair, at each point: (points, pairs, 6)."""
    found = np.empty((*gaps.shape, 6))
    for k, pair in enumerate(pairs):
        for save in np.unique(saves[:, k]).tolist():
            those = saves[:, k] == save
            found[those, k] = threat(*pair, gaps[those, k], save)
    return found


def ground_there(squads: tuple[list[Squad], list[Squad]], side: int, k: int, order: str, points: list[Point]) -> Floats:
    """The worth of the mission with the unit at each point."""
    one = squads[side][k]
    position, mission = one.unit.position, str(one.unit.position.now.get("mission"))
    if mission == "attrition":
        return np.zeros(len(points))
    ours = [presences(other, other.order) for other in squads[side]]
    theirs = held_by([presences(other, other.order) for other in squads[1 - side]], mission)
    worths = []
    for point in points:
        ours[k] = presences(one, order, point)
        worths.append(worth_of_lead(position, held_by(ours, mission) - theirs))
    return np.array(worths)
