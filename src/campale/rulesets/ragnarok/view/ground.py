"""How tags of terrain are shown on the table."""

from __future__ import annotations

from collections.abc import Mapping

from campale.referee.looks import IMPASSABLE, SOLID

TERRAIN: Mapping[str, str] = {"impassable": IMPASSABLE, "solid": SOLID}
