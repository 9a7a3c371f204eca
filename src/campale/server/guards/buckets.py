"""Rate limits: a number per second, with a burst."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

MOST_ADDRESSES = 10_000
"""The most addresses whose requests are counted; beyond that the one silent longest is forgotten."""


class Bucket:
    """A token bucket: it fills by ``rate`` a second up to ``burst``, and is full at first; every request takes one
    token."""

    __slots__ = ("at", "burst", "level", "now", "rate", "refused")

    def __init__(self, rate: float, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.now = rate, float(burst), now
        self.level, self.at = self.burst, now()
        self.refused = 0

    def wait(self) -> float:
        """The seconds to wait; 0: the request may pass, and is counted."""
        now = self.now()
        self.level = min(self.burst, self.level + (now - self.at) * self.rate)
        self.at = now
        if self.level < 1.0:
            self.refused += 1
            return (1.0 - self.level) / self.rate
        self.level -= 1.0
        return 0.0

    def takes(self) -> bool:
        return self.wait() == 0.0


class Buckets:
    """A bucket for every address."""

    def __init__(self, rate: float, burst: int, now: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.now = rate, burst, now
        self.of: OrderedDict[str, Bucket] = OrderedDict()

    def wait(self, address: str) -> float:
        """The seconds that a request must wait; 0: it may pass, and is counted."""
        bucket = self.of.pop(address, None) or Bucket(self.rate, self.burst, self.now)
        self.of[address] = bucket
        if len(self.of) > MOST_ADDRESSES:
            self.of.popitem(last=False)
        return bucket.wait()
