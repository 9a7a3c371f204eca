"""How models are drawn: by their type, and soldiers by their weapons."""

from __future__ import annotations

from campale.mechanics.display import armed, shown_by
from campale.referee import looks
from campale.referee.looks import Likeness
from campale.rulesets.ragnarok.armies.profile import Profile

BY_TYPE = {"officer": looks.HERO, "machine": looks.WALKER, "beast": looks.BEAST}


def likeness(profile: Profile) -> Likeness:
    leads = profile.is_hq
    if profile.has("psionic") or profile.has("mage"):
        return Likeness(looks.PSYKER, leads)
    if profile.has("flyer"):
        return Likeness(looks.FLYER, leads)
    if profile.type in BY_TYPE:
        return Likeness(BY_TYPE[profile.type], leads)
    has_rifle = any(not one.pistol for one in profile.ranged_weapons)
    return Likeness(armed(has_rifle and profile.type == "heavy_infantry", has_rifle), leads)


STATES = {
    "prone": looks.LIES,
    "hidden": looks.HIDDEN,
    "alert": looks.WATCHES,
    "suppressed": looks.SHAKEN,
    "acted": looks.DONE,
}

states = shown_by(STATES)
