"""The ideas of a searching player: lines of play, compared by their results with the same luck."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence

from campale.players.greedy import Step

DOUBT = 1.0
"""The number of standard errors of a gain that are subtracted from it."""
CAUTION = 1.5
"""The number subtracted when the best of several ideas is chosen: among many, some gain by luck alone."""
SURE, SOON = 2.5, 4
"""The number that makes sure that one idea beats another, and the lucks to be played before that is judged."""
GAIN = 1e-6
"""The least gain for which the advised line is left."""


class Idea:
    """A line of play, and the appraisal after it with each luck, in the order of the lucks.

    ``whole``: its decisions before the first die, also those after the last one in which it differs from the advice.
    """

    __slots__ = ("steps", "whole", "worths")

    def __init__(self, steps: tuple[Step, ...], worth: float, whole: tuple[Step, ...] = ()) -> None:
        self.steps, self.whole, self.worths = steps, whole or steps, [worth]

    def note(self, worth: float) -> None:
        """Note the result with another luck; a line that broke down gets its mean so far."""
        self.worths.append(self.mean(len(self.worths)) if worth == -math.inf else worth)

    def mean(self, lucks: int) -> float:
        return sum(self.worths[:lucks]) / lucks

    def beside(self, other: Idea) -> float:
        """The mean minus that of another idea, over the lucks with which both were played."""
        lucks = min(len(self.worths), len(other.worths))
        return self.mean(lucks) - other.mean(lucks)

    def gain(self, other: Idea, lucks: int, doubt: float = DOUBT) -> float:
        """A cautious estimate of the gain over another idea, luck by luck: the mean less ``doubt`` standard errors.

        It is 0 with fewer than two lucks.
        """
        if lucks < 2:
            return 0.0
        return self.mean(lucks) - other.mean(lucks) - doubt * math.sqrt(self.spread(other, lucks) / lucks)

    def spread(self, other: Idea, lucks: int) -> float:
        """The variance of the gain over another idea, luck by luck; it needs at least two lucks."""
        gains = [mine - its for mine, its in zip(self.worths[:lucks], other.worths[:lucks], strict=True)]
        return statistics.variance(gains)


class Ideas:
    """The ideas about one decision, without duplicates; the others must beat the first.

    ``idle``: the steps of the idea to do nothing, if there is one. It is compared to the end, like the first.
    """

    def __init__(self, idle: tuple[Step, ...] = ()) -> None:
        self.by_name: dict[str, Idea] = {}
        self.idle_name = repr(idle)

    def __len__(self) -> int:
        return len(self.by_name)

    def __iter__(self) -> Iterator[Idea]:
        return iter(self.by_name.values())

    def __contains__(self, steps: object) -> bool:
        return repr(steps) in self.by_name

    @property
    def usual(self) -> Idea:
        return next(iter(self))

    @property
    def idle(self) -> Idea | None:
        return self.by_name.get(self.idle_name)

    def with_usual(self, among: list[Idea], before: Sequence[Idea] = ()) -> list[Idea]:
        """These, with the first idea, and with the idle one if it was there before."""
        kept = [self.usual, *(one for one in before if one is self.idle)]
        return among + [one for one in dict.fromkeys(kept) if one not in among]

    def note(self, steps: tuple[Step, ...], worth: float, whole: tuple[Step, ...] = ()) -> bool:
        """Note a line and its result with the first luck. Returns whether the line is new."""
        return self.by_name.setdefault(repr(steps), found := Idea(steps, worth, whole)) is found

    def ranked(self, among: Sequence[Idea], lucks: int) -> list[Idea]:
        """The ideas by falling mean over ``lucks`` lucks; the first idea comes before its equals."""
        return sorted(among, key=lambda one: (-one.mean(lucks), one is not self.usual))

    def better_half(self, among: Sequence[Idea], lucks: int) -> list[Idea]:
        """The better half so far, the first idea and the idle one."""
        return self.with_usual(self.ranked(among, lucks)[: (len(among) + 1) // 2], among)

    def first(self, most: int) -> list[Idea]:
        """The ``most`` best ideas with the first luck, the first idea and the idle one."""
        return self.with_usual(self.ranked(list(self), 1)[:most], list(self))

    def undecided(self, among: Sequence[Idea], lucks: int) -> list[Idea]:
        """The ideas that may still be the best, and the first idea; only the best, if it is clearly ahead."""
        leader = self.ranked(among, lucks)[0]
        left = [one for one in among if one is leader or leader.gain(one, lucks, SURE) < 0.0]
        return left if len(left) == 1 else self.with_usual(left)

    def best(self, among: Sequence[Idea], lucks: int) -> Idea:
        """The idea that gains most over the first one; the first, if none gains for certain.

        The spread of an idea counts as at least the average spread of all: a few lucks may agree by chance.
        """
        usual = self.usual
        others = [one for one in among if one is not usual]
        if lucks < 2 or not others:
            return usual
        spreads = [one.spread(usual, lucks) for one in others]
        common = statistics.fmean(spreads)
        errors = (math.sqrt(max(spread, common) / lucks) for spread in spreads)
        gains = [one.beside(usual) - CAUTION * error for one, error in zip(others, errors, strict=True)]
        best = max(range(len(others)), key=gains.__getitem__)
        return others[best] if gains[best] > GAIN else usual
