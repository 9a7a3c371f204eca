"""How fast Edition 3.m is: random and greedy battles at 600 and 1,000 points a side, with where the time goes.

Run as ``python -m benchmarks.e3m``; numbers after it are the seconds for which each figure is measured, and the sizes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from benchmarks.battles import SECONDS, Sampler, at_random, thinking, timed
from benchmarks.e55 import of_size
from campale.referee.ruleset import load_ruleset
from campale.simulate import battle

POINTS = (600, 1000)


def run(seconds: float = SECONDS, sizes: Sequence[int] = POINTS) -> dict[str, Any]:
    """Every figure, by the size of the battles. Compiling is not counted: a battle of every size is played before."""
    book = load_ruleset("e3m")
    found: dict[str, Any] = {}
    for points in sizes:
        setups = of_size(book, points)
        battle(book, setups[0], at_random(0), "warm")
        with Sampler() as sampler:
            bare, _ = timed(book, setups, at_random, False, "none", seconds)
        found[f"{points} points"] = {
            "random, simulation mode": {**bare, "share_of_time": sampler.shares()},
            "greedy": thinking(book, setups, seconds),
        }
    return found


if __name__ == "__main__":
    from benchmarks.__main__ import told

    words = [float(word) for word in sys.argv[1:]]
    print("\n".join(told(run(words[0] if words else SECONDS, [int(word) for word in words[1:]] or POINTS))))
