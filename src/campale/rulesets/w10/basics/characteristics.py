"""Characteristics of models and units after all changes (c/unit-*, modifiers/unit-characteristic)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import changes_of, characteristic
from campale.rulesets.w10.abilities.index import effects_on
from campale.rulesets.w10.basics.attached import bodyguard
from campale.rulesets.w10.basics.modifiers import Change, modified
from campale.rulesets.w10.basics.units import SHOCKED, members


@rule("command-phase/battle-shocked-effects", "modifiers/unit-characteristic")
def objective_control(model: Model) -> int:
    """OC; 0 for the models of a battle-shocked unit."""
    shocked = (Change("command-phase/battle-shocked-effects", "set", 0),) if model.unit.marks(SHOCKED) else ()
    return modified("oc", int(model.profile.oc), (*shocked, *changes_of(model.unit, "oc", model)))


@rule("c/unit-leadership", "l/best")
def leadership(unit: Unit, why: str = "") -> int:
    """The best Leadership in a unit; for a battle-shock test the worst, if an ability says so."""
    found = [leadership_of(m) for m in members(unit)]
    return worst(found) if why == "battle-shock" and uses_worst(unit) else min(found)


@rule("c/null-characteristics", "modifiers/unmodifiable")
def leadership_of(model: Model) -> int:
    """The Leadership of a model after all changes; without one its Toughness, which nothing changes."""
    if model.profile.ld is None:
        return int(model.profile.t)
    return characteristic(model.unit, "ld", int(model.profile.ld), model)


@rule("l/worst", "o/or-worse")
def worst(found: Sequence[int]) -> int:
    return max(found)


@rule("l/worst")
def uses_worst(unit: Unit) -> bool:
    return any(effect.leadership == "worst" for _, effect in effects_on(unit))


@rule("c/unit-toughness-mixed", "c/unit-toughness-attached")
def toughness(unit: Unit) -> int:
    """The highest Toughness in a unit; in an attached one that of the bodyguard, while any of it is left."""
    return max(characteristic(unit, "t", int(m.profile.t), m) for m in bodyguard(unit) or members(unit))
