"""What a searching player has thought of: lines of play, compared by how they go with the same luck."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence

from campale.players.greedy import Step

DOUBT = 1.0
"""How many standard errors of a gain count against it."""
CAUTION = 1.5
"""How many of them when the best of several ideas is chosen: among many some gain by luck alone."""
SURE, SOON = 2.5, 4
"""How many of them make sure that one idea is better than another, once so many lucks were played."""
GAIN = 1e-6
"""What is worth leaving the advised line for at all."""


class Idea:
    """A line of play, and how one stood after it with each kind of luck, in the order of these."""

    __slots__ = ("steps", "worths")

    def __init__(self, steps: tuple[Step, ...], worth: float) -> None:
        self.steps, self.worths = steps, [worth]

    def note(self, worth: float) -> None:
        """Another luck; where the line broke down it stands as it does in the mean."""
        self.worths.append(self.mean(len(self.worths)) if worth == -math.inf else worth)

    def mean(self, lucks: int) -> float:
        return sum(self.worths[:lucks]) / lucks

    def beside(self, other: Idea) -> float:
        """By how much the mean is more than that of another, with the lucks that both were played with."""
        lucks = min(len(self.worths), len(other.worths))
        return self.mean(lucks) - other.mean(lucks)

    def gain(self, other: Idea, lucks: int, doubt: float = DOUBT) -> float:
        """What is gained beside another idea at the least, about: luck by luck, with so many of them.

        Nothing is known by one luck alone.
        """
        if lucks < 2:
            return 0.0
        return self.mean(lucks) - other.mean(lucks) - doubt * math.sqrt(self.spread(other, lucks) / lucks)

    def spread(self, other: Idea, lucks: int) -> float:
        """The variance, luck by luck, of what is gained beside another idea, with two of them at the least."""
        gains = [mine - its for mine, its in zip(self.worths[:lucks], other.worths[:lucks], strict=True)]
        return statistics.variance(gains)


class Ideas:
    """The ideas about one decision, each once; the first is the one that others must outdo."""

    def __init__(self) -> None:
        self.by_name: dict[str, Idea] = {}

    def __len__(self) -> int:
        return len(self.by_name)

    def __iter__(self) -> Iterator[Idea]:
        return iter(self.by_name.values())

    @property
    def usual(self) -> Idea:
        return next(iter(self))

    def with_usual(self, among: list[Idea]) -> list[Idea]:
        return among if self.usual in among else [*among, self.usual]

    def note(self, steps: tuple[Step, ...], worth: float) -> bool:
        """Note a line and how it went with the first luck; whether it was not known before."""
        return self.by_name.setdefault(repr(steps), found := Idea(steps, worth)) is found

    def ranked(self, among: Sequence[Idea], lucks: int) -> list[Idea]:
        """The best first, by their means with so many lucks; the first idea before those that are as good."""
        return sorted(among, key=lambda one: (-one.mean(lucks), one is not self.usual))

    def better_half(self, among: Sequence[Idea], lucks: int) -> list[Idea]:
        """The better half by what is known so far, and the first idea."""
        return self.with_usual(self.ranked(among, lucks)[: (len(among) + 1) // 2])

    def first(self, most: int) -> list[Idea]:
        """So many of the best with the first luck, and the first idea."""
        return self.with_usual(self.ranked(list(self), 1)[:most])

    def undecided(self, among: Sequence[Idea], lucks: int) -> list[Idea]:
        """Those that may be the best for all that is known, and the first idea; the best alone, where that is clear."""
        leader = self.ranked(among, lucks)[0]
        left = [one for one in among if one is leader or leader.gain(one, lucks, SURE) < 0.0]
        return left if len(left) == 1 else self.with_usual(left)

    def best(self, among: Sequence[Idea], lucks: int) -> Idea:
        """The one that gains most beside the first; that one, if none gains anything for certain.

        What luck does to an idea is judged by what it does to all of them too: few lucks may fall alike by chance.
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
