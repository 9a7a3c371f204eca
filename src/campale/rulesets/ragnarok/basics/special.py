"""Special rules that say something of a model by itself: Expert, Mage, Scout, Strider, Flyer, Immobile, Undead.

Bodyguards, who act for another, have a module of their own.
"""

from __future__ import annotations

from campale.dice.needs import Part
from campale.referee.position import Model
from campale.referee.rule import rule


@rule("special/expert")
def expert(model: Model, field: str) -> Part:
    """+1 in the model's field of expertise."""
    return Part("special/expert", 1 if model.profile.expert == field else 0)


@rule("special/psionic-mage")
def is_psionic_or_mage(model: Model) -> bool:
    return bool(model.profile.has("psionic") or model.profile.has("mage"))


@rule("special/scout")
def scouts_ahead(model: Model) -> bool:
    """In its side's first tactical phase; one that is in reserve until later loses the benefit."""
    now = model.position.now
    return bool(model.profile.has("scout") and now.get("round") == 1 and now.get("side") == model.side)


@rule("special/scout")
def moves_free(model: Model) -> bool:
    """The first Move of a Scout in its first tactical phase costs nothing."""
    return scouts_ahead(model) and model.marks("used-move") == 0


@rule("special/scout")
def spares_fatigue(model: Model, kind: str) -> bool:
    """The second Move of that turn leaves no fatigue marker; a third does."""
    return kind == "move" and scouts_ahead(model) and model.marks("used-move") == 2


@rule("special/strider")
def ignores_rough(model: Model) -> bool:
    return bool(model.profile.has("strider"))


@rule("special/flyer-move")
def flight(model: Model) -> int:
    """How far the model may fly; 0 for one that does not."""
    return int(model.profile.value("flyer"))


@rule("special/immobile")
def is_immobile(model: Model) -> bool:
    return bool(model.profile.has("immobile"))


@rule("special/undead-tests")
def passes_unrolled(model: Model) -> bool:
    """Tests based on PSI are passed without dice."""
    return bool(model.profile.has("undead"))


@rule("special/undead-armour")
def rerolls_armour(model: Model, is_magic: bool) -> bool:
    """Against magic the first success of an armour roll does not stand."""
    return is_magic and bool(model.profile.has("undead"))
