"""Reach and engagement (close-combat/ccwr-*, close-combat/engaged-definition)."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.armies.profile import Blade
from campale.rulesets.wzr.basics.measuring import gap, same_level, within

BY_BASE: dict[str, float] = {"small": 0.0, "medium": 1.0, "large": 2.0}
HERO = 1.5


@rule("close-combat/ccwr-by-base")
def base_reach(model: Model) -> float:
    """The reach of a model without a melee weapon that states one."""
    profile = model.profile
    if profile.is_vehicle:
        return BY_BASE["large"]
    return HERO if profile.base == "medium" and profile.is_hero else BY_BASE[profile.base]


@rule("close-combat/ccwr-definition")
def reach_with(model: Model, blade: Blade | None) -> float:
    return base_reach(model) if blade is None or blade.ccwr is None else blade.ccwr


@rule("close-combat/ccwr-definition", "core/bases")
def reach(model: Model) -> float:
    """The CCWR of a model: the longest of its melee weapons."""
    blades: tuple[Blade, ...] = model.profile.blades
    return max((reach_with(model, one) for one in blades), default=base_reach(model))


@rule("close-combat/engaged-definition")
def reaches(model: Model, other: Model) -> bool:
    """Whether another stands inside a model's own CCWR."""
    return same_level(model, other) and within(gap(model, other), reach(model))


@rule("close-combat/engaged-definition")
def engaged(one: Model, other: Model) -> bool:
    """Engagement is mutual: inside the longer reach of the two."""
    return reaches(one, other) or reaches(other, one)


def engaged_with(model: Model) -> list[Model]:
    """The enemies with whom a model is engaged."""
    return [enemy for enemy in model.position.on_table(1 - model.side) if engaged(model, enemy)]


def is_engaged(model: Model) -> bool:
    return any(engaged(model, enemy) for enemy in model.position.on_table(1 - model.side))
