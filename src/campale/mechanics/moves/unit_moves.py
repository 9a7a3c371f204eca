"""The paths of a unit's models together, and what may be wrong with them.

A book describes the moves of its units in a ``Movement``: what bars a model on its way and at its end, how far it goes,
what keeps the unit together, what is forbidden. Each function here finds one fault; a book's own function carries the
rule and calls it:

    @rule("base-general/coherency")
    def out_of_coherency(move: UnitMove) -> Fault | None:
        return unit_moves.out_of_coherency(move)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from campale.mechanics.moves import coherency
from campale.mechanics.moves.coherency import is_together
from campale.mechanics.moves.move_paths import (
    Barred,
    Bars,
    Meets,
    Met,
    MovePath,
    answer_of,
    end_of,
    met_along,
    met_at_the_end,
    met_on_levels,
    shown,
    stays,
)
from campale.referee.position import Model, Unit
from campale.referee.refusal import Fault, Plain, Refusal, Restriction, first_refusal
from campale.table import fields
from campale.table.formations import Coherency
from campale.table.levels import height_of
from campale.table.paths import Path
from campale.table.shapes import Circle, Point, Solid, rounded
from campale.table.standing import Stand
from campale.table.terrain import Floor
from campale.table.turning import plan_with_turns
from campale.table.units import unit_route

Answer = Sequence[Any]
"""For each model of a unit: its points after the start, and a facing or None."""


def path_of(
    model: Model, points: Sequence[Sequence[float]], facing: float | None = None, sideways: bool = False
) -> Path:
    """The path of a model through points of the table.

    A hull faces along each stretch of it, or (``sideways``) keeps its facing until it turns at the end.
    """
    steps: list[Point] = [model.at]
    for point in points:
        step = rounded(point[0]), rounded(point[1])
        if step != steps[-1]:
            steps.append(step)
    if len(steps) < 2:
        if facing is None or isinstance(model.solid.shape, Circle):
            return Path((model.at,), model.facing)
        return plan_with_turns(Path((model.at,)), model.facing, facing)
    plain = Path(tuple(steps), model.facing)
    return plain if isinstance(model.solid.shape, Circle) else plan_with_turns(plain, model.facing, facing, sideways)


Reads = Callable[[Model, Sequence[Sequence[float]], float | None], Path]


class Levels(NamedTuple):
    """A book's rules about levels. If a movement has them, the models of a unit may go up and down.

    ``floors``: those on which a model may end. ``bars``: what bars it at a height. ``rests``: whether the level carries
    it where it would stand. ``length``: the length of a path, as the book measures it. ``high``: how far up or down the
    next model of a unit may be, with its distance measured in plan; None: the height is added.
    """

    floors: Callable[[Model], Sequence[Floor]]
    bars: Bars
    rests: Callable[[Model, Solid], bool]
    length: Callable[[Model, Path], float]
    high: float | None = None

    def carries(self, model: Model, place: Point, z: float) -> bool:
        """Whether a model may end at a place of a level, apart from its own unit; a hull with its present facing."""
        there = Solid(model.solid.shape, *place, z, model.facing, model.solid.height)
        return self.rests(model, there) and fields.is_free(self.bars(model, z).field, *place, model.facing)


class Movement(NamedTuple):
    """How the models of a unit move. Models of the same unit do not bar each other.

    ``limit``: how far each may go (None: any length). ``link``: how near to another they must end. ``meets``: what
    stops a model on its path. ``at_the_end``: what bars it at its end, for planning. ``of_each``: the book's
    restrictions of a model's path, ``of_all``: of the whole UnitMove. ``flies``: only the end is judged. ``fixed``: the
    rows of models that must stay put. ``round``: what a unit avoids if it can, although it bars nobody, in the form of
    ``at_the_end``. ``reads``: the path that an answer means. ``key``: the key of the movement for kept results.
    ``companions``: how many others a model must be near at the end. ``levels``: the rules about levels, if there are
    any.
    """

    limit: float | None
    link: float
    meets: Meets
    at_the_end: Callable[[Model], Barred]
    of_each: tuple[Restriction, ...]
    of_all: tuple[Restriction, ...]
    flies: bool = False
    fixed: frozenset[int] = frozenset()
    round: Callable[[Model], Barred] | None = None
    reads: Reads = path_of
    key: Any = None
    companions: int = 1
    levels: Levels | None = None

    @property
    def coherency(self) -> Coherency:
        return Coherency(self.link, self.companions)

    def keeps_together(self, solids: Sequence[Solid]) -> bool:
        high = None if self.levels is None else self.levels.high
        return is_together(solids, self.link, self.companions, high)


def on_the_table(
    on_the_way: Callable[[Model], Barred], at_the_end: Callable[[Model], Barred], flies: bool = False
) -> Meets:
    """What stops a model without levels: one thing bars it on its way, another at its end.

    If both are the same, a model whose way is free may also end there.
    """
    is_one = on_the_way is at_the_end

    def meets(model: Model, path: Path) -> Met | None:
        met = None if flies else met_along(model, path, on_the_way(model))
        if met is not None or (is_one and not flies and not stays(path)):
            return met
        return met_at_the_end(model, path, at_the_end(model))

    return meets


def on_levels(on_the_way: Bars, at_the_end: Bars, flies: bool = False) -> Meets:
    """The same with levels: each bars with what is at its height."""

    def meets(model: Model, path: Path) -> Met | None:
        met = None if flies else met_on_levels(model, path, on_the_way)
        return met or met_at_the_end(model, path, at_the_end(model, height_of(path.points[-1])))

    return meets


class UnitMove:
    """Where the models of a unit want to go; ``paths`` by row. A model that stays has a path of one point."""

    def __init__(self, unit: Unit, paths: Mapping[int, Path], movement: Movement) -> None:
        self.unit, self.paths, self.movement = unit, paths, movement
        models = unit.position.models
        self.models = [models[row] for row in paths]

    @cached_property
    def moving(self) -> list[Model]:
        return [m for m in self.models if not stays(self.paths[m.row])]

    @cached_property
    def ways(self) -> list[MovePath]:
        """The paths of the moving models, to be judged."""
        limit, meets, flies = self.movement.limit, self.movement.meets, self.movement.flies
        return [MovePath(model, self.paths[model.row], limit, meets, flies) for model in self.moving]

    @cached_property
    def places(self) -> dict[int, Stand]:
        """The ends of the moving models, by row."""
        return {model.row: self.stand(model) for model in self.moving}

    def stand(self, model: Model) -> Stand:
        path = self.paths[model.row]
        return *end_of(path), model.facing if path.facing is None else path.facing

    def end(self, model: Model) -> Point:
        point = self.paths[model.row].points[-1]
        return point[0], point[1]

    def standing(self, model: Model) -> Solid:
        """The solid of a model at its end."""
        return Solid(model.solid.shape, *self.stand(model), model.solid.height)

    @property
    def ends(self) -> list[Solid]:
        """The solids of its models at their ends."""
        return [self.standing(model) for model in self.models]


# ---------------------------------------------------------------- faults


def refusal_of(move: UnitMove) -> Refusal | None:
    """The first refusal: path by path, then of all together."""
    for way in move.ways:
        refusal = first_refusal(move.movement.of_each, way)
        if refusal is not None:
            return refusal
    return first_refusal(move.movement.of_all, move)


def moves_the_fixed(move: UnitMove) -> Fault | None:
    """A model that must stay put would move."""
    found = next((model for model in move.moving if model.row in move.movement.fixed), None)
    return None if found is None else Fault(shown(found.at), model=found.row)


def on_each_other(move: UnitMove, among: Sequence[Model] | None = None) -> Fault | None:
    """Two models of the unit end on the same ground. ``among``: all models there, if more than those that move."""
    models = move.models if among is None else among
    if len(models) < 2 or not move.moving:
        return None
    return coherency.on_each_other(models, coherency.standing(models, move.places).placed())


def out_of_coherency(move: UnitMove) -> Fault | None:
    """The unit would end out of coherency.

    A unit already out of coherency must regain it if it can; otherwise it may go anywhere.
    """
    if len(move.models) < 2 or move.movement.keeps_together(move.ends):
        return None
    was_together = move.movement.keeps_together([m.solid for m in move.models])
    if not was_together and next(closing_up(move.unit, move.models, move.movement), None) is None:
        return None
    return Fault(limit=move.movement.link, model=move.models[0].row)


# ---------------------------------------------------------------- answers and paths


def as_paths(models: Sequence[Model], answer: Answer, reads: Reads = path_of) -> dict[int, Path]:
    """The paths of an answer, by row."""
    return {model.row: reads(model, one[0], one[1]) for model, one in zip(models, answer, strict=True)}


def as_answer(models: Sequence[Model], paths: Mapping[int, Path]) -> Plain:
    """Paths as an answer; only a hull's facing is given."""
    facings = [None if isinstance(m.solid.shape, Circle) else paths[m.row].facing for m in models]
    return [answer_of(paths[m.row], facing) for m, facing in zip(models, facings, strict=True)]


