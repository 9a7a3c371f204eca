"""How events are shown on the table: who shoots at whom, and what dice count."""

from __future__ import annotations

from collections.abc import Mapping

from campale.referee.looks import CHARGE, HITS, POWER, SAVED, SHOT, WOUNDS, Motion

MOTIONS: Mapping[str, Motion] = {
    "roll.to-hit": Motion(SHOT, by=("unit",), at=("target",), counts=HITS),
    "roll.to-hit-again": Motion(counts=HITS),
    "roll.to-wound": Motion(counts=WOUNDS),
    "roll.save": Motion(counts=SAVED),
    "roll.second-chance": Motion(counts=SAVED),
    "roll.drift": Motion(SHOT, by=("model",), at=("target",)),
    "template": Motion(SHOT, by=("model",), at=("target",)),
    "charge": Motion(CHARGE, by=("unit",), at=("targets",)),
    "cast": Motion(POWER, by=("model",), at=("target",)),
}
