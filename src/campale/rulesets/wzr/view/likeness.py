"""How models are drawn: vehicles by kind, others by what they are and how they are armed."""

from __future__ import annotations

from campale.mechanics.display import armed, shown_by
from campale.referee import looks
from campale.referee.looks import Likeness
from campale.rulesets.wzr.armies.profile import Profile
from campale.rulesets.wzr.basics import marks

BY_VEHICLE = {
    "walker": looks.WALKER,
    "biped": looks.WALKER,
    "tank": looks.TANK,
    "air-tank": looks.FLYER,
    "bike": looks.BIKE,
    "jetbike": looks.BIKE,
}


def likeness(profile: Profile) -> Likeness:
    leads = profile.is_lord or profile.is_commander
    if profile.vehicle is not None:
        return Likeness(BY_VEHICLE[profile.vehicle.kind], leads)
    if profile.powers:
        return Likeness(looks.PSYKER, leads)
    if profile.is_hero:
        return Likeness(looks.HERO, leads)
    if profile.base == "large":
        return Likeness(looks.MONSTER, leads)
    kinds = {weapon.kind for weapon in profile.weapons} - {"pistol", "grenade"}
    return Likeness(armed("heavy" in kinds, bool(kinds)), leads)


STATES = {
    marks.ACTIVATED: looks.DONE,
    marks.ROUTED: looks.BROKEN,
    marks.PINNED: looks.LIES,
    marks.SENTRY: looks.WATCHES,
    marks.HELD: looks.ENGAGED,
    marks.STUN: looks.STUCK,
}

states = shown_by(STATES)
