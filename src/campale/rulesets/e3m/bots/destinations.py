"""Where a unit might go, the best first: by what it may fire at from there, the mission, cover, its leader."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from campale.mechanics.bases import Floats, Ints
from campale.mechanics.judgement.spots import best_apart, on_the_table, round_about
from campale.referee.position import Model, Position, Unit
from campale.rulesets.e3m.bots.appraisal import UNLED
from campale.rulesets.e3m.bots.ground import held_by, presences, worth_of_lead
from campale.rulesets.e3m.bots.prospects import (
    APPROACH,
    FAR,
    FEAR,
    HOPE,
    LATER,
    NOW,
    melee_value,
    threat,
    threats_from,
    useful_reach,
    value,
    view_of,
    worths_of,
)
from campale.rulesets.e3m.bots.squads import Squad
from campale.rulesets.e3m.bots.timing import reach_of_move, still_to_go
from campale.rulesets.e3m.command.groups import command_radius, leader_of
from campale.rulesets.e3m.command.orders import ASSAULT, order_of
from campale.rulesets.e3m.command.units import GROUP, members
from campale.rulesets.e3m.movement.moves import assault_distance
from campale.rulesets.e3m.movement.sight import NONE, area_cover, saves_of, see_points
from campale.table.shapes import Point
from campale.table.sight import pieces_over

SHARES = (1.0, 0.5)
APART = 2.0
MARGIN = 1.5
MANY = 0.3
"""What the fire of others than the most dangerous counts for."""
SPREAD = 3.0
"""How far the nearest models are in front of the middles of two units."""


class Spots(NamedTuple):
    """Points with what they are like: who of the enemy sees them, and the cover there."""

    points: list[Point]
    seen: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
    saves: Ints


def wanted(unit: Unit) -> Iterator[Point]:
    """Points about a unit, within what its order lets it go. Kept until something moves."""
    position, order = unit.position, order_of(unit)
    kept, key = position.layout, ("wanted", unit.row, order, position.now.get("phase"))
    if key not in kept:
        kept[key] = list(find_wanted(unit, order))
    yield from kept[key]


def find_wanted(unit: Unit, order: str) -> Iterator[Point]:
    position, side = unit.position, unit.side
    view = view_of(position, side)
    k, one = next((k, one) for k, one in enumerate(view.squads[side]) if one.unit.row == unit.row)
    enemies = [other for other in view.squads[1 - side] if not other.is_aboard]
    points = points_for(position, one, order, enemies)
    if not enemies or not points:
        yield from points
        return
    spots = spots_at(position, points, enemies)
    ours = view.squads[side]
    worths = worths_there(one, order, enemies, spots) - np.array([unled_there(unit, ours, at) for at in points])
    yield from best_apart(points, worths + ground_there(view.squads, side, k, order, points), APART)


def points_for(position: Position, one: Squad, order: str, enemies: Sequence[Squad]) -> list[Point]:
    """All round, and straight at the enemies and at the middle of the table."""
    far = reach_of_move(one, order)
    goals = [other.at for other in enemies] + [(position.ground.width / 2.0, position.ground.depth / 2.0)]
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


def worths_there(one: Squad, order: str, enemies: Sequence[Squad], spots: Spots) -> Floats:
    """What the unit may do from each point, and what may be done to it there."""
    gaps = gaps_from(spots.points, enemies)
    mine, theirs = worths_of([one]), worths_of(enemies)
    saves = np.broadcast_to(spots.saves[:, None], gaps.shape)
    ours = threats_from(threats_of([(one, other) for other in enemies], gaps, np.full_like(saves, NONE)), spots.seen)
    back = threats_from(threats_of([(other, one) for other in enemies], gaps, saves), spots.seen)
    fire = LATER * value(ours.full, *theirs)
    if order == ASSAULT:
        charge = melee_value(ours.struck, ours.lost, theirs, mine) * (gaps <= assault_distance(one.unit))
        fire += NOW * (value(ours.light, *theirs) + charge)
    harm = LATER * np.maximum(value(back.full, *mine), melee_value(back.struck, back.lost, mine, theirs))
    danger = (1.0 - MANY) * harm.max(axis=1) + MANY * harm.sum(axis=1)
    fighting = [n for n, other in enumerate(enemies) if not other.is_routed]
    far = np.maximum(0.0, gaps[:, fighting].min(axis=1, initial=FAR) - useful_reach(one))
    return np.asarray(HOPE * fire.max(axis=1) - FEAR * danger - APPROACH * one.worth * far)


def gaps_from(points: list[Point], enemies: Sequence[Squad]) -> Floats:
    """How far the nearest models of enemies are from points, about: (points, enemies)."""
    away = np.array(points, np.float64)[:, None] - np.array([other.at for other in enemies], np.float64)
    return np.maximum(0.0, np.hypot(away[..., 0], away[..., 1]) - SPREAD)


def threats_of(pairs: Sequence[tuple[Squad, Squad]], gaps: Floats, saves: Ints) -> Floats:
    """Of the first to the second of each pair, at each point: (points, pairs, 5)."""
    rows = zip(gaps.tolist(), saves.tolist(), strict=True)
    found = [threat(*pair, gap, save) for row in rows for pair, gap, save in zip(pairs, *row, strict=True)]
    return np.array(found, np.float64).reshape(len(gaps), len(pairs), 5)


def ground_there(squads: tuple[list[Squad], list[Squad]], side: int, k: int, order: str, points: list[Point]) -> Floats:
    """What the mission is worth with the unit at each of some points."""
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


def unled_there(unit: Unit, squads: Sequence[Squad], point: Point) -> float:
    """What it costs to be too far from the leader of the group; for the leader himself, from those whom he leads."""
    position, group = unit.position, unit.marks(GROUP)
    leader = leader_of(position, group) if group else None
    if leader is None:
        return 0.0
    radius = command_radius(leader) + SPREAD - 1.0
    if leader.unit.row != unit.row:
        return UNLED * worth_of(unit) * float(math.dist(point, place_of(leader)) > radius)
    led = [one for one in squads if one.unit.marks(GROUP) == group and one.unit.row != unit.row]
    return UNLED * sum(one.worth for one in led if math.dist(point, one.at) - still_to_go(one, one.order) > radius)


def place_of(leader: Model) -> Point:
    carrier = leader.aboard_of
    return (leader if carrier is None else carrier).at


def worth_of(unit: Unit) -> float:
    return float(sum(m.profile.points for m in members(unit)))
