"""Special rules about a model by itself: Expert, Mage, Scout, Strider, Flyer, Immobile, Undead.

Bodyguards, who act for another model, have a module of their own.
"""

from __future__ import annotations

from campale.dice.needs import Part
from campale.referee.position import Model
from campale.referee.rule import rule


@rule("special/expert")
def expert(model: Model, field: str) -> Part:
    """Return +1 in the model's field of expertise."""
    return Part("special/expert", 1 if model.profile.expert == field else 0)


@rule("special/psionic-mage")
def is_psionic_or_mage(model: Model) -> bool:
    return bool(model.profile.has("psionic") or model.profile.has("mage"))


@rule("special/scout")
def scouts_ahead(model: Model) -> bool:
    """Return whether a Scout is in its side's first tactical phase; later arrivals from reserve lose the benefit."""
    now = model.position.now
    return bool(model.profile.has("scout") and now.get("round") == 1 and now.get("side") == model.side)


@rule("special/scout")
def moves_free(model: Model) -> bool:
    """Return whether a Move is free: a Scout's first in its first tactical phase."""
    return scouts_ahead(model) and model.marks("used-move") == 0


@rule("special/scout")
def spares_fatigue(model: Model, kind: str) -> bool:
    """Return whether a Scout's second Move of that turn leaves no fatigue marker; a third does."""
    return kind == "move" and scouts_ahead(model) and model.marks("used-move") == 2


@rule("special/strider")
def ignores_rough(model: Model) -> bool:
    return bool(model.profile.has("strider"))


@rule("special/flyer-move")
def flight(model: Model) -> int:
    """Return how far the model may fly in cm; 0 if it does not fly."""
    return int(model.profile.value("flyer"))


@rule("special/immobile")
def is_immobile(model: Model) -> bool:
    return bool(model.profile.has("immobile"))


@rule("special/undead-tests")
def passes_unrolled(model: Model) -> bool:
    """Return whether a model passes PSI tests without dice."""
    return bool(model.profile.has("undead"))


@rule("special/undead-armour")
def rerolls_armour(model: Model, is_magic: bool) -> bool:
    """Return whether the first success of an armour roll does not count: for undead against magic."""
    return is_magic and bool(model.profile.has("undead"))
