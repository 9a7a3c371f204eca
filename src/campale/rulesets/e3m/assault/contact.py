"""The search for contact in an assault, for bases and for the hulls of walkers and light vehicles."""

from __future__ import annotations

from collections.abc import Iterator

from campale.mechanics.bases import touch
from campale.mechanics.moves.hull_contact import HullSearch, is_round
from campale.mechanics.moves.unit_moves import path_of
from campale.referee.position import Model
from campale.rulesets.e3m.movement.ground import slowing, touches
from campale.rulesets.e3m.movement.moves import touches_rough_ground
from campale.table.measure import gap, nearest_point, outline_of
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Circle, Point, Point3, facing_towards, heading


class AssaultSearch(HullSearch):
    """The search for moves into contact. A hull turns towards a target and goes straight ahead until it touches it."""

    def hull_path(self, model: Model, place: Point3) -> Path:
        return path_of(model, [place])

    def way(self, model: Model, place: Point3) -> Path | None:
        path = super().way(model, place)
        return path if path is None or is_round(model) or self.is_easy(model, path) else None

    def straight(self, model: Model, place: Point3) -> Path | None:
        path = super().straight(model, place)
        return path if path is not None and self.is_easy(model, path) else None

    def is_easy(self, model: Model, path: Path) -> bool:
        """Whether a way keeps to easy ground, if the unit must."""
        must = touches_rough_ground in self.movement.of_all
        return not must or not touches(model, path, model.position.ground.kept(slowing))

    def hull_places(self, model: Model) -> Iterator[Point3]:
        """Places where a hull first touches a target that it goes straight to. A hull in contact may stay."""
        limit = self.movement.limit or 0.0
        for target in self.wanted(model):
            if touch(model, target):
                yield (*model.at, model.z)
                continue
            if gap(model.solid, target.solid) > limit + TOLERANCE:
                continue
            for aim in points_of(model, target):
                path = path_of(model, [self.ahead(model, facing_towards(model.at, aim))])
                place = self.touching(model, path, target)
                if place is not None and self.reachable(model, place) is not None:
                    yield place


def points_of(model: Model, target: Model) -> list[Point]:
    """Points of a target to go to: the nearest, its centre, its corners or sides."""
    solid = target.solid
    if not isinstance(solid.shape, Circle):
        return [nearest_point(solid, *model.at), target.at, *((x, y) for x, y in outline_of(solid))]
    dx, dy = heading(facing_towards(model.at, target.at))
    sides = (0.9 * solid.shape.radius, -0.9 * solid.shape.radius)
    return [target.at, *((target.x + dy * side, target.y - dx * side) for side in sides)]
