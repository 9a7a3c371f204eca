"""Damage Effects on vehicles, and the effects of a location at 0 (core/damage-effect, vehicles/location-*)."""

from __future__ import annotations

import msgspec

from campale.mechanics.frames import Frame, push, stack
from campale.referee.ask import reroll, roll, roll_for
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.armies.profile import FACES
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import d20, d20_over, half, needed, telling
from campale.rulesets.wzr.basics.measuring import gap, within
from campale.rulesets.wzr.battle.terrain import HEAVY
from campale.rulesets.wzr.turn.points import moved
from campale.rulesets.wzr.vehicles.locations import (
    DRIVE,
    ENGINE,
    PILOT,
    at_face,
    av_need,
    first,
    locations,
    ps_left,
    resolved_on,
    take,
)
from campale.rulesets.wzr.wounds.armour import tell_power_shot
from campale.rulesets.wzr.wounds.hits import Hit, automatic, hit_frames, plain
from campale.table.measure import is_behind, outline_of
from campale.table.outlines import regular
from campale.table.shapes import TOLERANCE, Circle, Solid
from campale.table.terrain import Piece

STRUCK_ON, EXPLOSION_ST, RADIUS_PART = 15, 10, 4
JETBIKE_ST, JETBIKE_AVV = 15, 10
EXPLODING = "exploding"
"""The mark of a vehicle with its Engine at 0, until it explodes: 2 plus the side that did it, or 1."""
UNKNOWN = 1
EXPLOSION, WRECK = "explosion", "wreck"
CORNERS = 16


# ---------------------------------------------------------------- core/damage-effect


@rule("core/damage-effect", "core/power-shot", "core/removal", "vehicles/target-vehicle-hit", "vehicles/reroll-avv0")
async def suffer_damage(position: Position, hit: Hit) -> None:
    """One Damage Effect on a vehicle: its location, the owner's AV test, and the PS that it costs.

    A vehicle about to explode is not hit again.
    """
    model = position.model(hit.target)
    if model.marks(EXPLODING):
        return
    name = resolved_on(model, hit.location or await roll_location(model))
    if hit.power_shot:
        tell_power_shot(model)
    if hit.power_shot or not await holds(model, name, hit):
        lose_ps(position, model, name, hit)


@rule("vehicles/location-table")
async def roll_location(model: Model) -> str:
    face = (await roll(1 - model.side, "location", 1, FACES, None, tells_of(model), model=model.row)).faces[0]
    return str(at_face(model, face).name)


def tells_of(model: Model) -> tuple[tuple[int, ...], ...]:
    """The faces of a D20, grouped by location."""
    tops = [one.top for one in locations(model)]
    return tuple(tuple(range(below + 1, top + 1)) for below, top in zip((0, *tops), tops, strict=False))


@rule("armour/av-test", "core/linked", "vehicles/reroll-avv0")
async def holds(model: Model, name: str, hit: Hit) -> bool:
    """Whether the AV test passes. It is linked against AVV 0."""
    need = av_need(model, name, hit.avv, hit.rear)
    rolled = await d20(model.side, "av-test", need, model=model.row, location=name)
    if hit.linked or not hit.avv:
        rolled = await reroll(
            model.side, "av-test", rolled, "failures", FACES, telling(need), model=model.row, location=name
        )
    return rolled.successes == 1


@rule("core/critical", "vehicles/location-destroyed")
def lose_ps(position: Position, model: Model, name: str, hit: Hit) -> None:
    """Take PS off the location. The effect of its loss comes first; then the excess falls on location 1-10."""
    position.harm(model, min(hit.costs, ps_left(model, name)), hit.cause, (hit.by,))
    rest = take(model, name, hit.costs)
    position.write("damage", model=model.row, location=name, left=ps_left(model, name), by=hit.by)
    if ps_left(model, name):
        return
    destroy_location(position, model, name, hit)
    body = first(model)
    if rest and model.is_on_table and not model.marks(EXPLODING) and ps_left(model, body):
        take(model, body, rest)
        if not ps_left(model, body):
            destroy_location(position, model, body, hit)


# ---------------------------------------------------------------- vehicles/location-*


@rule(
    "vehicles/location-pilot",
    "vehicles/location-weapons",
    "vehicles/location-drive",
    "vehicles/location-engine",
    "morale/rout-trigger",
)
def destroy_location(position: Position, model: Model, name: str, hit: Hit) -> None:
    """The effect of a location at 0. A lost Weapons or Drive location only takes abilities away.

    An explosion set off by another one belongs to the same side's attack.
    """
    position.write("location-destroyed", model=model.row, location=name, by=hit.by)
    if name == PILOT:
        become_wreck(position, model, hit)
    elif name == ENGINE:
        side = hit.side if hit.side >= 0 or hit.by < 0 else position.side_of[hit.by]
        model.mark(EXPLODING, UNKNOWN if side < 0 else UNKNOWN + 1 + side)
        model.jot(marks.BLOWN_UP, plain(hit))


