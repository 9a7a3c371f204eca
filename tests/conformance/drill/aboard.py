"""Chapters "carrier" and "leader": who is aboard of what, and who belongs to which unit."""

from __future__ import annotations

from random import Random
from typing import Any

from campale.referee.ask import ask, confirm
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.referee.spatial import Place
from campale.table.measure import on_table, overlaps, overlaps_outline
from campale.table.shapes import TOLERANCE
from tests.conformance.drill.profile import LEADER, aboard, distance

NEAR = 2.0


@rule("carrier/disembark")
async def may_disembark(carrier: Model) -> None:
    """Those aboard get out, all of them or none, where there is room."""
    riders = aboard(carrier)
    if not riders or room(carrier, riders) is None or not await confirm(carrier.side, "disembark", model=carrier.row):
        return
    question = Place(
        carrier.side,
        "disembark-where",
        refuses=lambda places: cannot_get_out(carrier, riders, places),
        samples=lambda rng: room(carrier, riders, rng),
        suggests=lambda: [room(carrier, riders)],
        shown={"within": NEAR, "of": carrier.row},
        about={"models": [m.row for m in riders]},
    )
    for model, (x, y, facing) in zip(riders, await ask(question), strict=True):
        model.move_to(x, y, facing=facing)


@rule("carrier/disembark")
def cannot_get_out(carrier: Model, riders: list[Model], places: Any) -> Fault | None:
    """Too far from the carrier, upon another, upon the tower, or off the table."""
    there = carrier.position.supposing({m.row: (p[0], p[1], 0.0, p[2]) for m, p in zip(riders, places, strict=True)})
    out = [there.model(m.row) for m in riders]
    for k, model in enumerate(out):
        far = distance(model, there.model(carrier.row))
        if far > NEAR + TOLERANCE:
            return Fault(where=model.at, measured=far, limit=NEAR)
        if lies_on_something(model, [*there.on_table(), *out[:k]]) or not on_table(model.solid, there.ground):
            return Fault(where=model.at, model=model.row)
    return None


def lies_on_something(model: Model, others: list[Model]) -> bool:
    towers = model.position.pieces_tagged("tower")
    return any(overlaps(model.solid, other.solid) for other in others) or any(
        overlaps_outline(model.solid, tower.outline) for tower in towers
    )


def room(carrier: Model, riders: list[Model], rng: Random | None = None) -> list[Plain] | None:
    """Places to get out, looked for on a grid of half an inch round the carrier, or None."""
    steps = [(0.5 * i, 0.5 * j) for i in range(-8, 9) for j in range(-8, 9)]
    if rng is not None:
        rng.shuffle(steps)
    places: list[Plain] = []
    for dx, dy in steps:
        more = [*places, [carrier.x + dx, carrier.y + dy, 0.0]]
        if cannot_get_out(carrier, riders[: len(more)], more) is None:
            places = more
        if len(places) == len(riders):
            return places
    return None


@rule("carrier/wreck")
def lose_those_aboard(carrier: Model) -> list[Model]:
    """Those who were."""
    lost = aboard(carrier)
    for rider in lost:
        carrier.position.remove(rider, "wreck", by=carrier.row)
    return lost


def leader_in(unit: Unit) -> Model | None:
    return next((m for m in unit.models if m.profile == LEADER), None)


def squad_of(position: Position, side: int) -> Unit:
    return next(unit for unit in position.units if unit.side == side and unit.name == "squad")


def alone_of(position: Position, side: int) -> Unit:
    return next(unit for unit in position.units if unit.side == side and unit.name == "leader")


@rule("leader/leave")
async def may_leave(unit: Unit) -> None:
    leader = leader_in(unit)
    if leader is None or unit.name != "squad" or not await confirm(unit.side, "leader-leaves", model=leader.row):
        return
    alone = alone_of(unit.position, unit.side)
    unit.position.join(leader, alone)
    alone.mark("has-acted", 1)


@rule("leader/join")
async def may_join(unit: Unit) -> None:
    leader = leader_in(unit)
    if leader is None or unit.name != "leader" or not is_near_its_squad(leader):
        return
    if await confirm(unit.side, "leader-joins", model=leader.row):
        unit.position.join(leader, squad_of(unit.position, unit.side))


@rule("leader/join")
def is_near_its_squad(leader: Model) -> bool:
    squad = squad_of(leader.position, leader.side).models
    return any(distance(leader, m) <= NEAR + TOLERANCE for m in squad)
