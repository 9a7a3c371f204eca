"""3/start-of-turn: what comes before the movement phase, in order; each call handles one item, or one unit of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.battle import missions, reserves
from campale.rulesets.e55.definitions.units import (
    ARRIVED,
    AT_PHASE_START,
    FACED_THEN,
    MEMBERS_THEN,
    active,
    faced_by,
    in_play,
    members,
    units_aboard,
    units_on_table,
)
from campale.rulesets.e55.leadership_and_morale import morale, rout
from campale.rulesets.e55.psychic_powers import psychic
from campale.rulesets.e55.unit_types import flying
from campale.rulesets.e55.vehicles import vehicles

ITEM = "beginning"
RALLYING = "rallying"

Item = Callable[[Position], Awaitable[bool]]
"""Does its part for the active side, and returns whether more of it is left."""


@rule("3/start-of-turn", "3/decision-order")
async def start_phase(position: Position) -> bool:
    """Run the next item; ``now`` keeps its index."""
    item = int(position.now.get(ITEM, 0))
    more = await ITEMS[item](position)
    position.now[ITEM] = item if more else item + 1
    if position.now[ITEM] < len(ITEMS):
        return True
    del position.now[ITEM]
    return False


@rule("3/start-of-turn")
async def score(position: Position) -> bool:
    missions.score_start_of_turn(position, active(position))
    return False


@rule("3/start-of-turn", "6.1.1/own-turn-mode-option")
async def fly_again(position: Position) -> bool:
    """Return the active player's flying units to flight; with the option, they choose their mode instead."""
    if flying.chooses_in_own_turn(position):
        await flying.choose_own_modes(position, active(position))
    else:
        await flying.return_to_flight(position, active(position))
    return False


@rule("3/start-of-turn", "3/decision-order")
async def opponent_chooses_modes(position: Position) -> bool:
    await flying.choose_modes(position, 1 - active(position))
    return False


@rule("5/warp-charges")
async def renew_charges(position: Position) -> bool:
    psychic.renew_charges(psychic.psykers(position, active(position)))
    return False


@rule("4.2/rally")
async def rally(position: Position) -> bool:
    """Rally one broken unit per call; its owner chooses which."""
    kept = position.declared.get(RALLYING)
    broken = [unit.row for unit in rout.broken_units(position, active(position))]
    left = broken if kept is None else [row for row in kept if row in broken]
    if left:
        row = await choose(active(position), "rally-next", left, of="unit")
        left.remove(row)
        position.declare(RALLYING, tuple(left))
        await rout.rally(Unit(position, row))
    if not left:
        position.declare(RALLYING, None)
    return bool(left)


@rule("3/start-of-turn")
async def take_snapshot(position: Position) -> bool:
    """Record where every model stands, and which unit every unit faces."""
    position.remember("turn")
    for unit in position.units:
        faced = faced_by(unit)
        unit.jot(FACED_THEN, None if faced is None else faced.row)
        unit.jot(MEMBERS_THEN, [model.row for model in members(unit)] or None)
    return False


@rule("3/start-of-turn")
async def begin_movement(position: Position) -> bool:
    """Begin the movement phase of the vehicles on the table; arrivals from reserve count as moved already."""
    vehicles.begin_movement(position)
    return False


@rule("3/start-of-turn")
async def let_reserves_in(position: Position) -> bool:
    return await reserves.arrivals(position, active(position))


@rule("4.1/trigger-casualties", "5/warp-charges")
async def count_arrivals(position: Position) -> bool:
    """Count the losses of units that arrived from their full number, and give their psykers their charges."""
    side = active(position)
    for unit in (*units_on_table(position, side), *units_aboard(position, side)):
        if unit.marks(ARRIVED):
            psychic.renew_charges(in_play(unit))
            unit.mark(AT_PHASE_START, len(in_play(unit)) + morale.lost_in_phase(unit))
    return False


ITEMS: tuple[Item, ...] = (
    score,
    fly_again,
    opponent_chooses_modes,
    renew_charges,
    rally,
    take_snapshot,
    begin_movement,
    let_reserves_in,
    count_arrivals,
)
