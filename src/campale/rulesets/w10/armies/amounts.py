"""Numbers of a profile that may be dice: 3, D6, D3, 2D6, D6+1 (datasheet/random-characteristics)."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from campale.referee.rule import rule

WRITTEN = re.compile(r"^(?:(\d{0,2})D([36])(?:\+(\d{1,2}))?|(\d{1,2}))$")


class Amount(msgspec.Struct, frozen=True):
    """``count`` dice of so many ``sides`` and ``plus``; without dice it is ``plus``."""

    plus: int
    count: int = 0
    sides: int = 6

    @property
    def is_rolled(self) -> bool:
        return self.count > 0

    @property
    def most(self) -> int:
        return self.plus + self.count * self.sides

    @property
    def mean(self) -> float:
        return self.plus + self.count * (self.sides + 1) / 2.0


@lru_cache(maxsize=256)
@rule("core-concepts/dice", "datasheet/random-characteristics")
def amount(written: str) -> Amount:
    """The amount written in a profile. Raises ValueError."""
    found = WRITTEN.match(written)
    if found is None:
        raise ValueError(f"{written[:20]!r} is neither a number nor a roll like D6, 2D3 or D6+1")
    count, sides, plus, number = found.groups()
    return Amount(int(number)) if number is not None else Amount(int(plus or 0), int(count or 1), int(sides))
