"""The legs of vehicles (7.2): hulls keep their orientation as they move, and turn where their speed allows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.types import is_walker, operates_as_flyer
from campale.rulesets.e55.definitions.units import (
    COMBAT_SPEED,
    CRUISING,
    IMMOBILISED,
    SILENCED,
    STATIONARY,
    is_in_force,
    members,
)
from campale.rulesets.e55.movement_phase.ways import ENEMY_GAP, may_stand, way_of, way_refusal
from campale.rulesets.e55.psychic_powers import powers
from campale.table.paths import Path, plan_length
from campale.table.shapes import TOLERANCE, rounded
from campale.table.turning import shorter_turn

ONE_TURN = 45.0

Answer = tuple[tuple[tuple[float, ...], ...], float | None]
Stand = tuple[float, float, float]
"""Centre (x, y) and facing."""


# ---------------------------------------------------------------- speed and orientation


@rule("7.1/bs-and-speed", "7.14/aircraft-speeds")
def speed_value(model: Model) -> float:
    """Return the inches that a vehicle may move in a turn; an aircraft has a value for each of its modes."""
    profile = model.profile
    return float(profile.flyer_speed if profile.flyer_speed and operates_as_flyer(model) else profile.speed)


@rule("7.2/speed-choice", "3.1/slowest-model")
def pace(unit: Unit) -> float:
    """Return the speed value of a whole squadron: the slowest vehicle's."""
    return min(speed_value(model) for model in members(unit))


@rule("7.2/combat-speed", "7.2/cruising-speed")
def allowance(unit: Unit, speed: int) -> float:
    """Return how far a speed takes a squadron: half of its speed value or all of it, and what a power adds."""
    share = {COMBAT_SPEED: 0.5, CRUISING: 1.0}.get(speed, 0.0)
    if not share:
        return 0.0
    return share * pace(unit) + (powers.haste(unit) if unit.position.effects else 0)


@rule("7.15/rotating", "7.14/aircraft-rotating", "7.16/walker-rules")
def is_rotating(model: Model) -> bool:
    """Return whether a vehicle is rotating; aircraft and walkers are too."""
    return any(model.profile.is_a(kind) for kind in ("rotating", "aircraft", "walker"))


@rule("7.6/stunned", "7.6/shaken")
def what_holds(model: Model) -> str:
    """Return the result that holds a vehicle. A stunned vehicle cannot shoot in the same turn either."""
    if model.marks(IMMOBILISED):
        return "7.6/immobilised"
    return "7.6/stunned" if is_in_force(model, SILENCED) else "7.6/shaken"


def walks(model: Model) -> bool:
    """Return whether a model is a walker on its feet, so that terrain slows it."""
    return is_walker(model) and not operates_as_flyer(model)


# ---------------------------------------------------------------- a leg: going somewhere, then turning


class Leg(NamedTuple):
    """A vehicle's path at a speed, with its turn at the end; ``gone`` inches of ``limit`` are already used.

    ``at_half``: the first part of a cruise, which turns only if exactly half of the speed is covered.
    """

    model: Model
    path: Path
    speed: int
    limit: float
    gone: float = 0.0
    at_half: bool = False

    @property
    def length(self) -> float:
        return rounded(self.gone + plan_length(self.path))

    @property
    def turned(self) -> float:
        return self.path.turns[-1] if self.path.turns else 0.0

    @property
    def stays(self) -> bool:
        return len(self.path.points) == 1 and not self.turned

    @property
    def end(self) -> tuple[float, float, float, float]:
        return end_of(self.path)


def end_of(path: Path) -> tuple[float, float, float, float]:
    """Return the end of a path: x, y, z and the facing."""
    x, y = path.points[-1][:2]
    return x, y, 0.0, float(path.facing or 0.0)


def leg_path(start: Stand, answer: Answer) -> Path:
    """Return the path of an answer: straight moves that keep the orientation, then one turn, the shorter way."""
    facing = start[2] if answer[1] is None else rounded(answer[1] % 360.0)
    points: list[tuple[float, float, float]] = [(start[0], start[1], 0.0)]
    for point in answer[0]:
        points.append((rounded(point[0]), rounded(point[1]), rounded(point[2]) if len(point) == 3 else 0.0))
    turn = rounded(shorter_turn(start[2], facing))
    return Path(tuple(points), facing, (*(0.0 for _ in points[1:]), turn) if turn else ())


def other_way_round(path: Path) -> Path:
    turn = path.turns[-1]
    return Path(path.points, path.facing, (*path.turns[:-1], turn - 360.0 if turn > 0 else turn + 360.0))


@rule("7.2/turn-only-so", "7.15/rotating")
def turns_too_far(leg: Leg) -> Fault | None:
    """Refuse a turn of more than 45 degrees, unless the vehicle is rotating."""
    if abs(leg.turned) <= ONE_TURN + TOLERANCE or is_rotating(leg.model):
        return None
    return Fault(leg.end[:2], round(abs(leg.turned), 1), ONE_TURN, leg.model.row, "turned-too-far")


