"""Vehicles (7.1, 7.2, 7.9, and 7.13 to 7.16 on moving): speeds, turns, terrain, how many weapons may fire."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from campale.mechanics.moves.coherency import first_overlap
from campale.referee.ask import ask, choose
from campale.referee.position import Model, Position, Unit
from campale.referee.question import MoveUnit
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.measuring import rounded_down
from campale.rulesets.e55.definitions.types import (
    is_all_vehicles,
    is_vehicle,
    is_walker,
    operates_as_flyer,
    vehicles_of,
)
from campale.rulesets.e55.definitions.units import (
    COMBAT_SPEED,
    CRUISING,
    DESTROYED,
    DONE,
    INCHES,
    MOVED,
    SPEED,
    STATIONARY,
    TURNED,
    is_engaged,
    is_held,
    members,
    units_on_table,
)
from campale.rulesets.e55.movement_phase import dangerous, rough, tracks
from campale.rulesets.e55.movement_phase.ways import go, length_of, may_stand
from campale.rulesets.e55.turn.acting import Act, Driven, Key, OfModel, model_of, unit_of
from campale.rulesets.e55.vehicles.driving import drive_question, driven, leg_question
from campale.rulesets.e55.vehicles.gathering import (
    BACK,
    NO_SPEEDS,
    greatest_speeds,
    is_scattered,
    must_gather,
    rank_at,
)
from campale.rulesets.e55.vehicles.legs import (
    Course,
    allowance,
    end_of,
    is_rotating,
    pace,
    speed_value,
    walks,
    what_holds,
)
from campale.table.paths import Path, plan_length, upto

__all__ = ["ACTS", "allowance", "is_rotating", "pace", "speed_value"]

SPEEDS = (COMBAT_SPEED, CRUISING, STATIONARY)


# ---------------------------------------------------------------- 7.2/speed-choice: who may go how fast


@rule("1.2/mixed-units")
def speeds_on_offer(position: Position, side: int) -> list[Key]:
    """Return every speed of each vehicle; one in a unit of others moves with them, and chooses none."""
    driving = [model for model in vehicles_of(position, side) if is_all_vehicles(model.unit)]
    return [("drive", m.unit.row, m.row, speed) for m in driving for speed in SPEEDS]


@rule("7.2/speed-choice")
def has_gone_already(position: Position, key: Key) -> Fault | None:
    return Fault(model=model_of(position, key).row, word="done-already") if unit_of(position, key).marks(DONE) else None


@rule("3.1/cannot-move")
def in_combat(position: Position, key: Key) -> Fault | None:
    return Fault(model=model_of(position, key).row) if is_engaged(unit_of(position, key)) else None


@rule("7.6/immobilised", "7.6/stunned", "7.6/shaken")
def held(position: Position, key: Key) -> Fault | None:
    model = model_of(position, key)
    return Fault(model=model.row, word="held", rule=what_holds(model)) if is_held(model) else None


@rule("7.16/walker-no-cruise")
def walkers_do_not_cruise(position: Position, key: Key) -> Fault | None:
    if Driven(*key).speed != CRUISING or not is_walker(model_of(position, key)):
        return None
    return Fault(model=model_of(position, key).row)


@rule("7.13/flyer-no-stationary")
def flyers_do_not_stop(position: Position, key: Key) -> Fault | None:
    if Driven(*key).speed != STATIONARY or not operates_as_flyer(model_of(position, key)):
        return None
    return Fault(model=model_of(position, key).row)


@rule("3.1.1/restore-coherency")
def too_slow_to_gather(position: Position, key: Key, chosen: Mapping[int, int] = NO_SPEEDS) -> Fault | None:
    """Refuse a speed at which a scattered squadron could close up less than it can. ``chosen``: speeds by row."""
    unit = unit_of(position, key)
    if not is_scattered(unit):
        return None
    line = Driven(*key)
    with_it = greatest_speeds(unit, {**chosen, line.model: line.speed})
    is_slow = rank_at(unit, with_it) < rank_at(unit, greatest_speeds(unit, chosen))
    return Fault(model=line.model) if is_slow else None


OF_A_SPEED = (held, walkers_do_not_cruise, flyers_do_not_stop)


# ---------------------------------------------------------------- 7.2: driving


@rule("7.2/speed-choice", "7.2/combat-without-moving")
async def drive(position: Position, key: Key) -> None:
    """Drive a unit of vehicles, each at its chosen speed, and judge their paths together."""
    unit = unit_of(position, key)
    line = Driven(*key)
    speeds = await choose_speeds(unit, line.model, line.speed)
    paths: dict[int, Path] = {}
    if any(speeds.values()):
        paths = driven(unit, speeds, await ask(drive_question(unit, speeds)))
    unit.mark(DONE, 1)
    for row, speed in speeds.items():
        position.model(row).mark(SPEED, speed)
    await go_on(unit, paths)


@rule("7.2/speed-choice")
async def choose_speeds(unit: Unit, first: int, speed: int) -> dict[int, int]:
    """Return the speed of each vehicle by row: the first one's is known, the others are asked for."""
    speeds = {}
    for model in members(unit):
        row = model.row
        if row == first:
            speeds[row] = speed
        elif is_held(model):
            speeds[row] = STATIONARY
        else:
            speeds[row] = await choose_speed(model, {first: speed, **speeds})
    return speeds


