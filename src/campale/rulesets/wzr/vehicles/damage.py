"""Damage effects on vehicles, and what a location at 0 sets off (core/damage-effect, vehicles/location-*)."""

from __future__ import annotations

from collections.abc import Iterable

from campale.mechanics.bases import distance
from campale.referee.ask import reroll
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.armies.profile import FACES
from campale.rulesets.wzr.basics.dice import d20, d20_over, needed, telling
from campale.rulesets.wzr.basics.measuring import within
from campale.rulesets.wzr.battle.terrain import HEAVY
from campale.rulesets.wzr.vehicles.locations import (
    DRIVE,
    ENGINE,
    PILOT,
    WEAPONS,
    at_face,
    av_need,
    first,
    locations,
    named,
    ps_left,
    resolved_on,
    take,
)
from campale.rulesets.wzr.wounds.hits import Hit
from campale.table.measure import outline_of
from campale.table.outlines import regular
from campale.table.shapes import Circle, Point
from campale.table.terrain import Ground, Piece

EXPLODES_ON, EXPLOSION_ST = 15, 10
WRECK, EXPLOSION = "wreck", "explosion"
CORNERS = 16


# ---------------------------------------------------------------- core/damage-effect


@rule("core/damage-effect", "core/critical", "core/power-shot", "vehicles/reroll-avv0", "vehicles/target-vehicle-hit")
async def suffer_damage(position: Position, hit: Hit, linked: bool = False) -> None:
    """One Damage Effect: where it falls, the AV test of the owner, the PS it costs."""
    model = position.model(hit.target)
    name = resolved_on(model, hit.location or await roll_location(model))
    if not hit.power_shot and await holds(model, name, hit, linked or hit.avv == 0):
        return
    await lose_ps(position, model, name, hit)


@rule("vehicles/location-table")
async def roll_location(model: Model) -> str:
    """By a D20 of the one whose hit it is."""
    tells: list[tuple[int, ...]] = []
    below = 0
    for one in locations(model):
        tells.append(tuple(range(below + 1, one.top + 1)))
        below = one.top
    from campale.referee.ask import roll

    face = (await roll(1 - model.side, "location", 1, FACES, None, tuple(tells), model=model.row)).faces[0]
    return str(at_face(model, face).name)


@rule("armour/av-test", "core/linked")
async def holds(model: Model, name: str, hit: Hit, linked: bool) -> bool:
    need = av_need(model, name, hit.avv, hit.rear)
    about = {"model": model.row, "location": name}
    rolled = await d20(model.side, "av-test", need, **about)
    if linked:
        rolled = await reroll(model.side, "av-test", rolled, "failures", FACES, telling(need), **about)
    return rolled.successes == 1


@rule("core/critical", "vehicles/location-destroyed")
async def lose_ps(position: Position, model: Model, name: str, hit: Hit) -> None:
    """PS off the location; the consequence of its loss comes first, then the rest falls on 1-10."""
    position.harm(model, min(hit.critical, ps_left(model, name)), hit.cause, (hit.by,))
    rest = take(model, name, hit.critical)
    position.write("damage", model=model.row, location=name, left=ps_left(model, name), by=hit.by)
    if ps_left(model, name):
        return
    destroy_location(position, model, name, hit)
    body = first(model)
    if rest and model.is_on_table and name != body and ps_left(model, body):
        take(model, body, rest)
        if not ps_left(model, body):
            destroy_location(position, model, body, hit)


# ---------------------------------------------------------------- vehicles/location-*


@rule("vehicles/location-pilot", "vehicles/location-weapons", "vehicles/location-drive", "vehicles/location-engine")
def destroy_location(position: Position, model: Model, name: str, hit: Hit) -> None:
    """What its profile says of a location at 0; weapons and drive only take something away."""
    position.write("location-destroyed", model=model.row, location=name)
    if name == PILOT:
        wreck(position, model, hit.by)
    elif name == ENGINE:
        blow_up(position, model, hit.by)
    else:
        assert name in (WEAPONS, DRIVE)
