"""The search for contact in charges and in melee, for bases and for hulls (charge-phase/charge-move)."""

from __future__ import annotations

from collections.abc import Iterator

from campale.mechanics.moves.hull_contact import HullSearch
from campale.referee.position import Model
from campale.table import fields
from campale.table.measure import gap, nearest_point
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Point3, facing_towards

DEGREES = 10


class MeleeSearch(HullSearch):
    """The search for moves into contact. A hull goes straight, without turning, until it touches a target."""

    def hull_path(self, model: Model, place: Point3) -> Path:
        return self.movement.reads(model, [place if place[2] > TOLERANCE else place[:2]], None)

    def hull_places(self, model: Model) -> Iterator[Point3]:
        return (place for place in self.places_beside(model) if self.is_open(model, place))

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
                path = Path((model.at, self.ahead(model, direction)), model.facing)
                place = self.touching(model, path, target)
                if place is not None:
                    yield place


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