@rule("7.2/cruising-speed")
def turns_before_half(leg: Leg) -> Fault | None:
    """Refuse the first turn of a cruise unless exactly half of the speed has been covered."""
    if not leg.at_half or not leg.turned or is_rotating(leg.model):
        return None
    half = pace(leg.model.unit) / 2.0
    if abs(leg.length - half) <= TOLERANCE:
        return None
    return Fault(leg.end[:2], round(leg.length, 2), half, leg.model.row, "turn-at-half")


def too_long(leg: Leg, speed: int) -> Fault | None:
    if leg.speed != speed or leg.length <= leg.limit + TOLERANCE:
        return None
    return Fault(leg.end[:2], round(leg.length, 2), leg.limit, leg.model.row, "beyond-speed")


@rule("7.2/stationary")
def leaves_its_place(leg: Leg) -> Fault | None:
    return too_long(leg, STATIONARY)


@rule("7.2/combat-speed")
def beyond_half_of_its_speed(leg: Leg) -> Fault | None:
    return too_long(leg, COMBAT_SPEED)


@rule("7.2/cruising-speed")
def beyond_its_speed(leg: Leg) -> Fault | None:
    return too_long(leg, CRUISING)


LEG_RESTRICTIONS = (
    turns_too_far,
    turns_before_half,
    leaves_its_place,
    beyond_half_of_its_speed,
    beyond_its_speed,
)


def barred(leg: Leg) -> Refusal | None:
    """Return what obstructs the leg, its turn included."""
    flies = operates_as_flyer(leg.model)
    found = way_refusal(way_of(leg.model, leg.path, None, flies=flies))
    if found is not None and leg.turned and is_rotating(leg.model):
        return way_refusal(way_of(leg.model, other_way_round(leg.path), None, flies=flies))
    return found


@rule("3.1/enemy-one-inch")
def still_too_near(leg: Leg) -> Fault | None:
    """Refuse a leg that ends nearer than 1 inch to an enemy; a vehicle that begins nearer may also stay."""
    x, y, z, facing = leg.end
    if leg.path.points[0][:2] == (x, y) or may_stand(leg.model, (x, y), z, facing):
        return None
    return Fault((x, y), limit=ENEMY_GAP, model=leg.model.row)


def leg_refusal(leg: Leg) -> Refusal | None:
    """Return why a vehicle cannot take a leg; staying unchanged is always allowed."""
    if leg.stays:
        return None
    return first_refusal(LEG_RESTRICTIONS, leg) or barred(leg) or first_refusal((still_too_near,), leg)


# ---------------------------------------------------------------- the legs of a unit, judged together


class Course(NamedTuple):
    """What a unit of vehicles is asked at once: the vehicles that move, and their speeds (by row).

    ``before``: the legs already given of all that move, by row. ``ends_here``: no leg follows, so the unit must be
    coherent at the end of these legs.
    """

    unit: Unit
    rows: tuple[int, ...]
    speeds: dict[int, int]
    before: dict[int, Leg]
    ends_here: bool

    @property
    def position(self) -> Position:
        return self.unit.position

    def start(self, row: int) -> Stand:
        if row in self.before:
            x, y, _, facing = self.before[row].end
            return x, y, facing
        model = self.position.model(row)
        return model.x, model.y, model.facing

    def gone(self, row: int) -> float:
        return self.before[row].length if row in self.before else 0.0

    def limit(self, row: int) -> float:
        return allowance(self.unit, self.speeds[row])

    def is_at_half(self, row: int) -> bool:
        """Return whether this is the first part of a cruise."""
        return self.speeds[row] == CRUISING and not self.before

    def legs(self, answers: Sequence[Answer]) -> dict[int, Leg]:
        found = {}
        for row, answer in zip(self.rows, answers, strict=True):
            path, model = leg_path(self.start(row), answer), self.position.model(row)
            gone = self.gone(row)
            found[row] = Leg(model, path, self.speeds[row], self.limit(row), gone, self.is_at_half(row))
        return found

    def left(self) -> float:
        """Return how far all of them may still go, in inches."""
        return min(self.limit(row) - self.gone(row) for row in self.rows)


def first_course(unit: Unit, speeds: Mapping[int, int]) -> Course:
    """Return the course of all that move, to the end of their move or to the turn in the middle of a cruise."""
    moving = {row: speed for row, speed in speeds.items() if speed}
    return Course(unit, tuple(moving), moving, {}, CRUISING not in moving.values())


def second_course(first: Course, answers: Sequence[Answer]) -> Course:
    """Return the rest of the course for those that cruise."""
    cruising = tuple(row for row in first.rows if first.speeds[row] == CRUISING)
    return Course(first.unit, cruising, first.speeds, first.legs(answers), True)
