"""The search for moves into contact by models of any shape: bases as ``ContactSearch`` finds them, hulls straight."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import cached_property

from campale.mechanics.moves.contact import ContactSearch, Places
from campale.referee.position import Model
from campale.table.paths import Path, at, plan_length
from campale.table.shapes import TOLERANCE, Circle, Point, Point3, heading
from campale.table.sweeps import first_contact

BEYOND = 0.1
"""How far beyond the limit a hull is followed, in inches, so that contact exactly at the limit is met."""


class HullSearch(ContactSearch, ABC):
    """A hull goes straight until it touches a target. The book says which places it tries, and on which path."""

    @abstractmethod
    def hull_places(self, model: Model) -> Iterable[Point3]:
        """The places of a hull to try."""

    @abstractmethod
    def hull_path(self, model: Model, place: Point3) -> Path:
        """The path of a hull to a place."""

    @cached_property
    def near(self) -> Places:
        """Free places in contact within the limit, for every model that may go; nearest first."""
        found = dict(super().near)
        for model in self.free:
            places = [] if is_round(model) else [*dict.fromkeys(self.hull_places(model))]
            if places:
                found[model.row] = sorted(places, key=lambda place: self.off(model.row, place))
        return found

    def way(self, model: Model, place: Point3) -> Path | None:
        """The shortest way found; for a hull, the straight one."""
        if is_round(model):
            return super().way(model, place)
        path = self.hull_path(model, place)
        is_short = plan_length(path) <= (self.movement.limit or 0.0) + TOLERANCE
        return path if is_short and self.movement.meets(model, path) is None else None

    def ahead(self, model: Model, direction: float) -> Point:
        """The point just beyond the limit in a direction."""
        (dx, dy), far = heading(direction), (self.movement.limit or 0.0) + BEYOND
        return model.x + far * dx, model.y + far * dy

    def touching(self, model: Model, path: Path, target: Model) -> Point3 | None:
        """Where a hull on a straight path first touches a target within the limit; None if it touches it already."""
        met = first_contact(path, model.solid.shape, [target.solid])
        if met is None or not TOLERANCE < met.distance <= (self.movement.limit or 0.0) + TOLERANCE:
            return None
        there = at(path, met.distance)
        return round(there.x, 4), round(there.y, 4), model.z


def is_round(model: Model) -> bool:
    return isinstance(model.solid.shape, Circle)
