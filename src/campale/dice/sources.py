"""The sources of chance: a seeded stream, a script, a person. Each answers a question put to chance.

The seeded stream is BLAKE2b over the seed and a counter, one block for each question, with rejection for fairness: the
same numbers on every machine and under every version of Python. An undone die is never drawn again, because the counter
only grows.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any, Protocol


class Wanted(Protocol):
    """What a source needs to know about a question (see campale.referee.chance)."""

    kind: Any


class Source(Protocol):
    """Answers questions put to chance; None if a person must answer."""

    def answer(self, question: Any) -> Any: ...

    def copy(self) -> Source: ...


class Seeded:
    """The numbers of a seed. ``counter`` is the number of questions answered so far."""

    __slots__ = ("counter", "seed")

    def __init__(self, seed: str, counter: int = 0) -> None:
        self.seed = seed
        self.counter = counter

    def copy(self) -> Seeded:
        return Seeded(self.seed, self.counter)

    def answer(self, question: Any) -> Any:
        stream = Stream(self.seed, self.counter)
        self.counter += 1
        return answered(question, stream)


class Redrawn(Seeded):
    """The numbers of a seed for a record in which some dice were undone: each with the counter it was drawn at.

    Raises LookupError if more is rolled than was recorded.
    """

    __slots__ = ("_counters",)

    def __init__(self, seed: str, counters: Iterable[int]) -> None:
        super().__init__(seed)
        self._counters = iter(counters)

    def answer(self, question: Any) -> Any:
        counter = next(self._counters, None)
        if counter is None:
            raise LookupError(f"the record ends where '{question.prompt}' is left to chance")
        self.counter = counter
        return super().answer(question)


class Alike(Seeded):
    """The numbers of a seed by the purpose of a roll: always the same ones, whatever was rolled before.

    So diverging lines of a battle keep the same luck for the same rolls. The target of a roll makes no difference. The
    lucks of a seed, 0, 1, 2 and so on, spread the results of every roll: of two in a row, the first even, one takes a
    value in the lower half and one in the upper; of four in a row, one in each quarter, and so on (scrambled nets in
    one dimension: A. Owen, "Randomly permuted (t,m,s)-nets and (t,s)-sequences", 1995). Many dice rolled at once are
    spread within their roll: the six faces come up about equally often. Each single die is fair. ``counter`` does not
    change.
    """

    __slots__ = ("luck", "times")

    def __init__(self, seed: str, luck: int = 0) -> None:
        super().__init__(seed)
        self.luck = luck
        self.times: Counter[str] = Counter()

    def copy(self) -> Alike:
        new = Alike(self.seed, self.luck)
        new.times = self.times.copy()
        return new

    def answer(self, question: Any) -> Any:
        about = [f"{name}={value!r}" for name, value in question.about.items() if name not in AGAINST]
        name = "/".join((self.seed, str(question.side), question.prompt, *about))
        self.times[name] += 1
        name = f"{name}/{self.times[name]}"
        if question.kind == "draw":
            return answered(question, Stream(name, self.luck))
        at = spread(name, self.luck)
        if question.kind == "direction":
            return int(at * question.steps) * question.step
        return faces(question.sides, question.count, at, name, self.luck)


AGAINST = frozenset({"target", "foe"})
LEVELS = 6
"""Lucks are spread over this many halvings: at most 64 lucks."""
BELOW_ONE = math.nextafter(1.0, 0.0)
POOL = 4
"""This many dice or more in one roll count as a pool, whose faces are counted; fewer may be added up."""


def spread(name: str, luck: int) -> float:
    """A fraction from 0 to below 1 for a name; the fractions of one name are spread over its lucks."""
    flips = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest())
    at, part = 0.0, 0.5
    for level in range(LEVELS):
        before = luck & ((1 << level) - 1)
        at += part * ((luck >> level & 1) ^ (flips >> ((1 << level) - 1 + before) & 1))
        part /= 2.0
    rest = hashlib.blake2b(f"{name}/{luck}".encode(), digest_size=6).digest()
    return min(at + 2.0 * part * int.from_bytes(rest) / 2.0**48, BELOW_ONE)


def faces(sides: int, count: int, at: float, name: str, luck: int) -> list[int]:
    """The faces of dice: for a few, the combination at this fraction; for many, as even a mixture as possible."""
    if count < POOL:
        number = int(at * sides**count)
        return [number // sides**place % sides + 1 for place in range(count)]
    found = [int(sides * (place + at) / count) + 1 for place in range(count)]
    Random(f"{name}/{luck}").shuffle(found)
    return found


class Stream:
    """The bytes of one question: BLAKE2b(seed, counter, block)."""

    __slots__ = ("_at", "_block", "_bytes", "_key")

    def __init__(self, seed: str, counter: int) -> None:
        self._key = f"{seed}/{counter}/".encode()
        self._block = 0
        self._bytes = b""
        self._at = 0

    def byte(self) -> int:
        if self._at >= len(self._bytes):
            self._bytes = hashlib.blake2b(self._key + str(self._block).encode()).digest()
            self._block += 1
            self._at = 0
        self._at += 1
        return self._bytes[self._at - 1]

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1, all equally likely."""
        width = 1 if limit <= 256 else (2 if limit <= 65_536 else 4)
        span = 256**width
        fair = span - span % limit
        while True:
            value = 0
            for _ in range(width):
                value = value * 256 + self.byte()
            if value < fair:
                return value % limit

    def drawn(self, size: int, count: int) -> list[int]:
        """``count`` of the numbers 0 to size - 1, without repetition, in the order drawn."""
        left = list(range(size))
        return [left.pop(self.below(len(left))) for _ in range(count)]


def answered(question: Any, stream: Stream) -> Any:
    """The answer to a roll, a direction or a draw from the numbers of a stream."""
    if question.kind == "roll":
        sides = question.sides
        return [stream.below(sides) + 1 for _ in range(question.count)]
    if question.kind == "direction":
        return stream.below(question.steps) * question.step
    return stream.drawn(len(question.pool), question.count)


class ScriptError(Exception):
    """A script of dice that does not fit the question."""


class Scripted:
    """Dice prepared in advance, in the order rolled: one entry per die, a direction in degrees, an index in the
    pool."""

    __slots__ = ("left",)

    def __init__(self, dice: Iterable[float]) -> None:
        self.left = list(dice)

    def copy(self) -> Scripted:
        return Scripted(self.left)

    def answer(self, question: Any) -> Any:
        count = 1 if question.kind == "direction" else question.count
        if len(self.left) < count:
            asked = f"{question.kind} '{question.prompt}' wants {count}"
            raise ScriptError(f"the script of dice has run out: {asked}, {len(self.left)} left")
        answer: Any = self.left[0] if question.kind == "direction" else self.left[:count]
        if question.refusal(answer) is not None:
            raise ScriptError(f"the script has {answer} for {question.kind} '{question.prompt}', which cannot come up")
        del self.left[:count]
        return answer


class ByHand:
    """A person types the dice: chance becomes a question like any other."""

    __slots__ = ()

    def copy(self) -> ByHand:
        return self

    def answer(self, question: Any) -> Any:
        return None
