"""The search for contact in an assault, for bases and for the hulls of walkers and light vehicles."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from campale.mechanics.bases import touch
from campale.mechanics.moves.contact import ContactSearch, Places
from campale.mechanics.moves.unit_moves import path_of
from campale.referee.position import Model
from campale.rulesets.e3m.movement.ground import slowing, touches
from campale.rulesets.e3m.movement.moves import touches_rough_ground
from campale.table.measure import gap, nearest_point, outline_of
from campale.table.paths import Path, at, plan_length
from campale.table.shapes import TOLERANCE, Circle, Point, Point3, facing_towards, heading
from campale.table.sweeps import first_contact

BEYOND = 0.1


class AssaultSearch(ContactSearch):
    """The search for moves into contact. A hull turns towards a target and goes straight ahead until it touches it."""

    @cached_property
    def near(self) -> Places:
        """Free places in contact that are not too far, of every model that may go; nearest first."""
        found = dict(super().near)
        for model in self.free:
            if isinstance(model.solid.shape, Circle):
                continue
            ahead = dict.fromkeys(self.places_ahead(model))
            if ahead:
                found[model.row] = sorted(ahead, key=lambda place: self.off(model.row, place))
        return found

    def way(self, model: Model, place: Point3) -> Path | None:
        """The shortest way found; for a hull, the straight one."""
        if isinstance(model.solid.shape, Circle):
            return super().way(model, place)
        path = path_of(model, [place])
        is_short = plan_length(path) <= (self.movement.limit or 0.0) + TOLERANCE
        return path if is_short and self.movement.meets(model, path) is None and self.is_easy(model, path) else None

    def straight(self, model: Model, place: Point3) -> Path | None:
        path = super().straight(model, place)
        return path if path is not None and self.is_easy(model, path) else None

    def is_easy(self, model: Model, path: Path) -> bool:
        """Whether a way keeps to easy ground, if the unit must."""
        must = touches_rough_ground in self.movement.of_all
        return not must or not touches(model, path, model.position.ground.kept(slowing))

    def places_ahead(self, model: Model) -> Iterator[Point3]:
        """Places where a hull first touches a target that it goes straight to. A hull in contact may stay."""
        limit = self.movement.limit or 0.0
        for target in self.wanted(model):
            if touch(model, target):
                yield (*model.at, model.z)
                continue
            if gap(model.solid, target.solid) > limit + TOLERANCE:
                continue
            for aim in points_of(model, target):
                dx, dy = heading(facing_towards(model.at, aim))
                far = limit + BEYOND
                path = path_of(model, [(model.x + far * dx, model.y + far * dy)])
                met = first_contact(path, model.solid.shape, [target.solid])
                if met is None or not TOLERANCE < met.distance <= limit + TOLERANCE:
                    continue
                there = at(path, met.distance)
                place = round(there.x, 4), round(there.y, 4), model.z
                if self.reachable(model, place) is not None:
                    yield place


def points_of(model: Model, target: Model) -> list[Point]:
    """Points of a target to go to: the nearest, its centre, its corners or sides."""
    solid = target.solid
    if not isinstance(solid.shape, Circle):
        return [nearest_point(solid, *model.at), target.at, *((x, y) for x, y in outline_of(solid))]
    dx, dy = heading(facing_towards(model.at, target.at))
    sides = (0.9 * solid.shape.radius, -0.9 * solid.shape.radius)
    return [target.at, *((target.x + dy * side, target.y - dx * side) for side in sides)]
