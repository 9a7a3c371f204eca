"""The Approach: an engaged model's free move towards an enemy (close-combat/approach*)."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from functools import partial
from random import Random
from typing import Any

from campale.mechanics.bases import distance
from campale.mechanics.moves import going
from campale.mechanics.script_form import fill_in_script
from campale.referee.position import Model, Position
from campale.referee.question import Along, Choose, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.close_combat.engaged import engaged_with, is_walled_off, reach, reaches
from campale.rulesets.wzr.movement.moves import bars, route_of
from campale.rulesets.wzr.squads.coherency import is_coherent
from campale.rulesets.wzr.squads.squads import is_stunned
from campale.rulesets.wzr.structures.floors import may_rest
from campale.rulesets.wzr.vehicles.locations import cannot_drive
from campale.table import fields
from campale.table.measure import outline_of
from campale.table.paths import Path, plan_length, straight, upto
from campale.table.shapes import TOLERANCE, Circle, Point, Solid, facing_towards, heading, rounded
from campale.table.sweeps import every_within

NO = "no"
APPROACH = "approach"
CONTACT = 0.0005
STEP = 0.1


# ---------------------------------------------------------------- targets of an Approach


@rule("close-combat/approach", "close-combat/approach-more", "close-combat/reach-difference", "vehicles/location-drive")
def approaches(model: Model) -> dict[int, Path]:
    """The Approaches open to a model, by the row of the enemy that each one aims at.

    A model that reaches no enemy approaches the nearest enemy it is engaged with (one of them, if several are equally
    near). Otherwise it approaches the Front of any of them. A vehicle without its Drive makes none. A model in
    coherency stays in it.
    """
    if model.marks(marks.APPROACHED) or not model.is_on_table or cannot_drive(model):
        return {}
    enemies = engaged_with(model)
    kept, key = model.position.layout, ("approaches", model.row, reach(model), *(enemy.row for enemy in enemies))
    if enemies and key not in kept:
        kept[key] = find_approaches(model, enemies)
    found: dict[int, Path] = kept.get(key, {})
    return within_coherency(model, enemies, found) if found and is_coherent(model) else found


@rule("squads/coherency", "close-combat/approach", "close-combat/approach-more")
def within_coherency(model: Model, enemies: list[Model], ways: dict[int, Path]) -> dict[int, Path]:
    """The ways that end in coherency. A model that reaches an enemy already may stop short, any other may not."""
    step = STEP if any(reaches(model, enemy) for enemy in enemies) else math.inf
    cut_short = {row: as_far_as_coherent(model, way, step) for row, way in ways.items()}
    return {row: way for row, way in cut_short.items() if way is not None}


def as_far_as_coherent(model: Model, way: Path, step: float) -> Path | None:
    """The way, shorter by so many steps as it takes to end in coherency; None if nothing is left of it."""
    far = plan_length(way)
    while not is_coherent(model, upto(way, far).points[-1][:2]):
        far -= step
        if far <= TOLERANCE:
            return None
    return upto(way, far)


@rule("close-combat/approach", "close-combat/approach-more")
def find_approaches(model: Model, enemies: list[Model]) -> dict[int, Path]:
    """The straight ways that are possible."""
    if any(reaches(model, enemy) for enemy in enemies):
        ways = {enemy.row: towards_front(model, enemy, enemies) for enemy in enemies}
    else:
        ways = {enemy.row: closing(model, enemy) for enemy in nearest_of(model, enemies)}
    return {row: way for row, way in ways.items() if way is not None}


def nearest_of(model: Model, enemies: list[Model]) -> list[Model]:
    gaps = [distance(model, enemy) for enemy in enemies]
    return [enemy for enemy, far in zip(enemies, gaps, strict=True) if far <= min(gaps) + TOLERANCE]


# ---------------------------------------------------------------- ways


@rule("close-combat/approach")
def closing(model: Model, enemy: Model) -> Path | None:
    """Straight towards an enemy until it is inside the model's own reach; None if that is impossible."""
    far = reach(model)
    aim = straight(model.at, enemy.at, model.facing)
    if far < 0:
        return None
    met = every_within(aim, model.profile.shape, [enemy.solid], far or CONTACT, tolerance=-CONTACT if far else 0.0)
    return cut(model, aim, met[0].start) if met else None


