"""How models are drawn: by their type, and infantry by their weapons."""

from __future__ import annotations

from campale.mechanics.display import armed, shown_by
from campale.referee import looks
from campale.referee.looks import Likeness
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.definitions import units

BY_TYPE = {"beast": looks.BEAST, "monster": looks.MONSTER, "bike": looks.BIKE}


def likeness(profile: Profile) -> Likeness:
    leads = bool(profile.printed("independent-character"))
    if profile.type == "vehicle":
        is_aloft = profile.is_a("aircraft") or profile.is_a("flyer")
        return Likeness(looks.WALKER if profile.is_a("walker") else looks.FLYER if is_aloft else looks.TANK, leads)
    if profile.psyker:
        return Likeness(looks.PSYKER, leads)
    if profile.type in BY_TYPE:
        return Likeness(BY_TYPE[profile.type], leads)
    if leads:
        return Likeness(looks.HERO, leads)
    lines = [line for weapon in profile.weapons for line in weapon.lines if line.reach != "melee"]
    is_heavy = any(line.has("heavy") for line in lines)
    return Likeness(armed(is_heavy, any(not line.has("pistol") for line in lines)), leads)


STATES = {
    units.BROKEN: looks.BROKEN,
    units.GROUND: looks.LIES,
    units.COMBAT: looks.ENGAGED,
    units.AFRAID: looks.SHAKEN,
    units.IMMOBILISED: looks.STUCK,
    units.RAN: looks.FAST,
    units.ALOFT: looks.ALOFT,
}
DONE_IN = {"movement": units.DONE, "shooting": units.SHOT}
"""The mark, by phase, of a unit that has had its turn."""

states = shown_by(STATES, DONE_IN)
