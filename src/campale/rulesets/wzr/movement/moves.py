"""Moving a model: its path, what bars it, how long it may be (movement/*, actions/walk, actions/run)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from campale.mechanics.frames import Frame
from campale.mechanics.moves import going, move_paths
from campale.mechanics.moves.move_paths import Barred, Met, MovePath, answer_of, met_along, met_at_the_end, surroundings
from campale.mechanics.moves.unit_moves import path_of
from campale.referee.position import Model, Position
from campale.referee.question import Move
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.battle.terrain import impassable
from campale.rulesets.wzr.turn.points import moved
from campale.table import planner
from campale.table.paths import Path, plan_length, until
from campale.table.shapes import Point, facing_towards, heading, rounded

LARGE = 3


# ---------------------------------------------------------------- how far


@rule("movement/distance-cap")
def cap_left(model: Model) -> float:
    """What is left of twice M in this activation."""
    return max(0.0, 2.0 * float(model.profile.m) - moved(model))


@rule("actions/walk", "actions/run", "movement/distance-cap")
def allowance(model: Model, times: int) -> float:
    """How far a movement action carries: so many times M, and no farther than what is left of the activation's cap."""
    return min(times * float(model.profile.m), cap_left(model))


# ---------------------------------------------------------------- what bars a model


@rule("movement/basic")
def passes_through(model: Model, other: Model) -> bool:
    """A friend on a small or medium base is no hindrance on the way."""
    return other.side == model.side and other.profile.size < LARGE


def bars(model: Model, at_the_end: bool) -> Barred:
    """What bars a model on its way, or where it ends. Kept until something moves."""
    kept, key = model.position.layout, ("bars", model.row, at_the_end)
    if key not in kept:
        others = [m for m in model.position.on_table() if m.row != model.row]
        if not at_the_end:
            others = [m for m in others if not passes_through(model, m)]
        fence = model.position.ground.kept(impassable)
        kept[key] = surroundings(model, model.profile.shape, others, [0.0] * len(others), fence)
    found: Barred = kept[key]
    return found


@rule("movement/basic")
def meets(model: Model, path: Path) -> Met | None:
    """The first thing that stops a model on a path, or bars it where the path ends."""
    met = met_along(model, path, bars(model, at_the_end=False))
    if met is not None or move_paths.stays(path):
        return met
    return met_at_the_end(model, path, bars(model, at_the_end=True))


# ---------------------------------------------------------------- what forbids a path


@rule("movement/distance-cap", "actions/walk", "actions/run")
def too_long(way: MovePath) -> Fault | None:
    return move_paths.too_long(way.model, way.path, length_of(way.path), way.limit)


@rule("movement/basic")
def through_a_model(way: MovePath) -> Fault | None:
    return move_paths.through_a_model(way)


@rule("movement/impassable")
def over_impassable(way: MovePath) -> Fault | None:
    return move_paths.over_a_piece(way)


@rule("movement/basic")
def over_the_edge(way: MovePath) -> Fault | None:
    return move_paths.over_the_edge(way)


WALK_RESTRICTIONS = (too_long, through_a_model, over_impassable, over_the_edge)


def length_of(path: Path) -> float:
    """How long a path is in plan, on the grain on which measures are compared."""
    return rounded(plan_length(path))


def refusal_of(way: MovePath) -> Refusal | None:
    return first_refusal(WALK_RESTRICTIONS, way)


# ---------------------------------------------------------------- the question of a path


def read(model: Model, answer: Sequence[Any]) -> Path:
    points, facing = answer
    return path_of(model, points) if facing is None else Path(path_of(model, points).points, rounded(facing % 360.0))


def way_question(model: Model, prompt: str, limit: float, **about: Plain) -> Move:
    """Which way a model goes, at most ``limit`` inches, and how it faces at the end."""

    def way(answer: Sequence[Any]) -> MovePath:
        return MovePath(model, read(model, answer), limit, meets)

    def refuses(answer: Sequence[Any]) -> Fault | Refusal | None:
        return refusal_of(way(answer))

    def suggests() -> Iterator[Plain]:
        return (one for one in (answered(model, path) for path in good_paths(model, limit)) if refuses(one) is None)

    def samples(rng: Random) -> Plain:
        answer = answer_of(random_path(model, limit, rng), float(rng.randrange(360)))
        return answer if refuses(answer) is None else [[], float(rng.randrange(360))]

    shown: dict[str, Plain] = {"allowance": limit}
    return Move(model.side, prompt, refuses, samples, suggests, shown, {"model": model.row, **about})


def answered(model: Model, path: Path) -> Plain:
    return answer_of(path, facing_after(model, path))


def good_paths(model: Model, limit: float) -> Iterator[Path]:
    """Towards the markers and the nearest enemies, away from the enemy; then to stay."""
    field = bars(model, at_the_end=False).field.going
    for goal in going.usual_goals(model.unit, [model]):
        yield planner.towards(field, model.at, goal, limit)
    yield Path((model.at,))


def random_path(model: Model, limit: float, rng: Random) -> Path:
    """A straight way in a random direction, cut short before what bars it."""
    aim, far = heading(rng.uniform(0.0, 360.0)), limit * rng.random()
    path = Path((model.at, (rounded(model.x + aim[0] * far), rounded(model.y + aim[1] * far))))
    trouble = planner.trouble(bars(model, at_the_end=False).field.going, path)
    return path if trouble is None else until(path, max(0.0, trouble.progress - 0.01))


def facing_after(model: Model, path: Path) -> float:
    """Towards the nearest enemy from where the path ends."""
    end: Point = path.points[-1][0], path.points[-1][1]
    enemies = model.position.on_table(1 - model.side)
    nearest = min(enemies, key=lambda m: (m.x - end[0]) ** 2 + (m.y - end[1]) ** 2, default=None)
    return model.facing if nearest is None else float(round(facing_towards(end, nearest.at)) % 360)


# ---------------------------------------------------------------- actions/walk, actions/run


def walk_fields(times: int, prompt: str, model: Model, filled: Sequence[Any]) -> Move | None:
    return None if filled else way_question(model, prompt, allowance(model, times))


def walk_frames(model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    points, facing = details[0]
    return (("walk", model.row, tuple(points), facing),)


@rule("actions/walk", "actions/run", "movement/rotation")
async def walk(position: Position, row: int, points: Sequence[Point], facing: float | None) -> None:
    """The model goes its way, and turns as it likes."""
    model = position.model(row)
    go(model, read(model, (points, facing)))


def go(model: Model, path: Path) -> None:
    """Put a model at the end of a path; what it has moved counts towards the cap."""
    length = length_of(path)
    going.put(model, path) if length else None
    if path.facing is not None and rounded(path.facing) != model.facing:
        model.position.turn(model, path.facing)
    if length:
        model.jot(marks.MOVED, rounded(moved(model) + length))
        model.mark(marks.AIMED, 0)


RUN_FIELDS, WALK_FIELDS = partial(walk_fields, 2, "run"), partial(walk_fields, 1, "walk")
