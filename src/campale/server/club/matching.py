"""A largest matching: as many pairs as possible of those who may be paired, nobody in two of them.

It grows by one pair along every path that leads from somebody unpaired to another over pairs and non-pairs in turn; an
odd circle on the way (a blossom) is drawn together into one, for it can be gone round either way.
"""

from __future__ import annotations

from collections.abc import Sequence

NOBODY = -1


class Matching:
    """Of the numbers 0 to n - 1; ``may`` tells of each with whom it may be paired. ``of``: each one's partner."""

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
        """Whoever can is paired with the first who is free: most of it is done then."""
        for one, others in enumerate(self.may):
            if self.of[one] == NOBODY:
                other = next((other for other in others if self.of[other] == NOBODY), NOBODY)
                if other != NOBODY:
                    self.of[one], self.of[other] = other, one

    def _turn(self, end: int) -> None:
        """Pairs and non-pairs change places along the path that ends there."""
        while end != NOBODY:
            before = self.came[end]
            after = self.of[before]
            self.of[end], self.of[before] = before, end
            end = after

    def _path(self, root: int) -> int:
        """The end of a path from somebody unpaired to another; NOBODY where there is none."""
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
        """Where the ways back from two of them meet."""
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
