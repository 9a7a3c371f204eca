"""Chapter "move": the way of one model."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from typing import Any

from campale.referee.ask import ask
from campale.referee.position import Model
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.referee.spatial import Move
from campale.table.paths import Path, is_within_allowance, plan_length, upto
from campale.table.shapes import Point, facing_towards, heading
from campale.table.sweeps import first_off, first_overlap

from .orders import is_holding

STAY: Plain = [[], None]
TRIES = 8


@rule("move/allowance", "move/bases")
async def move(model: Model) -> None:
    """Ask for the way of a model, and go it."""
    question = Move(
        model.side,
        "move",
        refuses=lambda way: unlawful(model, way),
        samples=lambda rng: a_way(model, rng),
        suggests=lambda: ways(model),
        shown={"allowance": allowance(model)},
        about={"model": model.row},
    )
    points, facing = await ask(question)
    if points:
        x, y = points[-1][:2]
        model.move_to(x, y, facing=facing, path=[list(p) for p in points])


@rule("move/allowance")
def allowance(model: Model) -> float:
    movement: float = model.profile.move
    return movement / 2 if is_holding(model.position, model.side) else movement


def path_of(model: Model, way: Any) -> Path:
    points, _ = way
    return Path((model.at, *(p[:2] for p in points)))


def unlawful(model: Model, way: Any) -> Refusal | None:
    return first_refusal(MOVE_RESTRICTIONS, model, path_of(model, way))


@rule("move/allowance")
def too_far(model: Model, path: Path) -> Fault | None:
    length = plan_length(path)
    if is_within_allowance(length, allowance(model)):
        return None
    return Fault(measured=length, limit=allowance(model), model=model.row)


@rule("move/bases")
def through_a_model(model: Model, path: Path) -> Fault | None:
    others = [m for m in model.position.on_table() if m.row != model.row]
    met = first_overlap(path, model.solid.shape, [m.solid for m in others])
    return None if met is None else Fault(where=(met.at.x, met.at.y), model=others[met.other].row)


@rule("move/bases")
def off_the_table(model: Model, path: Path) -> Fault | None:
    ground = model.position.ground
    return None if first_off(path, model.solid.shape, ground.width, ground.depth) is None else Fault(model=model.row)


MOVE_RESTRICTIONS = (too_far, off_the_table, through_a_model)


def a_way(model: Model, rng: Random) -> Plain:
    """A random straight way, or staying where it is when a few tries find none."""
    for _ in range(TRIES):
        angle, far = rng.uniform(0, 360), rng.uniform(0, allowance(model))
        way = way_to(model, (model.x + far * heading(angle)[0], model.y + far * heading(angle)[1]))
        if unlawful(model, way) is None:
            return way
    return STAY


def way_to(model: Model, to: Point) -> Plain:
    return [[[to[0], to[1]]], facing_towards(model.at, to)]


def ways(model: Model) -> Iterator[Plain]:
    """Staying, and going towards each enemy and away from it."""
    yield STAY
    for enemy in model.position.on_table(1 - model.side):
        for sign in (1.0, -1.0):
            way = straight_way(model, enemy, sign)
            if unlawful(model, way) is None:
                yield way


def straight_way(model: Model, enemy: Model, sign: float) -> Plain:
    dx, dy = enemy.x - model.x, enemy.y - model.y
    far = math.sqrt(dx * dx + dy * dy)
    stretch = sign * min(allowance(model), max(0.0, far - 2.0)) / far
    end = upto(Path((model.at, (model.x + dx * stretch, model.y + dy * stretch))), allowance(model)).points[-1]
    return way_to(model, (end[0], end[1]))