@rule("close-combat/approach-more")
def towards_front(model: Model, enemy: Model, enemies: list[Model]) -> Path | None:
    """Into contact, straight towards the nearest point of the enemy's base that lies in its Front.

    None from behind the enemy, where the line would cross its base, and None if the model would not stay engaged with
    all enemies.
    """
    point = nearest_in_front(model, enemy)
    if point is None:
        return None
    aim = straight(model.at, point, model.facing)
    met = every_within(aim, model.profile.shape, [enemy.solid], CONTACT, tolerance=0.0)
    way = cut(model, aim, met[0].start) if met else None
    return way if way is not None and stays_engaged(model, way, enemies) else None


def cut(model: Model, aim: Path, far: float) -> Path | None:
    """The first ``far`` inches along a line, or None if that is no distance at all or something bars the way."""
    whole = plan_length(aim)
    if far <= TOLERANCE or whole <= TOLERANCE:
        return None
    share = far / whole
    (x, y), (to_x, to_y) = aim.points[0][:2], aim.points[-1][:2]
    way = straight((x, y), on_grain(x + share * (to_x - x), y + share * (to_y - y), (to_x, to_y)), model.facing)
    return way if is_free(model, way) else None


def on_grain(x: float, y: float, aim: Point) -> Point:
    """The grid point just beyond a place, towards the aim, so that rounding never leaves the aim out of reach."""
    dx, dy = aim[0] - x, aim[1] - y
    far = math.sqrt(dx * dx + dy * dy) or 1.0
    more = 0.0001
    return rounded(x + more * dx / far), rounded(y + more * dy / far)


@rule("close-combat/approach", "movement/impassable", "structures/intact")
def is_free(model: Model, way: Path) -> bool:
    """Whether the way crosses no impassable ground or base, ends on none, and does not end over the edge of a floor."""
    there = Solid(model.profile.shape, *way.points[-1][:2], model.z, model.facing, model.profile.height)
    return fields.first_trouble(bars(model, at_the_end=True).field, way) is None and may_rest(model, there)


@rule("close-combat/approach-more", "core/front-rear")
def nearest_in_front(model: Model, enemy: Model) -> Point | None:
    """The nearest point of the enemy's edge that lies in its Front, or None if part of its base is in the way."""
    ahead = heading(enemy.facing)
    points = [p for p in edge_of(model, enemy) if is_ahead(enemy, ahead, p)]
    nearest = min(points, key=lambda p: (p[0] - model.x) ** 2 + (p[1] - model.y) ** 2)
    return nearest if is_faced(model, enemy, nearest) else None


def is_ahead(enemy: Model, ahead: Point, point: Point) -> bool:
    return (point[0] - enemy.x) * ahead[0] + (point[1] - enemy.y) * ahead[1] >= -TOLERANCE


def edge_of(model: Model, enemy: Model) -> Iterator[Point]:
    """For a circle: its nearest point and the ends of its Front. For a hull: a point about every 0.1 inch."""
    shape = enemy.profile.shape
    if isinstance(shape, Circle):
        for aim in (facing_towards(enemy.at, model.at), enemy.facing + 90.0, enemy.facing - 90.0):
            x, y = heading(aim)
            yield enemy.x + shape.radius * x, enemy.y + shape.radius * y
        return
    corners = outline_of(enemy.solid)
    for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
        steps = max(1, math.ceil(math.dist(one, other) / 0.1))
        for k in range(steps):
            yield one[0] + (other[0] - one[0]) * k / steps, one[1] + (other[1] - one[1]) * k / steps


def is_faced(model: Model, enemy: Model, point: Point) -> bool:
    """Whether the line from the model to a point on the enemy's edge does not cross the enemy's base."""
    way = straight(model.at, point)
    met = every_within(way, Circle(0.0), [enemy.solid], 0.0, tolerance=0.01)
    return not met