async def choose_speed(model: Model, chosen: Mapping[int, int] = NO_SPEEDS) -> int:
    """Ask for the speed of a vehicle. ``chosen``: the speeds of others of its unit, by row."""
    keys = [Driven("drive", model.unit.row, model.row, speed) for speed in SPEEDS]
    forbids = partial(unlawful, model.position, chosen)
    line = await choose(model.side, "speed", keys, of="act", forbids=forbids, model=model.row)
    return int(line[3])


def unlawful(position: Position, chosen: Mapping[int, int], key: Key) -> Refusal | None:
    """Return why a vehicle may not choose a speed."""
    return first_refusal(OF_A_SPEED, position, key) or first_refusal((too_slow_to_gather,), position, key, chosen)


@rule("3.1.1/restore-coherency")
def scattered_squadron(position: Position, side: int) -> Unit | None:
    """Return a squadron that is out of coherency and must still use its movement phase to close up."""
    return next((unit for unit in units_on_table(position, side) if must_close_up(unit)), None)


def must_close_up(unit: Unit) -> bool:
    able = is_all_vehicles(unit) and not unit.marks(DONE) and not is_engaged(unit)
    return able and must_gather(unit)


async def close_up(unit: Unit) -> None:
    """Let a scattered squadron drive, beginning with a speed of the first vehicle that is not held."""
    first = next(model for model in members(unit) if not is_held(model))
    await drive(unit.position, Driven("drive", unit.row, first.row, await choose_speed(first)))


async def go_on(unit: Unit, paths: dict[int, Path]) -> None:
    """Move the vehicles along their paths, then test them for the ground they crossed.

    Terrain may shorten walkers' paths.
    """
    position = unit.position
    for row, path in paths.items():
        tracks.flatten(position.model(row), path)
    paths = await slowed(unit, paths)
    moved = {row: path for row, path in paths.items() if plan_length(path) > 0.0}
    endangered = rough.endangered(unit, moved)
    for row, path in paths.items():
        follow(position.model(row), path)
    if moved:
        unit.mark(MOVED, 1)
    await dangerous.dangerous_test(unit, models=endangered)


def follow(model: Model, path: Path) -> None:
    """Move a vehicle along its path, or only turn it."""
    model.mark(INCHES, rounded_down(length_of(path)))
    if plan_length(path) > 0.0:
        go(model, path, path.facing, how="drive")
    elif path.turns:
        model.position.turn(model, float(path.facing or 0.0))


@rule("7.16/walker-terrain")
async def slowed(unit: Unit, paths: dict[int, Path]) -> dict[int, Path]:
    """Return the paths after difficult terrain: walkers lose inches, by one roll for the unit."""
    position = unit.position
    walking = [row for row, path in paths.items() if walks(position.model(row)) and plan_length(path) > 0.0]
    usual = allowance(unit, COMBAT_SPEED)
    lost = await rough.reduction(unit, {row: paths[row] for row in walking}, usual) if walking else 0.0
    return shortened(unit, paths, walking, usual - lost) if lost else paths


def shortened(unit: Unit, paths: dict[int, Path], walking: list[int], left: float) -> dict[int, Path]:
    """Return walkers' paths cut to a length, and further back where they would end on one of their own unit.

    A walker that began too near to enemies and would not get clear of them does not move.
    """
    cut = {row: cut_to(path, left) if row in walking else path for row, path in paths.items()}
    for row in walking:
        x, y, z, facing = end_of(cut[row])
        if not may_stand(unit.position.model(row), (x, y), z, facing):
            cut[row] = cut_to(cut[row], 0.0)
    while (met := first_overlap(members(unit), {row: end_of(path) for row, path in cut.items()})) is not None:
        behind = [row for row in met if row in walking and plan_length(cut[row]) > 0.0]
        if not behind:
            break
        row = behind[-1]
        cut[row] = cut_to(cut[row], max(0.0, plan_length(cut[row]) - BACK))
    return cut


