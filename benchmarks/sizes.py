"""How fast books are by the size of their armies: random and greedy battles, with where the time goes.

Run as ``python -m benchmarks.sizes``; words after it are books, and the seconds for which each figure is measured.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.battles import SECONDS, Sampler, at_random, thinking, timed
from benchmarks.e55 import of_size
from campale.referee.ruleset import load_ruleset
from campale.simulate import battle

POINTS = {"e3m": (600, 1000), "w10": (500, 1000, 2000), "wzr": (500, 1000)}
"""The points a side that are measured of each book."""


def run(seconds: float = SECONDS, sizes: Mapping[str, Sequence[int]] = POINTS) -> dict[str, Any]:
    """Every figure, by book and size. Compiling is not counted: a battle of every size is played before."""
    found: dict[str, Any] = {}
    for name, points in sizes.items():
        for size in points:
            found[f"{name}, {size} points"] = of(name, size, seconds)
    return found


def of(name: str, points: int, seconds: float) -> dict[str, Any]:
    book = load_ruleset(name)
    setups = of_size(book, points)
    battle(book, setups[0], at_random(0), "warm")
    with Sampler() as sampler:
        bare, _ = timed(book, setups, at_random, False, "none", seconds)
    return {
        "random, simulation mode": {**bare, "share_of_time": sampler.shares()},
        "greedy": thinking(book, setups, seconds),
    }


if __name__ == "__main__":
    from benchmarks.__main__ import told

    words = sys.argv[1:]
    spent = [float(word) for word in words if word not in POINTS]
    wanted = {name: points for name, points in POINTS.items() if name in words} or POINTS
    print("\n".join(told(run(spent[0] if spent else SECONDS, wanted))))
