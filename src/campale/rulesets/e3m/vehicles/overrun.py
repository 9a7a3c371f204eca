"""Overrun: a vehicle drives into troops in the open (vehicles/overrun)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from campale.mechanics.frames import DOING, push, stack
from campale.mechanics.moves.asking import suggested
from campale.mechanics.moves.move_paths import shown
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, refusal_of
from campale.referee.ask import ask, choose
from campale.referee.position import Model, Position, Unit
from campale.referee.question import MoveUnit
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.e3m.assault.result import TURNS, stand
from campale.rulesets.e3m.battle.scenery import BROKEN, LINEAR
from campale.rulesets.e3m.command.halt import end_move
from campale.rulesets.e3m.command.orders import is_routed
from campale.rulesets.e3m.command.units import LEFT, OVERRAN_AT, members, note_gone, units_of
from campale.rulesets.e3m.fire.declaring import can_fire
from campale.rulesets.e3m.fire.kinds import AT_OVERRUN, OVERRUN_WITH, OVERRUNNING, SPENT, can_fire_close
from campale.rulesets.e3m.fire.volley import fire
from campale.rulesets.e3m.fire.wounds import lose_model
from campale.rulesets.e3m.morale.morale import passes, shows_retreat
from campale.rulesets.e3m.morale.retreat import clamped
from campale.rulesets.e3m.movement.moves import OVER, ROUGH, at_the_end, goals_for, movement_of
from campale.rulesets.e3m.movement.routes import (
    Route,
    as_path,
    begin_route,
    leading_path,
    packed,
    rest_of,
    share_of,
    ways,
)
from campale.rulesets.e3m.movement.sight import BEHIND, is_in_cover
from campale.rulesets.e3m.vehicles import driving
from campale.rulesets.e3m.vehicles.stops import OVERRUN, contact_with, flies, may_be_overrun
from campale.table import fields
from campale.table.measure import bounding_radius, gap, gap_to_outline
from campale.table.paths import Path, fraction, plan_length, upto
from campale.table.shapes import TOLERANCE, Point, Solid, facing_towards, heading, rounded
from campale.table.sweeps import gaps_along

TOGETHER = 6.0
BACK, ASIDE = 6.0, 6.0
SET_BACK, FINE = 0.2, 0.01
CAUSE = "overrun"
ON, STOP = "on", "stop"


# ---------------------------------------------------------------- vehicles/overrun-contact


@rule("vehicles/overrun", "vehicles/overrun-contact", "vehicles/no-overrun-and-disembark")
async def overrun(position: Position, row: int, first: int, *values: Any) -> None:
    """The vehicle stops in contact. All units under the next 6 inches of its route are overrun together."""
    unit, route = Unit(position, row), Route(*values)
    if not members(unit) or not members(Unit(position, first)):
        return
    vehicle = members(unit)[0]
    vehicle.jot(OVERRAN_AT, route.done)
    for one in members(unit):
        one.jot(SPENT, tuple(one.note(OVERRUN_WITH, ())))
    victims = victims_of(position, unit, route, first)
    note_overrun(position, row, victims)
    position.write("overrun", vehicle=vehicle.row, units=list(victims))
    push(
        position,
        *(("overrun-defence", row, victim) for victim in victims),
        *(("overrun-test", row, victim, *route) for victim in victims),
        ("tests", (), 1 - unit.side),
        ("overrun-end", row),
    )


@rule("vehicles/overrun-contact", "vehicles/overrun-stopped")
async def overrun_where_stopped(position: Position, row: int, first: int, *values: Any) -> None:
    """If something else has stopped the vehicle at the point of contact, the units it touches still test."""
    if not is_under_way(position, row):
        await overrun(position, row, first, *values)


@rule("vehicles/overrun-continue")
def overrun_so_far(route: Route) -> list[int]:
    """The rows of the units that the vehicle has overrun on this route. None is overrun twice."""
    return [int(key.partition(":")[2]) for key in route.met if key.startswith(f"{OVERRUN}:")]


def note_overrun(position: Position, row: int, victims: Sequence[int]) -> None:
    """Note on the vehicle's route that these units have been overrun."""
    route = route_left(position, row)
    if route is not None:
        keys = (f"{OVERRUN}:{victim}" for victim in victims)
        later = route._replace(met=tuple(dict.fromkeys((*route.met, *keys))))
        frames = (later.frame if frame == route.frame else frame for frame in stack(position))
        position.declare(DOING, tuple(frames))


