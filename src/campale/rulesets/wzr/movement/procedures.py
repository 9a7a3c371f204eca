"""The frames of movement, by name."""

from __future__ import annotations

from campale.mechanics.frames import Procedure
from campale.rulesets.wzr.movement import heights, leap, moves

PROCEDURES: dict[str, Procedure] = {
    "walk": moves.walk,
    leap.LEAP: leap.leap,
    heights.LANDING: heights.landing,
}
