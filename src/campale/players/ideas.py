"""What a searching player has thought of: lines of play, how each went every time, and which to look at next."""

from __future__ import annotations

import math
from collections.abc import Iterator

from campale.players.greedy import Line

CURIOSITY = 1.0
"""How much an idea that was played seldom is looked at for that alone."""
DOUBT = 0.5
"""How much of what one does not know of an idea counts against it when one is chosen."""


class Idea:
    """A line of play, and what was gained each time it was played on an imagined game."""

    __slots__ = ("is_sure", "squares", "steps", "times", "total")

    def __init__(self, line: Line) -> None:
        self.steps, self.is_sure = line.steps, line.is_sure
        self.times, self.total, self.squares = 0, 0.0, 0.0
        self.note(line.worth)

    def note(self, worth: float) -> None:
        """Another play; one that broke down tells nothing."""
        if worth == -math.inf:
            return
        self.times += 1
        self.total += worth
        self.squares += worth * worth

    @property
    def mean(self) -> float:
        return self.total / self.times

    def spread_of_mean(self, noise: float) -> float:
        """How far off its mean may be: not at all where no die and nobody else comes in."""
        return 0.0 if self.is_sure else noise / math.sqrt(self.times)


class Ideas:
    """The ideas about one decision, each once."""

    def __init__(self) -> None:
        self.by_name: dict[str, Idea] = {}

    def __len__(self) -> int:
        return len(self.by_name)

    def __iter__(self) -> Iterator[Idea]:
        return iter(self.by_name.values())

    def note(self, line: Line) -> bool:
        """Note how a line went; whether it was not known before."""
        name = repr(line.steps)
        known = self.by_name.get(name)
        if known is None:
            self.by_name[name] = Idea(line)
        elif not known.is_sure:
            known.note(line.worth)
        return known is None

    def noise(self) -> float:
        """How far apart the plays of one idea lie; of all ideas, as long as none was played twice."""
        again = [one for one in self if one.times > 1]
        plays = sum(one.times for one in again)
        if plays:
            around = sum(one.squares - one.times * one.mean**2 for one in again)
            return math.sqrt(max(0.0, around) / plays)
        middle = sum(one.mean for one in self) / len(self)
        return math.sqrt(sum((one.mean - middle) ** 2 for one in self) / len(self))

    def promising(self, plays: int) -> Idea | None:
        """The idea to play again after so many plays: the best, or one that may be; None if that is sure already."""
        noise = CURIOSITY * self.noise() * math.sqrt(math.log(plays + 1)) if self.by_name else 0.0
        best = max(self, key=lambda one: one.mean + one.spread_of_mean(noise), default=None)
        return None if best is None or best.is_sure else best

    def ranked(self) -> list[Idea]:
        """The best first, by what they gain at the least, about."""
        doubt = DOUBT * self.noise() if self.by_name else 0.0
        return sorted(self, key=lambda one: one.spread_of_mean(doubt) - one.mean)
