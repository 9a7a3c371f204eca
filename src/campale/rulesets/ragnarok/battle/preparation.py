"""Before the battle: mission, scenery, objectives, exploration, sides, bases, reserves, deployment, initiative."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from campale.mechanics.setup.edges import (
    OPPOSITE,
    edge_of,
    facing_inward,
    inset,
    strip,
    take_edges,
    whole_table,
)
from campale.mechanics.setup.laying import lay
from campale.referee.ask import ask, choose, confirm, fill_in, roll
from campale.referee.position import Model, Position
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.dice import contest, d3, roll_off
from campale.rulesets.ragnarok.basics.measuring import gap_between, half, less_than, within
from campale.rulesets.ragnarok.battle.battlefield import level
from campale.rulesets.ragnarok.battle.laying import (
    PATROL_KIND,
    lay_objective,
    lay_patrol,
    lay_standard,
    piece_at,
    ruin_question,
)
from campale.rulesets.ragnarok.battle.missions import FREE_CHOICE, MISSIONS, is_in_reserve, mission_of
from campale.rulesets.ragnarok.morale.bodyguard import choose_wards
from campale.rulesets.ragnarok.moving.placing import PlaceRestriction, overlaps_something, set_down
from campale.rulesets.ragnarok.shooting.weapon_rules import ammunition_of
from campale.rulesets.ragnarok.turn.abilities import stands_too_near
from campale.rulesets.ragnarok.turn.commander import commander
from campale.table.outlines import overlap
from campale.table.room import Area
from campale.table.shapes import Point
from campale.table.sweeps import EDGES
from campale.table.terrain import Piece

STRIP = 20.0
APART = 30.0


# ---------------------------------------------------------------- missions/*: which, and what it lays


@rule("missions/roll", "missions/free-choice")
async def choose_mission(position: Position) -> bool:
    """Use the mission agreed on, or the one the die gives; for a free choice, the winner of a roll-off picks."""
    agreed = position.now.get("mission") or mission_of((await roll(0, "mission")).total)
    if agreed == FREE_CHOICE:
        picker = await roll_off(position, "free-choice", 0)
        agreed = await choose(picker, "mission", MISSIONS, of="mission")
    position.now["mission"] = agreed
    position.write("mission", mission=agreed)
    return False


@rule("battlefield/placement", "missions/patrol-setup")
async def lay_scenery(position: Position) -> bool:
    """Lay twelve equal pieces for a patrol; else keep the layout agreed on, or lay scenery by the standard rule."""
    if position.now["mission"] == "patrol":
        await lay_patrol(position)
    elif not position.ground.pieces:
        await lay_standard(position)
    return False


@rule("missions/objectives-setup")
async def lay_objectives(position: Position) -> bool:
    """Lay 3 + D3 objectives, one each in turn; the winner of a roll-off places first."""
    if position.now["mission"] != "objectives":
        return False
    count = 3 + await d3(position, 0, "objectives")
    position.write("objectives", count=count)
    first = await roll_off(position, "objectives", 0)
    for number in range(count):
        await lay_objective(position, first if number % 2 == 0 else 1 - first, number + 1, count)
    return False


# ---------------------------------------------------------------- exploration/*


@rule("exploration/roll", "special/scout", "exploration/points")
async def exploration_roll(position: Position) -> bool:
    """Roll for exploration: the higher total wins, and the margin becomes exploration points."""
    scouts = [sum(m.profile.has("scout") for m in position.models if m.side == side) for side in (0, 1)]
    margin = 0
    while margin == 0:
        margin = await contest(position, "exploration", 0, (scouts[0], scouts[1]))
    winner = 0 if margin > 0 else 1
    position.now["explorer"] = winner
    position.gain(winner, "exploration", abs(margin))
    return False


@rule("exploration/choose-side")
async def choose_side(position: Position) -> bool:
    """Let the explorer choose any of the four edges; the opponent has the opposite one."""
    winner = int(position.now["explorer"])
    edge = await choose(winner, "edge", EDGES, of="edge")
    take_edges(position, winner, edge)
    position.write("edges", side=winner, edge=edge, other=OPPOSITE[edge])
    return False


# ---------------------------------------------------------------- missions/bases-setup


@rule("missions/bases-setup")
async def choose_bases(position: Position) -> bool:
    """Let each side choose a piece in its own deployment area, the explorer first.

    If there is no such piece, the side adds a ruin.
    """
    if position.now["mission"] != "bases":
        return False
    winner = int(position.now["explorer"])
    for side in (winner, 1 - winner):
        pieces = [piece.name for piece in position.ground.pieces if reaches_zone(position, side, piece)]
        if not pieces:
            pieces = [await add_ruin(position, side)]
        base = await choose(side, "base", pieces, of="piece")
        position.hold(side, "base", (base,))
        position.write("base", side=side, piece=base)
    return False


@rule("missions/bases-setup")
def reaches_zone(position: Position, side: int, piece: Piece) -> bool:
    """Return whether any part of the piece is in the side's deployment area."""
    low_x, low_y, high_x, high_y = zone(position, side)
    return overlap(piece.outline, ((low_x, low_y), (high_x, low_y), (high_x, high_y), (low_x, high_y)))


