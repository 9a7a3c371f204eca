"""As many models as possible in base contact: one search, which judges a move and finds an answer as proof.

The places tried are those that touch a target's base (36 round a circle, one every half inch round a hull). The models
go in the order of the fewest places left, and each takes the place that takes the fewest from the others; 33 orders are
tried, the later ones shuffled by a fixed seed. On crowded cases of five to seven models this found the exact answer in
255 of 259. Places between those tried are not seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random

import numpy as np

from campale.mechanics.moves.going import go
from campale.mechanics.moves.move_paths import answer_of
from campale.mechanics.moves.unit_moves import (
    Answer,
    Levels,
    Movement,
    UnitMove,
    as_paths,
    is_lawful,
    on_the_grain,
    refusal_of,
)
from campale.mechanics.units import members
from campale.referee.ask import ask
from campale.referee.position import Model, Unit
from campale.referee.question import MoveUnit
from campale.referee.refusal import Fault, Plain, Refusal, Restriction, first_refusal
from campale.table import fields, planner
from campale.table.kernels import Floats
from campale.table.measure import bounding_radius, gap
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Circle, Point, Point3, Solid
from campale.table.touching import places, straight_place
from campale.table.units import unit_to

ORDERS = 33
SHAKEN = 0.5

Place = Point | Point3
"""A place; without a height it is on the level of the model that goes there."""

Places = dict[int, list[Point3]]
"""The places that each model (by row) could reach."""

Duties = Callable[[UnitMove, int], Fault | Refusal | None]
"""The fault of a lawful move that owes contact, given the move and how many models the search brings there."""

Clashes = Mapping[tuple[int, Point3], set[tuple[int, Point3]]]
"""For each place of each model, the places of others that a base there would overlap."""


def in_contact(solid: Solid, targets: Sequence[Model]) -> bool:
    """Whether a base touches one of some other models at the same height."""
    reach = bounding_radius(solid.shape)
    for target in targets:
        if abs(target.z - solid.z) > TOLERANCE:
            continue
        dx, dy, most = solid.x - target.x, solid.y - target.y, reach + bounding_radius(target.solid.shape) + 0.01
        if dx * dx + dy * dy <= most * most and gap(solid, target.solid) <= TOLERANCE:
            return True
    return False


def contacts(move: UnitMove, targets: Sequence[Model]) -> int:
    """The number of models of a unit that would end in contact with targets."""
    return sum(in_contact(move.standing(model), targets) for model in move.models)


class ContactSearch:
    """The search for the models of a unit that may go. Its result depends on the position alone.

    ``of_each``: the targets that each model should touch; any of them by default.
    """

    def __init__(
        self,
        unit: Unit,
        models: Sequence[Model],
        targets: Sequence[Model],
        movement: Movement,
        of_each: Callable[[Model], Sequence[Model]] | None = None,
    ) -> None:
        self.unit, self.models, self.targets, self.movement = unit, list(models), list(targets), movement
        self.wanted = of_each or (lambda model: self.targets)
        self.free = [m for m in models if m.row not in movement.fixed]
        self.sizes = {m.row: bounding_radius(m.solid.shape) for m in self.models}
        self.routes: dict[tuple[int, Point3], Path | None] = {}

    def reachable(self, model: Model, place: Place) -> Path | None:
        """The way to a place within the allowance, or None."""
        key = model.row, at_level(place, model.z)
        if key not in self.routes:
            self.routes[key] = self.way(model, key[1])
        return self.routes[key]

    def way(self, model: Model, place: Point3) -> Path | None:
        """The shortest way found; over everything if the model flies."""
        levels = self.movement.levels
        if levels is not None and max(model.z, place[2]) > TOLERANCE:
            return next(self.ways_by_levels(model, place, levels), None)
        limit = self.movement.limit
        if self.movement.flies:
            is_near = limit is None or math.dist(model.at, place[:2]) <= limit + TOLERANCE
            return on_the_grain(model, Path((model.at, place[:2]), model.facing)) if is_near else None
        found = planner.route(self.movement.at_the_end(model).field.plans, model.at, place[:2], limit)
        return self.straight(model, place) if found is None else on_the_grain(model, found)

    def straight(self, model: Model, place: Point3) -> Path | None:
        """The straight way over what bars an end, but not the way."""
        path = on_the_grain(model, Path((model.at, place[:2]), model.facing))
        levels = self.movement.levels
        far = math.dist(model.at, place[:2]) if levels is None else levels.length(model, path)
        is_near = far <= (self.movement.limit or 0.0) + TOLERANCE
        return path if is_near and self.movement.meets(model, path) is None else None

    def ways_by_levels(self, model: Model, place: Point3, levels: Levels) -> Iterator[Path]:
        """Ways up or down within the limit: on one level, with climbs at the start and at the end."""
        limit, start = self.movement.limit, (*model.at, model.z)
        for z in () if self.movement.flies else dict.fromkeys((model.z, place[2], 0.0)):
            found = planner.route(levels.bars(model, z).field.plans, model.at, place[:2], limit)
            if found is not None:
                points = [*((x, y, z) for x, y, *_ in found.points), place]
                path = self.movement.reads(model, [p for p in points if p != start], None)
                if limit is None or levels.length(model, path) <= limit + TOLERANCE:
                    yield path
        path = self.movement.reads(model, [place], None)
        if levels.length(model, path) <= (limit or 0.0) + TOLERANCE and self.movement.meets(model, path) is None:
            yield path

    def standing_at(self, model: Model, place: Place) -> Solid:
        """The solid of a model at a place."""
        solid = model.solid
        return Solid(solid.shape, *at_level(place, model.z), solid.facing, solid.height)

    def touches(self, move: UnitMove, model: Model) -> bool:
        """Whether a model ends in contact with one of the targets that it should touch."""
        return in_contact(move.standing(model), self.wanted(model))

    @cached_property
    def near(self) -> Places:
        """Free places in contact within the limit, for every model that may go; nearest first."""
        limit = self.movement.limit or 0.0
        found: Places = {}
        for model in self.free:
            shape = model.solid.shape
            if not isinstance(shape, Circle):
                continue
            near: list[Point3] = []
            for target in self.wanted(model):
                if not self.is_on_its_level(model, target) or gap(model.solid, target.solid) > limit + TOLERANCE:
                    continue
                tried = [straight_place(model.at, shape.radius, target.solid), *map(tuple, places_of(model, target))]
                reached = [(x, y) for x, y in tried if (x - model.x) ** 2 + (y - model.y) ** 2 <= (limit + 1e-4) ** 2]
                near += [(x, y, target.z) for x, y in reached]
            near = self.open_places(model, list(dict.fromkeys(near)))
            if near:
                found[model.row] = near
        return found

    def is_on_its_level(self, model: Model, target: Model) -> bool:
        """Whether a model may come to stand at the height of a target."""
        return self.movement.levels is not None or abs(model.z - target.z) <= TOLERANCE

    def open_places(self, model: Model, near: Sequence[Point3]) -> list[Point3]:
        """The places that nothing bars, and where the level carries the model."""
        levels, found = self.movement.levels, []
        for z in dict.fromkeys(place[2] for place in near):
            there = [place for place in near if place[2] == z]
            rows = np.array([(x, y, 0.0) for x, y, _ in there], np.float64)
            barred = self.movement.at_the_end(model) if levels is None else levels.bars(model, z)
            free = fields.all_free(barred.field, rows).tolist()
            found += [place for place, is_open in zip(there, free, strict=True) if is_open]
        if levels is None or all(place[2] <= TOLERANCE for place in found):
            return found
        return [place for place in found if levels.rests(model, self.standing_at(model, place))]

    def best(self) -> Plain | None:
        """The lawful answer with the most models in contact that the search finds; None if no model can reach any."""
        best, most = None, 0
        near = self.near
        tried: list[dict[int, Point3]] = []
        for assigned in self.assignments(near):
            if len(assigned) <= most or assigned in tried:
                continue
            tried.append(assigned)
            answer = self.completed(assigned)
            if answer is not None and is_lawful(self.unit, self.models, self.movement, answer):
                best, most = answer, len(assigned)
            if most == len(near):
                break
        return best

    def assignments(self, near: Places) -> Iterator[dict[int, Point3]]:
        """Models with their places: in several orders, then fewer and fewer of the first one, nearest models first."""
        if not near:
            return
        clash = self.clashes(near)
        first = self.tight(near, clash, Random(0), 0.0)
        yield first
        for order in range(1, ORDERS):
            yield self.tight(near, clash, Random(order), SHAKEN)
        nearest = sorted(first, key=lambda row: self.off(row, first[row]))
        for count in range(len(nearest) - 1, 0, -1):
            yield {row: first[row] for row in nearest[:count]}

    def off(self, row: int, place: Point3) -> float:
        model = self.unit.position.model(row)
        return (place[0] - model.x) ** 2 + (place[1] - model.y) ** 2

    def clashes(self, near: Places) -> Clashes:
        """For each place of each model, the places of others that a base there would overlap."""
        entries = [(row, place) for row, several in near.items() for place in several]
        sizes = np.array([self.sizes[row] for row, _ in entries])
        at = np.array([place for _, place in entries], np.float64)
        off = at[:, None, :] - at[None, :, :]
        close = (off[:, :, :2] ** 2).sum(axis=2) < (sizes[:, None] + sizes[None, :] - TOLERANCE) ** 2
        close &= np.abs(off[:, :, 2]) <= TOLERANCE
        return {entry: {entries[n] for n in close[k].nonzero()[0]} for k, entry in enumerate(entries)}

    def tight(self, near: Places, clash: Clashes, rng: Random, shaken: float) -> dict[int, Point3]:
        """The model with the fewest places left goes first, to the place that takes the fewest from the others."""
        left = {row: list(several) for row, several in near.items()}
        placed: dict[int, Point3] = {}
        while left:
            row = min(left, key=lambda k: (len(left[k]) * (1 + shaken * rng.random()), k))
            others = {(k, place) for k, several in left.items() if k != row for place in several}
            ordered = sorted(
                left[row],
                key=lambda p: (
                    self.is_cut_off(row, p, placed),
                    len(others & clash[row, p]) + 3 * shaken * rng.random(),
                    self.off(row, p),
                ),
            )
            place = next((p for p in ordered if self.reachable(self.unit.position.model(row), p) is not None), None)
            del left[row]
            if place is None:
                continue
            placed[row] = place
            taken = clash[row, place]
            left = {k: [p for p in several if (k, p) not in taken] for k, several in left.items()}
            left = {k: several for k, several in left.items() if several}
        return placed

    def is_cut_off(self, row: int, place: Point3, placed: Mapping[int, Point3]) -> bool:
        """Whether a place is out of coherency with all the models that have theirs."""
        if not placed:
            return False
        own, link = self.sizes[row], self.movement.link
        return all(math.dist(place[:2], at[:2]) - own - self.sizes[other] > link for other, at in placed.items())

    def completed(self, assigned: Mapping[int, Point3]) -> Plain | None:
        """The whole unit: the assigned models at their places, the others after them, in coherency."""
        still: dict[int, Plain] = {m.row: [[], None] for m in self.models}
        goers = [m for m in self.models if m.row not in self.movement.fixed]
        ways = {row: self.reachable(self.unit.position.model(row), place) for row, place in assigned.items()}
        if all(m.row in assigned for m in goers):
            told = {row: answer_of(path) for row, path in ways.items() if path is not None}
            return [told.get(m.row, still[m.row]) for m in self.models]
        middle = mean([(x, y) for x, y, _ in assigned.values()])
        own = mean([m.at for m in goers])
        by = middle[0] - own[0], middle[1] - own[1]
        limit = self.movement.limit or 0.0
        far = (by[0] ** 2 + by[1] ** 2) ** 0.5
        share = 1.0 if far <= limit else (limit - 0.01) / far
        rest = [m for m in goers if m.row not in assigned]
        for part in (share, share * 0.75, share * 0.5, 0.0):
            wanted = [(m.x + by[0] * part, m.y + by[1] * part) for m in rest]
            found = self.followers(rest, wanted, assigned)
            if found is not None:
                told = {row: answer_of(path) for row, path in {**ways, **found}.items() if path is not None}
                return [told.get(m.row, still[m.row]) for m in self.models]
        return None

    def followers(
        self, rest: Sequence[Model], wanted: Sequence[Point], assigned: Mapping[int, Point3]
    ) -> dict[int, Path] | None:
        """Ways for the models without contact: near their wanted places, clear of the others, linked to them."""
        placed = [(self.unit.position.model(row), (x, y)) for row, (x, y, _) in assigned.items()]
        placed += [(m, m.at) for m in self.models if m.row in self.movement.fixed]
        discs = np.array([(x, y, bounding_radius(m.solid.shape)) for m, (x, y) in placed], np.float64).reshape(-1, 3)
        found: dict[int, Path] = {}
        order = sorted(
            range(len(rest)),
            key=lambda k: min((p[0] - wanted[k][0]) ** 2 + (p[1] - wanted[k][1]) ** 2 for _, p in placed),
        )
        for k in order:
            model = rest[k]
            path = self.follower(model, wanted[k], discs)
            if path is None:
                return None
            found[model.row] = path
            end = path.points[-1]
            discs = np.vstack((discs, (end[0], end[1], bounding_radius(model.solid.shape))))
        return found

    def follower(self, model: Model, wanted: Point, discs: Floats) -> Path | None:
        size = bounding_radius(model.solid.shape)
        going = self.movement.at_the_end(model).field.plans
        rim = discs.copy()
        rim[:, 2] += size
        crowded = planner.with_discs(going, rim)
        starts, link = [model.at], self.movement.coherency
        for goal in self.linked(wanted, discs, size):
            found = unit_to([crowded], starts, [goal], link, self.movement.limit)
            if found is not None:
                end = found[0].points[-1]
                if self.is_linked((end[0], end[1]), discs, size):
                    return on_the_grain(model, found[0])
        return None

    def linked(self, wanted: Point, discs: Floats, size: float) -> list[Point]:
        """The wanted place if it is linked to a model, else places beside the models placed, nearest first."""
        if self.is_linked(wanted, discs, size):
            return [wanted]
        found = []
        for x, y, radius in discs.tolist():
            dx, dy = wanted[0] - x, wanted[1] - y
            far = max((dx * dx + dy * dy) ** 0.5, 1e-6)
            reach = radius + size + self.movement.link * 0.6
            found.append((x + dx / far * reach, y + dy / far * reach))
        return sorted(found, key=lambda p: (p[0] - wanted[0]) ** 2 + (p[1] - wanted[1]) ** 2)[:4]

    def is_linked(self, at: Point, discs: Floats, size: float) -> bool:
        off = np.hypot(discs[:, 0] - at[0], discs[:, 1] - at[1]) - discs[:, 2] - size
        return bool((off <= self.movement.link + TOLERANCE).any())


def places_of(model: Model, target: Model) -> list[list[float]]:
    found: list[list[float]] = places(model.at, bounding_radius(model.solid.shape), target.solid).tolist()
    return found


def mean(points: Sequence[Point]) -> Point:
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def at_level(place: Place, z: float) -> Point3:
    """A place with its height, ``z`` if it has none."""
    return place if len(place) == 3 else (*place, z)


# ---------------------------------------------------------------- asking


def contact_question(
    search: ContactSearch, witness: Plain, prompt: str, duties: Duties, others: Sequence[Plain] = ()
) -> MoveUnit:
    """The move of a unit that owes contact. The ``witness`` is the search's result, and serves as every sample.

    ``others`` are proposed too, if they are lawful.
    """
    unit, models, movement = search.unit, search.models, search.movement
    most = contacts(UnitMove(unit, as_paths(models, witness, movement.reads), movement), search.targets)

    def refuses(answer: Answer) -> Fault | Refusal | None:
        move = UnitMove(unit, as_paths(models, answer, movement.reads), movement)
        return refusal_of(move) or duties(move, most)

    def suggests() -> Iterator[Plain]:
        yield witness
        yield from (one for one in others if refuses(one) is None)

    about: dict[str, Plain] = {"unit": unit.row, "models": [m.row for m in models]}
    shown: dict[str, Plain] = {"allowance": movement.limit, "contacts": most, "coherency": movement.link}
    return MoveUnit(unit.side, prompt, refuses, lambda rng: witness, suggests, shown, about)


def fewer_in_contact(move: UnitMove, targets: Sequence[Model], most: int) -> Fault | None:
    """Fewer models end in contact with the targets than could."""
    found = contacts(move, targets)
    return None if found >= most else Fault(measured=found, limit=most, model=move.models[0].row)


async def into_contact(
    unit: Unit, targets: Sequence[Model], movement: Movement, prompt: str, duties: Sequence[Restriction]
) -> bool:
    """Ask for the move that owes contact, and make it. Returns whether any model can reach contact.

    ``duties(move, targets, most)``: the faults of a lawful move if so many models could end in contact.
    """
    search = ContactSearch(unit, members(unit), targets, movement)
    witness = search.best()
    if witness is None:
        return False
    question = contact_question(search, witness, prompt, lambda move, most: first_refusal(duties, move, targets, most))
    go(unit.position, as_paths(search.models, await ask(question), movement.reads))
    return True
