"""What a model's card shows, and what can be measured."""

from __future__ import annotations

from campale.dice.needs import Part
from campale.referee.looks import Changed
from campale.referee.position import Model
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.conditions import About
from campale.rulesets.wzr.abilities.eyesight import is_near_enough
from campale.rulesets.wzr.abilities.index import parts
from campale.rulesets.wzr.abilities.vocabulary import Value
from campale.rulesets.wzr.armies.profile import Profile, Weapon
from campale.rulesets.wzr.armoury.weapons import guns_of
from campale.rulesets.wzr.armoury.weapons import range_of as range_of_gun
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import needed
from campale.rulesets.wzr.basics.measuring import gap, in_front, strikes_rear
from campale.rulesets.wzr.basics.sight import has_line
from campale.rulesets.wzr.close_combat.engaged import reach
from campale.rulesets.wzr.close_combat.strength import own_strength
from campale.rulesets.wzr.squads.coherency import coherency_to
from campale.rulesets.wzr.squads.leadership import ld_of, substitutes_malus
from campale.rulesets.wzr.wounds.armour import impenetrable

MODIFIED: tuple[Value, ...] = ("cc", "rs", "st", "con", "wp", "ld")
OF_ARMOUR: tuple[Value, ...] = ("a", "impenetrable")
"""The characteristics that may change, in the order of the profile, and those that the card shows as A."""


@rule("core/profile", "vehicles/profile-stats", "cards/squad-cards")
def card(model: Model) -> dict[str, Plain]:
    """The statline in the book's order, as it is now, and the model's abilities and equipment."""
    p: Profile = model.profile
    stats = of_vehicle(p) if p.is_vehicle else of_trooper(model)
    return {
        **stats,
        "slot": p.slot,
        "points": p.points,
        "abilities": list(p.abilities),
        "weapons": [one.id for one in p.weapons],
        "blades": [one.id for one in p.blades],
        "powers": [one.id for one in p.powers],
    }


def of_trooper(model: Model) -> dict[str, Plain]:
    p: Profile = model.profile
    armour, fixed = present(model, "a"), impenetrable(model)
    return {
        "base": p.base,
        "m": p.m,
        **{name: present(model, name) for name in MODIFIED},
        "w": p.w,
        "a": f"{armour}({fixed})" if fixed else str(armour),
        "against": [f"{kind} {more:+d}" for kind, more in p.against.items()],
    }


def present(model: Model, name: Value) -> int:
    """A characteristic as it is now, before what depends on an opponent, a weapon or an act."""
    if name == "st":
        return own_strength(model)
    base = ld_of(model) if name == "ld" else getattr(model.profile, name)
    return needed(base, lasting(model, name)).number


def lasting(model: Model, name: Value) -> tuple[Part, ...]:
    """What changes a characteristic whatever it is needed for: abilities, cards, the command of a squad."""
    own = parts(name, About(model))
    malus = (substitutes_malus(model),) if name == "ld" else ()
    return tuple(part for part in (*own, *malus) if part.value)


@rule("core/profile", "squads/substitute")
def changes(model: Model) -> dict[str, Changed]:
    """The characteristics that differ from those of the profile, and the rules that changed them."""
    p: Profile = model.profile
    if p.is_vehicle:
        return {}
    printed: dict[str, Plain] = {str(name): getattr(p, name) for name in MODIFIED}
    printed["a"] = f"{p.a}({p.impenetrable})" if p.impenetrable else str(p.a)
    now = of_trooper(model)
    return {name: Changed(was, rules_of(model, name)) for name, was in printed.items() if now[name] != was}


def rules_of(model: Model, name: str) -> tuple[str, ...]:
    """The rules that changed a characteristic, each once."""
    values = [one for one in (*MODIFIED, *OF_ARMOUR) if one == name or (name == "a" and one in OF_ARMOUR)]
    found = [part.rule for value in values for part in lasting(model, value)]
    is_lent = name == "ld" and ld_of(model) != model.profile.ld
    return tuple(dict.fromkeys([*(("abilities/specialist-attached",) if is_lent else ()), *found]))


@rule("vehicles/profile-stats")
def of_vehicle(p: Profile) -> dict[str, Plain]:
    assert p.vehicle is not None
    return {
        "kind": p.vehicle.kind,
        "m": p.m,
        "cc": p.cc or "-",
        "rs": p.rs,
        "wp": p.wp,
        "ld": p.ld,
        "pa": p.vehicle.pa,
    }


@rule("core/measuring", "core/front-rear", "core/line-of-sight")
def measured(one: Model, other: Model) -> dict[str, Plain]:
    """Everything that may be measured between two models, which is allowed at any time."""
    found: dict[str, Plain] = {
        "distance": round(gap(one, other), 4),
        "sees": is_near_enough(one, other) and has_line(one, other),
        "in_front": in_front(one, other),
        "reach": reach(one),
    }
    if strikes_rear(one, other):
        found["arc"] = "rear"
    if one.marks(marks.COMMANDER) or one.marks(marks.SUBSTITUTE):
        found["coherency"] = coherency_to(one, other)
    ranges = {weapon.id: range_of(one, weapon) for weapon in one.profile.weapons}
    return found | {id: far for id, far in ranges.items() if far}


@rule("core/weapon-profile", "armoury/grenade-range")
def range_of(model: Model, weapon: Weapon) -> float:
    """The weapon's longest range in inches; 0 if it reaches by template alone or in base contact."""
    guns = (gun for gun in guns_of(model) if gun.weapon is weapon and not gun.fire.is_wedge)
    return max(map(range_of_gun, guns), default=0.0)
