"""Chapter "march": announced routes, and who stops a mover on them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from campale.mechanics.frames import Procedure, push
from campale.referee.ask import ask
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.referee.spatial import Along, Move
from campale.table.paths import Path, at, is_within_allowance, plan_length
from campale.table.shapes import TOLERANCE, heading
from campale.table.sweeps import crossings, first_off, first_overlap
from tests.conformance.drill.fire import RANGE, shoot_at_mover
from tests.conformance.drill.orders import MARCH, STAND, order_of
from tests.conformance.drill.profile import distance, units_of

STAY: Plain = [[], None]


@rule("march/opportunity")
async def march(position: Position, row: int) -> None:
    """Announce the route of a model."""
    model = position.model(row)
    if not model.is_on_table:
        return
    question = Move(
        model.side,
        "march",
        refuses=lambda way: first_refusal(RESTRICTIONS, model, route(model, way)),
        samples=lambda rng: a_way(model, rng),
        suggests=lambda: ways(model),
        shown={"allowance": allowance(model)},
        about={"model": model.row},
    )
    announced = route(model, await ask(question))
    if len(announced.points) > 1:
        push(position, ("route", row, announced.points, announced.facing, 0.0, ()))


def route(model: Model, way: Any) -> Path:
    return Path((model.at, *(p[:2] for p in way[0])), model.facing)


@rule("march/allowance")
def allowance(model: Model) -> float:
    movement: float = model.profile.move
    return movement if order_of(model.unit) == MARCH else 0.0


@rule("march/allowance")
def too_far(model: Model, path: Path) -> Fault | None:
    length = plan_length(path)
    return None if is_within_allowance(length, allowance(model)) else Fault(measured=length, limit=allowance(model))


@rule("march/bases")
def through_a_model(model: Model, path: Path) -> Fault | None:
    others = [m for m in model.position.on_table() if m.row != model.row]
    met = first_overlap(path, model.solid.shape, [m.solid for m in others])
    return None if met is None else Fault(where=(met.at.x, met.at.y), model=others[met.other].row)


@rule("march/bases")
def off_the_table(model: Model, path: Path) -> Fault | None:
    ground = model.position.ground
    return None if first_off(path, model.solid.shape, ground.width, ground.depth) is None else Fault(model=model.row)


@rule("terrain/tower")
def through_the_tower(model: Model, path: Path) -> Fault | None:
    met = crossings(path, model.solid.shape, list(model.position.pieces_tagged("tower")))
    return Fault(measured=met[0].start) if met else None


RESTRICTIONS = (too_far, off_the_table, through_a_model, through_the_tower)


def a_way(model: Model, rng: Random) -> Plain:
    for _ in range(6):
        angle, far = rng.uniform(0.0, 360.0), rng.uniform(0.0, allowance(model))
        way = [[[model.x + far * heading(angle)[0], model.y + far * heading(angle)[1]]], None]
        if first_refusal(RESTRICTIONS, model, route(model, way)) is None:
            return way
    return STAY


def ways(model: Model) -> Iterator[Plain]:
    """Staying, and going up to each enemy."""
    yield STAY
    for enemy in model.position.on_table(1 - model.side):
        gap = distance(model, enemy)
        share = min(allowance(model), max(0.0, gap - 0.2)) / max(plan_length(Path((model.at, enemy.at))), 0.1)
        to = [model.x + share * (enemy.x - model.x), model.y + share * (enemy.y - model.y)]
        if first_refusal(RESTRICTIONS, model, route(model, [[to], None])) is None:
            yield [[to], None]


Points = tuple[tuple[float, float], ...]


@rule("march/opportunity")
async def go_along(
    position: Position, row: int, points: Points, facing: float, walked: float, asked: tuple[int, ...]
) -> None:
    """One of those who may fire says where; the mover really stands there meanwhile. Nobody is left: it goes on."""
    model, path = position.model(row), Path(points, facing)
    if not model.is_on_table:
        return
    watcher = next((unit for unit in watchers(model) if unit.row not in asked), None)
    if watcher is None:
        model.move_to(*points[-1])
        return
    stop = await ask(where_to_stop(watcher, model, path, walked))
    if stop is None:
        push(position, ("route", row, points, facing, walked, (*asked, watcher.row)))
        return
    here = at(path, stop)
    model.move_to(here.x, here.y, stopped=True)
    watcher.mark("has-watched", 1)
    push(position, ("opportunity", watcher.row, row), ("route", row, points, facing, stop, asked))


@rule("march/opportunity")
async def opportunity_fire(position: Position, watcher: int, row: int) -> None:
    await shoot_at_mover(Unit(position, watcher), position.model(row))


PROCEDURES: dict[str, Procedure] = {"march": march, "route": go_along, "opportunity": opportunity_fire}


@rule("march/opportunity")
def watchers(model: Model) -> list[Unit]:
    """The enemy units that stand and have not yet fired so; asked whether or not anybody comes in range."""
    enemies = units_of(model.position, 1 - model.side)
    return [unit for unit in enemies if order_of(unit) == STAND and not unit.marks("has-watched")]


def where_to_stop(watcher: Unit, mover: Model, path: Path, walked: float) -> Along:
    length = plan_length(path)

    def a_point(rng: Random) -> Plain:
        tries = [walked + rng.random() * (length - walked) for _ in range(3)]
        legal = [one for one in tries if not_from_there(watcher, mover, path, walked, one) is None]
        return legal[0] if legal and rng.random() < 0.5 else None

    return Along(
        watcher.side,
        "opportunity",
        refuses=lambda stop: not_from_there(watcher, mover, path, walked, stop),
        samples=a_point,
        suggests=lambda: [None],
        shown={"route": [list(p) for p in path.points], "walked": walked},
        about={"model": mover.row, "unit": watcher.row},
    )


@rule("march/opportunity")
def not_from_there(watcher: Unit, mover: Model, path: Path, walked: float, stop: float | None) -> Fault | None:
    """A point behind the mover or beyond the route, or one out of range."""
    if stop is None:
        return None
    if not walked - TOLERANCE <= stop <= plan_length(path) + TOLERANCE:
        return Fault(measured=stop, limit=plan_length(path))
    here = at(path, stop)
    there = mover.position.supposing({mover.row: (here.x, here.y)}).model(mover.row)
    near = min(distance(there, m) for m in watcher.models)
    return None if near <= RANGE + TOLERANCE else Fault(where=there.at, measured=near, limit=RANGE)


def refusal_of(model: Model, way: Plain) -> Refusal | None:
    return first_refusal(RESTRICTIONS, model, route(model, way))
