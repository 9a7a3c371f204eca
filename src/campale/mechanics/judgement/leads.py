"""The value of a lead with turns to come, and of being near a place."""

from __future__ import annotations

import math


def outlook(lead: float, least: float, doubt: float) -> float:
    """From -1 (lost) to 1 (won): the chance that a lead is at least ``least`` at the end, less the opponent's chance.

    ``doubt``: roughly how much it may still change.
    """
    return chance_above(lead - least, doubt) - chance_above(-lead - least, doubt)


def chance_above(margin: float, doubt: float) -> float:
    return 1.0 / (1.0 + math.exp(max(-50.0, min(50.0, -1.7 * margin / max(doubt, 1e-6)))))


def presence(far: float, reach: float) -> float:
    """The weight of a model at a distance from a place: 1 on it, a third at ``reach``."""
    return math.exp(-max(0.0, far) / max(reach, 1e-6))
