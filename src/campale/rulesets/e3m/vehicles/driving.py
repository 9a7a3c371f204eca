"""Vehicles on their routes: without a limit, in straight legs, and what ends them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from campale.dice.needs import Need
from campale.mechanics.frames import push
from campale.mechanics.moves import move_paths, unit_moves
from campale.mechanics.moves.asking import unit_move_question
from campale.mechanics.moves.barring import MORE_THAN, barred_for
from campale.mechanics.moves.move_paths import Barred, MovePath, stays
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, on_the_table
from campale.referee.ask import ask, choose, roll
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.orders import order_of
from campale.rulesets.e3m.command.units import COHERENCY, FAST, GONE, members
from campale.rulesets.e3m.movement.ground import (
    barred_to_vehicles,
    barred_to_wheels,
    broken,
    impassable,
    is_in,
)
from campale.rulesets.e3m.movement.moves import ENEMY_GAP
from campale.rulesets.e3m.movement.routes import begin_route
from campale.rulesets.e3m.vehicles.damage import FAST_FROM, IMMOBILISE, destroy, suffer_damage
from campale.rulesets.e3m.vehicles.foretelling import foretold
from campale.rulesets.e3m.vehicles.stops import (
    OVERRUN,
    PASSING,
    first_run_into,
    flies,
    may_be_overrun,
    may_overrun,
    overruns_cover,
    stops,
    touching,
)
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE, Point, facing_towards, heading, rounded
from campale.table.terrain import Ground

CLEAR = 0.002
BREAKDOWN = 2
FLY_OVER = "fly-over"
BEYOND, RUN_OVER = (7.0, 12.0), 2
"""How far behind an enemy a vehicle may want to end, in inches, and how many enemies are considered."""


# ---------------------------------------------------------------- vehicles/route


@rule("vehicles/route", "vehicles/unlimited-move", "fire/preparatory-vehicles")
async def drive(unit: Unit, wanted: Callable[[Unit], Iterable[Point]]) -> None:
    """The owner shows the exact route, with its final facing; every vehicle of a unit has its own."""
    models = members(unit)
    movement = movement_of(unit)
    shown: dict[str, Plain] = {"drives": True, "strip": PASSING}
    tells = partial(foretold, unit)
    question = unit_move_question(
        unit, models, "drive", movement, lambda: goals(unit, wanted), shown=shown, foretells=tells, order=order_of(unit)
    )
    paths = as_paths(models, await ask(question))
    if all(stays(path) and not path.turns for path in paths.values()):
        push(unit.position, ("arrived", unit.row, "stayed"))
        return
    spared = await passed_over(unit, paths)
    for model in models:
        forget_speed(model)
    first = models[0]
    if first.profile.gear == "flying" and first.profile.has_armour:
        push(unit.position, ("flown", unit.row, *first.at))
    begin_route(unit, "drive", "drive", paths, spared)


@rule("vehicles/flying-obstacles", "vehicles/overrun-who", "vehicles/route")
async def passed_over(unit: Unit, paths: dict[int, Path]) -> tuple[str, ...]:
    """The overruns that the announced route of a flyer leaves out: its owner says which units it flies over."""
    if not flies(unit):
        return ()
    found = stops(unit.position, unit, [(m, paths[m.row]) for m in members(unit)])
    spared: list[str] = []
    for stop in sorted(found, key=lambda one: one.length):
        options, odds = (OVERRUN, FLY_OVER), {FLY_OVER: 0.3}
        if stop.kind == OVERRUN:
            chosen = await choose(unit.side, FLY_OVER, options, unit=unit.row, foe=stop.by, odds=odds)
            spared += [stop.key] if chosen == FLY_OVER else []
    return tuple(spared)


@rule("vehicles/moved-status")
def forget_speed(model: Model) -> None:
    """A vehicle's earlier speed counts only until its next move."""
    model.mark(FAST, 0)


@rule("vehicles/moved-status")
def note_speed(model: Model) -> None:
    """A vehicle that went fast in this turn still counts as fast at the start of the next."""
    model.mark(FAST, int(float(model.note(GONE, 0.0)) > FAST_FROM + TOLERANCE))


def goals(unit: Unit, wanted: Callable[[Unit], Iterable[Point]]) -> Iterator[Point]:
    """The wanted points, and points beyond enemies that it may overrun."""
    yield from wanted(unit)
    if may_overrun(unit):
        yield from beyond_enemies(unit)


def beyond_enemies(unit: Unit) -> Iterator[Point]:
    """Points behind the nearest enemies that may be overrun, and well clear of them."""
    position, vehicle = unit.position, members(unit)[0]
    enemies = [m for m in position.on_table(1 - unit.side) if may_be_overrun(m)]
    for enemy in sorted(enemies, key=lambda m: (m.x - vehicle.x) ** 2 + (m.y - vehicle.y) ** 2)[:RUN_OVER]:
        dx, dy = heading(facing_towards(vehicle.at, enemy.at))
        for far in BEYOND:
            yield rounded(enemy.x + far * dx), rounded(enemy.y + far * dy)


# ---------------------------------------------------------------- vehicles/route-limits


@rule("vehicles/flying-obstacles", "vehicles/wheeled-obstacles", "vehicles/tracked-obstacles", "base-units/bikes")
def fence_of(model: Model) -> Callable[[Ground], Ground]:
    """The pieces that the route may not cross: any obstacle for wheels; for flyers only where they end."""
    if model.profile.gear == "flying":
        return impassable
    return barred_to_wheels if model.profile.gear == "wheeled" else barred_to_vehicles