@rule("vehicles/overrun-contact", "vehicles/overrun-who")
def victims_of(position: Position, unit: Unit, route: Route, first: int) -> list[int]:
    """The unit met, and every other with a model under the base's path in the next 6 inches.

    Not one overrun before, nor one that a flyer passes over because its first model in the way is in cover.
    """
    found = [first]
    for other in units_of(position, 1 - unit.side):
        models = [m for m in members(other) if m.is_on_table]
        if other.row in (*found, *overrun_so_far(route)) or not models or not all(may_be_overrun(m) for m in models):
            continue
        if flies(unit) and contact_with(unit, ways(position, route), other) is None:
            continue
        for one in route.paths:
            mover = position.model(one[0])
            ahead = upto(rest_of(as_path(one), route.done), TOGETHER)
            if min(gaps_along(ahead, mover.profile.shape, [m.solid for m in models])) <= TOLERANCE:
                found.append(other.row)
                break
    return found


@rule("vehicles/overrun-defensive-fire", "fire/defensive-who", "fire/defensive-heavy")
async def overrun_defence(position: Position, row: int, victim: int) -> None:
    """Fire at the vehicle at reduced strength. This does not use up the defensive fire of step 5b."""
    unit = Unit(position, victim)
    if members(Unit(position, row)) and can_fire_close(unit) and can_fire(unit, AT_OVERRUN, (row,)):
        await fire(unit, AT_OVERRUN, (row,))


# ---------------------------------------------------------------- vehicles/overrun-morale


def route_left(position: Position, row: int) -> Route | None:
    """The route that the vehicle still has to go; anything that stopped it has removed it."""
    values = next((frame[1:] for frame in stack(position) if frame[0] == "route" and frame[1] == row), None)
    return None if values is None else Route(*values)


def is_under_way(position: Position, row: int) -> bool:
    return route_left(position, row) is not None


@rule("vehicles/overrun-morale", "vehicles/overrun-flying", "base-morale/fearless")
async def stands(unit: Unit, other: Unit) -> bool:
    """Whether a unit passes its test. Routed units fail; against a flying vehicle every unit passes."""
    if members(unit)[0].profile.gear == "flying":
        return True
    return not shows_retreat(other) and not is_routed(other) and await passes(other, "overrun")


@rule("vehicles/overrun-stopped", "vehicles/overrun-morale")
async def overrun_test(position: Position, row: int, victim: int, *values: Any) -> None:
    """Test the overrun unit, unless the vehicle is gone. The trajectory of a stopped one ends where it stands."""
    unit, route, other = Unit(position, row), Route(*values), Unit(position, victim)
    if not members(unit) or not members(other):
        return
    if not is_under_way(position, row):
        route = ended_here(position, route)
    if await stands(unit, other):
        push(position, ("overrun-aside", row, victim, *route), ("overrun-fire", row, victim))
        return
    attached = [m for m in members(other) if m.bought_with != other]
    if is_under_way(position, row):
        crush(position, other, route)
    left = [victim] if members(other) else [m.unit.row for m in attached if m.where in LEFT]
    push(position, *(("overrun-fire", row, one) for one in left), *(("overrun-back", row, one, *route) for one in left))


@rule("vehicles/overrun-stopped")
def ended_here(position: Position, route: Route) -> Route:
    """The route up to the point that it has reached."""
    share = share_of(route.done, plan_length(leading_path(position, route)))
    return route._replace(paths=tuple(packed(one[0], fraction(as_path(one), share)) for one in route.paths))


@rule("vehicles/overrun-failed", "vehicles/overrun-stopped")
def crush(position: Position, unit: Unit, route: Route) -> None:
    """Remove the models on the trajectory, without any save."""
    vehicle = members(Unit(position, route.unit))[0]
    for model in on_trajectory(position, members(unit), route):
        lose_model(model, CAUSE, vehicle.row)


def on_trajectory(position: Position, models: Sequence[Model], route: Route) -> list[Model]:
    """The models whose base touches the strip that the vehicle sweeps from the contact to its route's end."""
    there = [m for m in models if m.is_on_table]
    return [m for m in there if is_on_strip(position, m.solid, route)]


def is_on_strip(position: Position, solid: Solid, route: Route) -> bool:
    return any(
        gaps_along(rest_of(as_path(one), route.done), position.model(one[0]).profile.shape, [solid])[0] <= TOLERANCE
        for one in route.paths
    )


@rule("vehicles/overrun-fire", "vehicles/overrun-stopped")
async def overrun_fire(position: Position, row: int, victim: int) -> None:
    """Fire at the overrun unit with all secondary weapons that bear and were not used in this turn."""
    unit = Unit(position, row)
    if members(unit) and members(Unit(position, victim)) and can_fire(unit, OVERRUNNING, (victim,)):
        await fire(unit, OVERRUNNING, (victim,))


