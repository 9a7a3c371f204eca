"""What a model's card shows, and what can be measured."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.eyesight import is_near_enough
from campale.rulesets.wzr.armies.profile import Profile, Weapon
from campale.rulesets.wzr.armoury.weapons import guns_of
from campale.rulesets.wzr.armoury.weapons import range_of as range_of_gun
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.measuring import gap, in_front, strikes_rear
from campale.rulesets.wzr.basics.sight import has_line
from campale.rulesets.wzr.close_combat.engaged import reach
from campale.rulesets.wzr.squads.coherency import coherency_to


@rule("core/profile", "vehicles/profile-stats", "cards/squad-cards")
def card(model: Model) -> dict[str, Plain]:
    """The statline in the book's order, and the model's abilities and equipment."""
    p: Profile = model.profile
    stats = of_vehicle(p) if p.is_vehicle else of_trooper(p)
    return {
        **stats,
        "slot": p.slot,
        "points": p.points,
        "abilities": list(p.abilities),
        "weapons": [one.id for one in p.weapons],
        "blades": [one.id for one in p.blades],
        "powers": [one.id for one in p.powers],
    }


def of_trooper(p: Profile) -> dict[str, Plain]:
    armour = f"{p.a}({p.impenetrable})" if p.impenetrable else str(p.a)
    return {
        "base": p.base,
        **{name: getattr(p, name) for name in ("m", "cc", "rs", "st", "con", "wp", "ld", "w")},
        "a": armour,
        "against": [f"{kind} {more:+d}" for kind, more in p.against.items()],
    }


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
