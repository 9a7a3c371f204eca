"""How models are drawn: by their keywords, and infantry by what it fights with."""

from __future__ import annotations

from collections.abc import Mapping

from campale.mechanics.display import armed
from campale.referee.looks import (
    BEAST,
    BIKE,
    DONE,
    ENGAGED,
    FAST,
    FLYER,
    HERO,
    LIES,
    MONSTER,
    PSYKER,
    RIDER,
    SHAKEN,
    TANK,
    WALKER,
    Likeness,
)
from campale.referee.position import Position
from campale.rulesets.w10.armies.profile import Profile
from campale.rulesets.w10.basics import units

BY_KEYWORD = {"bike": BIKE, "mounted": RIDER, "monster": MONSTER, "beast": BEAST, "beasts": BEAST, "swarm": BEAST}


def likeness(profile: Profile) -> Likeness:
    leads = profile.has("character") or profile.is_champion
    if profile.has("vehicle"):
        is_aloft = profile.has("aircraft") or profile.has("fly")
        return Likeness(WALKER if profile.has("walker") else FLYER if is_aloft else TANK, leads)
    if profile.has("psyker"):
        return Likeness(PSYKER, leads)
    for keyword, kind in BY_KEYWORD.items():
        if profile.has(keyword):
            return Likeness(kind, leads)
    if profile.has("character"):
        return Likeness(HERO, leads)
    lines = [line for weapon in profile.ranged for line in weapon.lines]
    return Likeness(
        armed(any(line.has("heavy") for line in lines), any(not line.has("pistol") for line in lines)), leads
    )


STATES = {units.ADVANCED: FAST, units.SHOCKED: SHAKEN, units.GROUNDED: LIES, units.CHARGED: ENGAGED}
DONE_IN = {"movement": units.PICKED, "shooting": units.SHOT, "charge": units.DECLARED, "fight": units.FOUGHT}
"""By phase the mark of a unit that has had its turn."""


def states(position: Position) -> Mapping[str, str]:
    mark = DONE_IN.get(str(position.now.get("phase")))
    return STATES if mark is None else {**STATES, mark: DONE}