# ---------------------------------------------------------------- out of the way


@rule("vehicles/overrun-failed")
async def overrun_back(position: Position, row: int, victim: int, *values: Any) -> None:
    """Move 6 inches away from the nearest point of the trajectory, clear of it and of the vehicle."""
    unit, route = Unit(position, victim), Route(*values)
    models = [m for m in members(unit) if m.is_on_table]
    if not models:
        return
    x, y = sum(m.x for m in models) / len(models), sum(m.y for m in models) / len(models)
    away = away_from(route, (x, y))
    for far in (BACK, 4.0, 8.0):
        for turn in TURNS:
            dx, dy = heading(rounded((away + turn) % 360.0))
            found = stand(models, [clamped(m, m.x + far * dx, m.y + far * dy) for m in models], 1)
            if found is not None and not any(ends_on_strip(position, m, found[m.row], route) for m in models):
                begin_route(unit, "fall-back", "fall-back", found)
                return
    step_aside(position, unit, route)


@rule("vehicles/overrun-failed")
def away_from(route: Route, point: Point) -> float:
    """Away from the nearest point on the line of the vehicle's centre; for a point on that line, square to it."""
    ways = [rest_of(as_path(one), route.done).points for one in route.paths]
    legs = [(a[:2], b[:2]) for way in ways for a, b in pairwise((*way, way[-1]))]
    nearest, leg = min(((onto(point, *leg), leg) for leg in legs), key=lambda one: math.dist(one[0], point))
    if math.dist(nearest, point) > TOLERANCE:
        return facing_towards(nearest, point)
    return rounded((facing_towards(*leg) + 90.0) % 360.0)