@rule("vehicles/route-limits", "base-move/one-inch", "vehicles/overrun-who", "base-vehicle/melee-no-result")
def keeps_off_on_the_way(model: Model, other: Model) -> float | None:
    """The gap to keep from another model; None for enemies to overrun. It may pass other enemies closely.

    Enemies in contact do not hold it.
    """
    if other.side == model.side:
        return 0.0
    if other.row in touching(model):
        return None
    return None if may_overrun(model.unit) and all(may_be_overrun(m) for m in members(other.unit)) else CLEAR


@rule("vehicles/route-limits", "base-move/one-inch")
def keeps_off_at_the_end(model: Model, other: Model) -> float | None:
    return ENEMY_GAP + MORE_THAN if other.side != model.side else 0.0


def on_the_way(model: Model) -> Barred:
    return barred_for(
        model,
        f"drive-{order_of(model.unit)}",
        keeps_off_on_the_way,
        fence_of(model),
        (*model.profile.footprint, touching(model)),
    )


def at_the_end(model: Model) -> Barred:
    return barred_for(model, "park", keeps_off_at_the_end, fence_of(model), model.profile.footprint)


@rule("vehicles/route-limits")
def through_a_model(way: MovePath) -> Fault | None:
    return move_paths.through_a_model(way)


@rule("base-move/one-inch", "vehicles/route-limits")
def touches_an_enemy(way: MovePath) -> Fault | None:
    return move_paths.too_near(way, ENEMY_GAP)


@rule("vehicles/route-limits", "vehicles/wheeled-obstacles")
def over_an_obstacle(way: MovePath) -> Fault | None:
    return move_paths.over_a_piece(way)


@rule("vehicles/overrun-who", "terrain/in-cover")
def runs_into_cover(move: UnitMove) -> Fault | None:
    """A unit whose first model in the way is in cover cannot be overrun. The vehicle stops short or goes around."""
    return overruns_cover(move.unit, [(m, move.paths[m.row]) for m in move.moving])


@rule("vehicles/route-limits", "base-vehicle/melee-no-result")
def over_who_touches_it(move: UnitMove) -> Fault | None:
    """Refuses a way over an enemy in contact that it may not overrun."""
    if flies(move.unit):
        return None
    for model in move.moving:
        held = [model.position.model(row) for row in touching(model)]
        enemies = [m for m in held if not (may_overrun(move.unit) and all(map(may_be_overrun, members(m.unit))))]
        met = first_run_into(move.paths[model.row], model.profile.shape, [m.solid for m in enemies])
        if met is not None:
            return Fault(enemies[met.other].at, model=enemies[met.other].row, word="in-the-way")
    return None


@rule("vehicles/route-limits")
def off_the_table(way: MovePath) -> Fault | None:
    return move_paths.over_the_edge(way)


@rule("vehicles/route-limits")
def on_each_other(move: UnitMove) -> Fault | None:
    return unit_moves.on_each_other(move)


@rule("base-general/coherency")
def out_of_coherency(move: UnitMove) -> Fault | None:
    return unit_moves.out_of_coherency(move)


PATH_RESTRICTIONS = (off_the_table, over_an_obstacle, touches_an_enemy, through_a_model)
UNIT_RESTRICTIONS = (runs_into_cover, over_who_touches_it, on_each_other, out_of_coherency)


def movement_of(unit: Unit) -> Movement:
    flies = all(m.profile.gear == "flying" for m in members(unit))
    meets = on_the_table(on_the_way, at_the_end, flies)
    return Movement(None, COHERENCY, meets, at_the_end, PATH_RESTRICTIONS, UNIT_RESTRICTIONS, flies)


# ---------------------------------------------------------------- vehicles/tracked-obstacles, base-vehicle/skimmers


@rule("vehicles/tracked-obstacles")
async def may_break_down(model: Model) -> None:
    """On a 1 the vehicle is immobilised where it touches the obstacle."""
    rolled = await roll(model.side, "breakdown", needed=Need(BREAKDOWN), vehicle=model.row)
    if not rolled.successes:
        await suffer_damage(model, IMMOBILISE, -1)


@rule("base-vehicle/skimmers")
async def flown(position: Position, row: int, x: float, y: float) -> None:
    """Test the flyers of a unit whose move began at this point and has ended."""
    for model in members(Unit(position, row)):
        if model.is_on_table and risks_flying(model, (x, y)):
            await brave_flight(model)


@rule("base-vehicle/skimmers")
def risks_flying(model: Model, start: Point) -> bool:
    """Whether an armoured flyer started (at the given point) or ended its move in broken terrain."""
    ground: Ground = model.position.ground.kept(broken)
    if model.profile.gear != "flying" or not model.profile.has_armour or not ground.pieces:
        return False
    before = model.position.supposing({model.row: start}).model(model.row)
    return is_in(before, ground) or is_in(model, ground)


@rule("base-vehicle/skimmers")
async def brave_flight(model: Model) -> None:
    """On a 1 the flyer is destroyed."""
    rolled = await roll(model.side, "flying-risk", needed=Need(BREAKDOWN), vehicle=model.row)
    if not rolled.successes:
        await destroy(model, "destroyed", -1)
