"""Battles without a table: running players, statistics, duels, the search for faults."""

from __future__ import annotations

from campale.simulate.battle import battle, outcome, play_on
from campale.simulate.duel import Duel, duel, starters_of
from campale.simulate.fuzz import Failure, fuzz
from campale.simulate.intervals import Interval, mean, wilson
from campale.simulate.many import Pairing, Played, many, pairings

__all__ = [
    "Duel",
    "Failure",
    "Interval",
    "Pairing",
    "Played",
    "battle",
    "duel",
    "fuzz",
    "many",
    "mean",
    "outcome",
    "pairings",
    "play_on",
    "starters_of",
    "wilson",
]
