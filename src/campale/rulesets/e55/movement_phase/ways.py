"""The path of one model (1.1/move and 3.1): what bars it, how long it is, and its levels.

Moves, charges, pile-ins and retreats are all paths; they differ in their length, in the units they may come close to,
and in whether they pass over obstacles.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

from campale.mechanics.moves import move_paths
from campale.mechanics.moves.move_paths import (
    Barred,
    Bars,
    Meets,
    Met,
    MovePath,
    end_of,
    met_by_levels,
    met_on_landing,
    surroundings,
)
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.footprints import height, shape
from campale.rulesets.e55.definitions.types import is_bike, is_vehicle
from campale.rulesets.e55.definitions.units import rows_by_unit
from campale.rulesets.e55.movement_phase.terrain import fence
from campale.table import fields
from campale.table.fields import Field
from campale.table.levels import floor_under, height_of, is_level, keeps_to_floor
from campale.table.paths import Path, length_with_climbs
from campale.table.shapes import TOLERANCE, Point, rounded

ENEMY_GAP = 1.0
NOBODY: frozenset[int] = frozenset()


def way_of(
    model: Model, path: Path, limit: float | None, targets: frozenset[int] = NOBODY, flies: bool = False
) -> MovePath:
    """Return the path a model wants to take. Points are (x, y, z); ``targets``: rows of units it may come close to.

    ``flies``: the path goes above models and impassable pieces, and only its end is judged. ``limit`` None: any length.
    """
    return MovePath(model, path, limit, meets_of(targets, flies), flies)


def meets_of(targets: frozenset[int], flies: bool) -> Meets:
    return partial(landing if flies else met_by_levels, bars=partial(barred_at, targets))


@rule("1.1/move", "1.1/measure-height")
def length_of(path: Path) -> float:
    """Return the length in plan plus every climb and descent, in inches."""
    return rounded(length_with_climbs(path))


# ---------------------------------------------------------------- obstacles


def stand_on_different_storeys(one: Model, other: Model) -> bool:
    """Return whether one body is wholly above the other."""
    low, high = sorted((one, other), key=lambda model: model.z)
    return bool(low.z + height(low.profile) <= high.z)


def in_the_way(model: Model, z: float) -> list[Model]:
    """Return the models of other units, by row, whose bodies overlap in height with a model standing at level ``z``."""
    position, tall, low = model.position, heights_of(model.position), model.position.z
    unit, top, models = position.unit_of[model.row], z + height(model.profile), position.models
    found = [row for of, rows in rows_by_unit(position).items() if of != unit for row in rows]
    return [models[row] for row in sorted(found) if low[row] < top and low[row] + tall[row] > z]


def heights_of(position: Position) -> list[float]:
    """Return the heights of all models of the roster."""
    kept = position.roster.get("heights")
    if kept is None:
        kept = position.roster["heights"] = [height(profile) for profile in position.profiles]
    found: list[float] = kept
    return found


@rule("3.1/no-pass-through", "3.1/enemy-one-inch", "3.3.1/charge-near-target")
def kept_off(model: Model, other: Unit, targets: frozenset[int]) -> float:
    """Return the gap a mover keeps from a unit: 1 inch from enemies it is not charging, else 0 (contact allowed)."""
    return 0.0 if other.side == model.side or other.row in targets else ENEMY_GAP


def barred_at(targets: frozenset[int], model: Model, z: float) -> Barred:
    """Return what bars the path of a model at a level, cached until something moves.

    Its own unit's models bar nothing.
    """
    kept, unit = model.position.layout, model.position.unit_of[model.row]
    key = ("barred", unit, id(model.profile), z, targets)
    if key not in kept:
        kept[key] = barred_for(model, targets, z)
    found: Barred = kept[key]
    return found


def barred_for(model: Model, targets: frozenset[int], z: float) -> Barred:
    """Return the same, shared by all models of a unit that have the same shape and height."""
    made, kept, ground = shape(model.profile), model.position.layout, model.position.ground
    key = ("barred-for", model.unit.row, getattr(made, "corners", made), height(model.profile), z, targets)
    if key not in kept:
        position, others = model.position, in_the_way(model, z)
        units = [position.unit_of[other.row] for other in others]
        gap = {row: kept_off(model, Unit(position, row), targets) for row in set(units)}
        gaps = [gap[row] for row in units]
        kept[key] = surroundings(model, made, others, gaps, ground.kept(fence))
    found: Barred = kept[key]
    return found


def field_of(model: Model, targets: frozenset[int] = NOBODY, z: float | None = None) -> Field:
    return barred_at(targets, model, model.z if z is None else z).field


@rule("6.1.1/flying-over")
def landing(model: Model, path: Path, bars: Bars) -> Met | None:
    """Return why a flight cannot end where it ends; obstacles below it on the way do not matter."""
    return met_on_landing(model, path, bars)


# ---------------------------------------------------------------- restrictions on a path


@rule("1.1/move")
def too_far(way: MovePath) -> Fault | None:
    return move_paths.too_long(way.model, way.path, length_of(way.path), way.limit)


@rule("3.1.2/impassable")
def off_every_level(way: MovePath) -> Fault | None:
    """Refuse a path through the air, off the edge of a storey, or up where wheels and tracks cannot go."""
    ground = way.model.position.ground
    if all(len(point) < 3 or point[2] <= TOLERANCE for point in way.path.points):
        return None
    for one, other in pairwise(way.path.points):
        level, z = height_of(one), height_of(other)
        flat, place = (one[0], one[1]), (other[0], other[1])
        if not is_level(ground, place, z) or (z > TOLERANCE and stays_down(way.model)):
            return Fault(place, z, model=way.model.row)
        if not way.flies and level == z and not keeps_to_floor(ground, flat, place, z):
            return Fault(place, z, model=way.model.row)
    return None


@rule("3.1.2/impassable")
def stays_down(model: Model) -> bool:
    """Return whether a model cannot climb storeys: vehicles and bikes."""
    return is_vehicle(model) or is_bike(model)


@rule("3.1/enemy-one-inch", "3.3.1/charge-near-target")
def too_near_an_enemy(way: MovePath) -> Fault | None:
    return move_paths.too_near(way, ENEMY_GAP)


@rule("3.1/no-pass-through")
def through_a_model(way: MovePath) -> Fault | None:
    return move_paths.through_a_model(way)


@rule("3.1.2/impassable")
def over_impassable(way: MovePath) -> Fault | None:
    return move_paths.over_a_piece(way)


@rule("10.1/table")
def over_the_edge(way: MovePath) -> Fault | None:
    return move_paths.over_the_edge(way)


WAY_RESTRICTIONS = (too_far, off_every_level, too_near_an_enemy, through_a_model, over_impassable, over_the_edge)


def way_refusal(way: MovePath) -> Refusal | None:
    return first_refusal(WAY_RESTRICTIONS, way)


# ---------------------------------------------------------------- answers and ways


def path_of(model: Model, points: Sequence[Sequence[float]], facing: float | None = None) -> Path:
    """Return the path that an answer of a Move means.

    A point without a height keeps its level, or drops to the next.
    """
    steps: list[tuple[float, float, float]] = [(model.x, model.y, model.z)]
    for point in points:
        z = point[2] if len(point) == 3 else floor_under(model.position.ground, (point[0], point[1]), steps[-1][2])
        steps.append((rounded(point[0]), rounded(point[1]), rounded(z)))
    return Path(tuple(steps), model.facing if facing is None else facing)


def go(model: Model, path: Path, facing: float | None = None, **how: Plain) -> None:
    """Put a model at the end of its path, and write the path into the journal."""
    steps = [[round(value, 4) for value in point] for point in path.points]
    model.move_to(*end_of(path), facing, path=steps, **how)


# ---------------------------------------------------------------- places


@rule("3.1/enemy-one-inch", "3.1.2/impassable", "10.1/table", "1.1/model-is-its-base")
def may_stand(
    model: Model, place: Point, z: float = 0.0, facing: float = 0.0, targets: frozenset[int] = NOBODY
) -> bool:
    """Return whether a model could be put at a place: on the table, on no other base, 1 inch from enemies.

    Models of its own unit are ignored.
    """
    return fields.is_free(field_of(model, targets, z), *place, facing)
