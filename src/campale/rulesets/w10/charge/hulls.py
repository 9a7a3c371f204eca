"""The search for contact in charges and in melee, for bases and for hulls (charge-phase/charge-move)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from campale.mechanics.moves.contact import ContactSearch, Places
from campale.referee.position import Model
from campale.table import fields
from campale.table.measure import gap, nearest_point
from campale.table.paths import Path, at, plan_length
from campale.table.shapes import TOLERANCE, Circle, Point3, facing_towards, heading
from campale.table.sweeps import first_contact

BEYOND = 0.1
DEGREES = 10


class MeleeSearch(ContactSearch):
    """The search for moves into contact. A hull goes straight, without turning, until it touches a target."""

    @cached_property
    def near(self) -> Places:
        """Free places in contact within the limit, for every model that may go; nearest first."""
        found = dict(super().near)
        for model in self.free:
            if not isinstance(model.solid.shape, Circle):
                places = [place for place in dict.fromkeys(self.places_beside(model)) if self.is_open(model, place)]
                if places:
                    found[model.row] = sorted(places, key=lambda place: self.off(model.row, place))
        return found

    def way(self, model: Model, place: Point3) -> Path | None:
        """The shortest way found; for a hull, the straight one."""
        if isinstance(model.solid.shape, Circle):
            return super().way(model, place)
        path = self.movement.reads(model, [place if place[2] > TOLERANCE else place[:2]], None)
        is_short = plan_length(path) <= (self.movement.limit or 0.0) + TOLERANCE
        return path if is_short and self.movement.meets(model, path) is None else None

    def is_open(self, model: Model, place: Point3) -> bool:
        """Whether a hull may stand at a place with its facing."""
        levels = self.movement.levels
        barred = self.movement.at_the_end(model) if levels is None else levels.bars(model, place[2])
        is_free = fields.is_free(barred.field, place[0], place[1], model.facing)
        return is_free and (levels is None or levels.rests(model, self.standing_at(model, place)))

    def places_beside(self, model: Model) -> Iterator[Point3]:
        """Places on a hull's own level where it first touches a target."""
        limit = self.movement.limit or 0.0
        for target in self.wanted(model):
            if abs(model.z - target.z) > TOLERANCE or gap(model.solid, target.solid) > limit + TOLERANCE:
                continue
            for direction in directions(model, target):
                dx, dy = heading(direction)
                far = limit + BEYOND
                path = Path((model.at, (model.x + far * dx, model.y + far * dy)), model.facing)
                met = first_contact(path, model.solid.shape, [target.solid])
                if met is not None and TOLERANCE < met.distance <= limit + TOLERANCE:
                    there = at(path, met.distance)
                    yield round(there.x, 4), round(there.y, 4), model.z


def straight_at(model: Model, target: Model) -> float:
    """The direction in which a hull comes nearest to a round base."""
    return facing_towards(nearest_point(model.solid, *target.at), target.at)


def directions(model: Model, target: Model) -> Iterator[float]:
    """Directions in which a hull may come to touch a target, the shortest way to a round one among them."""
    yield straight_at(model, target)
    yield facing_towards(model.at, nearest_point(target.solid, *model.at))
    for turn in range(0, 360, 90):
        yield model.facing + turn
        yield target.facing + turn
    yield from range(0, 360, DEGREES)
