"""The contact obligations (3.3.1/charge-contact) of charges and pile-ins, judged by the search that proposes them.

For a model that reaches no enemy, the distance left is judged to a quarter of an inch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from campale.mechanics.moves.contact_ways import at_of, fits, gap_at, gaps_at, gaps_between
from campale.mechanics.moves.in_turn import InTurn, Step
from campale.mechanics.moves.move_paths import end_of
from campale.referee.looks import Foretold
from campale.referee.position import Model, Unit
from campale.referee.question import MoveUnit
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.assault_phase.contact import (
    Progress,
    Rush,
    contact_way,
    free_enemies,
    nearest_first,
    shortest_way,
    touched,
)
from campale.rulesets.e55.definitions.measuring import exact, rounded_down
from campale.rulesets.e55.definitions.types import is_vehicle, is_walker
from campale.rulesets.e55.definitions.units import is_held
from campale.rulesets.e55.movement_phase import coherency, rough
from campale.rulesets.e55.movement_phase.ways import go, length_of, path_of, way_of, way_refusal
from campale.table.formations import spots
from campale.table.measure import overlaps
from campale.table.paths import Path, plan_length, upto
from campale.table.shapes import TOLERANCE, Circle, Hull, Point3, Solid, facing_towards, rounded

FINENESS = 0.25
PLACES = 2600
"""How many places are tried around the end of a path (within some 6 inches) if another model has taken that end."""

FREE, ANY, NEAR, NAMED, STAYS = "free", "any", "near", "named", "stays"


class Duty(NamedTuple):
    """What a model has to do: reach one enemy (``NAMED``, ``FREE``), reach any, come near one, or stay.

    ``path`` shows that it can; ``is_together``: it keeps coherency that way. ``rest``: the distance then left to the
    enemy.
    """

    kind: str
    enemy: int
    path: Path
    is_together: bool
    rest: float = 0.0


def planned(rush: Rush) -> list[Duty]:
    """Return each model's duty in the proposed move, in the order of the models."""
    if rush.planned is None:
        kept, key = rush.unit.position.cache, ("rush", rush.key)
        if key not in kept:
            kept[key] = all_duties(rush)
        rush.planned = kept[key]
    return rush.planned


def all_duties(rush: Rush) -> list[Duty]:
    progress, found = Progress(rush), list[Duty]()
    for model in rush.models:
        found.append(duty(progress, model))
        progress.put(model, found[-1].path)
    return found


# ---------------------------------------------------------------- the duty of a model


@rule("3.3.1/charge-contact")
def duty(progress: Progress, model: Model) -> Duty:
    """Return the duty of the model whose turn it is, with a move that fulfils it."""
    rush, start = progress.rush, at_of(model)
    if stays(rush, model):
        return Duty(STAYS, next((enemy.row for enemy in touched(rush, model, start)), -1), Path((start,)), True)
    return sent_duty(progress, model) or contact_duty(progress, model) or near_duty(progress, model)


@rule("3.3.1/defender-pile-in", "3.3.2/pile-in")
def stays(rush: Rush, model: Model) -> bool:
    """Return whether a model stays: it is in contact already, or cannot move at all."""
    return is_fixed(model) or bool(touched(rush, model, at_of(model)))


@rule("7.7/vehicles-not-engaged", "7.6/immobilised", "7.6/stunned", "7.6/shaken")
def is_fixed(model: Model) -> bool:
    """Return whether a model takes no part in a move into contact: a hull, or a walker that is held."""
    return is_vehicle(model) and (is_held(model) or not is_walker(model))


@rule("3.3.1/multi-charge")
def sent_duty(progress: Progress, model: Model) -> Duty | None:
    """Return the duty to reach the enemy model it was sent to, where several units are charged."""
    row = progress.rush.named.get(model.row)
    return None if row is None else reaching(progress, model, NAMED, model.position.model(row))


def reaching(progress: Progress, model: Model, kind: str, enemy: Model) -> Duty | None:
    """Return the duty to reach one enemy, in coherency with the models already moved where possible."""
    for together in (True, False) if progress.moved and is_bound(model) else (False,):
        way = contact_way(progress, model, enemy, together)
        if way is not None:
            return Duty(kind, enemy.row, way, together or not progress.moved)
    return None


