"""Arms and strength in melee (close-combat/attack-strength, armoury/pistols-*, armoury/heavy)."""

from __future__ import annotations

from typing import Literal

import msgspec

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, changed
from campale.rulesets.wzr.armies.profile import Blade, Damage, Profile, Weapon
from campale.rulesets.wzr.close_combat.engaged import base_reach, lengthened, printed_reach

Kind = Literal["blade", "pistol", "grenade"]
BARE = "bare"
STEADY = 10
"""The St of a vehicle without a melee weapon."""


class Arm(msgspec.Struct, frozen=True, kw_only=True):
    """One way to fight. ``reach``: its CCWR. ``st``: the whole St if ``full``, else added to the bearer's.

    ``is_fixed``: nothing raises its RoA. ``charges``: a charge (and what is added to its bonus) raises its St.
    """

    id: str
    kind: Kind
    reach: float
    st: int = 0
    full: bool = False
    roa: int = 1
    avv: int = 0
    type: Damage = "piercing"
    is_fixed: bool = False
    charges: bool = True


@rule(
    "core/melee-weapon-profile",
    "armoury/pistols-melee",
    "armoury/grenade-antivehicle-melee",
    "armoury/automatic",
    "armoury/special",
)
def arms(model: Model) -> list[Arm]:
    """What a model may fight with: melee weapons or bare hands, pistols, and grenades against vehicles."""
    profile: Profile = model.profile
    weapons = [one for one in profile.weapons if one.kind == "pistol" or one.has("anti-vehicle")]
    found = [*(of_blade(profile, one) for one in profile.blades), *(of_weapon(profile, one) for one in weapons)]
    return found if profile.blades else [bare_hands(profile), *found]


def arm_of(model: Model, id: str) -> Arm:
    return next(one for one in arms(model) if one.id == id)


@rule("core/melee-weapon-profile", "armoury/heavy", "vehicles/combat")
def bare_hands(profile: Profile) -> Arm:
    """Bare hands: St +0, RoA 1, AVV 0, Piercing. A vehicle has St 10."""
    full, st = (True, STEADY) if profile.is_vehicle else (False, 0)
    heavy = profile.bears_heavy
    return Arm(id=BARE, kind="blade", reach=base_reach(profile), st=st, full=full, is_fixed=heavy, charges=not heavy)


@rule("core/melee-weapon-profile", "armoury/heavy", "vehicles/combat")
def of_blade(profile: Profile, blade: Blade) -> Arm:
    """A melee weapon. A heavy weapon's bearer has RoA 1 with any of them. A vehicle uses the weapon's own St."""
    heavy = profile.bears_heavy
    return Arm(
        id=blade.id,
        kind="blade",
        reach=printed_reach(profile, blade),
        st=blade.st,
        full=blade.full or profile.is_vehicle,
        roa=1 if heavy else blade.roa,
        avv=blade.avv,
        type=blade.type,
        is_fixed=heavy,
        charges=not heavy,
    )


def of_weapon(profile: Profile, weapon: Weapon) -> Arm:
    return of_pistol(profile, weapon) if weapon.kind == "pistol" else of_grenade(weapon)


@rule(
    "armoury/pistols-melee",
    "armoury/pistols-range",
    "armoury/pistols-double-profile",
    "armoury/pistols-special-rules",
    "armoury/pistols-no-charge-bonus",
    "armoury/heavy",
)
def of_pistol(profile: Profile, pistol: Weapon) -> Arm:
    """A pistol in melee: its own St, its RoF as RoA, the best of its profiles, no special rules, the base's reach."""
    heavy = profile.bears_heavy
    return Arm(
        id=pistol.id,
        kind="pistol",
        reach=base_reach(profile),
        st=max(one.st or 0 for one in pistol.fires),
        full=True,
        roa=1 if heavy else max(one.rof for one in pistol.fires),
        avv=max(one.avv for one in pistol.fires),
        type=pistol.fires[0].type,
        is_fixed=heavy,
        charges=False,
    )


@rule("armoury/grenade-antivehicle-melee", "armoury/grenade-b2b")
def of_grenade(grenade: Weapon) -> Arm:
    """A grenade in melee: in contact, RoA 1, no bonus for charging."""
    fire = grenade.fires[0]
    return Arm(
        id=grenade.id,
        kind="grenade",
        reach=0.0,
        st=fire.st or 0,
        full=True,
        avv=fire.avv,
        type=fire.type,
        is_fixed=True,
        charges=False,
    )


@rule("close-combat/ccwr-increase", "armoury/grenade-antivehicle-melee")
def reach_with(model: Model, arm: Arm) -> float:
    """The CCWR with this way to fight. A contact grenade needs contact."""
    return arm.reach if arm.kind == "grenade" else lengthened(model, arm.reach)


@rule("close-combat/attack-strength")
def own_strength(model: Model) -> int:
    """The model's St, with its lasting modifiers."""
    return int(changed("st", model.profile.st, About(model)))


@rule("close-combat/attack-strength", "vehicles/combat")
def strength_with(model: Model, arm: Arm) -> int:
    """The St of a hit before charges: the model's own with the weapon's modifier, or the weapon's alone."""
    return modified(model, arm) if arm.full else own_strength(model) + modified(model, arm)


@rule("close-combat/attack-strength", "starter-cards/monofilament-blade")
def modified(model: Model, arm: Arm) -> int:
    """A melee weapon's modifier (or whole St) with what cards and effects add; for other arms the printed St."""
    return int(changed("strength", arm.st, About(model))) if arm.kind == "blade" else arm.st
