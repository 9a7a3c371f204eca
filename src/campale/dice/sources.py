"""Where chance comes from: a seeded stream, a script, a person. Each answers a question put to chance.

The seeded stream is BLAKE2b over the seed and a counter, one block a question, with rejection for fairness: the same
numbers on every machine and under every version of Python. An undone die is never drawn again, because the counter only
grows.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol


class Wanted(Protocol):
    """What a source must know about a question (see campale.referee.chance)."""

    kind: Any


class Source(Protocol):
    """Answers questions put to chance; None when a person must answer."""

    def answer(self, question: Any) -> Any: ...

    def copy(self) -> Source: ...


class Seeded:
    """The numbers of a seed. ``counter`` is how many questions have been answered so far."""

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

    So diverging lines of a battle keep the same luck for the same rolls. The target of a roll makes no difference.
    ``counter`` stays as it is.
    """

    __slots__ = ("times",)

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        self.times: Counter[str] = Counter()

    def copy(self) -> Alike:
        new = Alike(self.seed)
        new.times = self.times.copy()
        return new

    def answer(self, question: Any) -> Any:
        about = [f"{name}={value!r}" for name, value in question.about.items() if name not in AGAINST]
        name = "/".join((self.seed, str(question.side), question.prompt, *about))
        self.times[name] += 1
        return answered(question, Stream(name, self.times[name]))


AGAINST = frozenset({"target", "foe"})


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
    """A script of dice that does not fit what was asked."""


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