def is_bound(model: Model) -> bool:
    """Return whether coherency binds a model: characters may leave their unit."""
    return not model.profile.printed("independent-character")


def contact_duty(progress: Progress, model: Model) -> Duty | None:
    """Return the duty to reach the nearest free enemy that can be reached, or else any enemy that can."""
    free = free_enemies(progress, model)
    found = (reaching(progress, model, FREE, enemy) for enemy in free)
    first = next((one for one in found if one is not None), None)
    if first is not None:
        return first
    rows = {enemy.row for enemy in free}
    taken = [enemy for enemy in nearest_first(progress.rush, model) if enemy.row not in rows]
    others = [one for enemy in taken if (one := reaching(progress, model, ANY, enemy)) is not None]
    return next((one for one in others if one.is_together), others[0] if others else None)


def near_duty(progress: Progress, model: Model) -> Duty:
    """Return the duty to come as near as possible to the enemy that is nearest by a real path."""
    rush, start = progress.rush, at_of(model)
    enemy, way = nearest_by_way(rush, model)
    if enemy is None:
        return Duty(STAYS, -1, Path((start,)), True)
    level = [point for point in way.points if abs(end_of(Path((point,)))[2] - model.z) <= TOLERANCE] if way else []
    ahead = upto(Path(tuple(level)), rush.limit) if level else Path((start,))
    if not is_clear(progress, model, end_of(ahead)):
        ahead = beside_others(progress, model, enemy, end_of(ahead))
    end = rounded_place(end_of(ahead))
    path = Path((*ahead.points[:-1], end)) if len(ahead.points) > 1 else Path((start,))
    return Duty(NEAR, enemy.row, path, is_linked(progress, model, end), rest_from(rush, model, end, enemy))


def rounded_place(place: Point3) -> Point3:
    return rounded(place[0]), rounded(place[1]), place[2]


@rule("3.3.1/charge-path")
def nearest_by_way(rush: Rush, model: Model) -> tuple[Model | None, Path | None]:
    """Return the enemy with the shortest real path to it, and the path.

    If there is no path to any, it is the nearest enemy in a straight line.
    """
    start, ranked = at_of(model), nearest_first(rush, model)
    found: tuple[float, Model | None, Path | None] = (math.inf, ranked[0] if ranked else None, None)
    for enemy in ranked:
        if exact(model, enemy) >= found[0]:
            break
        way = shortest_way(rush, model, start, enemy, found[0])
        if way is not None and length_of(way) < found[0]:
            found = length_of(way), enemy, way
    return found[1:]


def beside_others(progress: Progress, model: Model, enemy: Model, end: Point3) -> Path:
    """Return the path to the place nearest to an enemy, around an end that another model has taken."""
    rush, start, z = progress.rush, at_of(model), model.z
    tried = np.array([*spots(end[:2], FINENESS, PLACES), model.at])
    mates = progress.bases(model, progress.at, z)
    radius = rush.ways.radius(model)
    good = tried[fits(tried, model.at, radius, rush.limit, mates)]
    now = rush.ways.gap(model, start, enemy)
    gaps = gaps_at(radius, good, z, enemy.solid)
    near = sorted((gap, n, (x, y)) for n, (gap, (x, y)) in enumerate(zip(gaps, good.tolist(), strict=True)))
    for _, _, place in (one for one in near if one[0] < now):
        way = rush.ways.between(model, start, place, z, rush.limit)
        if way is not None:
            return way
    return Path((start,))


def rest_from(rush: Rush, model: Model, place: Point3, enemy: Model) -> float:
    """Return the distance left from a place to an enemy, by a real path, or in a straight line if there is none."""
    way = shortest_way(rush, model, place, enemy)
    return rush.ways.gap(model, place, enemy) if way is None else length_of(way)


def is_clear(progress: Progress, model: Model, place: Point3) -> bool:
    bodies, radius = progress.rush.ways.bodies, progress.rush.ways.radius(model)
    hulls = [row for row in progress.at if row != model.row and isinstance(bodies[row].shape, Hull)]
    mates = progress.bases(model, [row for row in progress.at if row not in hulls], place[2])
    if len(mates) and not (gaps_between(np.array([place[:2]]), radius, mates) >= -TOLERANCE).all():
        return False
    own = Solid(Circle(radius), *place, 0.0, bodies[model.row].height)
    return not any(overlaps(own, hull) for hull in map(bodies.__getitem__, hulls) if place[2] < hull.z + hull.height)


