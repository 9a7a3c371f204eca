"""The movement phase (3.1, 3.1.3): who moves, how far, running, and carrying out declared moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from campale.mechanics.moves.coherency import Places, standing
from campale.mechanics.moves.move_paths import end_of
from campale.mechanics.moves.unit_moves import as_paths
from campale.referee.ask import ask
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.dice import sum_of
from campale.rulesets.e55.definitions.measuring import rounded_down
from campale.rulesets.e55.definitions.types import (
    all_fly,
    is_all_vehicles,
    is_bike,
    is_character,
    is_flying,
    is_vehicle,
)
from campale.rulesets.e55.definitions.units import (
    APART,
    ARRIVED,
    COMBAT_SPEED,
    DISEMBARKED,
    DONE,
    EMBARKED,
    MOVED,
    RAN,
    SPEED,
    active,
    cannot_act,
    is_engaged,
    is_held,
    is_on_ground,
    members,
    units_on_table,
)
from campale.rulesets.e55.definitions.units import INCHES as VEHICLE_INCHES
from campale.rulesets.e55.movement_phase import dangerous, facing, rough
from campale.rulesets.e55.movement_phase.coherency import is_coherent, keeping
from campale.rulesets.e55.movement_phase.unit_moves import unit_move_question, way_meant
from campale.rulesets.e55.movement_phase.ways import NOBODY, go, length_of, may_stand
from campale.rulesets.e55.psychic_powers import powers
from campale.rulesets.e55.turn.acting import Act, Key, OfModel, OfUnit, act_in_phase, model_of, unit_of
from campale.rulesets.e55.unit_types import characters
from campale.rulesets.e55.vehicles import vehicles
from campale.rulesets.e55.view import foretelling
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE

__all__ = ["ACTS", "allowance", "move_unit", "movement_phase", "unit_move_question"]

INCHES = 6.0
BACK = 0.05


# ---------------------------------------------------------------- distance


@rule("3.1/move-allowance")
def usual_move(model: Model) -> float:
    """Return a model's move: six inches, unless its type states another figure."""
    for own in (move_of_bike, move_of_flyer, move_of_vehicle):
        found = own(model)
        if found:
            return found
    return INCHES


@rule("6.2/bike-move", "6.2.1/jetbike-move")
def move_of_bike(model: Model) -> float:
    return float(model.profile.x) if is_bike(model) else 0.0


@rule("6.1.1/fmc-move", "6.4/flying-infantry-move")
def move_of_flyer(model: Model) -> float:
    """Return the move of flying monstrous creatures and flying infantry while in their flying mode, else 0."""
    return float(model.profile.x) if is_flying(model) and not is_vehicle(model) else 0.0


def move_of_vehicle(model: Model) -> float:
    """Return half the speed of a vehicle that shares a unit with other models, 0 for other types."""
    return model.profile.speed / 2.0 if is_vehicle(model) else 0.0


@rule("3.1/slowest-model", "1.2/mixed-units")
def slowest(models: Sequence[Model]) -> float:
    return min((usual_move(model) for model in models), default=0.0)


def allowance(unit: Unit, models: Sequence[Model] | None = None) -> float:
    """Return the move in inches of a unit in its movement phase, or of those models that move by themselves."""
    return slowest(members(unit) if models is None else models) + powers.haste(unit)


# ---------------------------------------------------------------- restrictions on moving


@rule("3.1/move-allowance")
def has_acted(position: Position, key: Key) -> Fault | None:
    """Refuse a second move. Embarking, disembarking and arriving each replace the move."""
    unit = unit_of(position, key)
    return Fault() if any(unit.marks(name) for name in (DONE, ARRIVED, DISEMBARKED, EMBARKED)) else None


@rule("3.1/cannot-move")
def is_held_in_place(position: Position, key: Key) -> Fault | None:
    unit = unit_of(position, key)
    return Fault() if is_engaged(unit) or is_on_ground(unit) else None


@rule("4.2/broken-cannot-act")
def is_in_rout(position: Position, key: Key) -> Fault | None:
    return cannot_act(unit_of(position, key))


@rule("6.2/bike-no-run")
def has_a_bike(position: Position, key: Key) -> Fault | None:
    bike = next((model for model in members(unit_of(position, key)) if is_bike(model)), None)
    return None if bike is None else Fault(bike.at, model=bike.row)


@rule("7.2/vehicle-no-run")
def has_a_vehicle(position: Position, key: Key) -> Fault | None:
    """Refuse a run by a unit with a vehicle, walkers included."""
    vehicle = next((model for model in members(unit_of(position, key)) if is_vehicle(model)), None)
    return None if vehicle is None else Fault(vehicle.at, model=vehicle.row)


