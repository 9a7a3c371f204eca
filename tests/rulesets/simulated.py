"""A rule played many times with fixed seeds, and how its counts lie to a forecast."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

from campale.referee.looks import Forecast, Step

TIMES = 1000
SIGMAS = 4.0


def played(coroutine: Coroutine[Any, Any, Any], policy: Callable[[Any], Any], rng: Random) -> Any:
    """The rule to its end: chance by the generator, decisions by the policy."""
    value = None
    while True:
        try:
            asked = coroutine.send(value)
        except StopIteration as done:
            return done.value
        value = asked.understood(asked.sample(rng) if asked.is_chance else policy(asked))


def simulated(once: Callable[[Random], int], seed: int = 1, times: int = TIMES) -> Counter[int]:
    rng = Random(seed)
    return Counter(once(rng) for _ in range(times))


def step(forecast: Forecast, kind: str) -> Step:
    return next(one for one in forecast.steps if one.kind == kind)


def chances(forecast: Forecast, kind: str) -> dict[int, float]:
    return dict(step(forecast, kind).chances)


def is_near(found: Counter[int], expected: Step) -> bool:
    """Whether the share of each number, and the mean, are within so many standard deviations of what was forecast."""
    times = found.total()
    told = dict(expected.chances)
    if any(number not in told for number in found):
        return False
    spreads = {number: math.sqrt(max(0.0, times * p * (1 - p))) for number, p in told.items()}
    shares = all(abs(found[number] - times * p) <= SIGMAS * spreads[number] + 1e-9 for number, p in told.items())
    variance = sum(p * (number - expected.mean) ** 2 for number, p in told.items())
    mean = sum(number * many for number, many in found.items()) / times
    return shares and abs(mean - expected.mean) <= SIGMAS * math.sqrt(max(0.0, variance / times)) + 1e-9


def adds_up(forecast: Forecast) -> bool:
    return all(abs(math.fsum(p for _, p in one.chances) - 1.0) < 1e-12 for one in forecast.steps)
