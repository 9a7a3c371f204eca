"""Equivalent values in a volley: models that nothing distinguishes, and places where a marker hits the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from campale.referee.position import Model
from campale.rulesets.e3m.armies.profile import Line
from campale.rulesets.e3m.fire.markers import LARGE, Landing, Under
from campale.rulesets.e3m.fire.plan import Volley
from campale.rulesets.e3m.fire.volley import Dealt, Scored, hittable
from campale.rulesets.e3m.fire.wounds import cover_of, kind_of
from campale.rulesets.e3m.movement.sight import covers
from campale.rulesets.e3m.vehicles.damage import Struck, has_melta
from campale.table.measure import bounding_radius, gap_to_point
from campale.table.templates import Pose, under

OVER, RIM, OFF = "over", "rim", "off"
Taken = Sequence[tuple[int, Any]]
"""Rows of models, each with what falls on it."""


class Alike:
    """Replaces a value by the first equivalent one, as ``stage_by_stage`` needs it.

    ``hull`` is the row of the vehicle that is fired at; then only that vehicle matters. With -1 vehicles do not matter.
    """

    def __init__(self, volley: Volley, hull: int = -1) -> None:
        self.volley, self.hull = volley, hull
        self.position = volley.unit.position
        self.holders = {m.row for m in hittable(volley)}
        self.kinds: dict[int, Hashable] = {}
        self.classes: dict[Hashable, list[int]] = {}
        self.shooters: dict[Line, int] = {}
        self.strikes: dict[Hashable, Struck] = {}
        self.landings: dict[Hashable, Landing] = {}

    def __call__(self, value: Any) -> Any:
        if isinstance(value, Landing):
            return self.landings.setdefault(self.hit_there(value), value)
        if isinstance(value, Under):
            men = self.moved([(row, None) for row in value.men])
            return Under(tuple(row for row, _ in men), self.struck(value.vehicles))
        if isinstance(value, Scored):
            return value._replace(marked=self.moved(value.marked), struck=self.struck(value.struck))
        if isinstance(value, Dealt):
            return value._replace(hits=self.moved(value.hits), struck=self.struck(value.struck))
        return value

    def struck(self, vehicles: Taken) -> tuple[Any, ...]:
        return tuple(one for one in vehicles if one[0] == self.hull)

    def moved(self, hits: Taken) -> tuple[tuple[int, Any], ...]:
        """The same hits on the first models of each class, by the first of the equivalent shooters."""
        if self.hull >= 0:
            return ()
        taken: dict[int, list[Any]] = {}
        for row, hit in hits:
            taken.setdefault(row, []).append(self.by_the_first(hit))
        lists: dict[Hashable, list[list[Any]]] = {}
        for row, some in taken.items():
            lists.setdefault(self.class_of(row), []).append(sorted(some, key=repr))
        dealt = sorted((self.classes[kind], sorted(several, key=by_number)) for kind, several in lists.items())
        pairs = [pair for rows, several in dealt for pair in zip(rows, several, strict=False)]
        return tuple((row, hit) for row, some in pairs for hit in some)

    def by_the_first(self, hit: Any) -> Any:
        return None if hit is None else hit._replace(shooter=self.shooters.setdefault(hit.line, hit.shooter))

    def class_of(self, row: int) -> Hashable:
        """Everything that distinguishes a model. The rows of each class are kept in order of appearance."""
        if row not in self.kinds:
            model = self.position.model(row)
            cover = cover_of(self.volley.firing, model)
            self.kinds[row] = kind_of(model), cover, row in self.holders, model.profile.has_armour
            self.classes.setdefault(self.kinds[row], []).append(row)
        return self.kinds[row]

    def strike(self, hit: Struck) -> Struck:
        """The first hit that strikes the vehicle in the same way."""
        vehicle, shooter = self.position.model(self.hull), self.position.model(hit.shooter)
        cover = int(covers(self.position, [shooter], [vehicle])[0, 0])
        key = hit._replace(shooter=-1, far=float(has_melta(hit))), cover
        return self.strikes.setdefault(key, hit)

    def hit_there(self, at: Landing) -> Hashable:
        """What a large marker would hit: how many of each class and whether wholly, or how it hits the vehicle."""
        if self.hull >= 0:
            return struck_there(self.position.model(self.hull), at)
        near = [m for m in self.position.on_table() if not m.profile.has_armour and reaches(m, at)]
        solids = [m.solid for m in near]
        touched, wholly = (under(LARGE, Pose(*at), solids, part) for part in ("partly", "wholly"))
        return frozenset(Counter((self.class_of(near[k].row), k in wholly) for k in touched).items())


def struck_there(vehicle: Model, at: Landing) -> Hashable:
    """Whether the marker's centre or its rim lands on the vehicle."""
    if not reaches(vehicle, at):
        return OFF
    if gap_to_point(vehicle.solid, *at) <= 0.0:
        return OVER
    return RIM if under(LARGE, Pose(*at), [vehicle.solid], "partly") else OFF


def reaches(model: Model, at: Landing) -> bool:
    far = LARGE.radius + bounding_radius(model.profile.shape)
    dx, dy = model.x - at.x, model.y - at.y
    return bool(dx * dx + dy * dy <= far * far)


def by_number(hits: list[Any]) -> tuple[int, str]:
    """A sort key: models that take most hits come first."""
    return -len(hits), repr(hits)
