"""How events are shown on the table: who shoots at whom, and what dice count."""

from __future__ import annotations

from collections.abc import Mapping

from campale.referee.looks import BLOW, CHARGE, HITS, SAVED, SHOT, Motion

MOTIONS: Mapping[str, Motion] = {
    "roll.to-hit": Motion(SHOT, by=("shooter",), at=("target",), counts=HITS),
    "roll.melee-to-hit": Motion(BLOW, by=("fighter",), at=("target",), counts=HITS),
    "roll.armour-save": Motion(counts=SAVED),
    "roll.shield-save": Motion(counts=SAVED),
    "charge-home": Motion(CHARGE, by=("model",), at=("target",)),
}