def onto(point: Point, one: Point, other: Point) -> Point:
    """The point of a straight line that is nearest to another point."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    long = dx * dx + dy * dy
    share = ((point[0] - one[0]) * dx + (point[1] - one[1]) * dy) / long if long else 0.0
    share = min(1.0, max(0.0, share))
    return one[0] + share * dx, one[1] + share * dy


def ends_on_strip(position: Position, model: Model, path: Path, route: Route) -> bool:
    end = path.points[-1]
    return is_on_strip(position, Solid(model.profile.shape, end[0], end[1], 0.0, model.facing), route)


@rule("vehicles/overrun-passed", "terrain/in-cover")
async def overrun_aside(position: Position, row: int, victim: int, *values: Any) -> None:
    """Move up to 6 inches off the trajectory, with as many models as possible into cover."""
    unit, route = Unit(position, victim), Route(*values)
    models = [m for m in members(unit) if m.is_on_table]
    movement = aside_movement(unit, route)
    found = way_aside(unit, models, movement, route)
    if found is None:
        step_aside(position, unit, route)
        return
    paths = as_paths(models, await ask(aside_question(unit, models, movement, found)))
    begin_route(unit, "aside", OVER, paths)


def aside_movement(unit: Unit, route: Route) -> Movement:
    movement = movement_of(unit, ROUGH, ASIDE, "vehicles/overrun-passed")

    def clear_of_it(move: UnitMove) -> Fault | None:
        return stays_on_trajectory(move, route)

    return movement._replace(of_all=(*movement.of_all, clear_of_it))


@rule("vehicles/overrun-passed")
def stays_on_trajectory(move: UnitMove, route: Route) -> Fault | None:
    for model in move.models:
        if is_on_strip(move.unit.position, move.standing(model), route):
            return Fault(shown(move.end(model)), model=model.row, rule="vehicles/overrun-passed")
    return None


def goals_aside(unit: Unit) -> Iterator[Point]:
    models = members(unit)
    x, y = sum(m.x for m in models) / len(models), sum(m.y for m in models) / len(models)
    yield from goals_for(unit)
    for k in range(12):
        dx, dy = heading(30.0 * k)
        yield x + ASIDE * dx, y + ASIDE * dy


def way_aside(unit: Unit, models: Sequence[Model], movement: Movement, route: Route) -> Plain | None:
    """The best move off a route that was found. Kept until something moves."""
    kept, key = unit.position.layout, ("aside", unit.row, route)
    if key not in kept:
        kept[key] = best_aside(unit, models, movement)
    found: Plain | None = kept[key]
    return found


def best_aside(unit: Unit, models: Sequence[Model], movement: Movement) -> Plain | None:
    """The legal move, of those found, that brings most models into cover; the first that brings in all who may come."""
    best: Plain | None = None
    most, able = -1, sum(is_near_cover(model) for model in models)
    for answer in suggested(unit, models, movement, goals_aside(unit)):
        found = covered(UnitMove(unit, as_paths(models, answer), movement))
        if found > most:
            best, most = answer, found
        if most >= able:
            break
    return best


def is_near_cover(model: Model) -> bool:
    """Whether a piece that may give cover is so near that the model might reach it."""
    far = ASIDE + BEHIND + 2.0 * bounding_radius(model.profile.shape)
    pieces = (piece for piece in model.position.ground.pieces if not {BROKEN, LINEAR}.isdisjoint(piece.tags))
    return any(gap_to_outline(model.solid, piece.outline) <= far for piece in pieces)


def covered(move: UnitMove) -> int:
    return sum(is_in_cover(model, move.end(model)) for model in move.models)


def aside_question(unit: Unit, models: Sequence[Model], movement: Movement, best: Plain) -> MoveUnit:
    most = covered(UnitMove(unit, as_paths(models, best), movement))

    def fewer_in_cover(move: UnitMove) -> Fault | None:
        return too_few_in_cover(move, most)

    strict = movement._replace(of_all=(*movement.of_all, fewer_in_cover))

    def refuses(answer: Plain) -> Refusal | None:
        return refusal_of(UnitMove(unit, as_paths(models, answer), strict))

    about: dict[str, Plain] = {"unit": unit.row, "models": [m.row for m in models]}
    limits: dict[str, Plain] = {"allowance": ASIDE, "in-cover": most}
    return MoveUnit(unit.side, "overrun-aside", refuses, lambda rng: best, lambda: [best], limits, about)


@rule("vehicles/overrun-passed")
def too_few_in_cover(move: UnitMove, most: int) -> Fault | None:
    found = covered(move)
    return None if found >= most else Fault(measured=found, limit=most, rule="vehicles/overrun-passed")


@rule("vehicles/overrun-passed", "vehicles/overrun-continue")
def step_aside(position: Position, unit: Unit, route: Route) -> None:
    """Models that cannot clear the way otherwise move by the least distance that clears it."""
    for model in on_trajectory(position, members(unit), route):
        field = at_the_end(model).field
        for reach in range(1, 25):
            step = next((one for one in ring(model, 0.5 * reach) if is_clear(position, model, one, field, route)), None)
            if step is not None:
                far = math.dist(model.at, step)
                model.move_to(*step, aside=True)
                note_gone(model, far)
                break


def ring(model: Model, reach: float) -> Iterator[Point]:
    for k in range(24):
        dx, dy = heading(15.0 * k)
        yield rounded(model.x + reach * dx), rounded(model.y + reach * dy)


def is_clear(position: Position, model: Model, place: Point, field: fields.Field, route: Route) -> bool:
    there = Solid(model.profile.shape, *place, 0.0, model.facing)
    mates = [m for m in members(model.unit) if m.row != model.row and m.is_on_table]
    free = fields.is_free(field, *place, model.facing) and not is_on_strip(position, there, route)
    return free and all(gap(there, m.solid) > 0.0 for m in mates)


# ---------------------------------------------------------------- vehicles/overrun-continue


@rule("vehicles/overrun-continue")
async def overrun_end(position: Position, row: int) -> None:
    """The vehicle goes on along its route, or stops there and is moved back to just over 1 inch.

    Models that are in its way again, where fire has stopped their unit, step aside.
    """
    unit, route = Unit(position, row), route_left(position, row)
    if not members(unit) or route is None:
        return
    if await choose(unit.side, "after-overrun", (ON, STOP), unit=row, odds={STOP: 0.3}) == STOP:
        end_move(unit)
        for model in members(unit):
            set_back(model)
        return
    for victim in overrun_so_far(route):
        step_aside(position, Unit(position, victim), route)


@rule("vehicles/overrun-continue", "base-move/one-inch")
def set_back(model: Model) -> None:
    """Move straight back by the least distance found that is clear of the enemy."""
    field = driving.at_the_end(model).field
    dx, dy = heading(model.facing)

    def behind(far: float) -> Point:
        return rounded(model.x - far * dx), rounded(model.y - far * dy)

    def is_clear(far: float) -> bool:
        return fields.is_free(field, *behind(far), model.facing)

    far = next((SET_BACK * k for k in range(60) if is_clear(SET_BACK * k)), 0.0)
    if far:
        model.move_to(*behind(least_clear(is_clear, far - SET_BACK, far)), back=True)


def least_clear(is_clear: Callable[[float], bool], low: float, high: float) -> float:
    """The least distance that is clear, between one that is not and one that is."""
    while high - low > FINE:
        middle = (low + high) / 2.0
        low, high = (low, middle) if is_clear(middle) else (middle, high)
    return high
