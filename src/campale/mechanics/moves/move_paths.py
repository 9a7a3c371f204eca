"""The path of one model: what bars it, and what may be wrong with it.

A book says what bars a model on each level that it may stand on. Each function here finds one fault of a path;
a book's own function carries the rule and calls it:

    @rule("3.1/enemy-one-inch")
    def too_near_an_enemy(way: MovePath) -> Fault | None:
        return move_paths.too_near(way, ENEMY_GAP)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

import msgspec

from campale.referee.position import Model
from campale.referee.refusal import Fault, Plain
from campale.table import fields
from campale.table.fields import Field
from campale.table.levels import height_of, runs, stretch
from campale.table.paths import Path, until
from campale.table.planner import Trouble
from campale.table.shapes import TOLERANCE, Point, Point3, Shape
from campale.table.terrain import Ground


class Barred(NamedTuple):
    """What bars a model: a field, and the rows of the others in it, in their order; -1 for a solid that is no model."""

    field: Field
    rows: tuple[int, ...]


class Met(NamedTuple):
    """What stops a model on its path."""

    model: Model
    path: Path
    barred: Barred
    trouble: Trouble

    @property
    def where(self) -> Point:
        """The point at which the model stops."""
        stop = until(self.path, self.trouble.progress).points[-1]
        return stop[0], stop[1]

    @property
    def other(self) -> Model | None:
        """The model in the way, if it is one."""
        if self.trouble.kind != "base":
            return None
        row = self.barred.rows[self.trouble.which]
        return None if row < 0 else self.model.position.model(row)

    @property
    def kept(self) -> float:
        """The distance kept from what is in the way: 0 if it may be touched."""
        return self.barred.field.gaps[self.trouble.which] if self.trouble.kind == "base" else 0.0


Meets = Callable[[Model, Path], Met | None]
"""What stops a model on a path."""

Bars = Callable[[Model, float], Barred]
"""What bars a model at a height."""


class Judged(Protocol):
    """A path, or the paths of a unit, with what stops them first."""

    @property
    def met(self) -> Met | None: ...


class MovePath:
    """A path for a model, with its end; judged once, and looked at by every restriction.

    ``limit``: how far it may go (None: any length). ``meets``: what stops the model first, as the book judges it.
    ``flies``: it goes over everything.
    """

    __slots__ = ("_met", "flies", "is_judged", "limit", "meets", "model", "path")

    def __init__(self, model: Model, path: Path, limit: float | None, meets: Meets, flies: bool = False) -> None:
        self.model, self.path, self.limit, self.meets, self.flies = model, path, limit, meets, flies
        self._met: Met | None = None
        self.is_judged = False

    @property
    def end(self) -> Point:
        return self.path.points[-1][0], self.path.points[-1][1]

    @property
    def met(self) -> Met | None:
        """The first thing in the way."""
        if not self.is_judged:
            self._met = self.meets(self.model, self.path)
            self.is_judged = True
        return self._met


# ---------------------------------------------------------------- obstacles


def surroundings(model: Model, shape: Shape, others: Sequence[Model], gaps: Sequence[float], fence: Ground) -> Barred:
    """Other models, each with the distance that a mover of a shape keeps from it, and the pieces of a fence."""
    field = fields.field(model.position.ground, shape, [other.solid for other in others], gaps, fence)
    return Barred(field, tuple([other.row for other in others]))


def met_by_levels(model: Model, path: Path, bars: Bars) -> Met | None:
    """The first thing on a path, level by level; a path on one level is judged at once."""
    levels = [point[2] if len(point) == 3 else 0.0 for point in path.points]
    if len(set(levels)) == 1:
        return met_along(model, path, bars(model, levels[0]))
    for leg, (one, other) in enumerate(pairwise(path.points)):
        for z in dict.fromkeys((levels[leg], levels[leg + 1])):
            met = met_along(model, Path((one, other), path.facing), bars(model, z))
            if met is not None:
                trouble = msgspec.structs.replace(met.trouble, progress=met.trouble.progress + leg)
                return Met(model, path, met.barred, trouble)
    return None


def met_along(model: Model, path: Path, barred: Barred) -> Met | None:
    """The first thing on a path on one level."""
    trouble = fields.first_trouble(barred.field, path)
    return None if trouble is None else Met(model, path, barred, trouble)


def met_at_the_end(model: Model, path: Path, barred: Barred) -> Met | None:
    """What stops a model at the end of its path, whatever lies on the way."""
    x, y = path.points[-1][:2]
    facing = path.facing or 0.0
    if fields.is_free(barred.field, x, y, facing):
        return None
    trouble = fields.what_bars(barred.field, x, y, facing)
    if trouble is None:
        return None
    return Met(model, path, barred, msgspec.structs.replace(trouble, progress=math.inf))


def met_on_levels(model: Model, path: Path, bars: Bars) -> Met | None:
    """The first thing on a walked path, run by run; a level is entered only where nothing bars it."""
    done = 0
    for run in runs(path):
        barred = bars(model, height_of(run.points[0]))
        met = met_at_the_end(model, stretch(run, 0, 1), barred) if done else None
        met = met or met_along(model, run, barred)
        if met is not None:
            progress = done + (0.0 if met.trouble.progress == math.inf else met.trouble.progress)
            return Met(model, path, met.barred, msgspec.structs.replace(met.trouble, progress=progress))
        done += len(run.points)
    return None


def met_on_landing(model: Model, path: Path, bars: Bars) -> Met | None:
    """What stops a flight at its end; a model that stays put does not land."""
    if stays(path) and not path.turns:
        return None
    return met_at_the_end(model, path, bars(model, height_of(path.points[-1])))


def stays(path: Path) -> bool:
    return len(path.points) < 2


# ---------------------------------------------------------------- faults


def too_long(model: Model, path: Path, length: float, limit: float | None) -> Fault | None:
    """A path is longer than a limit. ``length`` is its length as the book measures it."""
    if limit is None or length <= limit + TOLERANCE:
        return None
    return Fault(shown(path.points[-1]), round(length, 2), limit, model.row)


def too_near(judged: Judged, gap: float) -> Fault | None:
    """In the way is a base that a distance is kept from: ``gap``, as the refusal gives it."""
    met = judged.met
    if met is None or met.other is None or not met.kept:
        return None
    return Fault(shown(met.where), limit=gap, model=met.other.row)


def through_a_model(judged: Judged) -> Fault | None:
    """In the way is a base that may be touched, but not passed through."""
    met = judged.met
    if met is None or met.other is None or met.kept:
        return None
    return Fault(shown(met.where), model=met.other.row, word="in-the-way")


def on_no_model(judged: Judged) -> Fault | None:
    """In the way is a base that belongs to no model: that of a marker."""
    met = judged.met
    if met is None or met.trouble.kind != "base" or met.other is not None:
        return None
    return Fault(shown(met.where), model=met.model.row)


def over_a_piece(judged: Judged) -> Fault | None:
    return barred_by(judged, "outline", "impassable")


def over_the_edge(judged: Judged) -> Fault | None:
    return barred_by(judged, "edge", "off-the-table")


def barred_by(judged: Judged, kind: str, word: str) -> Fault | None:
    met = judged.met
    if met is None or met.trouble.kind != kind:
        return None
    return Fault(shown(met.where), model=met.model.row, word=word)


def shown(point: Sequence[float]) -> Point:
    return round(point[0], 2), round(point[1], 2)


# ---------------------------------------------------------------- ends and answers


def end_of(path: Path) -> Point3:
    """The end of a path: x, y and the height."""
    end = path.points[-1]
    return end[0], end[1], end[2] if len(end) == 3 else 0.0


def answer_of(path: Path, facing: float | None = None) -> Plain:
    """A path as an answer of a Move; heights appear only if there are any, and where the path comes down to 0."""
    named = [point if height_of(before) > TOLERANCE else flattened(point) for before, point in pairwise(path.points)]
    return [[[round(value, 4) for value in point] for point in named], facing]


def flattened(point: Any) -> tuple[float, ...]:
    return (point[0], point[1]) if height_of(point) <= TOLERANCE else tuple(point)