@rule("vehicles/location-pilot")
def become_wreck(position: Position, model: Model, hit: Hit) -> None:
    """Destroy the vehicle and lay heavy terrain with its outline where it stood."""
    piece = wreck_of(position, model)
    model.mark(EXPLODING, 0)
    position.remove(model, hit.cause, hit.by)
    position.change_ground(position.ground.with_piece(piece), piece=piece.name)


def wreck_of(position: Position, model: Model) -> Piece:
    solid = model.solid
    shape = solid.shape
    outline = regular(*model.at, shape.radius, CORNERS) if isinstance(shape, Circle) else outline_of(solid)
    return Piece(f"{WRECK}-{model.row}", WRECK, outline, 0.0, 0.0, (), (HEAVY,))


@rule("core/removal", "vehicles/location-engine")
def explosions_due(position: Position) -> tuple[Frame, ...]:
    """The frames of the explosions that an attack has caused, without those already due."""
    due = {frame[1] for frame in stack(position) if frame[0] == EXPLOSION}
    return tuple((EXPLOSION, m.row) for m in position.on_table() if m.marks(EXPLODING) and m.row not in due)


@rule("vehicles/location-engine", "core/measuring")
async def explosion(position: Position, row: int) -> None:
    """Roll the radius, then a die for each model within it, of either side; then the vehicle is destroyed.

    Vehicles whose own explosion is being resolved are past harm.
    """
    model = position.model(row)
    side = model.marks(EXPLODING) - UNKNOWN - 1
    model.mark(EXPLODING, 0)
    radius = await d20_over(model.side, "explosion-radius", RADIUS_PART, model=row)
    spent = {row, *(frame[1] for frame in stack(position) if frame[0] == WRECK)}
    near = [m for m in position.on_table() if m.row not in spent and within(gap(model, m), radius)]
    position.write("explosion", model=row, x=model.x, y=model.y, radius=radius)
    need = needed(STRUCK_ON)
    same = msgspec.structs.replace(need, always=(), never=())
    rolled = await roll_for(1 - model.side, "explosion", [m.row for m in near], same, FACES, telling(same))
    centre = Solid(Circle(0.0), *model.at, model.z)
    hits = [
        msgspec.structs.replace(
            automatic(struck, EXPLOSION_ST, EXPLOSION), rear=is_behind(position.model(struck).solid, centre), side=side
        )
        for struck in rolled.hitting
    ]
    push(position, *hit_frames(hits), (WRECK, row))


# ---------------------------------------------------------------- vehicles/terrain-front, vehicles/flat-out-hit


@rule(
    "vehicles/terrain-front", "vehicles/terrain-walker-light", "vehicles/terrain-walker-heavy", "vehicles/terrain-bike"
)
async def terrain_test(position: Position, row: int, avv: int, linked: int) -> None:
    """The AV test that the ground causes at the end of a movement: Drive, from the Front. Failure costs 1 PS."""
    if position.model(row).is_on_table:
        push(position, *hit_frames([Hit(target=row, avv=avv, cause="terrain", location=DRIVE, linked=bool(linked))]))


@rule("vehicles/flat-out-hit", "vehicles/flat-out-no-drive")
async def flat_out_hit(position: Position, row: int) -> None:
    """An automatic hit at AVV 0 on the Drive from the Front, or on 1-10 if the Drive is at 0 already."""
    model = position.model(row)
    if model.is_on_table:
        where = DRIVE if ps_left(model, DRIVE) else first(model)
        push(position, *hit_frames([Hit(target=row, cause="flat-out", location=where)]))


# ---------------------------------------------------------------- vehicles/jetbike-minimum


@rule("vehicles/jetbike-minimum")
def jetbike_minimum(position: Position, model: Model) -> None:
    """A Jetbike that was not engaged and moved less than half its M is hit on its Body when its activation ends.

    So is one that has forfeited its activation.
    """
    row = model.row
    vehicle = model.profile.vehicle
    if vehicle is None or vehicle.kind != "jetbike" or model.marks(marks.BEGAN_ENGAGED) or not model.is_on_table:
        return
    if moved(model) < half(model.profile.m) - TOLERANCE:
        hit = automatic(row, JETBIKE_ST, "too-slow", avv=JETBIKE_AVV)
        push(position, *hit_frames([msgspec.structs.replace(hit, location=first(model))]))
