"""Ways of round bases into contact with an enemy, one model of a unit after another.

This search settles "if it can": the ways tried into contact with a base are the straight one, those to 36 places round
it, and those that also touch a model of the unit; round a hull there is a place every half inch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from campale.mechanics.moves.move_paths import Bars, end_of
from campale.referee.position import Model
from campale.table import fields, planner, touching
from campale.table.kernels import Floats
from campale.table.measure import gap
from campale.table.paths import Path, plan_length
from campale.table.shapes import GRAIN, TOLERANCE, Circle, Point, Point3, Solid, rounded

Bodies = Mapping[int, Solid]
"""The solids, by row, at the beginning of the move: those of the unit and of the enemies."""

IsLawful = Callable[[Model, Path, float | None], bool]
"""Whether a model may take a path of a limited length (None: any length)."""


def at_of(model: Model) -> Point3:
    return model.x, model.y, model.z


def radius_of(solid: Solid) -> float:
    """The radius of a round base; 0 for a hull, which does not move into contact."""
    return solid.shape.radius if isinstance(solid.shape, Circle) else 0.0


# ---------------------------------------------------------------- gaps


def gap_at(radius: float, place: Point3, other: Solid) -> float:
    """The distance of another solid from a round base at a place, with the difference of height added."""
    rise = abs(place[2] - other.z)
    if isinstance(other.shape, Circle):
        dx, dy = place[0] - other.x, place[1] - other.y
        return rounded(max(0.0, math.sqrt(dx * dx + dy * dy) - other.shape.radius - radius) + rise)
    return rounded(gap(Solid(Circle(radius), *place), other) + rise)


def gaps_at(radius: float, places: Floats, z: float, other: Solid) -> list[float]:
    """The same for many places (n, 2) on one level."""
    if not isinstance(other.shape, Circle):
        return [gap_at(radius, (x, y, z), other) for x, y in places.tolist()]
    dx, dy = places[:, 0] - other.x, places[:, 1] - other.y
    flat = np.maximum(0.0, np.sqrt(dx * dx + dy * dy) - other.shape.radius - radius) + abs(z - other.z)
    found: list[float] = (np.floor(flat * GRAIN + 0.5) / GRAIN).tolist()
    return found


def gaps_between(places: Floats, radius: float, bases: Floats) -> Floats:
    """The gaps (n, m) in plan between a base at each of some places and bases (m, 3: x, y, radius)."""
    dx, dy = places[:, 0, None] - bases[None, :, 0], places[:, 1, None] - bases[None, :, 1]
    found: Floats = np.sqrt(dx * dx + dy * dy) - radius - bases[None, :, 2]
    return found


def bases_at(model: Model, bodies: Bodies, at: Mapping[int, Point3], rows: Iterable[int], z: float) -> Floats:
    """x, y, radius (n, 3) of other models (by row) that overlap in height with one that stands at a level."""
    top, own = z + bodies[model.row].height, model.row
    found = [
        (at[row][0], at[row][1], radius_of(bodies[row]))
        for row in rows
        if row != own and z - bodies[row].height < at[row][2] < top
    ]
    return np.array(found, np.float64).reshape(-1, 3)


def fits(
    places: Floats,
    start: Point,
    radius: float,
    limit: float,
    mates: Floats,
    moved: Floats | None = None,
    link: float = 0.0,
) -> Any:
    """Which places are in reach, clear of the unit's models, and nearer than ``link`` to a moved one, if required."""
    dx, dy = places[:, 0] - start[0], places[:, 1] - start[1]
    good = dx * dx + dy * dy <= (limit + TOLERANCE) ** 2
    if len(mates):
        good &= (gaps_between(places, radius, mates) >= -TOLERANCE / 2).all(axis=1)
    if moved is not None:
        good &= (gaps_between(places, radius, moved) < link - TOLERANCE / 2).any(axis=1) if len(moved) else False
    return good


# ---------------------------------------------------------------- ways


