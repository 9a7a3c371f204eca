"""Bodyguards: the model that each protects, and the one hit a turn that it may take in that model's place."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.ask import choose
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.ragnarok.basics.measuring import distance, within
from campale.rulesets.ragnarok.basics.physical import is_able


@rule("special/bodyguard")
async def choose_wards(position: Position, side: int) -> None:
    """After deployment, give every bodyguard a friend to protect for the whole game."""
    force = [m for m in position.models if m.side == side]
    for guard in (m for m in force if m.profile.has("bodyguard")):
        others = [m.row for m in force if m is not guard]
        if others:
            guard.jot("ward", await choose(side, "ward", others, of="model", guard=guard.row))
            position.write("ward", guard=guard.row, ward=guard.note("ward"))


@rule("special/bodyguard")
def guards(model: Model) -> list[Model]:
    """Return the bodyguards that may take a hit for the model now."""
    friends = (m for m in model.position.models if m.side == model.side and m.note("ward") == model.row)
    return [g for g in friends if may_guard(g, model)]


@rule("special/bodyguard", "turn/time-units")
def may_guard(guard: Model, ward: Model) -> bool:
    near = is_able(guard) and within(distance(guard, ward), guard.profile.senses * 10)
    return near and not guard.marks("guarded")


@rule("special/bodyguard")
async def redirected(model: Model) -> Model:
    """Return the model that takes a hit on another; a bodyguard sent takes no other hit this turn."""
    taker = await taker_of(model)
    if taker is not model:
        spend_guards(model.position, (taker.row,))
    return taker


@rule("special/bodyguard", "turn/time-units")
def spend_guards(position: Position, rows: Sequence[int]) -> None:
    for row in rows:
        position.model(row).mark("guarded", 1, quietly=True)


@rule("special/bodyguard")
async def taker_of(model: Model, used: Sequence[int] = ()) -> Model:
    """Return the model itself, or a bodyguard that its owner sends; ``used`` have taken a hit of the same attack."""
    rows = [guard.row for guard in guards(model) if guard.row not in used]
    if not rows:
        return model
    chosen = await choose(model.side, "bodyguard", ["no", *rows], of="model", ward=model.row)
    if chosen == "no":
        return model
    guard = model.position.model(chosen)
    model.position.write("guarded", guard=guard.row, ward=model.row)
    return guard
