"""How models are drawn: vehicles by their kind, men by what they are and what they fight with."""

from __future__ import annotations

from collections.abc import Mapping

from campale.mechanics.display import armed
from campale.referee.looks import (
    BIKE,
    BROKEN,
    DONE,
    ENGAGED,
    FLYER,
    HERO,
    LIES,
    MONSTER,
    PSYKER,
    STUCK,
    TANK,
    WALKER,
    WATCHES,
    Likeness,
)
from campale.referee.position import Position
from campale.rulesets.wzr.armies.profile import Profile
from campale.rulesets.wzr.basics import marks

BY_VEHICLE = {"walker": WALKER, "biped": WALKER, "tank": TANK, "air-tank": FLYER, "bike": BIKE, "jetbike": BIKE}


def likeness(profile: Profile) -> Likeness:
    is_lord = profile.slot in ("warlord", "lord")
    leads = is_lord or profile.is_commander
    if profile.vehicle is not None:
        return Likeness(BY_VEHICLE[profile.vehicle.kind], leads)
    if profile.powers:
        return Likeness(PSYKER, leads)
    if is_lord:
        return Likeness(HERO, leads)
    if profile.base == "large":
        return Likeness(MONSTER, leads)
    kinds = {weapon.kind for weapon in profile.weapons} - {"pistol", "grenade"}
    return Likeness(armed("heavy" in kinds, bool(kinds)), leads)


STATES = {
    marks.ACTIVATED: DONE,
    marks.ROUTED: BROKEN,
    marks.PINNED: LIES,
    marks.SENTRY: WATCHES,
    marks.HELD: ENGAGED,
    marks.STUN: STUCK,
}


def states(position: Position) -> Mapping[str, str]:
    return STATES