@rule("close-combat/approach-more")
def stays_engaged(model: Model, way: Path, enemies: list[Model]) -> bool:
    x, y = way.points[-1][:2]
    moved = model.position.supposing({model.row: (x, y)}).model(model.row)
    left = {enemy.row for enemy in engaged_with(moved)}
    return all(enemy.row in left and not is_walled_off(moved, enemy) for enemy in enemies)


# ---------------------------------------------------------------- making an Approach

Approach = tuple[int, float]
"""The row of the enemy, and the length in inches."""


Serves = Callable[[Approach], bool]
"""Whether an Approach serves its purpose."""


def anyhow(approach: Approach) -> bool:
    return True


@rule("close-combat/approach", "close-combat/approach-more", "turn/model-activation")
def approach_script(model: Model, serves: Serves = anyhow) -> Generator[Question, Any, Approach | None]:
    """Ask if a model makes an Approach, towards which enemy and, if it already reaches one, how far."""
    ways = {row: way for row, way in approaches(model).items() if serves((row, rounded(plan_length(way))))}
    if not ways:
        return None
    about: dict[str, Plain] = {"model": model.row}
    chosen = yield Choose(model.side, "approach", [NO, *ways], "approach", about=about)
    if chosen == NO:
        return None
    whole = rounded(plan_length(ways[chosen]))
    if not any(reaches(model, enemy) for enemy in engaged_with(model)):
        return int(chosen), whole
    far = yield how_far(model, int(chosen), ways[chosen], serves)
    return int(chosen), float(far)


@rule("close-combat/approach-more")
def how_far(model: Model, enemy: int, way: Path, serves: Serves) -> Along:
    """Ask how far the model goes, at most into contact."""
    whole = rounded(plan_length(way))
    enemies = engaged_with(model)

    def refuses(far: float | None) -> Fault | None:
        is_so = far is not None and TOLERANCE < far <= whole + TOLERANCE and serves((enemy, far))
        is_so = is_so and stays_engaged(model, upto(way, far or 0.0), enemies)
        return None if is_so else Fault(model.at, far, whole, model.row)

    def samples(rng: Random) -> Plain:
        far = rounded(whole * rng.uniform(0.1, 1.0))
        return far if refuses(far) is None else whole

    shown: dict[str, Plain] = {**route_of(model, way), "allowance": whole}
    about: dict[str, Plain] = {"model": model.row, "target": enemy}
    return Along(model.side, "approach-length", refuses, samples, lambda: [whole], shown, about)


@rule("close-combat/approach", "close-combat/approach-no-free-strike", "turn/model-activation", "core/stunned")
async def offer_approach(position: Position, row: int) -> None:
    """At the start of its activation a model may make an Approach; a stunned model must rest first."""
    model = position.model(row)
    if is_stunned(model):
        return
    chosen = await fill_in_script(model.side, "approach", partial(approach_script, model), idle=[NO], model=row)
    if chosen is not None:
        approach(model, *chosen)


@rule("close-combat/approach", "close-combat/approach-no-free-strike", "movement/distance-cap")
def approach(model: Model, enemy: int, far: float) -> None:
    """Move straight with unchanged facing, without a free strike or counting towards a cap. Once per activation."""
    way = approaches(model).get(enemy)
    if way is not None:
        model.mark(marks.APPROACHED, 1)
        going.put(model, upto(way, far), z=model.z, approach=enemy, how="approach")


def as_approached(model: Model, chosen: Approach | None) -> Model:
    """The model as it would stand after an Approach, on a copy of the position; the model itself without one."""
    way = None if chosen is None else approaches(model).get(chosen[0])
    if chosen is None or way is None:
        return model
    kept, key = model.position.layout, ("approached", model.row, *upto(way, chosen[1]).points[-1][:2])
    if key not in kept:
        kept[key] = model.position.supposing({model.row: key[2:]})
    found: Position = kept[key]
    return found.model(model.row)
