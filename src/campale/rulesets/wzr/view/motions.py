"""What the table shows of events: who shoots at whom, and which dice count."""

from __future__ import annotations

from collections.abc import Mapping

from campale.referee.looks import BLOW, HITS, POWER, SAVED, SHOT, Motion

MOTIONS: Mapping[str, Motion] = {
    "fire": Motion(SHOT, by=("model",), at=("target",)),
    "attack": Motion(BLOW, by=("model",), at=("targets",)),
    "free-strike": Motion(BLOW, by=("model",), at=("target",)),
    "cast": Motion(POWER, by=("model",), at=("target",)),
    "roll.to-hit": Motion(counts=HITS),
    "roll.armour": Motion(counts=SAVED),
}
