"""Before the battle: mission, terrain, edges, deployment, infiltrators, Resource cards (setup/*)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from campale.mechanics.moves.barring import barred_for, touching_all
from campale.mechanics.phases import Phase
from campale.mechanics.setup.drawing_up import DrawingUp, Spot, barred, draw_up, on_another, outside, standing
from campale.mechanics.setup.edges import USUAL, take_edges
from campale.mechanics.units import in_reserve, waiting
from campale.referee.ask import choose
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import d20, half, roll_off
from campale.rulesets.wzr.basics.measuring import within
from campale.rulesets.wzr.battle.laying import lay_scenery
from campale.rulesets.wzr.battle.missions import BY_FACE, STRONGPOINTS, lay_markers
from campale.rulesets.wzr.battle.terrain import standable
from campale.rulesets.wzr.battle.zones import own_edge, zone_of
from campale.table import fields
from campale.table.measure import gap
from campale.table.shapes import Solid

HEIGHT = 2.0
RESOURCE_COUNT = {"tech": 7, "close-combat": 8, "ranged": 6, "psychic": 8}
LATER = ("infiltration", "rapid-deployment")


# ---------------------------------------------------------------- missions/choose, missions/objectives


@rule("missions/choose")
async def choose_mission(position: Position) -> bool:
    """Agreed on, or by a D20."""
    if "mission" not in position.now:
        position.now["mission"] = BY_FACE[(await d20(0, "mission")).faces[0]]
    position.write("mission", mission=position.now["mission"])
    return False


@rule("setup/sequence", "missions/strongpoints")
async def objectives(position: Position) -> bool:
    if position.now["mission"] == STRONGPOINTS:
        lay_markers(position)
    return False


# ---------------------------------------------------------------- setup/pregame-initiative


@rule("setup/pregame-initiative")
async def pregame_initiative(position: Position) -> bool:
    """The winner takes one of the two edges, and decides who deploys first."""
    winner = await roll_off("pregame")
    edge = await choose(winner, "edge", USUAL, of="edge")
    take_edges(position, winner, edge)
    first = await choose(winner, "deploys-first", [0, 1], of="side")
    position.now.update(pregame=winner, deploys=int(first))
    position.write("edges", side=winner, edge=edge)
    return False


# ---------------------------------------------------------------- setup/deployment


@rule("setup/deployment")
def to_deploy(position: Position, side: int) -> list[int]:
    """The squads of a side that are neither on the table nor held back."""
    later = (marks.HELD_BACK, marks.INFILTRATES)
    return [unit.row for unit in waiting(position, side) if not any(unit.marks(name) for name in later)]


@rule("setup/deployment")
async def deploy(position: Position) -> bool:
    """One squad a run; the first side deploys all of its squads, then the other."""
    side = int(position.now["deploys"])
    left = to_deploy(position, side)
    if not left:
        if not to_deploy(position, 1 - side):
            return False
        position.now["deploys"] = 1 - side
        return True
    unit = Unit(position, int(await choose(side, "deploy-unit", left, of="unit")))
    later = await when(unit)
    if later:
        unit.mark(later, 1)
    else:
        await deploy_unit(unit)
    return True


@rule("setup/deployment", "abilities/infiltrate-when", "abilities/rapid-deployment-reserve")
async def when(unit: Unit) -> str:
    """Now (empty), or later by an ability that every model of the squad has."""
    models = in_reserve(unit)
    able = [one for one in LATER if all(one in m.profile.numbers for m in models if not m.marks(marks.SPECIALIST))]
    if not able:
        return ""
    chosen = await choose(unit.side, "deploy-when", ["now", *able], of="deployment", unit=unit.row)
    return {"infiltration": marks.INFILTRATES, "rapid-deployment": marks.HELD_BACK}.get(str(chosen), "")


@rule("setup/deployment")
async def deploy_unit(unit: Unit) -> None:
    """Wholly within its zone, in coherency; where there is no room a squad is lost."""
    await draw_up(unit, drawing_up(unit, in_reserve(unit)), "no-place")


def drawing_up(unit: Unit, models: list[Model]) -> DrawingUp:
    position = unit.position
    zone, edge = zone_of(position, unit.side), own_edge(position, unit.side)
    rows = [one.row for one in position.units if one.side == unit.side]
    middle = zone[0] + (zone[2] - zone[0]) * (rows.index(unit.row) + 0.5) / len(rows)
    return DrawingUp(models, zone, edge, deploy_field(models[0]), partial(misplaced, models), middle)


def deploy_field(model: Model, z: float = 0.0) -> fields.Field:
    """What bars a base while the armies deploy: ground on which nobody stands, and whoever stands already."""
    return barred_for(model, "deploy", touching_all, standable, model.profile.footprint).field


def misplaced(models: Sequence[Model], there: Sequence[Spot]) -> Refusal | None:
    return first_refusal(DEPLOYMENT_RESTRICTIONS, models, standing(models, there, HEIGHT))


@rule("setup/deployment")
def outside_the_zone(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return outside(zone_of(models[0].position, models[0].side), models, solids)


@rule("movement/impassable", "setup/deployment")
def on_impassable_ground(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return barred(deploy_field, models, solids, by_base=False)


@rule("movement/basic")
def on_another_base(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    return on_another(deploy_field, models, solids)


@rule("squads/coherency", "setup/deployment", "abilities/scatter")
def scattered(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    """Each within half the Commander's LD of him; whoever has Scatter within all of it."""
    lead = next((k for k, m in enumerate(models) if m.marks(marks.COMMANDER)), 0)
    for model, one in zip(models, solids, strict=True):
        limit = coherency(models[lead], model)
        far = gap(solids[lead], one)
        if not within(far, limit):
            return Fault((round(one.x, 2), round(one.y, 2)), round(far, 2), limit, model.row)
    return None


@rule("squads/coherency", "abilities/scatter", "core/rounding")
def coherency(lead: Model, model: Model) -> float:
    """How far a model may be from its Commander, in inches."""
    leadership = int(lead.profile.ld)
    return float(leadership if "scatter" in model.profile.numbers else half(leadership))


DEPLOYMENT_RESTRICTIONS = (outside_the_zone, on_impassable_ground, on_another_base, scattered)


# ---------------------------------------------------------------- setup/resources


@rule("setup/resources", "cards/resource-count", "army/warlord")
async def resources(position: Position) -> bool:
    """Face up, so many as the type of the Warlord gives."""
    for side in (0, 1):
        types = {m.profile.warlord for m in position.models if m.side == side and m.profile.warlord}
        position.gain(side, marks.RESOURCES, max((RESOURCE_COUNT[one] for one in types), default=0))
    return False


STAGES: dict[str, Phase] = {
    "mission": choose_mission,
    "scenery": lay_scenery,
    "objectives": objectives,
    "pregame": pregame_initiative,
    "deployment": deploy,
    "resources": resources,
}
"""The order of setting up."""
