"""What a lead is worth while there are turns to come, and how near to a place counts as being there."""

from __future__ import annotations

import math


def outlook(lead: float, least: float, doubt: float) -> float:
    """From -1 (lost) to 1 (won): how likely a lead is to be ``least`` at the end, less how likely the other's is.

    ``doubt``: by how much it may still change, about.
    """
    return chance_above(lead - least, doubt) - chance_above(-lead - least, doubt)


def chance_above(margin: float, doubt: float) -> float:
    return 1.0 / (1.0 + math.exp(max(-50.0, min(50.0, -1.7 * margin / max(doubt, 1e-6)))))


def presence(far: float, reach: float) -> float:
    """What somebody so far from a place counts for there: 1 on it, a third ``reach`` away."""
    return math.exp(-max(0.0, far) / max(reach, 1e-6))
