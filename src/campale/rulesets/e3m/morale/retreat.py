"""Retreat: the way to the own zone, where it stops, and leaving the table."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from campale.mechanics.bases import Floats
from campale.mechanics.moves.unit_moves import path_of
from campale.mechanics.units import riders_of
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.battle.zones import edge_y, nearest_in_zone, touches_own_edge, zone_of
from campale.rulesets.e3m.command.units import is_aboard, members, unit_leader
from campale.rulesets.e3m.fire.wounds import TRAPPED, lose_model
from campale.rulesets.e3m.movement.ground import broken
from campale.rulesets.e3m.movement.moves import at_the_end
from campale.rulesets.e3m.movement.routes import begin_route
from campale.rulesets.e3m.movement.sight import clear_lines, sights
from campale.rulesets.e3m.vehicles import driving
from campale.rulesets.e3m.vehicles.stops import first_run_into, turned
from campale.table import fields, planner
from campale.table.formations import put_down, spots
from campale.table.measure import bounding_radius, extent, gap
from campale.table.outlines import box, contains
from campale.table.paths import Path, at_each, plan_length, upto
from campale.table.shapes import Circle, Point, Shape, Solid, facing_towards, rounded
from campale.table.sweeps import first_near
from campale.table.terrain import Piece
from campale.table.turning import Field, hull_route

STEP = 0.5
SPOTS, TRIED, NEAR = 300, 12, 900
"""Places examined inside a piece, how many of them a leader tries to reach, and places near a wanted one."""
BESIDE = 0.01
"""How far from the table edge a base stops that touches it."""
LEFT = "left-table"
CLEAR = 1.002
"""The inches kept from the enemy: just more than 1."""


@rule("orders/retreat-move", "orders/retreat-stop", "orders/retreat-terrain", "orders/retreat-leaves-table")
async def retreat(position: Position, row: int) -> None:
    """Make the retreat move, which the rules settle completely. The other side may fire on the way."""
    unit = Unit(position, row)
    models = members(unit)
    if not models or is_aboard(unit):
        return
    if is_step_4(position) and touches_own_edge(models) and is_seen(unit):
        leave(unit, LEFT)
        return
    if not is_seen(unit):
        return
    leader = unit_leader(unit)
    assert leader is not None
    path = next(filter(None, (way_back(leader, goal) for goal in nearest_in_zone(leader))), None)
    if path is None:
        leave(unit, TRAPPED)
        return
    stop = first_unseen(unit, leader, path)
    if stop is not None:
        go(unit, leader, path, stop)
    elif not hide(unit, leader):
        path = at_the_edge(leader) or path
        go(unit, leader, path, plan_length(path))


def is_step_4(position: Position) -> bool:
    return position.now.get("phase") == "movement"


@rule("orders/retreat-leaves-table", "orders/retreat-terrain")
def leave(unit: Unit, cause: str) -> None:
    """Remove the unit from the table, with the troops aboard, and count them as lost."""
    for model in [one for m in members(unit) for one in (m, *riders_of(m))]:
        lose_model(model, cause)


def is_seen(unit: Unit) -> bool:
    """Whether any enemy model has a line to any model of the unit."""
    position = unit.position
    models = [m for m in members(unit) if m.is_on_table]
    enemies = position.on_table(1 - unit.side)
    return bool(models and enemies) and bool(sights(position, enemies, models).any())


@rule("orders/retreat-stop", "orders/retreat-terrain")
def way_back(leader: Model, goal: Point) -> Path | None:
    """The shortest legal route found, around impassable ground and more than 1 inch from enemies, or None."""
    if goal == leader.at:
        return Path((leader.at,), leader.facing)
    if isinstance(leader.profile.shape, Circle):
        found = planner.route(at_the_end(leader).field.plans, leader.at, goal, None)
        return None if found is None else path_of(leader, [(p[0], p[1]) for p in found.points[1:]])
    return hull_way(leader, goal)


@rule("orders/retreat-terrain", "base-vehicle/melee-no-result")
def hull_way(leader: Model, goal: Point) -> Path | None:
    """The same for a hull. Enemies so near that it cannot turn do not hold it, if its way leads off from them.

    Hemmed in closer still, it goes without turning.
    """
    barred, shape = driving.at_the_end(leader), leader.profile.shape
    discs = [(one.x, one.y, bounding_radius(one.shape)) for one in barred.field.others]
    turning = bounding_radius(shape) + CLEAR
    near = [math.dist(leader.at, one[:2]) < turning + one[2] for one in discs]
    apart = [one for one, is_near in zip(discs, near, strict=True) if not is_near]
    ground, pieces = leader.position.ground, tuple(barred.field.barred)
    every, others = (Field(ground, as_rows(some), CLEAR, pieces) for some in (discs, apart))
    path = hull_route(every, shape, leader.at, leader.facing, goal)
    if path is None and any(near):
        path = hull_route(others, shape, leader.at, leader.facing, goal)
        solids = [one for one, is_near in zip(barred.field.others, near, strict=True) if is_near]
        if path is None or leads_over(path, shape, solids) or first_near(turned(path), shape, every.discs, CLEAR):
            path = hull_route(every, shape, leader.at, leader.facing, goal, sideways=True)
    return path


def leads_over(path: Path, shape: Shape, near: Sequence[Solid]) -> bool:
    """Whether a way leads over bases that are near at its start."""
    return first_run_into(path, shape, near, math.inf) is not None


def as_rows(discs: Sequence[tuple[float, float, float]]) -> Floats:
    return np.array(discs, np.float64).reshape(-1, 3)


@rule("orders/retreat-stop", "base-general/line-of-sight")
def first_unseen(unit: Unit, leader: Model, path: Path) -> float | None:
    """The first length, in half-inch steps, where no enemy sees any of the models, or None."""
    position, whole = unit.position, plan_length(path)
    models = [m for m in members(unit) if m.is_on_table]
    enemies = position.on_table(1 - unit.side)
    lengths = [STEP * k for k in range(1, int(whole / STEP) + 1)]
    if not lengths or whole - lengths[-1] > 1e-6:
        lengths.append(whole)
    shifts = [(s.x - leader.x, s.y - leader.y) for s in at_each(path, lengths)]
    places = np.array([[(m.x + dx, m.y + dy) for m in models] for dx, dy in shifts], np.float64)
    starts = np.array([m.at for m in enemies], np.float64)
    eyes = np.repeat(starts, len(models), axis=0)
    spared = np.array([(enemy.row, model.row) for enemy in enemies for model in models], np.int64).reshape(-1, 2).T
    for length, there in zip(lengths, places, strict=True):
        ends = np.tile(there, (len(starts), 1))
        if not clear_lines(position, eyes, ends, spared).any():
            return length
    return None


# ---------------------------------------------------------------- if no point is hidden


@rule("orders/retreat-stop", "vehicles/wheeled-obstacles")
def hide(unit: Unit, leader: Model) -> bool:
    """Move into the reachable broken piece nearest to the zone, with as many models inside as possible."""
    pieces = leader.position.ground.kept(broken).pieces
    for piece in sorted(pieces, key=lambda one: (from_zone(leader, one), math.dist(leader.at, middle(one)))):
        inside = spots_inside(leader, piece)
        path = next(filter(None, (way_back(leader, spot) for spot in inside[:TRIED])), None)
        if path is not None:
            go(unit, leader, path, plan_length(path), inside)
            return True
    return False


def middle(piece: Piece) -> Point:
    west, south, east, north = box(piece.outline)
    return (west + east) / 2.0, (south + north) / 2.0


@rule("orders/retreat-stop")
def from_zone(leader: Model, piece: Piece) -> float:
    """How far a piece is from its side's deployment zone, 0 if it reaches into it."""
    _, low, _, high = zone_of(leader.position, leader.side)
    _, south, _, north = box(piece.outline)
    return max(0.0, south - high, low - north)


