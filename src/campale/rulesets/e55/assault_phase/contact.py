"""Moving into contact (3.3.1): who moves in which order, whom each may touch, and the ways that there are.

Charges, the defender's pile-in and the pile-ins after a result are all a ``Rush``. "If it can" is settled by a search:
the ways tried into contact with a base are the straight one, those to 36 places round it and those that also touch a
model of the unit; round a hull there is a place every half inch. What each model must do is said in ``obligations``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from campale.mechanics.moves.move_paths import end_of
from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.footprints import height, shape
from campale.rulesets.e55.definitions.measuring import CONTACT, are_in_contact, exact
from campale.rulesets.e55.definitions.types import all_fly
from campale.rulesets.e55.definitions.units import members
from campale.rulesets.e55.movement_phase import coherency
from campale.rulesets.e55.movement_phase.ways import field_of, way_of, way_refusal
from campale.table import fields, planner, touching
from campale.table.kernels import Floats
from campale.table.measure import gap as gap_of_solids
from campale.table.paths import Path, plan_length
from campale.table.shapes import GRAIN, TOLERANCE, Circle, Point, Point3, Solid, rounded


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
        self.models = in_order(self)
        self.held = held_by_others(self)
        self.planned: list[Any] | None = None
        self.cut_off: dict[tuple[int, int], list[Point]] = {}

    @property
    def key(self) -> tuple[Any, ...]:
        """What it is known by in a cache."""
        return self.unit.row, tuple(sorted(self.targets)), self.limit, tuple(self.named.items())


class Progress:
    """A rush on its way: where the models of the unit are by now, and which of them have moved."""

    def __init__(self, rush: Rush) -> None:
        self.rush = rush
        self.at: dict[int, Point3] = {m.row: (m.x, m.y, m.z) for m in rush.models}
        self.moved: list[int] = []
        self.is_as_planned = True
        self.touching = {m.row: [e.row for e in touched(rush, m, self.at[m.row])] for m in rush.models}

    def put(self, model: Model, path: Path) -> None:
        self.at[model.row] = end_of(path)
        self.moved.append(model.row)
        self.touching[model.row] = [enemy.row for enemy in touched(self.rush, model, self.at[model.row])]

    def bases(self, model: Model, rows: Iterable[int], z: float) -> Floats:
        """x, y, radius of other models of the unit (by row) that share the height of one that stands at a level."""
        models, tall = model.position.models, height(model.profile)
        found = [
            (self.at[row][0], self.at[row][1], radius_of(models[row]))
            for row in rows
            if row != model.row and z - height(models[row].profile) < self.at[row][2] < z + tall
        ]
        return np.array(found, np.float64).reshape(-1, 3)


def radius_of(model: Model) -> float:
    """Of a round base: whoever moves into contact has one."""
    made = shape(model.profile)
    return made.radius if isinstance(made, Circle) else 0.0


# ---------------------------------------------------------------- who goes first


@rule("3.3.1/charge-order")
def in_order(rush: Rush) -> list[Model]:
    """Those sent to a named unit, as they were named; then from the model nearest to the target to the farthest."""
    sent = list(rush.named)
    models = members(rush.unit)
    near = {m.row: min((exact(m, enemy) for enemy in rush.enemies), default=math.inf) for m in models}
    return sorted(models, key=lambda m: (sent.index(m.row) if m.row in sent else len(sent), near[m.row], m.row))


def held_by_others(rush: Rush) -> set[int]:
    """The enemies (rows) that touch a model of another unit of the mover's side."""
    position = rush.unit.position
    others = [m for m in position.on_table(rush.unit.side) if position.unit_of[m.row] != rush.unit.row]
    return {enemy.row for enemy in rush.enemies for other in others if are_in_contact(enemy, other)}


# ---------------------------------------------------------------- gaps


