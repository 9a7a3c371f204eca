"""The ways that the models of a unit go together, and what may be wrong with them.

A book says how its units move in a ``Movement``: what bars a model on its way and where it ends, how far it goes, what
keeps the unit together. Each function here finds one thing wrong; a book's own function carries the rule and calls it:

    @rule("base-move/one-inch")
    def too_near_an_enemy(move: UnitMove) -> Fault | None:
        return near_a_base(move, lambda model, other: model.side != other.side, GAP)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from campale.referee.position import Model, Unit
from campale.referee.refusal import Fault, Plain, Refusal, Restriction, first_refusal
from campale.table import fields
from campale.table.fields import Field
from campale.table.formations import Coherency, groups, is_coherent
from campale.table.measure import bounding_radius, gap, overlaps
from campale.table.paths import Path, plan_length, until
from campale.table.planner import Trouble
from campale.table.shapes import TOLERANCE, Circle, Point, Solid, rounded
from campale.table.turning import plan_with_turns
from campale.table.units import unit_route

Answer = Sequence[Any]
"""For each model of a unit: its points after the start, and a facing or None."""


class Barred(NamedTuple):
    """What bars a model: a field, and the rows of the others of it, in their order; -1 for what is no model."""

    field: Field
    rows: tuple[int, ...]


class Movement(NamedTuple):
    """How the models of a unit move.

    ``on_the_way`` and ``at_the_end`` give what bars a model there; the models of its own unit are in neither.
    ``round``: what a unit goes round where it may, though it bars nobody, as ``at_the_end`` gives it.
    ``limit``: how far each may go (None: any length). ``link``: how near another they end, and ``companions``: how many
    others each. ``flies``: only the end is judged. ``restrictions``: the book's, of a UnitMove. ``fixed``: the rows of
    models that must stay where they are.
    """

    limit: float | None
    link: float
    on_the_way: Callable[[Model], Barred]
    at_the_end: Callable[[Model], Barred]
    restrictions: tuple[Restriction, ...]
    flies: bool = False
    fixed: frozenset[int] = frozenset()
    round: Callable[[Model], Barred] | None = None
    companions: int = 1

    @property
    def coherency(self) -> Coherency:
        return Coherency(self.link, self.companions)


class Found(NamedTuple):
    """A model that cannot go its way: what bars it, and where."""

    model: Model
    barred: Barred
    trouble: Trouble
    where: Point

    @property
    def other(self) -> Model | None:
        """The model that is in the way, if one is."""
        if self.trouble.kind not in ("base", "disc"):
            return None
        row = self.barred.rows[self.trouble.which]
        return None if row < 0 else self.model.position.model(row)


class UnitMove:
    """Where the models of a unit want to go; ``paths`` by row. A model that stays has a path of one point."""

    def __init__(self, unit: Unit, paths: Mapping[int, Path], movement: Movement) -> None:
        self.unit, self.paths, self.movement = unit, paths, movement
        models = unit.position.models
        self.models = [models[row] for row in paths]
        self._found: Found | None = None
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
    def found(self) -> Found | None:
        """The first model that something bars, on its way or at its end."""
        if not self._is_judged:
            self._found = next((one for one in map(self.judged, self.moving) if one is not None), None)
            self._is_judged = True
        return self._found

    def judged(self, model: Model) -> Found | None:
        path = self.paths[model.row]
        if not self.movement.flies:
            barred = self.movement.on_the_way(model)
            trouble = fields.first_trouble(barred.field, path)
            if trouble is not None:
                stop = until(path, trouble.progress).points[-1]
                return Found(model, barred, trouble, (stop[0], stop[1]))
        barred = self.movement.at_the_end(model)
        there = self.standing(model)
        if fields.is_free(barred.field, there.x, there.y, there.facing):
            return None
        trouble = fields.what_bars(barred.field, there.x, there.y, there.facing)
        return None if trouble is None else Found(model, barred, trouble, (there.x, there.y))


def stays(path: Path) -> bool:
    return len(path.points) < 2


def moves_the_fixed(move: UnitMove) -> Fault | None:
    """A model that has to stay where it is would move."""
    found = next((model for model in move.moving if model.row in move.movement.fixed), None)
    return None if found is None else Fault(shown(found.at), model=found.row)


# ---------------------------------------------------------------- what may be wrong


def refusal_of(move: UnitMove) -> Refusal | None:
    return first_refusal(move.movement.restrictions, move)


def too_far(move: UnitMove) -> Fault | None:
    limit = move.movement.limit
    if limit is None:
        return None
    for model in move.moving:
        length = plan_length(move.paths[model.row])
        if length > limit + TOLERANCE:
            return Fault(shown(move.end(model)), round(length, 2), limit, model.row)
    return None


def over_the_edge(move: UnitMove) -> Fault | None:
    return barred_by(move, "edge")


def over_a_piece(move: UnitMove) -> Fault | None:
    return barred_by(move, "outline")


def barred_by(move: UnitMove, kind: str) -> Fault | None:
    found = move.found
    return None if found is None or found.trouble.kind != kind else Fault(shown(found.where), model=found.model.row)


def on_no_model(move: UnitMove) -> Fault | None:
    """The first thing in the way, if it is a base that is no model's: that of a marker."""
    found = move.found
    if found is None or found.trouble.kind not in ("base", "disc") or found.other is not None:
        return None
    return Fault(shown(found.where), model=found.model.row)