@rule("3.1.1/coherency")
def is_linked(progress: Progress, model: Model, place: Point3) -> bool:
    """Return whether a place is in coherency with a model already moved; for the first to move, it always is."""
    rows = [row for row in progress.moved if row != model.row]
    if not rows or not is_bound(model):
        return True
    link = coherency.link(model.unit)
    return any(rounded_down(gap_from(progress, model, place, row)) <= link for row in rows)


def gap_from(progress: Progress, model: Model, place: Point3, row: int) -> float:
    """Return the distance of a model at a place from another of its unit, at that one's current place."""
    ways, there = progress.rush.ways, progress.at[row]
    dx, dy = place[0] - there[0], place[1] - there[1]
    body = ways.bodies[row]
    if isinstance(body.shape, Hull):
        return gap_at(ways.radius(model), place, body)
    flat = math.sqrt(dx * dx + dy * dy) - ways.radius(model) - ways.radius(model.position.model(row))
    return rounded(max(0.0, flat) + abs(place[2] - there[2]))


# ---------------------------------------------------------------- judging a move


class Attempt:
    """The move of one model in an answer, at its turn in the order."""

    def __init__(self, progress: Progress, model: Model, path: Path) -> None:
        self.progress, self.model, self.path = progress, model, path
        self.rush, self.end = progress.rush, end_of(path)
        self._duty: Duty | None = None

    @property
    def duty(self) -> Duty:
        if self._duty is None:
            self._duty = duty(self.progress, self.model)
        return self._duty

    @property
    def touched(self) -> list[Model]:
        return touched(self.rush, self.model, self.end)

    def fault(self, measured: float | None = None, limit: float | None = None) -> Fault:
        """Return a fault that shows the end of the better move, and the enemy it leads to."""
        better = end_of(self.duty.path)
        return Fault((round(better[0], 2), round(better[1], 2)), measured, limit, self.duty.enemy)


@rule("3.3.1/defender-pile-in", "3.3.2/pile-in")
def leaves_contact(attempt: Attempt) -> Fault | None:
    if len(attempt.path.points) == 1 or not stays(attempt.rush, attempt.model):
        return None
    return Fault(attempt.model.at, length_of(attempt.path), 0.0, attempt.model.row)


@rule("7.16/walker-rotates")
def turns_unable(attempt: Attempt) -> Fault | None:
    """Refuse to turn a vehicle that is immobilised or kept from moving this turn."""
    turned = attempt.path.facing is not None and abs(attempt.path.facing - attempt.model.facing) > TOLERANCE
    return Fault(attempt.model.at, model=attempt.model.row) if turned and is_fixed(attempt.model) else None


@rule("3.1/no-pass-through")
def ends_on_a_mate(attempt: Attempt) -> Fault | None:
    if len(attempt.path.points) == 1 or is_clear(attempt.progress, attempt.model, attempt.end):
        return None
    return Fault(attempt.end[:2], model=attempt.model.row)


@rule("3.3.1/multi-charge")
def misses_the_named(attempt: Attempt) -> Fault | None:
    if attempt.duty.kind != NAMED or any(enemy.row == attempt.duty.enemy for enemy in attempt.touched):
        return None
    return attempt.fault()


@rule("3.3.1/charge-contact")
def misses_a_free_enemy(attempt: Attempt) -> Fault | None:
    """Obligation (a): reach a free enemy, with none nearer that can be reached."""
    if attempt.duty.kind != FREE:
        return None
    free = free_enemies(attempt.progress, attempt.model)
    rows = [enemy.row for enemy in attempt.touched]
    wanted = free[: 1 + [enemy.row for enemy in free].index(attempt.duty.enemy)]
    return None if any(enemy.row in rows for enemy in wanted) else attempt.fault()


@rule("3.3.1/charge-contact")
def misses_every_enemy(attempt: Attempt) -> Fault | None:
    """Obligation (b): reach any enemy."""
    return attempt.fault() if attempt.duty.kind == ANY and not attempt.touched else None


