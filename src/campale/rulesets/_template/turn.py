"""Chapters "turn" and "victory". The phase and whose turn it is stand in ``position.now``; a step finds the rest."""

from __future__ import annotations

from functools import partial

from campale.mechanics import alternation, dice, display, missions, phases, units
from campale.referee.position import Position, Unit
from campale.referee.rule import rule

from .charge import charge
from .fire import fire
from .move import move
from .orders import ORDERS, reveal_order, write_orders
from .setup import WELL, deploy

TURNS, NEAR = 6, 3.0


@rule("turn/sequence")
async def step(position: Position) -> bool:
    """One activation. Whether more is left."""
    return await phases.run_phase(position, PHASES, partial(phases.begin_turn_again, first="orders"))


@rule("turn/initiative")
async def roll_initiative(position: Position) -> bool:
    position.now["side"] = await dice.roll_off("initiative")
    position.write("initiative", side=position.now["side"])
    return False


@rule("turn/alternation")
async def activate(position: Position) -> bool:
    """One unit of the side whose turn it is acts. Whether any was left."""
    return await alternation.activate(position, act, "acted")


async def act(unit: Unit) -> None:
    """Charges, or moves and fires."""
    reveal_order(unit)
    if not await charge(unit):
        await move(unit)
        await fire(unit)


async def end_turn(position: Position) -> bool:
    units.drop_marks(position, ("acted", "answered"))
    ORDERS.drop(position)
    score_the_well(position)
    end_the_battle(position)
    return False


PHASES: dict[str, phases.Phase] = {
    "deployment": deploy,
    "orders": write_orders,
    "initiative": roll_initiative,
    "activations": activate,
    "end": end_turn,
}


# ---------------------------------------------------------------- victory


@rule("victory/well")
def score_the_well(position: Position) -> None:
    """A point for the side that alone has a model near it."""
    holder = missions.only_side_near(position, WELL, NEAR)
    if holder is not None:
        position.gain(holder, missions.POINTS, 1)


@rule("victory/end")
def end_the_battle(position: Position) -> None:
    """A side that has nobody left has lost; after the last turn more points win."""
    missions.finish_if_over(position, "victory/end", position.now["turn"] >= TURNS)


def standing(position: Position) -> list[display.Standing]:
    """The score, and how long the battle is."""
    return [display.score_line(missions.scored(position)), display.length_line(phases.turn_of(position), TURNS)]
