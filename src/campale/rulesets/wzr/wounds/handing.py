"""Handing a Wound Effect over to another model (abilities/shielded, abilities/human-shield)."""

from __future__ import annotations

import msgspec

from campale.referee.ask import choose
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import has
from campale.rulesets.wzr.basics.measuring import gap, within
from campale.rulesets.wzr.squads.squads import is_routed
from campale.rulesets.wzr.wounds.hits import Hit

HUMAN_SHIELD = "human-shield"
NEAR = 2.0
KEEP = "keep"


@rule("abilities/shielded")
def is_shielded(model: Model) -> bool:
    """Whether the model is Shielded; every Warlord and Lord is."""
    return model.profile.is_lord or has(model, "shielded")


@rule("abilities/shielded")
def friends_for(model: Model) -> list[Model]:
    """Friends nearby to whom a Shielded model may hand a hit over; they have neither of the two abilities."""
    if not is_shielded(model):
        return []
    return [m for m in near(model) if not is_shielded(m) and not has(m, HUMAN_SHIELD)]


@rule("abilities/human-shield")
def mates_for(model: Model) -> list[Model]:
    """Squad-mates nearby, without Human Shield, to whom a model with Human Shield may hand a hit over."""
    if not has(model, HUMAN_SHIELD):
        return []
    return [m for m in near(model) if m.unit == model.unit and not has(m, HUMAN_SHIELD)]


@rule("abilities/shielded", "abilities/human-shield", "core/model-categories")
def near(model: Model) -> list[Model]:
    """Friends within 2 inches that have wounds, without the model itself."""
    friends = model.position.on_table(model.side)
    return [m for m in friends if m.row != model.row and not m.profile.is_vehicle and within(gap(model, m), NEAR)]


@rule("abilities/shielded", "abilities/human-shield", "morale/routed-effects")
def receivers(model: Model, hit: Hit) -> list[int]:
    """The rows of models that may take over a hit: only from ranged attacks, and only once."""
    if not hit.ranged or hit.moved_on or model.profile.is_vehicle or is_routed(model.unit):
        return []
    return sorted({m.row for m in (*friends_for(model), *mates_for(model))})


@rule("armour/resolve-order", "abilities/shielded", "abilities/human-shield")
async def handed_over(model: Model, hit: Hit) -> Hit:
    """The hit on the model that the owner chooses, before any Armour test."""
    rows = receivers(model, hit)
    if not rows:
        return hit
    taker = await choose(model.side, "hand-over", [KEEP, *rows], of="model", model=model.row, by=hit.by)
    if taker == KEEP:
        return hit
    model.position.write("handed-over", model=model.row, instead=int(taker))
    return msgspec.structs.replace(hit, target=int(taker), moved_on=True)