@rule("3.3.1/charge-contact", "3.3.1/charge-path")
def stays_away(attempt: Attempt) -> Fault | None:
    """Obligation (c): come as near as possible to an enemy."""
    if attempt.duty.kind != NEAR or attempt.touched:
        return None
    enemy = attempt.model.position.model(attempt.duty.enemy)
    rest = rest_from(attempt.rush, attempt.model, attempt.end, enemy)
    return attempt.fault(rest, attempt.duty.rest) if rest > attempt.duty.rest + FINENESS else None


@rule("3.1.1/coherency")
def strays(attempt: Attempt) -> Fault | None:
    """Refuse a move out of coherency with the models already moved if the duty allows coherency."""
    if not attempt.duty.is_together or is_linked(attempt.progress, attempt.model, attempt.end):
        return None
    return attempt.fault(limit=coherency.link(attempt.rush.unit))


OBLIGATIONS = (
    leaves_contact,
    turns_unable,
    ends_on_a_mate,
    misses_the_named,
    misses_a_free_enemy,
    misses_every_enemy,
    stays_away,
    strays,
)


def step_refusal(progress: Progress, model: Model, path: Path) -> Refusal | None:
    """Return why a model at its turn cannot take a path."""
    rush = progress.rush
    way = way_of(model, path, rush.limit, rush.targets, rush.flies)
    return way_refusal(way) or first_refusal(OBLIGATIONS, Attempt(progress, model, path))


# ---------------------------------------------------------------- the question


def in_turn(rush: Rush) -> InTurn[Progress]:
    """Return the models' moves in the order of ``in_order``; each model's duty is the proposal."""

    def proposes() -> list[Step]:
        return [Step(one.path, looking(model, one)) for model, one in zip(rush.models, planned(rush), strict=True)]

    return InTurn(rush.unit, rush.models, partial(Progress, rush), proposes, step_refusal, path_of)


def looking(model: Model, found: Duty) -> float | None:
    """Return the facing of a mover at the end of its path: towards the enemy."""
    if found.enemy < 0 or len(found.path.points) == 1:
        return None
    return facing_towards(end_of(found.path)[:2], model.position.model(found.enemy).at)


def rush_question(
    rush: Rush, prompt: str, foretells: Callable[[Unit, Mapping[int, Path]], Sequence[Foretold]] | None = None
) -> MoveUnit:
    """Ask for the paths of all models of a unit, in the order in which they move.

    ``foretells``: what paths entail.
    """
    shown: dict[str, Plain] = {"allowance": rush.limit, "targets": sorted(rush.targets)}
    return in_turn(rush).question(prompt, shown, None if foretells is None else partial(foretells, rush.unit))


def carry_out(rush: Rush, answer: Sequence[Any], how: str) -> dict[int, Path]:
    """Move the models, and return their paths."""
    paths = in_turn(rush).paths(answer)
    for model in rush.models:
        path = paths[model.row]
        if len(path.points) > 1 or path.facing != model.facing:
            go(model, path, path.facing, how=how)
    return paths


def towards_contact(unit: Unit, targets: Iterable[int], limit: float) -> dict[int, Path]:
    """Return every model's shortest path to contact with its nearest enemy, as far as it may go."""
    rush = Rush(unit, targets, limit)
    return dict(shortest_ways(rush, rush.models))


def slowing_ways(unit: Unit, targets: Iterable[int], limit: float) -> dict[int, Path]:
    """Return as many of these paths as it takes to tell whether the unit is slowed."""
    if rough.needs_every_way(unit):
        return towards_contact(unit, targets, limit)
    rush = Rush(unit, targets, limit)
    kept, key = unit.position.cache, ("slowing", rush.key)
    if key not in kept:
        near = {model.row for model in rough.may_be_slowed(unit, limit)}
        ways = shortest_ways(rush, [model for model in rush.models if model.row in near])
        slow = ((row, way) for row, way in ways if rough.slows(unit.position.model(row), way))
        kept[key] = dict(islice(slow, 1))
    return dict(kept[key])


def shortest_ways(rush: Rush, models: Sequence[Model]) -> Iterator[tuple[int, Path]]:
    for model in models:
        way = None if stays(rush, model) else nearest_by_way(rush, model)[1]
        if way is not None:
            yield model.row, upto(way, rush.limit) if plan_length(way) > rush.limit else way
