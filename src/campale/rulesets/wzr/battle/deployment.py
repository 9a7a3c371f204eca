"""Squads deploy in their zones, in coherency, on ground or floors where they may stand (setup/deployment)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from campale.mechanics.moves.barring import barred_for
from campale.mechanics.setup.drawing_up import DrawingUp, Spot, barred, draw_up, on_another, outside, standing
from campale.mechanics.setup.edges import INWARD
from campale.mechanics.units import in_reserve, rows_of, waiting
from campale.referee.ask import choose
from campale.referee.position import RESERVE, TABLE, Model, Position, Unit
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import has, is_open_to
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import within
from campale.rulesets.wzr.battle.terrain import HEAVY
from campale.rulesets.wzr.battle.zones import own_edge, zone_of
from campale.rulesets.wzr.movement.ground import of_class
from campale.rulesets.wzr.squads.coherency import coherency_to
from campale.rulesets.wzr.structures.floors import barred_at, floors, intact, may_rest, spots_upstairs
from campale.table.fields import Field
from campale.table.measure import gap
from campale.table.shapes import Solid
from campale.table.terrain import Piece

HEIGHT = 2.0
CLOSED_UP = 5.0 / 6.0
"""The share of the zone's width over which the squads are proposed."""
HEADS = ("warlord", "lord")
NOW = "now"
LATER = {"infiltration": marks.INFILTRATES, "rapid-deployment": marks.HELD_BACK}


@rule("setup/deployment")
def to_deploy(position: Position, side: int) -> list[int]:
    """The squads of a side that are neither on the table nor held back."""
    return [unit.row for unit in waiting(position, side) if not any(unit.marks(name) for name in LATER.values())]


@rule("setup/deployment")
async def deploy(position: Position) -> bool:
    """Deploy one squad; return whether to go on. The first side deploys all its squads, then the other."""
    side = int(position.now["deploys"])
    left = to_deploy(position, side)
    if not left:
        side = position.now["deploys"] = 1 - side
        return bool(to_deploy(position, side))
    unit = Unit(position, int(await choose(side, "deploy-unit", left, of="unit")))
    later = await when(unit)
    if later:
        unit.mark(later, 1)
    else:
        await deploy_unit(unit)
    return True


@rule("setup/deployment", "abilities/infiltrate-when", "abilities/rapid-deployment-reserve")
async def when(unit: Unit) -> str:
    """Choose when the squad deploys: "" for now, or later by an ability of every model (Specialists aside)."""
    models = [m for m in in_reserve(unit) if not m.marks(marks.SPECIALIST)]
    able = [name for name in LATER if models and all(has(m, name) for m in models)]
    chosen = await choose(unit.side, "deploy-when", [NOW, *able], of="deploy-when", unit=unit.row)
    return LATER.get(str(chosen), "")


@rule("setup/deployment")
async def deploy_unit(unit: Unit) -> None:
    """Deploy the squad. A squad without room for it is lost."""
    await draw_up(unit, drawing_up(unit, in_reserve(unit)), "no-place", levels=levels_of(unit.position))


def levels_of(position: Position) -> list[float]:
    """The heights above the table where models can stand, for screens to offer."""
    return sorted({floor.z for floor in position.ground.kept(floors)})


def drawing_up(unit: Unit, models: list[Model]) -> DrawingUp:
    position = unit.position
    zone, edge = zone_of(position, unit.side), own_edge(position, unit.side)
    line = in_line(position, unit.side)
    aside = CLOSED_UP * ((line.index(unit.row) + 0.5) / len(line) - 0.5)
    middle = zone[0] + (zone[2] - zone[0]) * (0.5 + aside)
    start, facing = (middle, (zone[1] + zone[3]) / 2.0), INWARD[edge]
    upstairs = partial(spots_upstairs, models, start, facing, field_at)
    above = upstairs if position.ground.kept(intact).pieces else None
    refuses = partial(misplaced, models)
    return DrawingUp(
        models,
        zone,
        edge,
        field_at(models[0], 0.0),
        refuses,
        middle,
        upstairs=above,
        shunned=holding_up,
        leader=leader_among(models),
    )


def in_line(position: Position, side: int) -> list[int]:
    """The squads of a side from west to east, as they are proposed: the Warlord and Lords amid the others."""
    rows = rows_of(position, side, (TABLE, RESERVE))
    heads = [row for row in rows if Unit(position, row).note(marks.SLOT) in HEADS]
    others = [row for row in rows if row not in heads]
    half = len(others) // 2
    return [*others[:half], *heads, *others[half:]]


def leader_among(models: Sequence[Model]) -> int | None:
    """The number of the Commander, whom the others keep near."""
    return next((k for k, m in enumerate(models) if m.marks(marks.COMMANDER)), None)


def holding_up(model: Model) -> Sequence[Piece]:
    """Heavy ground, which costs most of a move to models that start in it, unless it is open to them."""
    if model.profile.is_vehicle or is_open_to(model, "heavy"):
        return ()
    return model.position.ground.kept(of_class(HEAVY)).pieces


def field_at(model: Model, z: float = 0.0) -> Field:
    """What a base set down at a height must avoid: ground and pieces where nobody stands, and other bases."""

    def keeps_off(one: Model, other: Model) -> float | None:
        apart = z >= other.z + other.profile.height or other.z >= z + one.profile.height
        return None if apart else 0.0

    return barred_for(model, f"deploy-{z:g}", keeps_off, barred_at(z), model.profile.footprint).field


# ---------------------------------------------------------------- restrictions on places


def misplaced(models: Sequence[Model], there: Sequence[Spot]) -> Refusal | None:
    return first_refusal(DEPLOYMENT_RESTRICTIONS, models, standing(models, there, HEIGHT))


@rule("setup/deployment")
def outside_the_zone(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return outside(zone_of(models[0].position, models[0].side), models, solids)


@rule("movement/impassable", "setup/deployment")
def on_impassable_ground(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return barred(field_at, models, solids, by_base=False)


@rule("structures/intact", "setup/deployment")
def on_no_floor(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    """Refuses the first model that would hang in the air or stand across a wall."""
    wrong = next((k for k, one in enumerate(solids) if not may_rest(models[k], one)), None)
    return None if wrong is None else Fault(place(solids[wrong]), model=models[wrong].row)


@rule("movement/basic")
def on_another_base(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return on_another(field_at, models, solids)


@rule("squads/coherency", "setup/deployment", "abilities/scatter")
def scattered(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    """Refuses a model that is not in coherency with the Commander."""
    lead = leader_among(models) or 0
    for model, one in zip(models, solids, strict=True):
        limit, far = coherency_to(models[lead], model), gap(solids[lead], one)
        if not within(far, limit):
            return Fault(place(one), round(far, 2), limit, model.row)
    return None


def place(solid: Solid) -> tuple[float, float]:
    return round(solid.x, 2), round(solid.y, 2)


DEPLOYMENT_RESTRICTIONS = (outside_the_zone, on_impassable_ground, on_no_floor, on_another_base, scattered)
