"""Before the first turn (10): who deploys first, from which edge, and the scouts; the phases call the rest."""

from __future__ import annotations

from campale.mechanics.setup.edges import OPPOSITE, USUAL, take_edges
from campale.referee.ask import choose, draw
from campale.referee.position import Position, Unit
from campale.referee.refusal import first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.battle.agreeing import agree_on_scenery
from campale.rulesets.e55.battle.deployment import deploy
from campale.rulesets.e55.battle.holding_back import write_reserves
from campale.rulesets.e55.definitions.types import is_all_vehicles
from campale.rulesets.e55.definitions.units import (
    COMBAT_SPEED,
    CRUISING,
    DONE,
    INCHES,
    MOVED,
    SCOUTED,
    SPEED,
    members,
    units_on_table,
)
from campale.rulesets.e55.movement_phase import movement
from campale.rulesets.e55.turn.acting import Driven
from campale.rulesets.e55.unit_types import special
from campale.rulesets.e55.vehicles import vehicles

__all__ = ["agree_on_scenery", "choose_edges", "deploy", "move_scouts", "write_reserves"]

DEPLOYMENTS = ("pitched-battle",)
NO_MORE = ("done",)


# ---------------------------------------------------------------- 10.3: the deployment and the edges


async def choose_edges(position: Position) -> bool:
    await choose_deployment(position)
    await choose_edge(position, await say_who_deploys(position))
    return False


@rule("10.3/deployment-choice")
async def choose_deployment(position: Position) -> None:
    """Choose the deployment; the book has only one."""
    drawn = DEPLOYMENTS if len(DEPLOYMENTS) == 1 else await draw(None, "deployment", DEPLOYMENTS)
    position.now["deployment"] = drawn[0]
    position.write("deployment", deployment=drawn[0])


@rule("10.3/pitched-battle")
async def say_who_deploys(position: Position) -> int:
    """Let a player drawn by lot say who begins to deploy."""
    picker = int((await draw(None, "says-who-deploys", (0, 1)))[0])
    begins = int(await choose(picker, "who-deploys", (picker, 1 - picker), of="side"))
    position.now["deploys"] = begins
    position.write("deploys-first", side=begins)
    return begins


@rule("10.3/table-edge")
async def choose_edge(position: Position, side: int) -> None:
    """Let the beginning player choose a long edge; the other player has the opposite one."""
    edge = await choose(side, "edge", USUAL, of="edge")
    take_edges(position, side, edge)
    position.write("edges", side=side, edge=edge, other=OPPOSITE[edge])


# ---------------------------------------------------------------- 8/scouts


@rule("8/scouts")
async def move_scouts(position: Position) -> bool:
    """Move scouts one unit per call; the player with the first turn moves first."""
    first = int(position.now["first"])
    for side in (first, 1 - first):
        waiting = [unit.row for unit in units_on_table(position, side) if may_scout(unit)]
        if waiting:
            await scout_next(position, side, waiting)
            return True
    return False


@rule("8/scouts")
def may_scout(unit: Unit) -> bool:
    return special.all_have(unit, "scouts") and not unit.marks(SCOUTED)


async def scout_next(position: Position, side: int, waiting: list[int]) -> None:
    lines = [*(("scout", row) for row in waiting), NO_MORE]
    chosen = await choose(side, "scouts", lines, of="act")
    rows = waiting if chosen == NO_MORE else [chosen[1]]
    for row in rows:
        Unit(position, row).mark(SCOUTED, 1)
    if chosen != NO_MORE:
        await scout(Unit(position, chosen[1]))


@rule("8/scouts")
async def scout(unit: Unit) -> None:
    """Make a normal move without running. In its first turn the unit counts as not moved, a vehicle as stationary."""
    if is_all_vehicles(unit):
        await scout_driving(unit)
    else:
        limit = movement.allowance(unit)
        await movement.move_unit(unit, "scout-move", limit, limit)
    for name in (MOVED, DONE):
        unit.mark(name, 0)
    for model in members(unit):
        for name in (SPEED, INCHES):
            model.mark(name, 0)


async def scout_driving(unit: Unit) -> None:
    """Drive at either speed; the vehicles count as stationary all the same."""
    first = members(unit)[0].row
    keys = [Driven("drive", unit.row, first, speed) for speed in (COMBAT_SPEED, CRUISING)]
    key = await choose(
        unit.side,
        "speed",
        keys,
        of="act",
        forbids=lambda one: first_refusal(vehicles.OF_A_SPEED, unit.position, one),
        model=first,
    )
    await vehicles.drive(unit.position, key)
