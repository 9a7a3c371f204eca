"""Moving into contact (3.3.1): the order of the models, the enemies each may touch, and the possible paths.

Charges, the defender's pile-in and the pile-ins after a result are all a ``Rush``. The duties of each model are in
``obligations``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from campale.mechanics.moves.contact_ways import ContactWays, at_of, bases_at, gap_at
from campale.mechanics.moves.move_paths import end_of
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.measuring import CONTACT, are_in_contact, exact
from campale.rulesets.e55.definitions.types import all_fly
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.movement_phase import coherency
from campale.rulesets.e55.movement_phase.ways import barred_at, way_of, way_refusal
from campale.table.kernels import Floats
from campale.table.outlines import placed
from campale.table.paths import Path
from campale.table.shapes import Hull, Point3, Solid

DISCS = 3
"""How many discs stand for a hull, for each time that it is longer than wide."""


class Rush:
    """A unit that moves into contact: up to ``limit`` inches, with the units of ``targets`` (rows) alone.

    ``named``: by the row of a model, the row of the enemy model that it must go to (3.3.1/multi-charge).
    """

    def __init__(self, unit: Unit, targets: Iterable[int], limit: float, named: dict[int, int] | None = None) -> None:
        self.unit, self.targets, self.limit = unit, frozenset(targets), limit
        self.named = named or {}
        self.flies = all_fly(unit)
        position = unit.position
        self.enemies = [m for m in position.on_table(1 - unit.side) if position.unit_of[m.row] in self.targets]
        self.ways = ways_of(self)
        self.models = in_order(self)
        self.held = held_by_others(self)
        self.planned: list[Any] | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """Return the rush's key in a cache."""
        return self.unit.row, tuple(sorted(self.targets)), self.limit, tuple(self.named.items())


def ways_of(rush: Rush) -> ContactWays:
    """Return the search for its models' paths. Places are linked if the distance measures no more than the link."""

    def is_lawful(model: Model, path: Path, limit: float | None) -> bool:
        return way_refusal(way_of(model, path, limit, rush.targets, rush.flies)) is None

    link = math.floor(coherency.link(rush.unit)) + 1.0
    bodies = {model.row: model.solid for model in (*members(rush.unit), *rush.enemies)}
    return ContactWays(partial(barred_at, rush.targets), is_lawful, bodies, rush.limit, link, CONTACT, rush.flies)


class Progress:
    """A rush in progress: where the unit's models are by now, and which of them have moved."""

    def __init__(self, rush: Rush) -> None:
        self.rush = rush
        self.at: dict[int, Point3] = {m.row: at_of(m) for m in rush.models}
        self.moved: list[int] = []
        self.touching = {m.row: [e.row for e in touched(rush, m, self.at[m.row])] for m in rush.models}

    def put(self, model: Model, path: Path) -> None:
        self.at[model.row] = end_of(path)
        self.moved.append(model.row)
        self.touching[model.row] = [enemy.row for enemy in touched(self.rush, model, self.at[model.row])]

    def bases(self, model: Model, rows: Iterable[int], z: float, inside: bool = False) -> Floats:
        """Return x, y, radius of other models (by row) whose bodies share the height of one at level ``z``.

        A hull, which stays where it is, is several discs that cover it, or that lie ``inside`` it.
        """
        bodies, those = self.rush.ways.bodies, list(rows)
        hulls = [row for row in those if row != model.row and isinstance(bodies[row].shape, Hull)]
        found = bases_at(model, bodies, self.at, [row for row in those if row not in hulls], z)
        top = z + bodies[model.row].height
        level = [bodies[row] for row in hulls if z - bodies[row].height < bodies[row].z < top]
        return np.vstack([found, *(discs_of(hull, inside) for hull in level)]) if level else found


def discs_of(hull: Solid, inside: bool) -> Floats:
    """Return x, y, radius of discs along a hull that cover it, or that lie inside it."""
    assert isinstance(hull.shape, Hull)
    wide, deep = (max(corner[k] for corner in hull.shape.corners) for k in (0, 1))
    broad, far = min(wide, deep), max(wide, deep)
    part = far / math.ceil(DISCS * far / broad)
    along = np.arange(part - far, far, 2.0 * part)
    if inside:
        along = np.clip(along, broad - far, far - broad)
    own = [(0.0, each) if deep >= wide else (each, 0.0) for each in along.tolist()]
    radius = broad if inside else math.hypot(broad, part)
    return np.array([(x, y, radius) for x, y in placed(own, hull.x, hull.y, hull.facing)], np.float64)


# ---------------------------------------------------------------- order of the models


@rule("3.3.1/charge-order")
def in_order(rush: Rush) -> list[Model]:
    """Return the models sent to named units, in the order named, then the others from nearest to farthest."""
    sent = list(rush.named)
    models = members(rush.unit)
    near = {m.row: min((exact(m, enemy) for enemy in rush.enemies), default=math.inf) for m in models}
    return sorted(models, key=lambda m: (sent.index(m.row) if m.row in sent else len(sent), near[m.row], m.row))


def held_by_others(rush: Rush) -> set[int]:
    """Return the enemies (rows) that touch a model of another unit of the mover's side."""
    position = rush.unit.position
    others = [m for m in position.on_table(rush.unit.side) if position.unit_of[m.row] != rush.unit.row]
    return {enemy.row for enemy in rush.enemies for other in others if are_in_contact(enemy, other)}


# ---------------------------------------------------------------- enemies that it may touch


def touched(rush: Rush, model: Model, place: Point3) -> list[Model]:
    """Return the enemies that a model touches at a place."""
    radius, bodies = rush.ways.radius(model), rush.ways.bodies
    return [enemy for enemy in rush.enemies if gap_at(radius, place, bodies[enemy.row]) <= CONTACT]


def nearest_first(rush: Rush, model: Model) -> list[Model]:
    return sorted(rush.enemies, key=lambda enemy: (exact(model, enemy), enemy.row))


@rule("3.3.1/charge-contact")
def free_enemies(progress: Progress, model: Model) -> list[Model]:
    """Return the enemies not yet in contact with any friendly model, the nearest first."""
    rush = progress.rush
    taken = set(rush.held)
    for mate in rush.models:
        if mate.row != model.row:
            taken.update(progress.touching[mate.row])
    return [enemy for enemy in nearest_first(rush, model) if enemy.row not in taken]


# ---------------------------------------------------------------- ways


def contact_way(progress: Progress, model: Model, enemy: Model, together: bool) -> Path | None:
    """Return a path into contact with one enemy; ``together``: in coherency with the models already moved."""
    mates = progress.bases(model, progress.at, enemy.z)
    moved = progress.bases(model, progress.moved, enemy.z, inside=True) if together and progress.moved else None
    return progress.rush.ways.into_contact(model, enemy, mates, moved)


@rule("3.3.1/charge-path")
def shortest_way(rush: Rush, model: Model, start: Point3, enemy: Model, limit: float = math.inf) -> Path | None:
    """Return the shortest path found into contact, around impassable ground and other units' models, of any length."""
    return rush.ways.shortest(model, start, enemy, limit)
