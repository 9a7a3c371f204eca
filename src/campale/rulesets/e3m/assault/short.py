"""Assaults that fall short: how far a unit can still go towards its target."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_answer, as_paths, is_lawful, on_the_grain
from campale.referee.position import Model, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.units import members
from campale.rulesets.e3m.movement.moves import ENEMY_GAP
from campale.table import planner
from campale.table.measure import bounding_radius, gap
from campale.table.paths import Path, at, plan_length
from campale.table.shapes import Circle, Point
from campale.table.units import unit_to

CLEAR = ENEMY_GAP + 0.003
BESIDE = 0.05
"""How far from its point on the way the model may end that goes along it."""
BEARINGS, TRIED = 36, 6
"""Places beside the target, and how many of them the nearest model tries to reach."""
SHARES, HALVINGS = 12, 6
"""Parts of the way that are tried, and how often the last part is halved."""


@rule("assault/failed-contact")
def nearest_approach(unit: Unit, movement: Movement, enemies: Sequence[Model]) -> Plain | None:
    """The lawful move found that ends nearest to the target, along a straight way or round what is in the way."""
    models = members(unit)
    pairs = [(m, enemy) for m in models for enemy in enemies]
    first, target = min(pairs, key=lambda pair: gap(pair[0].solid, pair[1].solid))
    answers = [furthest(unit, models, movement, first, way) for way in ways_to(first, target, movement)]
    found = [one for one in answers if one is not None]

    def left(answer: Plain) -> float:
        move = UnitMove(unit, as_paths(models, answer, movement.reads), movement)
        return min(gap(move.standing(m), enemy.solid) for m, enemy in pairs)

    return min(found, key=left, default=None)


def ways_to(first: Model, target: Model, movement: Movement) -> Iterator[Path]:
    """The straight way of a model to a target, and the shortest one found round what is in the way."""
    yield Path((first.at, target.at), first.facing)
    if not isinstance(first.solid.shape, Circle) or movement.flies:
        return
    plans = (movement.round or movement.at_the_end)(first).field.plans
    reach = first.solid.shape.radius + bounding_radius(target.solid.shape) + CLEAR
    turns = [2.0 * math.pi * k / BEARINGS for k in range(BEARINGS)]
    beside = [(target.x + reach * math.sin(turn), target.y + reach * math.cos(turn)) for turn in turns]
    beside.sort(key=lambda place: math.dist(first.at, place))
    found = (planner.route(plans, first.at, place, None) for place in beside)
    reached = [path for path, _ in zip((one for one in found if one is not None), range(TRIED), strict=False)]
    if reached:
        yield min(reached, key=plan_length)


def furthest(unit: Unit, models: Sequence[Model], movement: Movement, first: Model, way: Path) -> Plain | None:
    """The lawful move that takes the unit farthest along the way of one of its models, or None."""
    most = min(movement.limit or 0.0, plan_length(way))

    def after(length: float) -> Plain | None:
        here = at(way, length)
        answer = shifted(unit, models, movement, (here.x - first.x, here.y - first.y))
        ends = {} if answer is None else as_paths(models, answer, movement.reads)
        return answer if ends and math.dist(ends[first.row].points[-1][:2], (here.x, here.y)) <= BESIDE else None

    tried = ((share, after(most * share / SHARES)) for share in range(SHARES, 0, -1))
    share, best = next((one for one in tried if one[1] is not None), (0, None))
    low, high = most * share / SHARES, most * min(share + 1, SHARES) / SHARES
    for _ in range(HALVINGS if low < high else 0):
        middle = (low + high) / 2.0
        answer = after(middle)
        low, high, best = (low, middle, best) if answer is None else (middle, high, answer)
    return best


def shifted(unit: Unit, models: Sequence[Model], movement: Movement, by: Point) -> Plain | None:
    """A lawful move by which all go so far: straight, or else each round obstacles to a free place near its own."""
    wanted = [(m.x + by[0], m.y + by[1]) for m in models]
    straight: Plain = [[[place], None] for place in wanted]
    if is_lawful(unit, models, movement, straight):
        return straight
    if movement.flies or not all(isinstance(m.solid.shape, Circle) for m in models):
        return None
    plans = [(movement.round or movement.at_the_end)(m).field.plans for m in models]
    found = unit_to(plans, [m.at for m in models], wanted, movement.coherency, movement.limit)
    if found is None:
        return None
    answer = as_answer(models, {m.row: on_the_grain(m, path) for m, path in zip(models, found, strict=True)})
    return answer if is_lawful(unit, models, movement, answer) else None
