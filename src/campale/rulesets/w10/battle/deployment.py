"""Armies deployed unit by unit (deployment/deploy, s/set-up)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from campale.mechanics import units
from campale.mechanics.setup.drawing_up import (
    DrawingUp,
    Spot,
    barred,
    draw_up,
    on_another,
    outside,
    standing,
)
from campale.mechanics.setup.edges import edge_of
from campale.mechanics.units import in_reserve
from campale.referee.ask import choose
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.w10.basics.coherency import LINK, are_coherent
from campale.rulesets.w10.basics.units import RESERVES
from campale.rulesets.w10.battle.mission import zone_of
from campale.rulesets.w10.movement.moves import at_the_end
from campale.table.fields import Field
from campale.table.shapes import Solid

HEIGHT = 2.0


def waiting(position: Position, side: int) -> list[Unit]:
    """The units of a side that are not yet on the table, and begin on it."""
    return [unit for unit in units.waiting(position, side) if not unit.note(RESERVES)]


@rule("deployment/deploy")
async def deploy(position: Position) -> bool:
    """One unit; the sides take turns, from the Attacker on. Whether more are left."""
    side = int(position.now["deploys"])
    left = waiting(position, side) or waiting(position, 1 - side)
    if not left:
        return False
    side = left[0].side
    row = await choose(side, "deploy-unit", [unit.row for unit in left], of="unit")
    await deploy_unit(Unit(position, int(row)))
    position.now["deploys"] = 1 - side
    return bool(waiting(position, 0) or waiting(position, 1))


@rule("deployment/deploy", "s/set-up", "s/deploy-area")
async def deploy_unit(unit: Unit) -> None:
    """Wholly within its zone; a unit for which there is no room counts as destroyed."""
    await draw_up(unit, drawing_up(unit, in_reserve(unit)), "no-room", coherency=LINK)


def drawing_up(unit: Unit, models: list[Model]) -> DrawingUp:
    position = unit.position
    zone, edge = zone_of(position, unit.side), edge_of(position, unit.side)
    rows = [one.row for one in position.units if one.side == unit.side]
    middle = zone[0] + (zone[2] - zone[0]) * (rows.index(unit.row) + 0.5) / len(rows)
    return DrawingUp(models, zone, edge, field_of(models[0]), partial(misplaced, models), middle)


def field_of(model: Model) -> Field:
    return at_the_end(model).field


# ---------------------------------------------------------------- what may be wrong with places


def misplaced(models: Sequence[Model], there: Sequence[Spot]) -> Refusal | None:
    return first_refusal(RESTRICTIONS, models, standing(models, there, HEIGHT))


@rule("deployment/deploy", "s/deploy-area", "within/wholly-within")
def outside_the_zone(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return outside(zone_of(models[0].position, models[0].side), models, solids)


@rule("terrain/barricades", "terrain/debris")
def on_an_obstacle(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return barred(field_of, models, solids, by_base=False)


@rule("movement-phase/moving-models", "objectives/marker", "core-concepts/engagement-forbidden")
def on_another_base(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return on_another(field_of, models, solids)


@rule("core-concepts/unit-coherency", "s/set-up")
def scattered(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return None if are_coherent(solids) else Fault(limit=LINK, model=models[0].row)


RESTRICTIONS = (outside_the_zone, on_an_obstacle, on_another_base, scattered)
