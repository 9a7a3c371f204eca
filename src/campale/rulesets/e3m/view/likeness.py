"""How models are drawn: by kind, and infantry by its weapons."""

from __future__ import annotations

from campale.mechanics.display import armed, shown_by
from campale.referee import looks
from campale.referee.looks import Likeness
from campale.rulesets.e3m.armies.profile import Profile
from campale.rulesets.e3m.command.units import ACTED, COMMANDER, IMMOBILISED, LEADS, UNIT_LEADER

BY_KIND = {
    "cavalry": looks.RIDER,
    "beasts": looks.BEAST,
    "great": looks.MONSTER,
    "light": looks.BIKE,
    "small": looks.TANK,
    "large": looks.TANK,
}
BY_GEAR = {"walker": looks.WALKER, "flying": looks.FLYER}


def likeness(profile: Profile) -> Likeness:
    leads = profile.role in ("commander", "leader")
    if profile.kind in ("small", "large"):
        return Likeness(BY_GEAR.get(profile.gear, BY_KIND[profile.kind]), leads)
    if profile.kind in BY_KIND:
        return Likeness(BY_KIND[profile.kind], leads)
    if profile.role == "commander":
        return Likeness(looks.HERO, leads)
    fires = [line.fire for weapon in profile.weapons for line in weapon.lines]
    return Likeness(armed(profile.is_heavy_weapon_model, any(fire != "pistol" for fire in fires)), leads)


STATES = {
    ACTED: looks.DONE,
    IMMOBILISED: looks.STUCK,
    COMMANDER: looks.COMMANDS,
    LEADS: looks.LEADS,
    UNIT_LEADER: looks.HEADS,
}

states = shown_by(STATES)
