"""The way of one model (1.1/move and 3.1): what bars it, how long it is, on which level it goes.

A move, a charge, a pile-in, a retreat are all ways; they differ in the allowance, in whom they may come near to, and in
whether they go over what lies between.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from campale.referee.position import Model, Position
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.footprints import height, shape
from campale.rulesets.e55.definitions.types import is_bike, is_vehicle
from campale.rulesets.e55.definitions.units import rows_by_unit
from campale.rulesets.e55.movement_phase.terrain import fence, floor_under, is_level, keeps_to_floor
from campale.table import fields
from campale.table.fields import Field
from campale.table.paths import Path, length_with_climbs, until
from campale.table.planner import Trouble
from campale.table.shapes import TOLERANCE, Point, rounded

ENEMY_GAP = 1.0
NOBODY: frozenset[int] = frozenset()


class Way:
    """A path that a model wants to go. Points are (x, y, z); ``targets`` are the rows of units it may come up to.

    ``flies``: it goes above models and impassable pieces, and is judged where it ends. ``limit`` None: any length.
    """

    __slots__ = ("_trouble", "flies", "is_judged", "limit", "model", "path", "targets")

    def __init__(
        self,
        model: Model,
        path: Path,
        limit: float | None,
        targets: frozenset[int] = NOBODY,
        flies: bool = False,
    ) -> None:
        self.model, self.path, self.limit, self.targets, self.flies = model, path, limit, targets, flies
        self._trouble: tuple[Field, Trouble] | None = None
        self.is_judged = False

    @property
    def length(self) -> float:
        return length_of(self.path)

    @property
    def end(self) -> Point:
        return self.path.points[-1][0], self.path.points[-1][1]

    @property
    def trouble(self) -> tuple[Field, Trouble] | None:
        """The first thing in the way, with the field whose places it speaks of."""
        if not self.is_judged:
            self._trouble = landing_trouble(self) if self.flies else next(troubles(self), None)
            self.is_judged = True
        return self._trouble

    def fault(self, model: Model | None = None, measured: float | None = None, limit: float | None = None) -> Fault:
        where = self.end
        if self.trouble is not None and not self.flies:
            stop = until(self.path, self.trouble[1].progress).points[-1]
            where = stop[0], stop[1]
        return Fault((round(where[0], 2), round(where[1], 2)), measured, limit, None if model is None else model.row)


@rule("1.1/move", "1.1/measure-height")
def length_of(path: Path) -> float:
    """The length in plan with every climb and descent added."""
    return rounded(length_with_climbs(path))


# ---------------------------------------------------------------- what stands in the way


def stand_on_different_storeys(one: Model, other: Model) -> bool:
    """Whether one body is wholly above the other."""
    low, high = sorted((one, other), key=lambda model: model.z)
    return bool(low.z + height(low.profile) <= high.z)


def in_the_way(model: Model, z: float) -> list[Model]:
    """The models of other units whose bodies share the height of one that stands at a level, by row."""
    position, tall, low = model.position, heights_of(model.position), model.position.z
    unit, top, models = position.unit_of[model.row], z + height(model.profile), position.models
    found = (row for of, rows in rows_by_unit(position).items() if of != unit for row in rows)
    return [models[row] for row in sorted(found) if low[row] < top and low[row] + tall[row] > z]


def heights_of(position: Position) -> list[float]:
    """The heights of all models of the roster."""
    kept = position.roster.get("heights")
    if kept is None:
        kept = position.roster["heights"] = [height(profile) for profile in position.profiles]
    found: list[float] = kept
    return found


@rule("3.1/no-pass-through", "3.1/enemy-one-inch", "3.3.1/charge-near-target")
def kept_off(model: Model, other: Model, targets: frozenset[int]) -> float:
    """How far a mover stays from a base: 1 inch from enemies that it is not charging, contact allowed otherwise."""
    if other.side == model.side or other.position.unit_of[other.row] in targets:
        return 0.0
    return ENEMY_GAP


def field_of(model: Model, targets: frozenset[int] = NOBODY, z: float | None = None) -> Field:
    """What bars the way of a model at a level; those of its own unit do not. Kept until something moves."""
    level, position = model.z if z is None else z, model.position
    key = ("field", position.unit_of[model.row], id(model.profile), level, targets)
    field: Field | None = position.layout.get(key)
    if field is None:
        field = position.layout[key] = field_for(model, targets, level)
    return field


def field_for(model: Model, targets: frozenset[int], level: float) -> Field:
    """The same, one for all models of a unit that are of one shape and height."""
    made, kept, ground = shape(model.profile), model.position.layout, model.position.ground
    key = ("field-for", model.unit.row, getattr(made, "corners", made), height(model.profile), level, targets)
    if key not in kept:
        others = in_the_way(model, level)
        gaps = [kept_off(model, other, targets) for other in others]
        kept[key] = fields.field(ground, made, [other.solid for other in others], gaps, ground.kept(fence))
        kept["rows", id(kept[key])] = tuple(other.row for other in others)
    field: Field = kept[key]
    return field


def model_met(model: Model, field: Field, which: int) -> Model:
    """The model that is one of the others of a field, made of this position as it is."""
    return model.position.model(model.position.layout["rows", id(field)][which])


def troubles(way: Way) -> Iterator[tuple[Field, Trouble]]:
    """What is in the way, level by level: a path on one level is judged at once."""
    levels = [point[2] if len(point) == 3 else 0.0 for point in way.path.points]
    if len(set(levels)) == 1:
        yield from trouble_on(way, way.path, levels[0], 0)
        return
    facing = way.path.facing
    for leg, (one, other) in enumerate(pairwise(way.path.points)):
        for z in dict.fromkeys((levels[leg], levels[leg + 1])):
            yield from trouble_on(way, Path((one, other), facing), z, leg)


def trouble_on(way: Way, path: Path, z: float, before: int) -> Iterator[tuple[Field, Trouble]]:
    field = field_of(way.model, way.targets, z)
    found = fields.first_trouble(field, path)
    if found is not None:
        yield field, Trouble(found.kind, found.which, found.progress + before)


@rule("6.1.1/flying-over")
def landing_trouble(way: Way) -> tuple[Field, Trouble] | None:
    """Why a flight cannot end where it ends; what lies below it on the way is no hindrance."""
    end = way.path.points[-1]
    z = end[2] if len(end) == 3 else 0.0
    field = field_of(way.model, way.targets, z)
    if len(way.path.points) == 1 and not way.path.turns:
        return None
    found = fields.what_bars(field, end[0], end[1], way.path.facing or 0.0)
    return None if found is None else (field, Trouble(found.kind, found.which, float(len(way.path.points) - 1)))


def stopped_by(way: Way) -> Model | None:
    """The model that bars the way, if a model is what bars it first."""
    if way.trouble is None or way.trouble[1].kind != "base":
        return None
    field, met = way.trouble
    return model_met(way.model, field, met.which)


# ---------------------------------------------------------------- what forbids a way


@rule("1.1/move")
def too_far(way: Way) -> Fault | None:
    if way.limit is None or way.length <= way.limit + TOLERANCE:
        return None
    return Fault(way.end, round(way.length, 2), way.limit)


@rule("3.1.2/impassable")
def off_every_level(way: Way) -> Fault | None:
    """In the air, off the edge of a storey, or up where wheels and tracks do not go."""
    ground = way.model.position.ground
    if all(len(point) < 3 or point[2] <= TOLERANCE for point in way.path.points):
        return None
    for one, other in pairwise(way.path.points):
        z = other[2] if len(other) == 3 else 0.0
        flat = one[0], one[1]
        level = one[2] if len(one) == 3 else 0.0
        place = other[0], other[1]
        if not is_level(ground, place, z) or (z > TOLERANCE and stays_down(way.model)):
            return Fault(place, z, model=way.model.row)
        if not way.flies and level == z and not keeps_to_floor(ground, flat, place, z):
            return Fault(place, z, model=way.model.row)
    return None


@rule("3.1.2/impassable")
def stays_down(model: Model) -> bool:
    """Vehicles and bikes: the storeys of a ruin are sheer heights to them."""
    return is_vehicle(model) or is_bike(model)


@rule("3.1/enemy-one-inch", "3.3.1/charge-near-target")
def too_near_an_enemy(way: Way) -> Fault | None:
    enemy = stopped_by(way)
    if enemy is None or not kept_off(way.model, enemy, way.targets):
        return None
    return way.fault(enemy, limit=ENEMY_GAP)


@rule("3.1/no-pass-through")
def through_a_model(way: Way) -> Fault | None:
    other = stopped_by(way)
    return None if other is None or kept_off(way.model, other, way.targets) else way.fault(other)


@rule("3.1.2/impassable")
def over_impassable(way: Way) -> Fault | None:
    return way.fault() if way.trouble is not None and way.trouble[1].kind == "outline" else None


@rule("10.1/table")
def over_the_edge(way: Way) -> Fault | None:
    return way.fault() if way.trouble is not None and way.trouble[1].kind == "edge" else None


WAY_RESTRICTIONS = (too_far, off_every_level, too_near_an_enemy, through_a_model, over_impassable, over_the_edge)


def way_refusal(way: Way) -> Refusal | None:
    return first_refusal(WAY_RESTRICTIONS, way)


# ---------------------------------------------------------------- answers and ways


def path_of(model: Model, answer: tuple[tuple[tuple[float, ...], ...], float | None]) -> Path:
    """The path that an answer of a Move means: a point without a height keeps to the level, or falls to the next."""
    points: list[tuple[float, float, float]] = [(model.x, model.y, model.z)]
    for point in answer[0]:
        z = point[2] if len(point) == 3 else floor_under(model.position.ground, (point[0], point[1]), points[-1][2])
        points.append((rounded(point[0]), rounded(point[1]), rounded(z)))
    return Path(tuple(points), answer[1] if answer[1] is not None else model.facing)


def as_answer(path: Path, facing: float | None = None) -> Plain:
    """A path as an answer of a Move; heights are named only where there is one."""
    return [[[round(value, 4) for value in flattened(point)] for point in path.points[1:]], facing]


def flattened(point: Any) -> tuple[float, ...]:
    return (point[0], point[1]) if len(point) == 2 or point[2] <= TOLERANCE else tuple(point)


def go(model: Model, path: Path, facing: float | None = None, **how: Plain) -> None:
    """Put a model at the end of its way; the way goes into the journal."""
    end = path.points[-1]
    z = end[2] if len(end) == 3 else 0.0
    steps = [[round(value, 4) for value in point] for point in path.points]
    model.move_to(end[0], end[1], z, facing, path=steps, **how)


# ---------------------------------------------------------------- places


@rule("3.1/enemy-one-inch", "3.1.2/impassable", "10.1/table", "1.1/model-is-its-base")
def may_stand(
    model: Model, place: Point, z: float = 0.0, facing: float = 0.0, targets: frozenset[int] = NOBODY
) -> bool:
    """Whether a model could be put down at a place: on the table, on no other base, 1 inch from enemies.

    Models of its own unit are not looked at.
    """
    return fields.is_free(field_of(model, targets, z), *place, facing)