def cut_to(path: Path, length: float) -> Path:
    """Return the first part of a walker's path, with its declared facing at the end."""
    return Path(upto(path, length).points, path.facing)


# ---------------------------------------------------------------- 7.15: turning on the spot


def who_may_turn(position: Position, side: int) -> list[Key]:
    return [OfModel("turn", m.unit.row, m.row) for m in vehicles_of(position, side)]


@rule("7.2/stationary", "7.2/turn-only-so", "7.15/rotating")
def does_not_rotate(position: Position, key: Key) -> Fault | None:
    return None if is_rotating(model_of(position, key)) else Fault(model=model_of(position, key).row)


@rule("7.15/rotating")
def has_just_turned(position: Position, key: Key) -> Fault | None:
    """Refuse a second turn if nothing was done since the first: two such turns are one."""
    model = model_of(position, key)
    return Fault(model=model.row, word="turned-already") if model.marks(TURNED) == moment(model) else None


def moment(model: Model) -> int:
    """Return a counter of what the side has done in this phase, from 1."""
    units = model.position.units
    return 1 + sum(unit.side == model.side and unit.marks(DONE) > 0 for unit in units)


def turn_question(model: Model) -> MoveUnit:
    """Ask for a vehicle's facing, as a path without points."""
    course = Course(model.unit, (model.row,), {model.row: STATIONARY}, {}, ends_here=True)
    return leg_question(course, "turn")


@rule("7.15/rotating")
async def turn(position: Position, key: Key) -> None:
    """Turn a rotating vehicle as it likes; it counts as stationary all the same."""
    model = model_of(position, key)
    ((_, facing),) = await ask(turn_question(model))
    model.mark(TURNED, moment(model), quietly=True)
    if facing is not None and round(facing % 360.0, 4) != model.facing:
        position.turn(model, facing)


# ---------------------------------------------------------------- 7.9: weapons and speed


@rule("7.9/weapons-by-speed")
def may_fire_count(model: Model) -> int | None:
    """Return how many weapons a vehicle may fire at its chosen speed; None: all of them."""
    if fires_all(model):
        return None
    speed = model.marks(SPEED)
    return flying_weapons(speed) if operates_as_flyer(model) else {STATIONARY: None, COMBAT_SPEED: 1}.get(speed, 0)


@rule("7.16/walker-weapons")
def fires_all(model: Model) -> bool:
    return is_walker(model)


@rule("7.13/flyer-weapons")
def flying_weapons(speed: int) -> int | None:
    return 1 if speed == CRUISING else None


@rule("7.9/weapons-count-stationary")
def counts_as_stationary(model: Model) -> bool:
    """Return whether a model's own weapons fire as if it had not moved: a vehicle's do."""
    return is_vehicle(model)


# ---------------------------------------------------------------- the movement phase begins and ends


def begin_movement(position: Position) -> None:
    """Start the active side's movement phase: end its vehicles' tracks, and forget what they did in the last one."""
    side = int(position.now["side"])
    tracks.end_tracks(position, side)
    forget_speeds(position, side)
    for unit in position.units:
        unit.jot(DESTROYED, None)


@rule("7.2/speed-choice", "7.2/stationary")
def forget_speeds(position: Position, side: int) -> None:
    """Reset speeds: a vehicle that makes no choice is stationary."""
    for model in position.models:
        if model.side == side and is_vehicle(model):
            for name in (SPEED, INCHES, TURNED):
                model.mark(name, 0)


@rule("7.13/flyer-no-stationary")
def end_movement(position: Position) -> None:
    """Count flyers that made no choice, or could not, as moving at combat speed."""
    for model in vehicles_of(position, int(position.now["side"])):
        if operates_as_flyer(model) and model.marks(SPEED) == STATIONARY:
            model.mark(SPEED, COMBAT_SPEED)


MOVING: tuple[str, ...] = ("movement",)
DRIVE_RESTRICTIONS = (has_gone_already, in_combat, *OF_A_SPEED, too_slow_to_gather)
ACTS: tuple[Act, ...] = (
    Act("drive", MOVING, speeds_on_offer, DRIVE_RESTRICTIONS, drive),
    Act("turn", MOVING, who_may_turn, (does_not_rotate, in_combat, held, has_just_turned), turn, 0.2),
)
