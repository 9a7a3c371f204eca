"""What a screen shows of events: attackers and targets, and the meaning of dice."""

from __future__ import annotations

from collections.abc import Mapping

from campale.referee.looks import BLOW, CHARGE, HITS, SAVED, SHOT, WOUNDS, Motion

MOTIONS: Mapping[str, Motion] = {
    "shoots": Motion(SHOT, by=("unit",), at=("targets",)),
    "fights": Motion(BLOW, by=("unit",), at=("targets",)),
    "charge-declared": Motion(CHARGE, by=("unit",), at=("targets",)),
    "roll.to-hit": Motion(counts=HITS),
    "roll.hit-again": Motion(counts=HITS),
    "roll.to-wound": Motion(counts=WOUNDS),
    "roll.wound-again": Motion(counts=WOUNDS),
    "roll.twin-linked": Motion(counts=WOUNDS),
    "roll.save": Motion(counts=SAVED),
}
