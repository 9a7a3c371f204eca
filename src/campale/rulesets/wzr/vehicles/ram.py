"""Ram: straight at a point, over models that do not step aside, up to a vehicle (vehicles/ram*, vehicles/no-ram)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import msgspec

from campale.mechanics.frames import Frame, push
from campale.mechanics.moves import going
from campale.referee.position import Model, Position
from campale.referee.question import Aim
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, parts
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import needed, passes
from campale.rulesets.wzr.basics.measuring import strikes_rear
from campale.rulesets.wzr.close_combat.disengage import leave_frames
from campale.rulesets.wzr.close_combat.engaged import engaged_with
from campale.rulesets.wzr.close_combat.running_over import KINDS, Kind, Meeting, off_the_table, run_frames
from campale.rulesets.wzr.movement.aside import set_aside
from campale.rulesets.wzr.turn.points import moved
from campale.rulesets.wzr.vehicles.driving import ATTACK, has_driven, has_no_drive, limit_of
from campale.rulesets.wzr.vehicles.ground import end_of_move
from campale.rulesets.wzr.vehicles.kinds import kind_of
from campale.rulesets.wzr.wounds.hits import Hit, automatic, hit_frames, push_hits
from campale.table.measure import on_table, overlaps
from campale.table.paths import Path, straight
from campale.table.shapes import TOLERANCE, Circle, Point, Solid, facing_towards, heading, rounded
from campale.table.sweeps import first_within
from campale.table.turning import plan_with_turns, shorter_turn

RAM, FROM, TO = "ram", "ram-from", "ram-to"
PER_HIT = 6
"""A collision makes one hit for each such number of full inches."""
STEP_BACK = 0.05


# ---------------------------------------------------------------- who may ram, and where to


@rule("vehicles/ram")
def cannot_ram(model: Model) -> Fault | None:
    """Only Tanks and Bipeds ram."""
    kind = kind_of(model)
    return None if kind is not None and kind.rams else Fault(model=model.row)


def way_to(model: Model, point: Point) -> Path:
    """The straight path to a point, after the turn of an Attack Movement."""
    return plan_with_turns(straight(model.at, point), model.facing)


@rule("vehicles/ram", "vehicles/attack-move")
def turns_too_far(model: Model, point: Point) -> Fault | None:
    turn = abs(shorter_turn(model.facing, facing_towards(model.at, point)))
    return Fault(point, round(turn, 1), ATTACK.turn, model.row) if turn > ATTACK.turn + TOLERANCE else None


@rule("vehicles/ram", "vehicles/max-distance")
def too_far(model: Model, point: Point) -> Fault | None:
    far, limit = math.dist(model.at, point), limit_of(model, ATTACK, way_to(model, point))
    return Fault(point, round(far, 2), limit, model.row) if far > limit + TOLERANCE else None


@rule("movement/basic", "vehicles/rotation")
def turns_over_the_edge(model: Model, point: Point) -> Fault | None:
    """No part of the hull leaves the table while it turns."""
    if isinstance(model.profile.shape, Circle):
        return None
    turn = shorter_turn(model.facing, facing_towards(model.at, point))
    steps = math.ceil(abs(turn))
    facings = (model.facing + turn * k / steps for k in range(1, steps + 1))
    is_inside = all(on_table(turned(model.solid, facing), model.position.ground) for facing in facings)
    return None if is_inside else Fault(point, model=model.row)


def turned(solid: Solid, facing: float) -> Solid:
    return Solid(solid.shape, solid.x, solid.y, solid.z, rounded(facing % 360.0), solid.height)


RAM_RESTRICTIONS = (off_the_table, turns_too_far, turns_over_the_edge, too_far)


def fields(model: Model, filled: Sequence[Any]) -> Aim | None:
    """Ask for the point that the vehicle drives at."""

    def refuses(point: Sequence[float]) -> Fault | Refusal | None:
        at = rounded(point[0]), rounded(point[1])
        return Fault(at, rule="vehicles/ram") if at == model.at else first_refusal(RAM_RESTRICTIONS, model, at)

    def suggests() -> Iterator[Plain]:
        return (list(point) for point in goals(model) if refuses(point) is None)

    def samples(rng: Random) -> Plain:
        found = list(suggests())
        return rng.choice(found) if found else list(ahead(model, ATTACK.times * 0.25 * float(model.profile.m)))

    shown: dict[str, Plain] = {"within": limit_of(model, ATTACK, Path((model.at,), model.facing))}
    return None if filled else Aim(model.side, RAM, refuses, samples, suggests, shown, {"model": model.row})


def goals(model: Model) -> Iterator[Point]:
    """Points through the nearest enemies and beyond, then straight ahead."""
    far = 2.0 * float(model.profile.m) - 0.01
    for goal in going.usual_goals(model.unit, [model]):
        aim = heading(facing_towards(model.at, goal))
        yield rounded(model.x + far * aim[0]), rounded(model.y + far * aim[1])
    yield from (ahead(model, share * far) for share in (1.0, 0.5, 0.25))


def ahead(model: Model, far: float) -> Point:
    aim = heading(model.facing)
    return rounded(model.x + far * aim[0]), rounded(model.y + far * aim[1])


def is_possible(model: Model) -> bool:
    """Whether there is a legal point."""
    return any(first_refusal(RAM_RESTRICTIONS, model, point) is None for point in goals(model))


def frames(model: Model, details: Sequence[Any]) -> tuple[Frame, ...]:
    point = rounded(details[0][0]), rounded(details[0][1])
    return leave_frames(model, way_to(model, point), (("ram-begins", model.row, *point),))


@rule("vehicles/ram", "vehicles/rotation")
async def ram_begins(position: Position, row: int, x: float, y: float) -> None:
    """The vehicle turns towards the point and drives."""
    model = position.model(row)
    position.turn(model, rounded(facing_towards(model.at, (x, y))))
    model.jot(FROM, model.at)
    model.jot(TO, (x, y))
    push(position, *run_frames(RAM, model, (x, y)))


# ---------------------------------------------------------------- models in the way


@rule("vehicles/ram-models", "vehicles/ram-vehicles", "vehicles/ram-end", "vehicles/no-ram")
def meets(runner: Model, other: Model) -> Meeting:
    """Vehicles stop the ram, except Air Tanks and Jetbikes, which it passes under. Other models are struck."""
    kind = kind_of(other)
    if kind is None:
        return "strikes"
    return "passes" if kind.flies else "stops"


@rule("vehicles/ram-vehicles", "core/rounding")
def collision(runner: Model, other: Model, driven: float) -> tuple[Frame, ...]:
    """One hit on each for every 6 inches driven: AVV is half the inches for the struck, a third for the rammer."""
    inches = whole(driven)
    on_other = automatic(other.row, 0, RAM, avv=math.ceil(inches / 2), by=runner.row)
    on_other = msgspec.structs.replace(on_other, rear=strikes_rear(runner, other))
    on_self = automatic(runner.row, 0, RAM, avv=math.ceil(inches / 3), by=other.row)
    on_self = msgspec.structs.replace(on_self, side=runner.side)
    count = inches // PER_HIT
    return hit_frames([*[on_other] * count, *[on_self] * count]) if count else ()


def whole(driven: float) -> int:
    """The full inches driven."""
    return math.floor(driven + TOLERANCE)


@rule("vehicles/ram-models")
def strike(runner: Model, other: Model, driven: float) -> tuple[Frame, ...]:
    if other.profile.is_vehicle:
        return collision(runner, other, driven)
    return (("ram-model", runner.row, other.row, whole(driven)), ("step-aside", runner.row, other.row))


@rule("vehicles/ram-models", "vehicles/ram-engaged", "core/friendly-fire")
async def ram_model(position: Position, row: int, other: int, inches: int) -> None:
    """A model that passes a Con test steps aside; otherwise it is hit with St equal to the inches driven."""
    model = position.model(other)
    if not await passes(model, "ram", needed(model.profile.con, parts("con", About(model)))):
        push_hits(position, [Hit(target=other, st=inches, cause=RAM, by=row)])


@rule("vehicles/ram-models", "vehicles/ram-engaged")
async def step_aside(position: Position, row: int, other: int) -> None:
    """Move the model the least distance out of the way; an engaged one stays engaged, or else the rammer places it."""
    runner, model = position.model(row), position.model(other)
    if not model.is_on_table:
        return
    lane = lane_of(runner)
    enemies = [enemy.row for enemy in engaged_with(model) if enemy.row != row]
    stays = bool(enemies) and await set_aside(
        model, "step-aside", model.side, partial(clear_and_engaged, lane, enemies)
    )
    if not stays:
        side = runner.side if enemies else model.side
        await set_aside(model, "step-aside", side, partial(is_clear, lane))


Lane = tuple[Solid, Path]


def lane_of(runner: Model) -> Lane:
    """The rammer's solid and the way that it still has to drive."""
    end: Point = runner.note(TO)
    return runner.solid, straight(runner.at, end, runner.facing)


