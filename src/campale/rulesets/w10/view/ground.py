"""How tags of terrain show on the table."""

from __future__ import annotations

from collections.abc import Mapping

from campale.referee.looks import SOLID

TERRAIN: Mapping[str, str] = {"ruins": SOLID}
