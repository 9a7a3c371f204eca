"""What a searching player may spend on an activation: so many lines, and so much time by a clock."""

from __future__ import annotations

import math
from collections.abc import Callable

FEWEST = 4
"""A thought of fewer lines is not begun."""
SHARE = 0.75
"""How much of what is left of an activation's budget goes to the thought in hand."""


class Allowance:
    """A budget of ``lines`` and ``seconds`` for each activation, of which every thought takes its share."""

    def __init__(self, lines: float, seconds: float, clock: Callable[[], float]) -> None:
        self.lines, self.seconds, self.clock = lines, seconds, clock
        self.activation: int | None = None
        self.lines_left, self.seconds_left = lines, seconds
        self.played, self.most, self.start, self.until = 0, 0.0, 0.0, math.inf
        self.dearest = 0.0
        """The seconds that the dearest line of the activation took."""

    def begin(self, activation: int) -> None:
        """A thought begins; in another activation with a full budget."""
        if activation != self.activation:
            self.activation, self.lines_left, self.seconds_left = activation, self.lines, self.seconds
            self.dearest = 0.0
        self.played = 0
        self.most = min(self.lines_left, max(FEWEST, SHARE * self.lines_left))
        self.start = self.clock()
        self.until = self.start + SHARE * self.seconds_left

    def is_enough(self) -> bool:
        """Whether a thought is worth beginning: what is left suffices for a few lines."""
        enough = min(FEWEST, self.lines)
        return self.lines_left >= enough and (not self.dearest or SHARE * self.seconds_left >= enough * self.dearest)

    def spend(self) -> bool:
        """Whether there is enough for another line, which is then counted; the first is always played."""
        if self.played and (self.played >= self.most or self.clock() >= self.until):
            return False
        self.played += 1
        return True

    def spent(self) -> float:
        """Which share of the thought's lines or time is gone, whichever is more."""
        return max(self.played / self.most if self.most else 1.0, self.passed())

    def passed(self) -> float:
        """Which share of the thought's time is gone; none, where it is not bounded."""
        return 0.0 if self.until == math.inf else (self.clock() - self.start) / max(1e-9, self.until - self.start)

    def end(self) -> None:
        passed = self.clock() - self.start
        self.lines_left = max(0.0, self.lines_left - self.played)
        self.seconds_left = max(0.0, self.seconds_left - passed)
        self.dearest = max(self.dearest, passed / max(1, self.played))
