"""The ways that the models of a unit go together, and what may be wrong with them.

A book says how its units move in a ``Movement``: what bars a model on its way and where it ends, how far it goes, what
keeps the unit together. Each function here finds one thing wrong; a book's own function carries the rule and calls it:

    @rule("base-general/coherency")
    def out_of_coherency(move: UnitMove) -> Fault | None:
        return unit_moves.out_of_coherency(move)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from campale.mechanics.moves import coherency
from campale.mechanics.moves.coherency import is_together
from campale.mechanics.moves.move_paths import (
    Barred,
    Met,
    answer_of,
    met_along,
    met_where_it_ends,
    shown,
    stays,
    too_long,
)
from campale.referee.position import Model, Unit
from campale.referee.refusal import Fault, Plain, Refusal, Restriction, first_refusal
from campale.table import fields
from campale.table.formations import Coherency
from campale.table.paths import Path, plan_length
from campale.table.shapes import Circle, Point, Solid, rounded
from campale.table.turning import plan_with_turns
from campale.table.units import unit_route

Answer = Sequence[Any]
"""For each model of a unit: its points after the start, and a facing or None."""


class Movement(NamedTuple):
    """How the models of a unit move.

    ``on_the_way`` and ``at_the_end`` give what bars a model there; the models of its own unit are in neither.
    ``round``: what a unit goes round where it may, though it bars nobody, as ``at_the_end`` gives it.
    ``limit``: how far each may go (None: any length). ``link``: how near another they end. ``flies``: only the end is
    judged. ``restrictions``: the book's, of a UnitMove. ``fixed``: the rows of models that must stay where they are.
    """

    limit: float | None
    link: float
    on_the_way: Callable[[Model], Barred]
    at_the_end: Callable[[Model], Barred]
    restrictions: tuple[Restriction, ...]
    flies: bool = False
    fixed: frozenset[int] = frozenset()
    round: Callable[[Model], Barred] | None = None


class UnitMove:
    """Where the models of a unit want to go; ``paths`` by row. A model that stays has a path of one point."""

    def __init__(self, unit: Unit, paths: Mapping[int, Path], movement: Movement) -> None:
        self.unit, self.paths, self.movement = unit, paths, movement
        models = unit.position.models
        self.models = [models[row] for row in paths]
        self._met: Met | None = None
        self._is_judged = False

    @property
    def moving(self) -> list[Model]:
        return [m for m in self.models if not stays(self.paths[m.row])]

    def end(self, model: Model) -> Point:
        point = self.paths[model.row].points[-1]
        return point[0], point[1]

    def standing(self, model: Model) -> Solid:
        """The solid that a model would be at the end."""
        path = self.paths[model.row]
        facing = model.facing if path.facing is None else path.facing
        return Solid(model.solid.shape, *self.end(model), 0.0, facing, model.solid.height)

    @property
    def ends(self) -> list[Solid]:
        """The solids that its models would be at the end."""
        return [self.standing(model) for model in self.models]

    @property
    def met(self) -> Met | None:
        """What stops the first model that something bars, on its way or at its end."""
        if not self._is_judged:
            self._met = next((met for met in map(self.judged, self.moving) if met is not None), None)
            self._is_judged = True
        return self._met

    def judged(self, model: Model) -> Met | None:
        path, movement = self.paths[model.row], self.movement
        met = None if movement.flies else next(met_along(model, path, movement.on_the_way(model)), None)
        return met or met_where_it_ends(model, path, movement.at_the_end(model))


def moves_the_fixed(move: UnitMove) -> Fault | None:
    """A model that has to stay where it is would move."""
    found = next((model for model in move.moving if model.row in move.movement.fixed), None)
    return None if found is None else Fault(shown(found.at), model=found.row)


# ---------------------------------------------------------------- what may be wrong


def refusal_of(move: UnitMove) -> Refusal | None:
    return first_refusal(move.movement.restrictions, move)


def too_far(move: UnitMove) -> Fault | None:
    for model in move.moving:
        path = move.paths[model.row]
        fault = too_long(model, path, plan_length(path), move.movement.limit)
        if fault is not None:
            return fault
    return None


def on_each_other(move: UnitMove) -> Fault | None:
    """Two models of the unit end on the same ground."""
    return coherency.on_each_other(move.models, move.ends)


def out_of_coherency(move: UnitMove) -> Fault | None:
    """The unit would not end together. One that is apart comes together if it can; else it goes as it likes."""
    if is_together(move.ends, move.movement.link):
        return None
    was_together = is_together([m.solid for m in move.models], move.movement.link)
    if not was_together and next(closing_up(move.unit, move.models, move.movement), None) is None:
        return None
    return Fault(limit=move.movement.link, model=move.models[0].row)


# ---------------------------------------------------------------- answers and paths


def path_of(model: Model, points: Sequence[Sequence[float]], facing: float | None = None) -> Path:
    """The way of a model through points; a hull faces along each piece of it."""
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
    return plain if isinstance(model.solid.shape, Circle) else plan_with_turns(plain, model.facing, facing)


def as_paths(models: Sequence[Model], answer: Answer) -> dict[int, Path]:
    """The paths that an answer means, by row."""
    return {model.row: path_of(model, one[0], one[1]) for model, one in zip(models, answer, strict=True)}


def as_answer(models: Sequence[Model], paths: Mapping[int, Path]) -> Plain:
    """Paths as an answer; only a hull's facing is told."""
    facings = [None if isinstance(m.solid.shape, Circle) else paths[m.row].facing for m in models]
    return [answer_of(paths[m.row], facing) for m, facing in zip(models, facings, strict=True)]


def staying(models: Sequence[Model]) -> Plain:
    return [[[], None] for _ in models]


def free_places(barred: Barred, places: Sequence[Point], facing: float = 0.0) -> list[Point]:
    """Those of some places at which a base may stand."""
    if not places:
        return []
    rows = np.array([(x, y, facing) for x, y in places], np.float64)
    return [
        place for place, is_free in zip(places, fields.all_free(barred.field, rows).tolist(), strict=True) if is_free
    ]


# ---------------------------------------------------------------- ways found


def is_lawful(unit: Unit, models: Sequence[Model], movement: Movement, answer: Plain) -> bool:
    return refusal_of(UnitMove(unit, as_paths(models, answer), movement)) is None


def routed_towards(unit: Unit, models: Sequence[Model], movement: Movement, goal: Point) -> Plain | None:
    """Each round what is in its way, the places of the unit mended where they are barred; for round bases."""
    if movement.limit is None or not all(isinstance(m.solid.shape, Circle) for m in models):
        return None
    if any(m.row in movement.fixed for m in models):
        return None
    barred = movement.round or movement.at_the_end
    goings = [barred(m).field.plans for m in models]
    found = unit_route(goings, [m.at for m in models], goal, Coherency(movement.link), movement.limit)
    if found is None:
        return None
    return as_answer(models, {m.row: on_the_grain(m, path) for m, path in zip(models, found, strict=True)})


def on_the_grain(model: Model, path: Path) -> Path:
    return path_of(model, [(point[0], point[1]) for point in path.points[1:]])


def closing_up(unit: Unit, models: Sequence[Model], movement: Movement) -> Iterator[Plain]:
    """Moves by which a unit that is apart comes together about one of its models."""
    for model in models:
        answer = routed_towards(unit, models, movement, model.at)
        if answer is not None and is_lawful(unit, models, movement, answer):
            yield answer
            return
