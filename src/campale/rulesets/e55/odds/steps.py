"""Steps of this book's forecasts."""

from __future__ import annotations

from campale.dice import counts
from campale.dice.counts import Chances
from campale.referee.looks import Step

MAIN = "losses"
"""The stage that sums up a forecast where there is room for one number."""


def step(kind: str, cited: str, found: Chances) -> Step:
    return Step(kind, cited, counts.pairs(found), kind == MAIN)
