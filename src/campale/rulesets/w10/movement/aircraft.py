"""AIRCRAFT: straight on, at least 20 inches, then a turn of up to 90 degrees (aircraft/*, m/minimum-move)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from campale.mechanics.moves.move_paths import shown
from campale.referee.ask import ask
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.question import Move
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.w10.basics.units import LEFT_IN, MOVED, RESERVES, are_engaged, is_aircraft, members, units_of
from campale.rulesets.w10.movement.moves import at_the_end, put
from campale.rulesets.w10.movement.reserves import STRATEGIC
from campale.rulesets.w10.windows.windows import open_window
from campale.table import fields
from campale.table.measure import bounding_radius, on_table
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Point, Solid, heading

MINIMUM, TURN = 20.0, 90.0
STEP, FARTHEST = 2.0, 76.0
TURNS = (0.0, 45.0, -45.0, 90.0, -90.0)
STRAIGHT = 0.01
"""How far beside its straight line a flight may end, in inches; this allows for rounding."""


class Flight(NamedTuple):
    """The place where an AIRCRAFT would end, and its facing there."""

    model: Model
    end: Point
    facing: float

    @property
    def solid(self) -> Solid:
        solid = self.model.solid
        return Solid(solid.shape, *self.end, 0.0, self.facing, solid.height)

    @property
    def far(self) -> float:
        return math.dist(self.model.at, self.end)


# ---------------------------------------------------------------- what forbids a flight


@rule("aircraft/move")
def not_straight_on(flight: Flight) -> Fault | None:
    dx, dy = heading(flight.model.facing)
    along = (flight.end[0] - flight.model.x) * dx + (flight.end[1] - flight.model.y) * dy
    aside = abs((flight.end[0] - flight.model.x) * dy - (flight.end[1] - flight.model.y) * dx)
    return None if aside <= STRAIGHT and along >= 0.0 else Fault(shown(flight.end), model=flight.model.row)


@rule("m/minimum-move", "aircraft/move")
def too_short(flight: Flight) -> Fault | None:
    """A flight must go at least 20 inches, judged before the turn, or after it (``aircraft_minimum``)."""
    after = flight.model.position.options.aircraft_minimum == "after-pivot"
    far = least_moved(flight) if after else flight.far
    return None if far >= MINIMUM - TOLERANCE else Fault(shown(flight.end), round(far, 2), MINIMUM, flight.model.row)


@rule("m/minimum-move", "aircraft/move")
def least_moved(flight: Flight) -> float:
    """How far the point of the base that moved least has come, once the model is turned."""
    turn = math.radians(flight.facing - flight.model.facing)
    radius = bounding_radius(flight.model.profile.shape)
    return flight.far - abs(2.0 * radius * math.sin(turn / 2.0))


@rule("aircraft/move")
def turns_too_far(flight: Flight) -> Fault | None:
    turn = abs((flight.facing - flight.model.facing + 180.0) % 360.0 - 180.0)
    return None if turn <= TURN + 0.001 else Fault(measured=round(turn, 1), limit=TURN, model=flight.model.row)


@rule("aircraft/leave")
def leaves(flight: Flight) -> bool:
    """True if a part of the base crosses an edge of the battlefield: the move ends there, however short."""
    return not on_table(flight.solid, flight.model.position.ground)


@rule("movement-phase/moving-models", "core-concepts/engagement-forbidden", "aircraft/others-move")
def on_something(flight: Flight) -> Fault | None:
    """A flight may not end on another model, a marker or an obstacle, nor engaged."""
    enemies = flight.model.position.on_table(1 - flight.model.side)
    engaged = next((enemy for enemy in enemies if are_engaged(flight.solid, enemy.solid)), None)
    if engaged is not None:
        return Fault(shown(flight.end), model=engaged.row, rule="core-concepts/engagement-forbidden")
    if fields.is_free(at_the_end(flight.model).field, *flight.end, flight.facing):
        return None
    return Fault(shown(flight.end), model=flight.model.row)


RESTRICTIONS = (not_straight_on, too_short, turns_too_far, on_something)
LEAVING = (not_straight_on,)
"""The restrictions on a flight that leaves the table."""


# ---------------------------------------------------------------- flying


def flown(model: Model, answer: Any) -> Flight:
    points, facing = answer
    end = (float(points[-1][0]), float(points[-1][1])) if points else model.at
    return Flight(model, end, model.facing if facing is None else float(facing))


def flights(model: Model, turns: Sequence[float] = TURNS) -> Iterator[Plain]:
    """Lawful flights on the table, the shortest first, for each turn in the order given."""
    dx, dy = heading(model.facing)
    for turn in turns:
        for k in range(int((FARTHEST - MINIMUM) / STEP)):
            far = MINIMUM + STEP * k + 0.001
            end = round(model.x + far * dx, 4), round(model.y + far * dy, 4)
            answer: Plain = [[list(end)], round((model.facing + turn) % 360.0, 2)]
            if not leaves(flown(model, answer)) and refusal_of(model, answer) is None:
                yield answer


def refusal_of(model: Model, answer: Any) -> Refusal | None:
    flight = flown(model, answer)
    return first_refusal(LEAVING if leaves(flight) else RESTRICTIONS, flight)


def way_off(model: Model) -> Plain:
    """Straight on to the edge of the table, so that the base crosses it."""
    dx, dy = heading(model.facing)
    ground = model.position.ground
    ways = ((model.x, dx, ground.width), (model.y, dy, ground.depth))
    far = min((side - at if step > 0.0 else at) / abs(step) for at, step, side in ways if abs(step) > TOLERANCE)
    return [[[round(model.x + far * dx, 4), round(model.y + far * dy, 4)]], None]


@rule("aircraft/move", "aircraft/leave")
async def fly(unit: Unit) -> None:
    """Fly an AIRCRAFT; if it cannot, or leaves the battlefield, it goes into Strategic Reserves."""
    model = members(unit)[0]
    await open_window(unit.position, "enemy-moves", mover=unit.row)
    if not members(unit):
        return
    unit.mark(MOVED, 1)
    if next(flights(model), None) is None:
        leave(unit)
        return

    def samples(rng: Random) -> Plain:
        return rng.choice(list(flights(model, (rng.choice(TURNS),))) or list(flights(model)))

    question = Move(
        unit.side,
        "fly",
        refuses=lambda answer: refusal_of(model, answer),
        samples=samples,
        suggests=lambda: chain(flights(model), (way_off(model),)),
        shown={"least": MINIMUM},
        about={"model": model.row, "unit": unit.row},
    )
    flight = flown(model, await ask(question))
    if leaves(flight):
        leave(unit)
        return
    put(model, Path((model.at, flight.end), model.facing), "fly")
    unit.position.turn(model, flight.facing)
    await open_window(unit.position, "enemy-moves", mover=unit.row)


@rule("aircraft/leave", "u/reserves-unit")
def leave(unit: Unit) -> None:
    """Put an AIRCRAFT into Strategic Reserves; it may come back from its side's next turn on."""
    for model in members(unit):
        unit.position.take_off(model, RESERVE)
    unit.jot(RESERVES, STRATEGIC)
    unit.jot(LEFT_IN, int(unit.position.now["turn"]))


@rule("aircraft/move")
def must_fly(position: Position, side: int) -> bool:
    """True while an AIRCRAFT of the side has not moved: until then the side cannot end the step."""
    return any(is_aircraft(unit) and not unit.marks(MOVED) for unit in units_of(position, side))
