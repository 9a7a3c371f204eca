"""How models are drawn: by their type, and soldiers by what they fight with."""

from __future__ import annotations

from collections.abc import Mapping

from campale.mechanics.display import armed
from campale.referee.looks import BEAST, DONE, FLYER, HERO, HIDDEN, LIES, PSYKER, SHAKEN, WALKER, WATCHES, Likeness
from campale.referee.position import Position
from campale.rulesets.ragnarok.armies.profile import Profile

BY_TYPE = {"officer": HERO, "machine": WALKER, "beast": BEAST}


def likeness(profile: Profile) -> Likeness:
    leads = profile.is_hq
    if profile.has("psionic") or profile.has("mage"):
        return Likeness(PSYKER, leads)
    if profile.has("flyer"):
        return Likeness(FLYER, leads)
    if profile.type in BY_TYPE:
        return Likeness(BY_TYPE[profile.type], leads)
    has_rifle = any(not one.pistol for one in profile.ranged_weapons)
    return Likeness(armed(has_rifle and profile.type == "heavy_infantry", has_rifle), leads)


STATES = {"prone": LIES, "hidden": HIDDEN, "alert": WATCHES, "suppressed": SHAKEN, "acted": DONE}


def states(position: Position) -> Mapping[str, str]:
    return STATES
