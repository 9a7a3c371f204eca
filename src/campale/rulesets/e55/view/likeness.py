"""How models are drawn: by their type, and infantry by what it fights with."""

from __future__ import annotations

from collections.abc import Mapping

from campale.mechanics.display import armed
from campale.referee.looks import (
    ALOFT,
    BEAST,
    BIKE,
    BROKEN,
    DONE,
    ENGAGED,
    FAST,
    FLYER,
    HERO,
    LIES,
    MONSTER,
    PSYKER,
    SHAKEN,
    STUCK,
    TANK,
    WALKER,
    Likeness,
)
from campale.referee.position import Position
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.definitions import units

BY_TYPE = {"beast": BEAST, "monster": MONSTER, "bike": BIKE}


def likeness(profile: Profile) -> Likeness:
    leads = bool(profile.printed("independent-character"))
    if profile.type == "vehicle":
        is_aloft = profile.is_a("aircraft") or profile.is_a("flyer")
        return Likeness(WALKER if profile.is_a("walker") else FLYER if is_aloft else TANK, leads)
    if profile.psyker:
        return Likeness(PSYKER, leads)
    if profile.type in BY_TYPE:
        return Likeness(BY_TYPE[profile.type], leads)
    if leads:
        return Likeness(HERO, leads)
    lines = [line for weapon in profile.weapons for line in weapon.lines if line.reach != "melee"]
    is_heavy = any(line.has("heavy") for line in lines)
    return Likeness(armed(is_heavy, any(not line.has("pistol") for line in lines)), leads)


STATES = {
    units.BROKEN: BROKEN,
    units.GROUND: LIES,
    units.COMBAT: ENGAGED,
    units.AFRAID: SHAKEN,
    units.IMMOBILISED: STUCK,
    units.RAN: FAST,
    units.ALOFT: ALOFT,
}
DONE_IN = {"movement": units.DONE, "shooting": units.SHOT}
"""By phase the mark of a unit that has had its turn."""


def states(position: Position) -> Mapping[str, str]:
    mark = DONE_IN.get(str(position.now.get("phase")))
    return STATES if mark is None else {**STATES, mark: DONE}