def spots_inside(model: Model, piece: Piece) -> list[Point]:
    """Free places for a base with its centre in a piece, from its middle outwards."""
    found = spots(middle(piece), 2.0 * bounding_radius(model.profile.shape) + 0.02, SPOTS)
    return [at for at in map(rounded_to, found) if contains(piece.outline, *at) and is_free_at(model, at)]


def is_free_at(model: Model, at: Point) -> bool:
    """Whether a base may stand there; a hull as it arrives in a straight line."""
    if isinstance(model.profile.shape, Circle):
        return fields.is_free(at_the_end(model).field, *at)
    there = facing_along(model, at)
    return fields.is_free(driving.at_the_end(model).field, there.x, there.y, there.facing)


def rounded_to(at: Point) -> Point:
    return rounded(at[0]), rounded(at[1])


@rule("orders/retreat-stop")
def at_the_edge(leader: Model) -> Path | None:
    """A way to a place in the zone that touches the table edge; a hull touches it with its nose if it can."""
    edge, shape = edge_y(leader.position, leader.side), leader.profile.shape
    nose = extent(Solid(shape, 0.0, 0.0, 0.0, 0.0))[3]
    off = [size + BESIDE for size in dict.fromkeys((nose, bounding_radius(shape)))]
    goals = [(leader.x, rounded(one if edge == 0.0 else edge - one)) for one in off]
    return next(filter(None, (way_back(leader, goal) for goal in goals)), None)