@rule("missions/bases-setup")
async def add_ruin(position: Position, side: int) -> str:
    """Let the owner lay a ruin, wholly in the area."""
    name = f"base-{side + 1}"
    at = await ask(ruin_question(position, side, zone(position, side)))
    lay(position, piece_at(PATROL_KIND, at, name))
    return name


# ---------------------------------------------------------------- opt-reserves/choice


@rule("opt-reserves/choice")
async def choose_reserves(position: Position) -> bool:
    """Let each side hold back up to half of its models, rounded up, never the commander."""
    if not position.options.reserves:
        return False
    for side in (0, 1):
        force = [m for m in position.models if m.side == side]
        limit, rows = half(len(force)), [m.row for m in force if not m.marks("commander")]

        def fields(chosen: list[Any], side: int = side, limit: int = limit, rows: list[int] = rows) -> Question | None:
            if len(chosen) >= limit or (chosen and chosen[-1] == "done"):
                return None
            return Choose(side, "reserve", ["done", *(row for row in rows if row not in chosen)], "model")

        for row in await fill_in(side, "reserves", fields, most=limit):
            if row != "done":
                position.model(row).mark("held-back", 1)
    return False


# ---------------------------------------------------------------- deployment/*


@rule("deployment/roll")
async def deployment_roll(position: Position) -> bool:
    winner = await roll_off(position, "deployment", 0)
    goes_first = await choose(winner, "deploy-first", ("first", "second"), of="turn") == "first"
    position.now["first-to-deploy"] = winner if goes_first else 1 - winner
    position.write("deploys-first", side=position.now["first-to-deploy"])
    return False


@rule("deployment/zone")
def zone(position: Position, side: int) -> Area:
    """Return the strip of 20 cm along the edge of a side."""
    return strip(position.ground, edge_of(position, side), STRIP)


@rule("deployment/zone")
def is_outside_zone(model: Model, at: Point) -> Fault | None:
    """Refuse a place unless the whole base is in the strip."""
    low_x, low_y, high_x, high_y = zone(model.position, model.side)
    radius = model.profile.base_radius - 0.001
    inside = low_x + radius <= at[0] <= high_x - radius and low_y + radius <= at[1] <= high_y - radius
    return None if inside else Fault(at, limit=STRIP, model=model.row)


def away_from(enemy: Model, model: Model, at: Point) -> float:
    """Return the distance between an enemy and the model at a place, with the height of the ground, in cm."""
    flat = gap_between(at, model.profile.base_radius, enemy.at, enemy.profile.base_radius)
    rise = level(model.position, *at) - enemy.z
    return round(math.sqrt(flat * flat + rise * rise), 4)


def nearer(model: Model, at: Point, is_too_near: Callable[[float, float], bool]) -> Fault | None:
    """Refuse a place for the first enemy too near to it, by the 30 cm that models are kept apart."""
    for enemy in model.position.on_table(1 - model.side):
        away = away_from(enemy, model, at)
        if is_too_near(away, APART):
            return Fault(at, away, APART, enemy.row)
    return None


@rule("deployment/thirty")
def is_nearer_than_thirty(model: Model, at: Point) -> Fault | None:
    """Refuse a place nearer than 30 cm to an enemy; exactly 30 cm is allowed."""
    return nearer(model, at, less_than)


@rule("special/infiltrator")
def is_within_thirty(model: Model, at: Point) -> Fault | None:
    """Refuse a place that is not more than 30 cm from any enemy."""
    return nearer(model, at, within)