def staying(models: Sequence[Model]) -> Plain:
    return [[[], None] for _ in models]


# ---------------------------------------------------------------- ways found


def is_lawful(unit: Unit, models: Sequence[Model], movement: Movement, answer: Plain) -> bool:
    return refusal_of(UnitMove(unit, as_paths(models, answer, movement.reads), movement)) is None


def lawful_route(unit: Unit, models: Sequence[Model], movement: Movement, goal: Point) -> Plain | None:
    """The way of ``routed_towards``, if it is lawful."""
    answer = routed_towards(unit, models, movement, goal)
    return answer if answer is not None and is_lawful(unit, models, movement, answer) else None


def routed_towards(unit: Unit, models: Sequence[Model], movement: Movement, goal: Point) -> Plain | None:
    """Each model round the obstacles in its way, with barred places of the unit repaired; for round bases."""
    if movement.limit is None or not all(isinstance(m.solid.shape, Circle) for m in models):
        return None
    if any(m.row in movement.fixed for m in models):
        return None
    return planned(models, movement, goal)


def planned(models: Sequence[Model], movement: Movement, goal: Point) -> Plain | None:
    """The planner's paths of a unit towards a point."""
    barred = movement.round or movement.at_the_end
    goings = [barred(m).field.plans for m in models]
    found = unit_route(goings, [m.at for m in models], goal, movement.coherency, movement.limit)
    if found is None:
        return None
    return as_answer(models, {m.row: on_the_grain(m, path) for m, path in zip(models, found, strict=True)})


def on_the_grain(model: Model, path: Path) -> Path:
    return path_of(model, [(point[0], point[1]) for point in path.points[1:]])


def closing_up(unit: Unit, models: Sequence[Model], movement: Movement) -> Iterator[Plain]:
    """Moves by which a unit out of coherency comes together about one of its models."""
    for model in models:
        answer = lawful_route(unit, models, movement, model.at)
        if answer is not None:
            yield answer
            return
