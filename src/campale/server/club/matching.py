"""A maximum matching: as many allowed pairs as possible, nobody in two of them.

It grows by one pair along every alternating path between two unpaired numbers; an odd cycle on the path (a blossom) is
contracted, because the path can pass it either way.
"""

from __future__ import annotations

from collections.abc import Sequence

NOBODY = -1


class Matching:
    """A matching of the numbers 0 to n - 1; ``may`` lists the allowed partners of each. ``of``: each one's partner."""

    def __init__(self, may: Sequence[Sequence[int]]) -> None:
        self.may = may
        self.of = [NOBODY] * len(may)
        self._begin()
        for one in range(len(may)):
            if self.of[one] == NOBODY:
                self._turn(self._path(one))

    def pairs(self) -> int:
        return sum(partner != NOBODY for partner in self.of) // 2

    def _begin(self) -> None:
        """Greedy start: pair everybody with the first free partner; this is most of the work."""
        for one, others in enumerate(self.may):
            if self.of[one] == NOBODY:
                other = next((other for other in others if self.of[other] == NOBODY), NOBODY)
                if other != NOBODY:
                    self.of[one], self.of[other] = other, one

    def _turn(self, end: int) -> None:
        """Swap pairs and non-pairs along the path that ends there."""
        while end != NOBODY:
            before = self.came[end]
            after = self.of[before]
            self.of[end], self.of[before] = before, end
            end = after

    def _path(self, root: int) -> int:
        """The end of an alternating path from an unpaired one to another; NOBODY if there is none."""
        count = len(self.may)
        self.came, self.base = [NOBODY] * count, list(range(count))
        queue, self.reached = [root], [one == root for one in range(count)]
        for one in queue:
            for other in self.may[one]:
                if self.base[one] == self.base[other] or self.of[one] == other:
                    continue
                partner = self.of[other]
                if other == root or (partner != NOBODY and self.came[partner] != NOBODY):
                    self._draw_together(one, other, queue)
                elif self.came[other] == NOBODY:
                    self.came[other] = one
                    if partner == NOBODY:
                        return other
                    self.reached[partner] = True
                    queue.append(partner)
        return NOBODY

    def _draw_together(self, one: int, other: int, queue: list[int]) -> None:
        meeting, circle = self._meeting(one, other), set[int]()
        self._mark(one, meeting, other, circle)
        self._mark(other, meeting, one, circle)
        for k in range(len(self.may)):
            if self.base[k] in circle:
                self.base[k] = meeting
                if not self.reached[k]:
                    self.reached[k] = True
                    queue.append(k)

    def _meeting(self, one: int, other: int) -> int:
        """Where the paths back from two of them meet."""
        seen = set[int]()
        while True:
            one = self.base[one]
            seen.add(one)
            if self.of[one] == NOBODY:
                break
            one = self.came[self.of[one]]
        other = self.base[other]
        while other not in seen:
            other = self.base[self.came[self.of[other]]]
        return other

    def _mark(self, one: int, until: int, onward: int, circle: set[int]) -> None:
        while self.base[one] != until:
            circle |= {self.base[one], self.base[self.of[one]]}
            self.came[one] = onward
            onward = self.of[one]
            one = self.came[onward]
