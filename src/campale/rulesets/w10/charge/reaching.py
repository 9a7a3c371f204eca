"""Find a charge that reaches all its targets: which model goes to which target (charge-phase/charge-roll)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from campale.mechanics.moves.asking import shifted
from campale.mechanics.moves.barring import MORE_THAN
from campale.mechanics.moves.contact import ContactSearch
from campale.mechanics.moves.gathering import gathered
from campale.mechanics.moves.unit_moves import is_lawful
from campale.referee.position import Model, Unit
from campale.referee.refusal import Plain
from campale.rulesets.w10.basics.across import REACH, beside, completes_charge, spots_beside
from campale.rulesets.w10.basics.units import ENGAGEMENT, VERTICAL, are_engaged, between, members
from campale.table.measure import bounding_radius, gap
from campale.table.planner import ring
from campale.table.shapes import Circle, Point, Point3, Solid

SHORT_OF = (0.0, 0.25, 0.5, 0.75, 0.95)
"""How far from contact, in inches, the nearest model is proposed to stop where contact is impossible."""
GAPS = (0.0005, 0.5, 0.98)
"""How far from a target, in inches, the places are that the search tries."""
TRIES, SHAKEN = 24, 2.0


class Place(NamedTuple):
    """A place for a model (``row``): the targets within reach from there, and ``far``, its distance from the model."""

    row: int
    at: Point3
    reaches: frozenset[int]
    far: float


def is_out_of_reach(search: ContactSearch, targets: Sequence[int]) -> bool:
    """True if some target is too far for every model, whatever lies between."""
    far, ground = (search.movement.limit or 0.0) + 0.01, search.unit.position.ground
    for unit in (members(Unit(search.unit.position, row)) for row in targets):
        reach = far + (REACH if beside(unit, ground) else ENGAGEMENT)
        if all(gap(m.solid, enemy.solid) > reach for m in search.models for enemy in unit):
            return True
    return False


def reaches_a_target(one: Solid, unit: Sequence[Model]) -> bool:
    """True if a model that ends here has reached a unit: engaged, or across a barricade from it."""
    ground = unit[0].position.ground
    return any(are_engaged(one, m.solid) for m in unit) or completes_charge(one, unit, ground)


# ---------------------------------------------------------------- all targets reached


def engaging(search: ContactSearch, targets: Sequence[int]) -> Iterator[Plain]:
    """Lawful charges with a model within engagement range of every target, and the others around them."""
    places = places_in_reach(search, targets)

    def nears(model: Model, at: Point) -> bool:
        return is_nearer(search, model, at, targets)

    tried: list[dict[int, Point3]] = []
    for order in range(TRIES):
        settled = chosen(search, places, targets, Random(order), SHAKEN if order else 0.0)
        if not settled or settled in tried:
            continue
        tried.append(settled)
        answer = gathered(search, settled, nears)
        if answer is not None and is_lawful(search.unit, search.models, search.movement, answer):
            yield answer


def places_in_reach(search: ContactSearch, targets: Sequence[int]) -> list[Place]:
    """Free places from which round-based models may reach targets, with the targets that each place reaches."""
    position = search.unit.position
    units = [(row, members(Unit(position, row))) for row in targets]
    found: list[Place] = []
    for model in search.free:
        if not isinstance(model.solid.shape, Circle):
            continue
        beside_them = [at for _, unit in units for at in spots_beside(model, bounding_radius(model.solid.shape), unit)]
        spots = [*spots_for(search, model), *within_limit(search, model, [(x, y, model.z) for x, y in beside_them])]
        for at in search.open_places(model, spots):
            solid = search.standing_at(model, at)
            reached = frozenset(row for row, unit in units if reaches_a_target(solid, unit))
            found.append(Place(model.row, at, reached, math.dist(at, (*model.at, model.z))))
    return found


def spots_for(search: ContactSearch, model: Model) -> list[Point3]:
    """Places around the targets within the move, free or not: rings around bases, or places in contact with a hull.

    They are on the model's own level, and on the target's level where there are several.
    """
    limit, size = search.movement.limit or 0.0, bounding_radius(model.solid.shape)
    found = list(search.near.get(model.row, ()))
    for target in search.targets:
        if isinstance(target.solid.shape, Circle) and gap(model.solid, target.solid) <= limit + ENGAGEMENT:
            reach = size + target.solid.shape.radius
            for apart in GAPS[1:]:
                rim = np.round(ring(model.at, target.at, reach + apart), 4).tolist()
                found += [(x, y, z) for z in levels_for(search, model, target) for x, y in rim]
    return within_limit(search, model, found)


def within_limit(search: ContactSearch, model: Model, places: Sequence[Point3]) -> list[Point3]:
    limit = search.movement.limit or 0.0
    return [at for at in places if (at[0] - model.x) ** 2 + (at[1] - model.y) ** 2 <= limit * limit]


def levels_for(search: ContactSearch, model: Model, target: Model) -> tuple[float, ...]:
    """The levels from which a model may reach a target: its own, the table, and floors at most 5 inches off."""
    levels = search.movement.levels
    if levels is None or model.z == target.z == 0.0:
        return (model.z,)
    near = (floor.z for floor in levels.floors(model) if abs(floor.z - target.z) <= VERTICAL)
    return tuple(dict.fromkeys((model.z, 0.0, *near)))


def chosen(
    search: ContactSearch, places: Sequence[Place], targets: Sequence[int], rng: Random, shaken: float
) -> dict[int, Point3]:
    """Choose places until every target is reached, preferring those near and with most targets; empty if impossible."""
    sizes = {m.row: bounding_radius(m.solid.shape) for m in search.models}
    settled: dict[int, Point3] = {}
    missing, left = set(targets), list(places)
    while missing:
        target = min(missing, key=lambda row: (sum(row in one.reaches for one in left), row))
        able = [one for one in left if target in one.reaches]
        noise = {one: shaken * rng.random() for one in able} if shaken else dict.fromkeys(able, 0.0)
        able.sort(key=lambda one: one.far + noise[one] - 3.0 * len(one.reaches & missing))
        best = next((one for one in able if search.reachable(search.unit.position.model(one.row), one.at)), None)
        if best is None:
            return {}
        settled[best.row] = best.at
        missing -= best.reaches
        left = [
            one for one in left if one.row != best.row and not overlaps(one, best, sizes[one.row] + sizes[best.row])
        ]
    return settled


def overlaps(one: Place, other: Place, sizes: float) -> bool:
    if one.at[2] != other.at[2]:
        return False
    return (one.at[0] - other.at[0]) ** 2 + (one.at[1] - other.at[1]) ** 2 < (sizes + 0.0005) ** 2


def is_nearer(search: ContactSearch, model: Model, at: Point, targets: Sequence[int]) -> bool:
    """True if a place is nearer to one of the targets than the model is now."""
    there, here = search.standing_at(model, at), model.solid
    units = [[m.solid for m in members(Unit(search.unit.position, row))] for row in targets]
    return any(min(between(there, one) for one in unit) < min(between(here, one) for one in unit) for unit in units)


# ---------------------------------------------------------------- straight ahead


def straight_charges(search: ContactSearch) -> Iterator[Plain]:
    """Move all models by the same step, so that the nearest model ends short of contact."""
    pairs = [(gap(m.solid, e.solid), m, e) for m in search.models for e in search.targets]
    far, mover, enemy = min(pairs, key=lambda one: one[0])
    dx, dy = enemy.x - mover.x, enemy.y - mover.y
    whole = max((dx * dx + dy * dy) ** 0.5, 1e-6)
    limit = search.movement.limit or 0.0
    for short in SHORT_OF:
        step = min(far - short - MORE_THAN, limit)
        answer = shifted(search.models, search.movement, (dx / whole * step, dy / whole * step))
        if step > 0.0 and is_lawful(search.unit, search.models, search.movement, answer):
            yield answer
