"""The budget of a searching player for a decision: a number of lines, and an amount of time by a clock."""

from __future__ import annotations

import math
from collections.abc import Callable


class Allowance:
    """A budget of ``lines`` and ``seconds`` for each decision; ``most``: a thought has no more than that of so many."""

    def __init__(self, lines: float, seconds: float, clock: Callable[[], float], most: float = math.inf) -> None:
        self.each, self.clock, self.most = (lines, seconds), clock, most
        self.lines, self.seconds = self.each
        self.played, self.start = 0, 0.0

    def begin(self, decisions: int = 1) -> None:
        """Begin a thought about so many decisions at once, with the full budget of each."""
        times = min(self.most, max(1, decisions))
        self.lines, self.seconds = (times * one for one in self.each)
        self.played, self.start = 0, self.clock()

    def spend(self) -> bool:
        """Whether the budget allows another line; if so, count it. The first line is always allowed."""
        if self.played and (self.played >= self.lines or self.passed() >= 1.0):
            return False
        self.played += 1
        return True

    def spent(self) -> float:
        """The share of the lines or of the time that is spent, whichever is greater."""
        return max(self.played / self.lines, self.passed())

    def passed(self) -> float:
        """The share of the time that has passed; 0 if it is unlimited."""
        return 0.0 if self.seconds == math.inf else (self.clock() - self.start) / self.seconds
