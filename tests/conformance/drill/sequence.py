"""Chapter "turn": the stages, and which unit acts."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from campale.mechanics.frames import push, run_top
from campale.referee.ask import draw
from campale.referee.position import Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from tests.conformance.drill.aboard import may_disembark, may_join, may_leave
from tests.conformance.drill.fire import TURN_END, declare_fire, resolve_next_target, take_the_fallen_away
from tests.conformance.drill.hand import may_play, shuffle, take_card
from tests.conformance.drill.march import PROCEDURES
from tests.conformance.drill.melee import fight
from tests.conformance.drill.orders import MARCH, order_of, reveal_orders, write_orders
from tests.conformance.drill.profile import units_of
from tests.conformance.drill.victory import result


def turn(position: Position) -> Plain:
    return position.now["turn"]


@rule("turn/sequence")
async def step(position: Position) -> bool:
    if await run_top(position, PROCEDURES):
        return position.result is None
    stage, following = STAGES[position.now["stage"]]
    if not await stage(position):
        position.now["stage"] = following
    return position.result is None


async def shuffle_decks(position: Position) -> bool:
    for side in (0, 1):
        await shuffle(position, side)
    return False


async def take_cards(position: Position) -> bool:
    for side in (0, 1):
        take_card(position, side)
    return False


async def give_orders(position: Position) -> bool:
    await write_orders(position)
    return False


async def play_cards(position: Position) -> bool:
    """One side a run; both were asked when the orders are turned up."""
    side: int = position.now["side"]
    await may_play(position, side)
    position.now["side"] = 1 - side
    if side == 1:
        reveal_orders(position)
    return side == 0


@rule("turn/chits")
async def next_unit(position: Position) -> bool:
    waiting = [unit.row for side in (0, 1) for unit in units_of(position, side) if not unit.marks("has-acted")]
    if not waiting:
        return False
    drawn = await draw(None, "chit", waiting)
    await act(Unit(position, drawn[0]))
    return True


@rule("turn/chits")
async def act(unit: Unit) -> None:
    unit.mark("has-acted", 1)
    await may_leave(unit)
    await may_join(unit)
    for model in unit.models:
        if model.profile.is_hull:
            await may_disembark(model)
    if order_of(unit) == MARCH:
        push(unit.position, *(("march", model.row) for model in unit.models))


async def declare(position: Position) -> bool:
    await declare_fire(position)
    return False


async def resolve(position: Position) -> bool:
    if await resolve_next_target(position):
        return True
    take_the_fallen_away(position)
    return False


async def fight_melee(position: Position) -> bool:
    await fight(position)
    take_the_fallen_away(position)
    return False


@rule("turn/effects-end")
async def end_turn(position: Position) -> bool:
    position.end_effects(TURN_END)
    for unit in position.units:
        unit.mark("has-acted", 0)
        unit.mark("has-watched", 0)
    for side in (0, 1):
        position.declare(f"orders-{side}", None)
    ended = result(position)
    if ended is not None:
        position.finish(ended)
    position.now["turn"] += 1
    return False


STAGES: dict[str, tuple[Callable[[Position], Coroutine[Any, Any, bool]], str]] = {
    "shuffle": (shuffle_decks, "cards"),
    "cards": (take_cards, "orders"),
    "orders": (give_orders, "window"),
    "window": (play_cards, "units"),
    "units": (next_unit, "declare"),
    "declare": (declare, "resolve"),
    "resolve": (resolve, "melee"),
    "melee": (fight_melee, "end"),
    "end": (end_turn, "cards"),
}