def near_a_base(move: UnitMove, is_meant: Callable[[Model, Model], bool], limit: float | None = None) -> Fault | None:
    """The first model in the way, if it is one that is meant: ``is_meant(mover, other)``."""
    found = move.found
    if found is None or (other := found.other) is None or not is_meant(found.model, other):
        return None
    return Fault(shown(found.where), limit=limit, model=other.row)


def on_each_other(move: UnitMove) -> Fault | None:
    """Two models of the unit that end on the same ground."""
    there = [(model, move.standing(model)) for model in move.models]
    for k, (model, one) in enumerate(there):
        for _, other in there[:k]:
            if are_near(one, other) and overlaps(one, other):
                return Fault(shown((one.x, one.y)), model=model.row)
    return None


def are_near(one: Solid, other: Solid) -> bool:
    dx, dy, reach = one.x - other.x, one.y - other.y, bounding_radius(one.shape) + bounding_radius(other.shape)
    return dx * dx + dy * dy < reach * reach


def out_of_coherency(move: UnitMove) -> Fault | None:
    """The unit would not end together. One that is apart comes together if it can; else it goes as it likes."""
    link, companions = move.movement.link, move.movement.companions
    if len(move.models) < 2 or is_together([move.standing(m) for m in move.models], link, companions):
        return None
    was_together = is_together([m.solid for m in move.models], link, companions)
    if not was_together and next(closing_up(move.unit, move.models, move.movement), None) is None:
        return None
    return Fault(limit=move.movement.link, model=move.models[0].row)


def is_together(solids: Sequence[Solid], link: float, companions: int = 1) -> bool:
    """Whether bases are linked in one group, each within ``link`` of so many others."""
    if all(isinstance(one.shape, Circle) for one in solids):
        radii = [one.shape.radius for one in solids]  # type: ignore[union-attr]
        return is_coherent([(one.x, one.y) for one in solids], radii, Coherency(link, companions))
    near = [
        [k for k, other in enumerate(solids) if other is not one and gap(one, other) <= link + TOLERANCE]
        for one in solids
    ]
    return all(len(found) >= min(companions, len(solids) - 1) for found in near) and len(groups(near)) == 1


def shown(point: Point) -> Point:
    return round(point[0], 2), round(point[1], 2)


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
    told = []
    for model in models:
        path = paths[model.row]
        facing = None if isinstance(model.solid.shape, Circle) else path.facing
        told.append([[[round(p[0], 4), round(p[1], 4)] for p in path.points[1:]], facing])
    return told


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
    found = unit_route(goings, [m.at for m in models], goal, movement.coherency, movement.limit)
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