class ContactWays:
    """The search for ways into contact. Models of the moving unit do not bar each other's way.

    ``bars``: what bars a model at a height. ``bodies``: the solids of the moving models and of the enemies. ``limit``:
    how far a model may go. ``link``: how near a model must end to one that has moved, if that is required. ``touch``:
    the greatest distance in contact. ``flies``: over everything.
    """

    def __init__(
        self,
        bars: Bars,
        is_lawful: IsLawful,
        bodies: Bodies,
        limit: float,
        link: float,
        touch: float,
        flies: bool = False,
    ) -> None:
        self.bars, self.is_lawful, self.bodies, self.limit = bars, is_lawful, bodies, limit
        self.link, self.touch, self.flies = link, touch, flies
        self.cut_off: dict[tuple[int, int], list[Point]] = {}

    def radius(self, model: Model) -> float:
        return radius_of(self.bodies[model.row])

    def gap(self, model: Model, place: Point3, enemy: Model) -> float:
        """The distance of an enemy from a model that stands at a place."""
        return gap_at(self.radius(model), place, self.bodies[enemy.row])

    def legal(self, model: Model, path: Path, limit: float) -> Path | None:
        return path if self.is_lawful(model, path, None if limit == math.inf else limit) else None

    def between(self, model: Model, start: Point3, place: Point, z: float, limit: float) -> Path | None:
        """A legal way of a model from one place to another, of a limited length."""
        if self.flies:
            return self.legal(model, Path((start, (*place, z))), limit)
        if abs(z - start[2]) > TOLERANCE:
            return next((way for way in self.by_levels(model, start, place, z, limit) if way is not None), None)
        allowed = None if limit == math.inf else limit + TOLERANCE
        found = fields.routed(self.bars(model, z).field, start[:2], place, allowed)
        if found is None:
            return None
        way = Path(tuple((x, y, z) for x, y, *_ in found.points))
        return way if z <= TOLERANCE else self.legal(model, way, limit)

    def by_levels(self, model: Model, start: Point3, place: Point, z: float, limit: float) -> Iterator[Path | None]:
        """Ways up or down: vertically at the start and at the end, and on one level between them."""
        for level in dict.fromkeys((start[2], z, 0.0)):
            found = fields.routed(self.bars(model, level).field, start[:2], place)
            if found is not None:
                along = [(x, y, level) for x, y, *_ in found.points]
                points = [start, *along[level == start[2] :], *([(*place, z)] if level != z else [])]
                yield self.legal(model, Path(tuple(points)), limit)

    def into_contact(self, model: Model, enemy: Model, mates: Floats, moved: Floats | None = None) -> Path | None:
        """A way into contact with an enemy, clear of the unit (``mates``), linked to one of ``moved`` if required."""
        start, radius, other = at_of(model), self.radius(model), self.bodies[enemy.row]
        if gap_at(radius, start, other) > self.limit + TOLERANCE:
            return None
        for place in self.places(model, enemy, mates, moved):
            way = self.between(model, start, place, enemy.z, self.limit)
            if way is not None and gap_at(radius, end_of(way), other) <= self.touch:
                return way
        return None

    def places(self, model: Model, enemy: Model, mates: Floats, moved: Floats | None) -> Iterator[Point]:
        """The places where a model could touch an enemy, within reach, nearest first."""
        radius, other = self.radius(model), self.bodies[enemy.row]
        straight = touching.straight_place(model.at, radius, other)
        if fits(np.array([straight]), model.at, radius, self.limit, mates, moved, self.link)[0]:
            yield straight
        tried = touching.places(model.at, radius, other, mates)
        yield from map(tuple, tried[fits(tried, model.at, radius, self.limit, mates, moved, self.link)].tolist())

    # ------------------------------------------------------------ ways of any length

    def shortest(self, model: Model, start: Point3, enemy: Model, limit: float = math.inf) -> Path | None:
        """The shortest way found into contact, of any length, past everything that bars the model but its own unit."""
        radius, other = self.radius(model), self.bodies[enemy.row]
        straight = touching.straight_place(start[:2], radius, other)
        if isinstance(other.shape, Circle) and abs(other.z - start[2]) <= TOLERANCE and not self.flies:
            direct = Path((start, (*straight, other.z)))
            if plan_length(direct) <= limit + TOLERANCE and self.legal(model, direct, limit) is not None:
                return direct
            if self.is_cut_off(model, start, enemy):
                return None
            found = self.round_about(model, start, enemy, limit)
            return found or self.between(model, start, straight, other.z, limit)
        tried = [straight, *touching.places(start[:2], radius, other).tolist()]
        ways = (self.between(model, start, (x, y), other.z, limit) for x, y in tried)
        return next(filter(None, ways), None)

    def is_cut_off(self, model: Model, start: Point3, enemy: Model) -> bool:
        """Whether no way exists: none was found from a place to which the straight way is clear."""
        field = self.bars(model, start[2]).field
        known = self.cut_off.get((enemy.row, id(field)), ())
        return any(planner.trouble(field.plans, Path((start[:2], other))) is None for other in known)

    def round_about(self, model: Model, start: Point3, enemy: Model, limit: float) -> Path | None:
        """The planner's way into contact with a round base, if it finds one that passes the exact checks."""
        barred = self.bars(model, start[2])
        field = barred.field
        number = next(n for n, k in enumerate(field.discs) if barred.rows[k] == enemy.row)
        base = (enemy.x, enemy.y, self.radius(enemy))
        allowed = None if limit == math.inf else limit + TOLERANCE
        found = planner.into_contact(planner.without(field.plans, number), start[:2], base, allowed)
        if found is None:
            if limit == math.inf:
                self.cut_off.setdefault((enemy.row, id(field)), []).append(start[:2])
            return None
        return self.legal(model, Path(tuple((x, y, start[2]) for x, y, *_ in found.points)), math.inf)
