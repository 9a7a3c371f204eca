"""The effects of weapon keywords in shooting: range, doubling of the rate, jams, ammunition, single use."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.ragnarok.armies.profile import Weapon, limited_range
from campale.rulesets.ragnarok.basics.measuring import third

PLAIN, SALVO, STEAM = "plain", "salvo", "steam"


def weapon_of(model: Model, index: int) -> Weapon:
    weapon: Weapon = model.profile.weapons[index]
    return weapon


# ---------------------------------------------------------------- restrictions on a weapon


@rule("weapon-rules/one-use")
def is_spent(model: Model, index: int) -> Fault | None:
    return Fault(model=model.row) if index in model.note("spent", ()) else None


@rule("weapon-rules/one-use")
def spend_single_use(model: Model, index: int) -> None:
    if weapon_of(model, index).has("one_use"):
        model.jot("spent", (*model.note("spent", ()), index))


@rule("opt-jam/when")
def is_jammed(model: Model, index: int) -> Fault | None:
    return Fault(model=model.row) if index in model.note("jammed", ()) else None


@rule("opt-ammo/spending")
def is_out_of_ammunition(model: Model, index: int) -> Fault | None:
    del index
    if not model.position.options.ammunition or model.position.holds(model.side, "ammunition") > 0:
        return None
    return Fault(model=model.row, measured=0, limit=1)


WEAPON_RESTRICTIONS = (is_spent, is_jammed, is_out_of_ammunition)


def weapon_refusal(model: Model, index: int) -> Refusal | None:
    """Return the first reason why a weapon cannot shoot now."""
    return first_refusal(WEAPON_RESTRICTIONS, model, index)


# ---------------------------------------------------------------- range and rate


@rule("fire/range", "abilities/supersteam")
def reach(model: Model, weapon: Weapon) -> float:
    """Return the current range of a model's ranged weapon, in cm."""
    longer = [effect.value for effect in model.position.effects_on(model, "abilities/supersteam")]
    return limited_range(weapon.range + max(longer, default=0))


@rule("weapon-rules/assault", "weapon-rules/magic-ranged", "weapon-rules/thrown")
def has_no_range_penalty(weapon: Weapon) -> bool:
    return weapon.has("assault") or weapon.has("magic") or weapon.kind == "thrown"


@rule("weapon-rules/salvo")
def may_salvo(model: Model, weapon: Weapon) -> bool:
    """Return whether a weapon may shoot a Salvo: its model has not moved in this turn.

    Turning is not moving; an Immobile model never moves.
    """
    return weapon.has("salvo") and not model.marks("moved")


@rule("weapon-rules/salvo")
def has_fired_salvo(model: Model) -> Fault | None:
    """Refuse to move a model for the rest of the turn after a Salvo."""
    return Fault(model=model.row) if model.marks("salvoed") else None


@rule("weapon-rules/steam")
def doublings(model: Model, weapon: Weapon) -> list[str]:
    """Return the ways to shoot the weapon now: plain, by Salvo, by Steam; never both in one shot."""
    ways = [PLAIN]
    ways += [SALVO] if may_salvo(model, weapon) else []
    ways += [STEAM] if weapon.has("steam") else []
    return ways


@rule("weapon-rules/salvo", "weapon-rules/steam")
def rate_used(weapon: Weapon, doubling: str) -> int:
    return weapon.rate if doubling == PLAIN else weapon.rate * 2


@rule("weapon-rules/steam", "abilities/supersteam")
def scalding_hits(model: Model, weapon: Weapon, doubling: str, ones: int) -> int:
    """Return the automatic hits on a shooter whose steam went wrong; Supersteam removes the danger."""
    if doubling != STEAM or ones == 0 or model.position.effects_on(model, "abilities/supersteam"):
        return 0
    return weapon.rate * 2


# ---------------------------------------------------------------- opt-jam/*, opt-ammo/*


@rule("opt-jam/exempt", "weapon-rules/magic-ranged")
def never_jams(weapon: Weapon) -> bool:
    return weapon.kind == "thrown" or weapon.has("magic")


@rule("opt-jam/when")
def jam(model: Model, index: int, doubling: str, ones: int) -> None:
    """Jam the weapon if natural ones are at least a third of the rate used, rounded up."""
    weapon = weapon_of(model, index)
    if not model.position.options.jams or never_jams(weapon):
        return
    if ones >= third(rate_used(weapon, doubling)):
        model.jot("jammed", (*model.note("jammed", ()), index))
        model.position.write("jam", model=model.row, weapon=weapon.id)


@rule("opt-ammo/spending")
def spend_ammunition(model: Model) -> None:
    if model.position.options.ammunition:
        model.position.gain(model.side, "ammunition", -1)


@rule("opt-ammo/pool")
def ammunition_of(models: list[Model], leader: Model | None) -> int:
    """Return the CAR of all models with a ranged or thrown weapon, plus the commander's bonus."""
    armed = (m for m in models if any(w.kind != "melee" for w in m.profile.weapons))
    bonus = leader.profile.command_bonus if leader is not None else 0
    return int(sum(m.profile.charisma for m in armed) + bonus)


@rule("weapon-rules/blast")
def blast_of(weapon: Weapon) -> dict[str, Plain]:
    """Return the radius of a weapon's Blast for a question; nothing if it has none."""
    return {"blast": weapon.value("blast")} if weapon.has("blast") else {}