ORDINARY: tuple[PlaceRestriction, ...] = (is_outside_zone, overlaps_something, is_nearer_than_thirty)
INFILTRATING: tuple[PlaceRestriction, ...] = (overlaps_something, is_within_thirty)
ARRIVING: tuple[PlaceRestriction, ...] = (is_outside_zone, overlaps_something, stands_too_near)


def to_deploy(position: Position, side: int) -> list[Model]:
    waiting = [m for m in position.models if m.side == side and is_in_reserve(m)]
    return [m for m in waiting if not m.marks("held-back") and not m.marks("infiltrates")]


def in_deployment_order(position: Position) -> tuple[int, int]:
    first = int(position.now["first-to-deploy"])
    return first, 1 - first


@rule("deployment/roll", "deployment/zone", "deployment/special")
async def deploy(position: Position) -> bool:
    """Let the first side place its whole force, then the other; one model per call."""
    for side in in_deployment_order(position):
        waiting = to_deploy(position, side)
        if waiting:
            await deploy_one(waiting[0])
            return True
    return False


@rule("deployment/special", "deployment/infiltrators-last")
async def deploy_one(model: Model) -> None:
    """Deploy a model in the ordinary zone, or let it wait for its special placement."""
    if await wants_to_infiltrate(model):
        model.mark("infiltrates", 1, quietly=True)
    else:
        await deploy_in_zone(model)


@rule("deployment/special")
async def wants_to_infiltrate(model: Model) -> bool:
    """Return whether a model infiltrates: an Infiltrator may also be deployed like every other model."""
    return bool(model.profile.has("infiltrator")) and await confirm(model.side, "infiltrate", model=model.row)


@rule("deployment/zone")
async def deploy_in_zone(model: Model) -> None:
    area = inset(zone(model.position, model.side), model.profile.base_radius)
    if not await set_down(model, "deploy", area, ORDINARY, facing_inward(model.position, model.side)):
        model.mark("never-came", 1, quietly=True)


@rule("deployment/infiltrators-last", "special/infiltrator")
async def deploy_infiltrators(position: Position) -> bool:
    """Deploy infiltrators after both forces, in the same order of sides."""
    for side in in_deployment_order(position):
        waiting = [m for m in position.models if m.side == side and is_in_reserve(m) and m.marks("infiltrates")]
        if waiting:
            await infiltrate(waiting[0])
            return True
    return False


@rule("special/infiltrator")
async def infiltrate(model: Model) -> None:
    """Place a model anywhere beyond 30 cm from the enemy; if there is no such place, in its zone."""
    model.mark("infiltrates", 0, quietly=True)
    area = inset(whole_table(model.position.ground), model.profile.base_radius)
    facing = facing_inward(model.position, model.side)
    if not await set_down(model, "infiltrate-at", area, INFILTRATING, facing):
        await deploy_in_zone(model)


@rule("setup/order")
async def wards(position: Position) -> bool:
    for side in in_deployment_order(position):
        await choose_wards(position, side)
    return False


# ---------------------------------------------------------------- initiative/*


@rule("initiative/roll")
async def initiative(position: Position) -> bool:
    """Let the winner decide who goes first, and by option whether it is night; then count the ammunition."""
    winner = await roll_off(position, "initiative", 0)
    goes_first = await choose(winner, "go-first", ("first", "second"), of="turn") == "first"
    position.now["first"] = winner if goes_first else 1 - winner
    position.write("goes-first", side=position.now["first"])
    if position.options.night:
        await choose_night(position, winner)
    if position.options.ammunition:
        count_ammunition(position)
    return False


@rule("opt-night/choice")
async def choose_night(position: Position, winner: int) -> None:
    """Let the winner decide whether the battle is fought at night."""
    position.now["night"] = int(await confirm(winner, "night"))
    position.write("night" if position.now["night"] else "day")


@rule("opt-ammo/pool")
def count_ammunition(position: Position) -> None:
    """Give both sides the ammunition of their models."""
    for side in (0, 1):
        force = [m for m in position.models if m.side == side]
        position.gain(side, "ammunition", ammunition_of(force, commander(position, side)))


@rule("setup/order")
def stages() -> tuple[str, ...]:
    """Return the order of set-up; points, options and forces are agreed on before."""
    return (
        "mission",
        "scenery",
        "objectives",
        "exploration",
        "side",
        "bases",
        "reserves",
        "deployment-roll",
        "deployment",
        "infiltrators",
        "wards",
        "initiative",
    )