def standing_at(model: Model, place: Point) -> Solid:
    return Solid(model.solid.shape, *place, 0.0, model.facing, model.solid.height)


def is_clear(lane: Lane, model: Model, place: Point) -> bool:
    """Whether the model at this place would be out of the way."""
    solid, path = lane
    there = standing_at(model, place)
    return not overlaps(solid, there) and first_within(path, solid.shape, [there], 0.0, tolerance=-TOLERANCE) is None


def clear_and_engaged(lane: Lane, enemies: Sequence[int], model: Model, place: Point) -> bool:
    if not is_clear(lane, model, place):
        return False
    moved = model.position.supposing({model.row: (*place, 0.0)}).model(model.row)
    return any(enemy.row in enemies for enemy in engaged_with(moved))


def goes_on(runner: Model, other: Model) -> bool:
    """Only vehicles stop a ram, so it always goes on."""
    return True


@rule("vehicles/ram-end", "vehicles/no-ram", "vehicles/terrain-front")
def ends(runner: Model) -> tuple[Frame, ...]:
    """The ram ends before it would stand under a model that it passed. Then come the tests that the ground causes."""
    place = short_of(
        runner, [m.solid for m in runner.position.on_table() if m.row != runner.row and is_passed(runner, m)]
    )
    if place != runner.at:
        runner.move_to(*place)
    return (("ram-ends", runner.row),)


