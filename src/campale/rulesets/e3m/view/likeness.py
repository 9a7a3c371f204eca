"""How models are drawn: by their kind, and infantry by what it fights with."""

from __future__ import annotations

from collections.abc import Mapping

from campale.mechanics.display import armed
from campale.referee.looks import BEAST, BIKE, DONE, FLYER, HERO, MONSTER, RIDER, STUCK, TANK, WALKER, Likeness
from campale.referee.position import Position
from campale.rulesets.e3m.armies.profile import Profile
from campale.rulesets.e3m.command.units import ACTED, IMMOBILISED

BY_KIND = {"cavalry": RIDER, "beasts": BEAST, "great": MONSTER, "light": BIKE, "small": TANK, "large": TANK}
BY_GEAR = {"walker": WALKER, "flying": FLYER}


def likeness(profile: Profile) -> Likeness:
    leads = profile.role in ("commander", "leader")
    if profile.kind in ("small", "large"):
        return Likeness(BY_GEAR.get(profile.gear, BY_KIND[profile.kind]), leads)
    if profile.kind in BY_KIND:
        return Likeness(BY_KIND[profile.kind], leads)
    if profile.role == "commander":
        return Likeness(HERO, leads)
    fires = [line.fire for weapon in profile.weapons for line in weapon.lines]
    return Likeness(armed(profile.is_heavy_weapon_model, any(fire != "pistol" for fire in fires)), leads)


STATES = {ACTED: DONE, IMMOBILISED: STUCK}


def states(position: Position) -> Mapping[str, str]:
    return STATES
