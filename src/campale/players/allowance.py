"""The budget of a searching player for an activation: a number of lines, and an amount of time by a clock."""

from __future__ import annotations

import math
from collections.abc import Callable

FEWEST = 4
"""The least number of lines for which a thought is begun."""
SHARE = 0.75
"""The share of the remaining budget of an activation that goes to the current thought."""


class Allowance:
    """A budget of ``lines`` and ``seconds`` for each activation, of which every thought takes its share."""

    def __init__(self, lines: float, seconds: float, clock: Callable[[], float]) -> None:
        self.lines, self.seconds, self.clock = lines, seconds, clock
        self.activation: int | None = None
        self.lines_left, self.seconds_left = lines, seconds
        self.played, self.most, self.start, self.until = 0, 0.0, 0.0, math.inf
        self.dearest = 0.0
        """The highest seconds per line of any thought in the activation."""

    def begin(self, activation: int) -> None:
        """Begin a thought; in a new activation the budget is full again."""
        if activation != self.activation:
            self.activation, self.lines_left, self.seconds_left = activation, self.lines, self.seconds
            self.dearest = 0.0
        self.played = 0
        self.most = min(self.lines_left, max(FEWEST, SHARE * self.lines_left))
        self.start = self.clock()
        self.until = self.start + SHARE * self.seconds_left

    def is_enough(self) -> bool:
        """Whether a thought is worth beginning: the remaining budget suffices for a few lines."""
        enough = min(FEWEST, self.lines)
        return self.lines_left >= enough and (not self.dearest or SHARE * self.seconds_left >= enough * self.dearest)

    def spend(self) -> bool:
        """Whether the budget allows another line; if so, count it. The first line is always allowed."""
        if self.played and (self.played >= self.most or self.clock() >= self.until):
            return False
        self.played += 1
        return True

    def spent(self) -> float:
        """The share of the thought's lines or of its time that is spent, whichever is greater."""
        return max(self.played / self.most if self.most else 1.0, self.passed())

    def passed(self) -> float:
        """The share of the thought's time that has passed; 0 if its time is unlimited."""
        return 0.0 if self.until == math.inf else (self.clock() - self.start) / max(1e-9, self.until - self.start)

    def end(self) -> None:
        passed = self.clock() - self.start
        self.lines_left = max(0.0, self.lines_left - self.played)
        self.seconds_left = max(0.0, self.seconds_left - passed)
        self.dearest = max(self.dearest, passed / max(1, self.played))
