"""The frames of structures, by name."""

from __future__ import annotations

from campale.mechanics.frames import Procedure
from campale.rulesets.wzr.structures import collapse

PROCEDURES: dict[str, Procedure] = {
    "collapse": collapse.collapse,
    "ruin": collapse.ruin,
    "set-down": collapse.set_down,
}