def gap_at(model: Model, place: Point3, enemy: Model) -> float:
    """The distance of an enemy from a model that stands at a place."""
    made = shape(enemy.profile)
    rise = abs(place[2] - enemy.z)
    if isinstance(made, Circle):
        dx, dy = place[0] - enemy.x, place[1] - enemy.y
        return rounded(max(0.0, math.sqrt(dx * dx + dy * dy) - made.radius - radius_of(model)) + rise)
    return rounded(gap_of_solids(Solid(Circle(radius_of(model)), *place), enemy.solid) + rise)


def gaps_at(model: Model, places: Floats, z: float, enemy: Model) -> list[float]:
    """The same for many places (n, 2) on one level."""
    made = shape(enemy.profile)
    if not isinstance(made, Circle):
        return [gap_at(model, (x, y, z), enemy) for x, y in places.tolist()]
    dx, dy = places[:, 0] - enemy.x, places[:, 1] - enemy.y
    flat = np.maximum(0.0, np.sqrt(dx * dx + dy * dy) - made.radius - radius_of(model)) + abs(z - enemy.z)
    found: list[float] = (np.floor(flat * GRAIN + 0.5) / GRAIN).tolist()
    return found


def touched(rush: Rush, model: Model, place: Point3) -> list[Model]:
    """The enemies that a model touches at a place."""
    return [enemy for enemy in rush.enemies if gap_at(model, place, enemy) <= CONTACT]


def nearest_first(rush: Rush, model: Model) -> list[Model]:
    return sorted(rush.enemies, key=lambda enemy: (exact(model, enemy), enemy.row))


@rule("3.3.1/charge-contact")
def free_enemies(progress: Progress, model: Model) -> list[Model]:
    """The enemies not yet engaged with any friendly model, those nearest to a model first."""
    rush = progress.rush
    taken = set(rush.held)
    for mate in rush.models:
        if mate.row != model.row:
            taken.update(progress.touching[mate.row])
    return [enemy for enemy in nearest_first(rush, model) if enemy.row not in taken]


# ---------------------------------------------------------------- ways


def way_between(rush: Rush, model: Model, start: Point3, place: Point, z: float, limit: float) -> Path | None:
    """A legal way of a model from one place to another, of a limited length; models of its unit do not bar it."""
    if rush.flies:
        return legal(rush, model, Path((start, (*place, z))), limit)
    if abs(z - start[2]) > TOLERANCE:
        return next((way for way in by_levels(rush, model, start, place, z, limit) if way is not None), None)
    allowed = None if limit == math.inf else limit + TOLERANCE
    found = fields.routed(field_of(model, rush.targets, z), start[:2], place, allowed)
    if found is None:
        return None
    way = Path(tuple((x, y, z) for x, y, *_ in found.points))
    return way if z <= TOLERANCE else legal(rush, model, way, limit)


def legal(rush: Rush, model: Model, path: Path, limit: float) -> Path | None:
    way = way_of(model, path, None if limit == math.inf else limit, rush.targets, rush.flies)
    return path if way_refusal(way) is None else None


def by_levels(rush: Rush, model: Model, start: Point3, place: Point, z: float, limit: float) -> Iterator[Path | None]:
    """Ways up or down: straight up or down at the start and at the end, and on one level between them."""
    for level in dict.fromkeys((start[2], z, 0.0)):
        found = fields.routed(field_of(model, rush.targets, level), start[:2], place)
        if found is not None:
            along = [(x, y, level) for x, y, *_ in found.points]
            points = [start, *along[level == start[2] :], *([(*place, z)] if level != z else [])]
            yield legal(rush, model, Path(tuple(points)), limit)


def contact_way(progress: Progress, model: Model, enemy: Model, together: bool) -> Path | None:
    """A way into contact with one enemy; ``together``: to a place in coherency with the models already moved."""
    rush, start = progress.rush, (model.x, model.y, model.z)
    if gap_at(model, start, enemy) > rush.limit + TOLERANCE:
        return None
    for place in contact_places(progress, model, enemy, together):
        way = way_between(rush, model, start, place, enemy.z, rush.limit)
        if way is not None and gap_at(model, end_of(way), enemy) <= CONTACT:
            return way
    return None


