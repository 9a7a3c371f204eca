"""What the table shows of events: who shoots at whom, and which dice count."""

from __future__ import annotations

from collections.abc import Mapping

from campale.referee.looks import BLOW, CHARGE, HITS, SAVED, SHOT, WOUNDS, Motion

MOTIONS: Mapping[str, Motion] = {
    "fires": Motion(SHOT, by=("unit",), at=("units", "vehicle")),
    "assault-declared": Motion(CHARGE, by=("unit",), at=("targets",)),
    "overrun": Motion(CHARGE, by=("vehicle",), at=("units",)),
    "roll.sniper": Motion(SHOT, by=("model",), at=("target",), counts=HITS),
    "roll.to-hit": Motion(counts=HITS),
    "roll.to-wound": Motion(counts=WOUNDS),
    "roll.save": Motion(counts=SAVED),
    "roll.melee-hit": Motion(BLOW, by=("unit", "model"), at=("target", "foe"), counts=HITS),
    "roll.melee-wound": Motion(counts=WOUNDS),
    "roll.melee-save": Motion(counts=SAVED),
}