@rule("8/independent-character")
def leaves_nobody(position: Position, key: Key) -> Fault | None:
    """Refuse a move away: only a character in a unit with others may leave it, and only once."""
    model = model_of(position, key)
    return Fault(model=model.row) if model.marks(APART) or model.bought_with == model.unit else None


MOVE_RESTRICTIONS = (has_acted, is_held_in_place, is_in_rout)
RUN_RESTRICTIONS = (*MOVE_RESTRICTIONS, has_a_bike, has_a_vehicle)
LEAVE_RESTRICTIONS = (*MOVE_RESTRICTIONS, leaves_nobody)


# ---------------------------------------------------------------- the phase


@rule("3.1/move-allowance")
async def movement_phase(position: Position) -> bool:
    """Let the active player act with one unit after another, then settle which units characters belong to."""
    if await act_in_phase(position, "movement"):
        return True
    scattered = next((unit for unit in on_foot(position, active(position)) if must_close_up(unit)), None)
    if scattered is not None:
        await move(position, ("move", scattered.row))
        return True
    squadron = vehicles.scattered_squadron(position, active(position))
    if squadron is not None:
        await vehicles.close_up(squadron)
        return True
    await characters.settle(position, active(position))
    await facing.settle_facings(position)
    return False


@rule("3.1.1/restore-coherency")
def must_close_up(unit: Unit) -> bool:
    """Return whether a unit is out of coherency and must use its movement phase to regain it."""
    key = OfUnit("move", unit.row)
    return not is_coherent(unit) and not any(bars(unit.position, key) for bars in MOVE_RESTRICTIONS)


def on_foot(position: Position, side: int) -> list[Unit]:
    """Return the units that move by this chapter; units of vehicles alone have a chapter of their own."""
    return [unit for unit in units_on_table(position, side) if not is_all_vehicles(unit)]


def moves(position: Position, side: int) -> list[Key]:
    return [OfUnit("move", unit.row) for unit in on_foot(position, side)]


def runs(position: Position, side: int) -> list[Key]:
    return [OfUnit("run", unit.row) for unit in units_on_table(position, side)]


def departures(position: Position, side: int) -> list[Key]:
    """Return the characters that could move away from their units."""
    found = [m for m in position.on_table(side) if is_character(m) and m.bought_with != m.unit]
    return [OfModel("leave", model.unit.row, model.row) for model in found]


async def move(position: Position, key: Key) -> None:
    unit = unit_of(position, key)
    models = able_to_move(unit)
    usual = allowance(unit, models)
    unit.mark(DONE, 1)
    await move_unit(unit, "move", usual, usual, models=models)


@rule("7.6/immobilised", "7.6/stunned", "7.6/shaken", "1.2/mixed-units")
def able_to_move(unit: Unit) -> list[Model]:
    """Return the models that move with their unit: a vehicle among them that is held stays where it is."""
    return [model for model in keeping(unit) if not is_held(model)]


@rule("3.1.3/run")
async def run(position: Position, key: Key) -> None:
    """Run: declare it, roll, and move once with the die added to the move."""
    unit = unit_of(position, key)
    usual = allowance(unit, keeping(unit))
    unit.mark(DONE, 1)
    unit.mark(RAN, 1)
    more = await sum_of(unit.side, "run", 1, unit=unit.row)
    await move_unit(unit, "run", usual + more, usual)


@rule("8/independent-character")
async def leave(position: Position, key: Key) -> None:
    """Move a character by itself at its own speed; whether it has left its unit is settled at the end of the phase."""
    model = model_of(position, key)
    usual = allowance(model.unit, [model])
    model.mark(APART, 1)
    moved = await move_unit(
        model.unit, "leave", usual, usual, flies=is_flying(model), models=[model], counts=False, alone=True
    )
    model.bought_with.mark(MOVED, int(moved))


ACTS: tuple[Act, ...] = (
    Act("move", ("movement",), moves, MOVE_RESTRICTIONS, move),
    Act("run", ("movement",), runs, RUN_RESTRICTIONS, run, 0.4),
    Act("leave", ("movement",), departures, LEAVE_RESTRICTIONS, leave, 0.2),
)


# ---------------------------------------------------------------- moving


async def move_unit(
    unit: Unit,
    prompt: str,
    limit: float,
    usual: float,
    *,
    may_be_slowed: bool = True,
    tests_dangerous: bool = True,
    flies: bool | None = None,
    models: Sequence[Model] | None = None,
    targets: frozenset[int] = NOBODY,
    alone: bool = False,
    counts: bool = True,
    **about: Plain,
) -> bool:
    """Ask for the paths, roll for the terrain they touch, move as far as is left; return whether any model moved.

    ``flies`` None: as the unit does. ``counts``: the unit counts as moved if any model has.
    """
    aloft = all_fly(unit) if flies is None else flies
    moving = keeping(unit) if models is None else list(models)
    far = (usual, limit) if may_be_slowed else None
    foretells = partial(foretelling.of_move, unit, far=far, tests=tests_dangerous, alone=alone)
    asked: dict[str, Any] = {"flies": aloft, "targets": targets, "models": moving, "alone": alone, "usual": usual}
    question = unit_move_question(unit, prompt, limit, foretells=foretells, **asked, **about)
    paths = as_paths(moving, await ask(question), way_meant)
    cost = await rough.reduction(unit, paths, usual, limit) if may_be_slowed else 0.0
    moved = walk(unit, paths, limit - cost, targets)
    if moved and counts:
        unit.mark(MOVED, 1)  # 3.1/moved-flag
    if tests_dangerous:
        await test_ground(unit, paths, alone)
    return moved


