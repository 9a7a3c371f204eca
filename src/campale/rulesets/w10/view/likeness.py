"""How models are drawn: by keyword, and infantry by its weapons."""

from __future__ import annotations

from campale.mechanics.display import armed, shown_by
from campale.referee import looks
from campale.referee.looks import Likeness
from campale.rulesets.w10.armies.profile import Profile
from campale.rulesets.w10.basics import units

BY_KEYWORD = {
    "bike": looks.BIKE,
    "mounted": looks.RIDER,
    "monster": looks.MONSTER,
    "beast": looks.BEAST,
    "beasts": looks.BEAST,
    "swarm": looks.BEAST,
}


def likeness(profile: Profile) -> Likeness:
    leads = profile.has("character") or profile.is_champion
    if profile.has("vehicle"):
        is_aloft = profile.has("aircraft") or profile.has("fly")
        return Likeness(looks.WALKER if profile.has("walker") else looks.FLYER if is_aloft else looks.TANK, leads)
    if profile.has("psyker"):
        return Likeness(looks.PSYKER, leads)
    for keyword, kind in BY_KEYWORD.items():
        if profile.has(keyword):
            return Likeness(kind, leads)
    if profile.has("character"):
        return Likeness(looks.HERO, leads)
    lines = [line for weapon in profile.ranged for line in weapon.lines]
    return Likeness(
        armed(any(line.has("heavy") for line in lines), any(not line.has("pistol") for line in lines)), leads
    )


STATES = {
    units.ADVANCED: looks.FAST,
    units.SHOCKED: looks.SHAKEN,
    units.GROUNDED: looks.LIES,
    units.CHARGED: looks.ENGAGED,
}
DONE_IN = {"movement": units.PICKED, "shooting": units.SHOT, "charge": units.DECLARED, "fight": units.FOUGHT}
"""For each phase, the mark of a unit that has acted in it."""

states = shown_by(STATES, DONE_IN)
