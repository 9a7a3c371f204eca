"""Unit coherency."""  # placeholder

from __future__ import annotations

from campale.referee.position import Unit


def link(unit: Unit) -> float:  # placeholder
    return 2.0


def is_coherent(unit: Unit, places: dict[int, tuple[float, float, float]] | None = None) -> bool:  # placeholder
    return True