# ---------------------------------------------------------------- the way


@rule("orders/retreat-move", "fire/opportunity-infantry-path")
def go(unit: Unit, leader: Model, path: Path, length: float, inside: Sequence[Point] = ()) -> None:
    """The leader goes along his way, the others to places beside him as before, as near as possible.

    ``inside``: places that they take instead, as many as there are, nearest to his first.
    """
    cut = upto(path, length)
    end = cut.points[-1]
    dx, dy = end[0] - leader.x, end[1] - leader.y
    models = sorted((m for m in members(unit) if m.is_on_table), key=lambda m: m.row != leader.row)
    wanted = [clamped(m, m.x + dx, m.y + dy) for m in models]
    if inside:
        places = [*sorted(inside, key=lambda at: math.dist(at, end[:2])), *[end[:2]] * len(models)]
        wanted = places[: len(models)]
    paths = {}
    for model, place in zip(models, places_near(models, wanted), strict=True):
        points = [(p[0], p[1]) for p in cut.points[1:-1]] if model.row == leader.row else []
        paths[model.row] = path_of(model, [*points, place])
    begin_route(unit, "retreat", "retreat", paths)


def places_near(models: Sequence[Model], wanted: Sequence[Point]) -> list[Point]:
    """The wanted places, each moved to the nearest free spot.

    Without enough room, models on round bases all stay where they are; a hull without room takes its wanted place.
    """
    if all(isinstance(m.profile.shape, Circle) for m in models):
        return list(put_down([at_the_end(m).field.plans for m in models], wanted, NEAR) or (m.at for m in models))
    placed: list[Solid] = []
    for model, place in zip(models, wanted, strict=True):
        field = driving.at_the_end(model).field
        tried = (facing_along(model, at) for at in map(rounded_to, spots(place, STEP, NEAR)))
        free = (one for one in tried if fields.is_free(field, one.x, one.y, one.facing))
        clear = (one for one in free if all(gap(one, other) > 0.0 for other in placed))
        placed.append(next(clear, facing_along(model, place)))
    return [(one.x, one.y) for one in placed]


def facing_along(model: Model, at: Point) -> Solid:
    """A hull at a place that it has reached in a straight line."""
    facing = model.facing if at == model.at else facing_towards(model.at, at)
    return replace(model.solid, x=at[0], y=at[1], facing=facing)


def clamped(model: Model, x: float, y: float) -> Point:
    """The place, moved onto the table as far as the base sticks out; a hull arrives in a straight line."""
    ground = model.position.ground
    west, south, east, north = extent(facing_along(model, (x, y)))
    x = min(max(x, x - west + BESIDE), ground.width - (east - x) - BESIDE)
    y = min(max(y, y - south + BESIDE), ground.depth - (north - y) - BESIDE)
    return rounded(x), rounded(y)