async def test_ground(unit: Unit, paths: Mapping[int, Path], alone: bool) -> None:
    """Test for dangerous ground after the move: all models of the unit, or those that moved by themselves.

    A vehicle tests by its own path.
    """
    rolling = rough.who_rolls(unit, paths, alone)
    if rolling:
        await dangerous.dangerous_test(unit, models=rolling)


def walk(unit: Unit, paths: Mapping[int, Path], limit: float, targets: frozenset[int] = NOBODY) -> bool:
    """Move every model along its declared path as far as is left of its move; return whether any moved."""
    cut = shortened(unit, paths, limit, targets)
    is_reduced = any(path is not paths[row] for row, path in cut.items())
    return go_reduced(unit, cut) if is_reduced else go_whole(unit, cut)


@rule("3.1/move-allowance")
def go_whole(unit: Unit, paths: Mapping[int, Path]) -> bool:
    """Move to the ends of the declared paths."""
    return go_along(unit, paths)


@rule("3.1.2/difficult-committed")
def go_reduced(unit: Unit, paths: Mapping[int, Path]) -> bool:
    """Move as far as the reduced move allows."""
    return go_along(unit, paths)


def go_along(unit: Unit, paths: Mapping[int, Path]) -> bool:
    moved = False
    for row, path in paths.items():
        model = unit.position.model(row)
        if end_of(path) != (model.x, model.y, model.z):
            go(model, path)
            note_speed(model, path)
            moved = True
    return moved


@rule("1.2/mixed-units", "7.9/weapons-by-speed", "7.7/vehicle-weapon-skill")
def note_speed(model: Model, path: Path) -> None:
    """Record that a vehicle has moved with the others of its unit: at combat speed, and how far."""
    if is_vehicle(model) and model.position.now.get("phase") == "movement":
        model.mark(SPEED, COMBAT_SPEED)
        model.mark(VEHICLE_INCHES, rounded_down(length_of(path)))


def shortened(unit: Unit, paths: Mapping[int, Path], limit: float, targets: frozenset[int] = NOBODY) -> dict[int, Path]:
    """Return the paths cut to a length, and further back where models of the unit would end on each other."""
    cut = {row: cut_to(path, limit) for row, path in paths.items()}
    for row, path in cut.items():
        if path is not paths[row] and not may_end(unit.position.model(row), path, targets):
            cut[row] = Path(path.points[:1], path.facing)
    models, lengths = members(unit), dict[int, float]()
    there, numbers = standing(models, ends_of(cut)), {model.row: number for number, model in enumerate(models)}
    while (found := there.first_overlap()) is not None:
        met = [models[number].row for number in found if models[number].row in cut]
        lengths |= {row: length_of(cut[row]) for row in met if row not in lengths}
        backed = max(met, key=lambda row: (lengths[row], row))
        if lengths[backed] <= 0.0:
            break
        cut[backed] = cut_to(paths[backed], lengths.pop(backed) - BACK)
        there.put(numbers[backed], (*end_of(cut[backed]), unit.position.model(backed).facing))
    return cut


def may_end(model: Model, path: Path, targets: frozenset[int]) -> bool:
    x, y, z = end_of(path)
    return may_stand(model, (x, y), z, model.facing, targets)


def ends_of(paths: Mapping[int, Path]) -> Places:
    return {row: end_of(path) for row, path in paths.items()}


def cut_to(path: Path, length: float) -> Path:
    """Return the part of a path that fits a length, climbs included; a climb is made whole or not at all."""
    left = length
    points = [path.points[0]]
    for one, other in zip(path.points, path.points[1:], strict=False):
        leg = length_of(Path((one, other)))
        if leg > left + TOLERANCE:
            if one[2:] == other[2:] and left > 0.0:
                points.append(part_way(one, other, left / leg))
            return Path(tuple(points), path.facing)
        points.append(other)
        left -= leg
    return path


def part_way(one: Sequence[float], other: Sequence[float], share: float) -> tuple[float, float, float]:
    x, y = one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])
    return round(x, 4), round(y, 4), one[2] if len(one) == 3 else 0.0
