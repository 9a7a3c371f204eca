"""The question where the models of a unit go, judged as one move; with samples, and suggestions towards goals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

from campale.mechanics.moves import storeys
from campale.mechanics.moves.move_paths import answer_of
from campale.mechanics.moves.unit_moves import (
    Answer,
    Movement,
    UnitMove,
    as_paths,
    closing_up,
    is_lawful,
    lawful_route,
    path_of,
    refusal_of,
    staying,
)
from campale.referee.looks import Foretold
from campale.referee.position import Model, Unit
from campale.referee.question import MoveUnit
from campale.referee.refusal import Fault, Plain, Refusal
from campale.table.levels import heights
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Circle, Point, heading, rounded
from campale.table.terrain import Floor

Goals = Callable[[], Iterable[Point]]
FARTHEST = 90.0
SHARES = (1.0, 0.6, 0.3)
NEAR, HALF = 0.1, 0.5
"""This near to a point, or to the nearest reachable one, a move is as good as any."""
CLIMBS, BEFORE_CLIMBS, MOST_FLOORS, NEARBY, FINE = 0.25, 2, 3, 3.0, 2
"""How often a sample goes up or down; after how many goals such moves are proposed; on to how many floors.

Then how far beyond reach the middles of these may lie, and how closely the places tried lie together."""
TURNS = 6
"""The number of directions that a sample tries."""


class Proposals(NamedTuple):
    """Answers that a book proposes: random ones, sensible ones, and those that bring a unit near a point."""

    samples: Callable[[Random], Plain]
    suggests: Callable[[], Iterable[Plain]]
    seeks: Callable[[Point], Iterable[Plain]]


def move_question(
    unit: Unit,
    models: Sequence[Model],
    prompt: str,
    movement: Movement,
    proposals: Proposals,
    *,
    shown: dict[str, Plain] | None = None,
    foretells: Callable[[Mapping[int, Path]], Sequence[Foretold]] | None = None,
    **about: Plain,
) -> MoveUnit:
    """The ways of the models of a unit, judged as one move. ``foretells``: the costs of paths."""

    def paths(answer: Answer) -> dict[int, Path]:
        return as_paths(models, answer, movement.reads)

    def refuses(answer: Answer) -> Fault | Refusal | None:
        return refusal_of(UnitMove(unit, paths(answer), movement))

    def calls_for(answer: Answer) -> Sequence[Foretold]:
        return () if foretells is None else foretells(paths(answer))

    told = {"unit": unit.row, "models": [model.row for model in models], **about}
    limits: dict[str, Plain] = {"coherency": movement.link, "flies": movement.flies, **(shown or {})}
    if movement.limit is not None:
        limits["allowance"] = movement.limit
    if movement.levels is not None:
        limits["levels"] = [*heights(unit.position.ground)]
    return MoveUnit(unit.side, prompt, refuses, *proposals[:2], limits, told, proposals.seeks, calls_for)


def unit_move_question(
    unit: Unit,
    models: Sequence[Model],
    prompt: str,
    movement: Movement,
    goals: Goals,
    *,
    drawn: float = 0.0,
    **more: Any,
) -> MoveUnit:
    """The same with proposals towards ``goals``: points that the unit may want to approach, the best first.

    ``drawn``: the chance that a sample heads for one of them, rather than anywhere.
    """

    def suggests() -> Iterator[Plain]:
        return suggested(unit, models, movement, goals())

    def samples(rng: Random) -> Plain:
        if movement.levels is not None and rng.random() < CLIMBS:
            climbs = list(up_and_down(unit, models, movement))
            if climbs:
                return rng.choice(climbs)
        if drawn and rng.random() < drawn and (lures := list(goals())):
            near = next(towards(unit, models, movement, rng.choice(lures)), None)
            if near is not None:
                return near
        anywhere = random_move(unit, models, movement, rng)
        return next(suggests(), staying(models)) if anywhere is None else anywhere

    proposals = Proposals(samples, suggests, partial(towards, unit, models, movement))
    return move_question(unit, models, prompt, movement, proposals, **more)


def suggested(unit: Unit, models: Sequence[Model], movement: Movement, goals: Iterable[Point]) -> Iterator[Plain]:
    """Lawful moves towards the goals, each once; those that fall short of their goal come last.

    Then staying put, if that is allowed. Moves up and down come after the first two goals.
    """
    seen: list[Plain] = []
    short: list[Plain] = []
    for number, goal in enumerate(goals):
        if number == BEFORE_CLIMBS:
            yield from up_and_down(unit, models, movement)
        answer = next(towards(unit, models, movement, goal), None)
        if answer is None or answer in seen:
            continue
        seen.append(answer)
        if falls_short(models, movement, goal, answer):
            short.append(answer)
        else:
            yield answer
    yield from short
    if is_lawful(unit, models, movement, staying(models)):
        yield staying(models)
    elif not seen:
        yield from closing_up(unit, models, movement)


def up_and_down(unit: Unit, models: Sequence[Model], movement: Movement) -> Iterator[Plain]:
    """Lawful moves of the whole unit on to nearby floors, and from its floor down to the table."""
    levels = movement.levels
    if levels is None or any(m.row in movement.fixed for m in models):
        return
    here, reach = middle_of(models), limit_of(movement)
    of_all = [floor for floor in levels.floors(models[0]) if all(floor in levels.floors(m) for m in models)]
    others = [floor for floor in of_all if any(abs(m.z - floor.z) > TOLERANCE for m in models)]
    near = storeys.nearest_floors(others, here, reach + NEARBY)

    def fits(model: Model, place: Point, floor: Floor) -> bool:
        return levels.carries(model, place, floor.z)

    climbs = storeys.upstairs(models, near[:MOST_FLOORS], here, fits, FINE)
    down = () if all(m.z <= TOLERANCE for m in models) else downwards(models, here, reach)
    yield from (answer for answer in (*down, *climbs) if is_lawful(unit, models, movement, answer))


def downwards(models: Sequence[Model], here: Point, limit: float) -> Iterator[Plain]:
    """Steps down to the table in eight directions."""
    for degrees in range(0, 360, 45):
        aim = heading(float(degrees))
        yield from storeys.landed(models, here, (here[0] + aim[0], here[1] + aim[1]), limit)


def falls_short(models: Sequence[Model], movement: Movement, goal: Point, answer: Answer) -> bool:
    """Whether a move brings a unit less than half as near to a goal as a move with nothing in its way would."""
    far = math.dist(middle_of(models), goal)
    return far - left_to_go(models, answer, goal) < HALF * min(far, limit_of(movement)) - NEAR


def towards(unit: Unit, models: Sequence[Model], movement: Movement, goal: Point) -> Iterator[Plain]:
    """Lawful moves that bring a unit nearer to a point, straight or round obstacles; the nearest first."""
    found: list[tuple[float, Plain]] = []
    least = math.dist(middle_of(models), goal) - limit_of(movement)
    for find in (shifted_towards, lawful_route):
        answer = find(unit, models, movement, goal)
        if answer is not None:
            found.append((left_to_go(models, answer, goal), answer))
            if found[-1][0] <= max(0.0, least) + NEAR:
                break
    yield from (answer for _, answer in sorted(found, key=lambda one: one[0]))


def left_to_go(models: Sequence[Model], answer: Answer, goal: Point) -> float:
    """The distance from the middle of a unit to a point after a move."""
    ends = [path.points[-1] for path in as_paths(models, answer).values()]
    return math.dist((sum(end[0] for end in ends) / len(ends), sum(end[1] for end in ends) / len(ends)), goal)


def limit_of(movement: Movement) -> float:
    return FARTHEST if movement.limit is None else movement.limit


def middle_of(models: Sequence[Model]) -> Point:
    return sum(m.x for m in models) / len(models), sum(m.y for m in models) / len(models)


def shifted_towards(unit: Unit, models: Sequence[Model], movement: Movement, goal: Point) -> Plain | None:
    """All models by the same step straight towards a point, as far as allowed; None if no step is lawful."""
    x, y = middle_of(models)
    dx, dy = goal[0] - x, goal[1] - y
    far = (dx * dx + dy * dy) ** 0.5
    limit = limit_of(movement)
    if far < 0.1:
        return staying(models) if is_lawful(unit, models, movement, staying(models)) else None
    share = min(1.0, max(0.0, limit - 0.002) / far)
    for part in SHARES:
        answer = shifted(models, movement, (dx * share * part, dy * share * part))
        if is_lawful(unit, models, movement, answer):
            return answer
    return None


def shifted(models: Sequence[Model], movement: Movement, by: Point) -> Plain:
    """All models that may go, by the same step; hulls end facing as the book reads such a path."""
    found: list[Plain] = []
    for model in models:
        steps = [] if model.row in movement.fixed else [(model.x + by[0], model.y + by[1])]
        facing = None if isinstance(model.solid.shape, Circle) else movement.reads(model, steps, None).facing
        found.append(answer_of(path_of(model, steps), facing))
    return found


def random_move(unit: Unit, models: Sequence[Model], movement: Movement, rng: Random) -> Plain | None:
    """All models by the same step in a random direction and by a random length, or else staying put.

    None if neither is allowed.
    """
    limit = limit_of(movement)
    for _ in range(TURNS):
        aim, far = heading(float(rng.randrange(360))), limit * rng.random()
        for share in SHARES:
            answer = shifted(models, movement, (rounded(share * far * aim[0]), rounded(share * far * aim[1])))
            if is_lawful(unit, models, movement, answer):
                return answer
    return staying(models) if is_lawful(unit, models, movement, staying(models)) else None