def contact_places(progress: Progress, model: Model, enemy: Model, together: bool) -> Iterator[Point]:
    """Where a model could touch an enemy: within reach, on no model of its unit, the nearest places first."""
    rush, radius = progress.rush, radius_of(model)
    mates = progress.bases(model, progress.at, enemy.z)
    moved = progress.bases(model, progress.moved, enemy.z) if together and progress.moved else None
    link = math.floor(coherency.link(rush.unit)) + 1.0
    straight = touching.straight_place(model.at, radius, enemy.solid)
    if fits(np.array([straight]), model, rush.limit, mates, moved, link)[0]:
        yield straight
    tried = touching.places(model.at, radius, enemy.solid, mates)
    yield from map(tuple, tried[fits(tried, model, rush.limit, mates, moved, link)].tolist())


def fits(places: Floats, model: Model, limit: float, mates: Floats, moved: Floats | None, link: float) -> Any:
    """Which places are within reach, clear of the models of the unit, and in coherency with those moved, if asked."""
    dx, dy, radius = places[:, 0] - model.x, places[:, 1] - model.y, radius_of(model)
    good = dx * dx + dy * dy <= (limit + TOLERANCE) ** 2
    if len(mates):
        good &= (gaps_between(places, radius, mates) >= -TOLERANCE / 2).all(axis=1)
    if moved is not None:
        good &= (gaps_between(places, radius, moved) < link - TOLERANCE / 2).any(axis=1) if len(moved) else False
    return good


def gaps_between(places: Floats, radius: float, bases: Floats) -> Floats:
    dx, dy = places[:, 0, None] - bases[None, :, 0], places[:, 1, None] - bases[None, :, 1]
    found: Floats = np.sqrt(dx * dx + dy * dy) - radius - bases[None, :, 2]
    return found


@rule("3.3.1/charge-path")
def shortest_way(rush: Rush, model: Model, start: Point3, enemy: Model, limit: float = math.inf) -> Path | None:
    """The shortest way found into contact, past impassable ground and other units' models, however long it is."""
    straight = touching.straight_place(start[:2], radius_of(model), enemy.solid)
    if isinstance(shape(enemy.profile), Circle) and abs(enemy.z - start[2]) <= TOLERANCE and not rush.flies:
        direct = Path((start, (*straight, enemy.z)))
        if plan_length(direct) <= limit + TOLERANCE and legal(rush, model, direct, limit) is not None:
            return direct
        if is_cut_off(rush, model, start, enemy):
            return None
        found = round_about(rush, model, start, enemy, limit)
        return found or way_between(rush, model, start, straight, enemy.z, limit)
    tried = [straight, *touching.places(start[:2], radius_of(model), enemy.solid).tolist()]
    ways = (way_between(rush, model, start, (x, y), enemy.z, limit) for x, y in tried)
    return next(filter(None, ways), None)


def is_cut_off(rush: Rush, model: Model, start: Point3, enemy: Model) -> bool:
    """Whether no way to an enemy was found from a place to which the straight way is clear: then there is none."""
    field = field_of(model, rush.targets, start[2])
    known = rush.cut_off.get((enemy.row, id(field)), ())
    return any(planner.trouble(field.plans, Path((start[:2], other))) is None for other in known)


def round_about(rush: Rush, model: Model, start: Point3, enemy: Model, limit: float) -> Path | None:
    """The planner's way into contact with a round base, if it finds one that stands the exact checks."""
    field = field_of(model, rush.targets, start[2])
    number = next(n for n, k in enumerate(field.discs) if field.others[k] == enemy.solid)
    base = (enemy.x, enemy.y, radius_of(enemy))
    allowed = None if limit == math.inf else limit + TOLERANCE
    found = planner.into_contact(planner.without(field.plans, number), start[:2], base, allowed)
    if found is None:
        if limit == math.inf:
            rush.cut_off.setdefault((enemy.row, id(field)), []).append(start[:2])
        return None
    return legal(rush, model, Path(tuple((x, y, start[2]) for x, y, *_ in found.points)), math.inf)