def short_of(runner: Model, over: Sequence[Solid]) -> Point:
    """The last place on the way covered where the rammer stands under none of the bodies."""
    start: Point = runner.note(FROM)
    back, solid = heading(runner.facing), runner.solid
    steps = round(math.dist(runner.at, start) / STEP_BACK)
    places = [
        (rounded(runner.x - k * STEP_BACK * back[0]), rounded(runner.y - k * STEP_BACK * back[1])) for k in range(steps)
    ]
    bodies = ((at, Solid(solid.shape, *at, solid.z, solid.facing, solid.height)) for at in (*places, start))
    return next((at for at, body in bodies if not any(overlaps(body, one) for one in over)), start)


def is_passed(runner: Model, other: Model) -> bool:
    return meets(runner, other) == "passes"


@rule("vehicles/ram-end", "vehicles/terrain-front", "actions/aim")
async def ram_ends(position: Position, row: int) -> None:
    model = position.model(row)
    start: Point = model.note(FROM)
    model.jot(FROM, None)
    model.jot(TO, None)
    model.jot(marks.MOVED, rounded(moved(model) + math.dist(start, model.at)))
    if start != model.at:
        model.mark(marks.AIMED, 0)
        end_of_move(position, model, straight(start, model.at, model.facing))


KINDS[RAM] = Kind(meets, strike, goes_on, ends)

RAM_BARS = (cannot_ram, has_driven, has_no_drive)
