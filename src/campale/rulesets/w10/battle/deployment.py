"""Armies deployed unit by unit (deployment/deploy, s/set-up)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from campale.mechanics.dice import roll_off
from campale.mechanics.moves.coherency import on_each_other
from campale.mechanics.setup.drawing_up import (
    DrawingUp,
    Spot,
    at,
    barred,
    draw_up,
    outside,
    standing,
)
from campale.mechanics.setup.edges import INWARD, edge_of, whole_table
from campale.mechanics.setup.laying import grid
from campale.mechanics.units import members, riders_of
from campale.referee.ask import choose
from campale.referee.position import RESERVE, Model, Position, Unit
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.moments import Use, choose_one, uses_at
from campale.rulesets.w10.abilities.uses import is_left, use_up
from campale.rulesets.w10.basics.coherency import LINK, are_coherent
from campale.rulesets.w10.basics.levels import goes_through, heights_of, on_no_floor, spots_meant, spots_upstairs
from campale.rulesets.w10.basics.markers import rule_of_base
from campale.rulesets.w10.basics.units import RESERVES, units_off_table, within
from campale.rulesets.w10.battle.layouts import RUINS
from campale.rulesets.w10.battle.mission import zone_of
from campale.rulesets.w10.movement.moves import at_the_end
from campale.rulesets.w10.movement.reserves import facings_for, nearest
from campale.table.fields import Field
from campale.table.measure import extent, gap
from campale.table.shapes import Solid
from campale.table.terrain import Piece

NO_ROOM = "no-room"
HEIGHT, AWAY = 2.0, 9.0
STEP = 2.0


def waiting(position: Position, side: int) -> list[Unit]:
    """The units of a side that are not yet on the table and begin on it."""
    rows = units_off_table(position, side)
    return [unit for unit in (Unit(position, row) for row in rows) if not unit.note(RESERVES)]


@rule("deployment/deploy")
async def deploy(position: Position) -> bool:
    """Deploy one unit; the sides take turns, starting with the Attacker. Return whether more are left."""
    side = int(position.now["deploys"])
    left = waiting(position, side) or waiting(position, 1 - side)
    if not left:
        return False
    if all(is_late(unit) for unit in (*waiting(position, 0), *waiting(position, 1))):
        left = await first_late(position) or left
    else:
        left = [unit for unit in left if not is_late(unit)] or early(position, 1 - side)
    side = left[0].side
    row = await choose(side, "deploy-unit", [unit.row for unit in left], of="unit")
    await deploy_unit(Unit(position, int(row)))
    position.now["deploys"] = 1 - side
    return bool(waiting(position, 0) or waiting(position, 1))


def early(position: Position, side: int) -> list[Unit]:
    return [unit for unit in waiting(position, side) if not is_late(unit)]


@rule("deployment/set-up-after")
def is_late(unit: Unit) -> bool:
    """True if a model of the unit is set up after all others."""
    models = members(unit, (RESERVE,))
    abilities = (one for m in models for one in m.profile.rules.values())
    return any(effect.deploy == "late" for one in abilities for effect in one.do)


@rule("deployment/set-up-after")
async def first_late(position: Position) -> list[Unit]:
    """The units that deploy late; if both sides have some, the winner of a roll-off begins and they take turns."""
    both = [waiting(position, side) for side in (0, 1)]
    if all(both) and "late" not in position.now:
        position.now["late"] = position.now["deploys"] = await roll_off("late")
    side = int(position.now["deploys"])
    return both[side] or both[1 - side]


@rule("r/redeploy", "r/redeploy-order")
async def redeploy(position: Position) -> bool:
    """Redeploy one unit; the sides take turns, starting with the Attacker. Return whether more may follow."""
    side = int(str(position.now.get("redeploys", position.now["attacker"])))
    turn = [one for one in (side, 1 - side) if uses_at(position, one, "redeploy", {})]
    if not turn:
        return False
    uses = uses_at(position, turn[0], "redeploy", {})
    chosen = await choose_one(turn[0], "redeploy", uses[:1])
    if chosen is None:
        pass_up(position, uses[0])
    else:
        await position.ruleset.book.perform(chosen)
    position.now["redeploys"] = 1 - turn[0]
    return True


@rule("r/redeploy")
def pass_up(position: Position, use: Use) -> None:
    """End redeployment with an ability: a side that passes redeploys no more units by it."""
    while is_left(position, use.one, use.picked):
        use_up(position, use.one, use.picked)


@rule("deployment/deploy", "s/set-up", "s/deploy-area")
async def deploy_unit(unit: Unit) -> None:
    """Deploy a unit wholly within its zone; a unit without room counts as destroyed, and so do those aboard it."""
    models = [m for m in unit.position.models if m.unit == unit and m.where == RESERVE]
    levels = heights_of(unit.position)
    await draw_up(unit, drawing_up(unit, models), NO_ROOM, coherency=LINK, levels=levels)
    for rider in [rider for model in models if not model.is_on_table for rider in riders_of(model)]:
        unit.position.remove(rider, NO_ROOM)


def drawing_up(unit: Unit, models: list[Model]) -> DrawingUp:
    """Placement in the own zone along the front; Infiltrators anywhere, close to the markers first."""
    position = unit.position
    zone, edge = zone_of(position, unit.side), edge_of(position, unit.side)
    if infiltrates(models):
        area = whole_table(position.ground)
        tried = nearest(unit, [(x, y) for x, y, _ in grid(area, STEP, (0.0,))])
        upstairs = partial(spots_upstairs, models, tried[0], INWARD[edge], field_of)
        refuses = partial(misplaced, models)
        turned = facings_for(models, INWARD[edge])
        return DrawingUp(
            models, area, edge, field_of(models[0]), refuses, tried=tried, upstairs=upstairs, turned=turned
        )
    units = [one.row for one in position.units if one.side == unit.side]
    middle = zone[0] + (zone[2] - zone[0]) * (units.index(unit.row) + 0.5) / len(units)
    start, facing = (middle, (zone[1] + zone[3]) / 2.0), INWARD[edge]
    upstairs = partial(spots_upstairs, models, start, facing, field_of)
    refuses = partial(misplaced, models)
    return DrawingUp(models, zone, edge, field_of(models[0]), refuses, middle, upstairs=upstairs, shunned=holding_up)


def holding_up(model: Model) -> Sequence[Piece]:
    """The ruins that hold up a model, because it has to climb their walls."""
    pieces = model.position.ground.pieces
    return () if goes_through(model.profile) else [piece for piece in pieces if RUINS in piece.tags]


def field_of(model: Model, z: float = 0.0) -> Field:
    return at_the_end(model, z).field


@rule("core-abilities/infiltrators", "c/with-ability-x")
def infiltrates(models: Sequence[Model]) -> bool:
    return all(m.profile.can("infiltrators") for m in models)


# ---------------------------------------------------------------- restrictions on places


def misplaced(models: Sequence[Model], there: Sequence[Spot]) -> Refusal | None:
    spots = spots_meant(models[0].position, there)
    return first_refusal(RESTRICTIONS, models, standing(models, spots, HEIGHT))


@rule("deployment/deploy", "s/deploy-area", "within/wholly-within")
def outside_the_zone(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    found = outside(zone_of(models[0].position, models[0].side), models, solids)
    if found is None or not infiltrates(models):
        return found
    return infiltrates_too_near(models, solids)


@rule("core-abilities/infiltrators")
def infiltrates_too_near(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    """Infiltrators outside their own zone keep more than 9 inches from the enemy zone and all enemy models."""
    position, side = models[0].position, models[0].side
    _, south, _, north = zone_of(position, 1 - side)
    enemies = [m.solid for m in position.on_table(1 - side)]
    for model, one in zip(models, solids, strict=True):
        _, low, _, high = extent(one)
        from_zone = max(low - north, south - high)
        if within(min([from_zone, *(gap(one, enemy) for enemy in enemies)]), AWAY):
            return Fault(at(one), limit=AWAY, model=model.row, rule="core-abilities/infiltrators")
    return None


@rule("terrain/barricades", "terrain/debris")
def on_an_obstacle(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return barred(field_of, models, solids, by_base=False)


@rule("movement-phase/moving-models", "objectives/marker", "core-concepts/engagement-forbidden")
def on_another_base(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    fault = barred(field_of, models, solids, by_base=True) or on_each_other(models, solids)
    return fault and replace(fault, rule=rule_of_base(models[0].position, solids))


@rule("core-concepts/unit-coherency", "s/set-up")
def scattered(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return None if are_coherent(solids) else Fault(limit=LINK, model=models[0].row)


RESTRICTIONS = (outside_the_zone, on_no_floor, on_an_obstacle, on_another_base, scattered)
