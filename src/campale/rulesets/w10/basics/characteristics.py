"""Characteristics of models and units, after all that changes them (c/unit-*, modifiers/unit-characteristic)."""

from __future__ import annotations

from campale.referee.position import Model, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import changes_of, characteristic
from campale.rulesets.w10.basics.attached import bodyguard
from campale.rulesets.w10.basics.modifiers import Change, modified
from campale.rulesets.w10.basics.units import SHOCKED, members


@rule("command-phase/battle-shocked-effects", "modifiers/unit-characteristic")
def objective_control(model: Model) -> int:
    """OC; 0 for the models of a battle-shocked unit."""
    shocked = (Change("command-phase/battle-shocked-effects", "set", 0),) if model.unit.marks(SHOCKED) else ()
    return modified("oc", int(model.profile.oc), (*shocked, *changes_of(model.unit, "oc")))


@rule("c/unit-leadership", "l/best")
def leadership(unit: Unit) -> int:
    """The best Leadership in a unit."""
    return min(characteristic(unit, "ld", int(m.profile.ld)) for m in members(unit))


@rule("c/unit-toughness-mixed", "c/unit-toughness-attached")
def toughness(unit: Unit) -> int:
    """The highest Toughness in a unit; of an attached one that of its bodyguard, while any of it is left."""
    return characteristic(unit, "t", max(int(m.profile.t) for m in bodyguard(unit) or members(unit)))
