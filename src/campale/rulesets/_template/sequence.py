"""Chapter "turn": the sequence. The phase and whose turn it is stand in ``position.now``; a step finds the rest."""

from __future__ import annotations

from campale.mechanics.phases import Phase, run_phase
from campale.referee.ask import choose, roll
from campale.referee.position import Model, Position
from campale.referee.refusal import Plain
from campale.referee.rule import rule

from .fire import fire
from .move import move
from .orders import drop_orders, reveal_order, write_orders
from .reaction import return_fire
from .setup import deploy
from .victory import judge


def turn(position: Position) -> Plain:
    return position.now["turn"]


@rule("turn/sequence")
async def step(position: Position) -> bool:
    """One activation. Whether more is left."""
    return await run_phase(position, PHASES, begin)


def begin(position: Position, following: str | None) -> None:
    """The phase that follows; the orders begin a turn."""
    position.now["phase"] = following or "orders"
    if position.now["phase"] == "orders":
        position.now["turn"] += 1


async def deployment(position: Position) -> bool:
    """One side a run."""
    side = position.now["side"]
    await deploy(position)
    position.now["side"] = 1
    return bool(side == 0)


async def giving_orders(position: Position) -> bool:
    position.write("round", round=position.now["turn"])
    await write_orders(position)
    return False


@rule("turn/initiative")
async def roll_initiative(position: Position) -> bool:
    first = (await roll(0, "initiative")).total
    second = (await roll(1, "initiative")).total
    position.now["side"] = 0 if first > second else 1
    position.write("initiative", side=position.now["side"])
    return False


@rule("turn/alternation")
async def activate(position: Position) -> bool:
    """One model of the side whose turn it is moves and fires."""
    side = whose_turn(position)
    row = await choose(side, "activate", [m.row for m in ready(position, side)], of="model")
    model = position.model(row)
    reveal_order(position, side)
    await move(model)
    target = await fire(model)
    if target is not None:
        await return_fire(target, to=model)
    model.mark("acted", 1, quietly=True)
    position.now["side"] = 1 - side
    return bool(ready(position, 0) or ready(position, 1))


def ready(position: Position, side: int) -> list[Model]:
    return [m for m in position.on_table(side) if not m.marks("acted")]


def whose_turn(position: Position) -> int:
    side: int = position.now["side"]
    return side if ready(position, side) else 1 - side


async def end_turn(position: Position) -> bool:
    for model in position.models:
        model.mark("acted", 0, quietly=True)
        model.mark("answered", 0, quietly=True)
    drop_orders(position)
    judge(position)
    return False


PHASES: dict[str, Phase] = {
    "deployment": deployment,
    "orders": giving_orders,
    "initiative": roll_initiative,
    "activations": activate,
    "end": end_turn,
}
