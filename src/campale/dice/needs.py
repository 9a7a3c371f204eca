"""The number needed on a die: a base number and its modifiers, each with its rule and its kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import msgspec

Kind = Literal["set", "divide", "multiply", "raise", "add", "cap"]

ON_THE_ROLL = ("add", "cap")

DEFAULT_ORDER: tuple[Kind, ...] = ("set", "divide", "multiply", "add", "cap")


class Part(msgspec.Struct, frozen=True):
    """One modifier: its kind, its size, and its rule. A cap limits the sum of what was added."""

    rule: str
    value: float
    kind: Kind = "add"


class Need(msgspec.Struct, frozen=True, omit_defaults=True):
    """A die succeeds if its face with the modifiers is ``base`` or more (``at_most``: or less).

    Modifiers of kind "add" change the roll; the others change the number, those of kind "raise" last. ``always`` and
    ``never`` are natural faces (or totals) that succeed or fail whatever the modifiers. ``order`` is the order in which
    the kinds apply. ``rounds``: the number is rounded up after each multiplication and division, not at the end.
    """

    base: int
    parts: tuple[Part, ...] = ()
    always: tuple[int, ...] = ()
    never: tuple[int, ...] = ()
    at_most: bool = False
    order: tuple[Kind, ...] = DEFAULT_ORDER
    rounds: bool = False

    @property
    def modifier(self) -> int:
        """The sum of the additions to the roll, kept within the caps."""
        total = sum(part.value for part in self.parts if part.kind == "add")
        for part in self.parts:
            if part.kind == "cap":
                total = max(-part.value, min(part.value, total))
        return int(total)

    @property
    def number(self) -> int:
        """The number to meet: the base after setting, dividing and multiplying, rounded up, and then raised."""
        if all(part.kind in ON_THE_ROLL for part in self.parts):
            return self.base
        value = Fraction(self.base)
        for kind in self.order:
            for part in self.parts:
                if part.kind == kind:
                    value = changed(value, part)
                    value = Fraction(math.ceil(value)) if self.rounds else value
        return math.ceil(value) + int(sum(part.value for part in self.parts if part.kind == "raise"))

    @property
    def face(self) -> int:
        """The natural face, or natural total, that just succeeds, whatever it is made up of."""
        found, (best, worst) = self.number - self.modifier, (self.always, self.never)
        if self.at_most:
            best, worst = tuple(-face for face in best), tuple(-face for face in worst)
        found = -found if self.at_most else found
        if not best or not worst or min(best) > max(worst):
            found = min((max((found, *(face + 1 for face in worst))), *best))
        return -found if self.at_most else found

    def written(self, number: int) -> str:
        """A number to meet as it is written: ``4+``, or ``≤12``."""
        return f"≤{number}" if self.at_most else f"{number}+"

    def is_met_by(self, natural: int) -> bool:
        """Whether a natural face, or a natural total, succeeds."""
        return self.are_met_by((natural,))[0]

    def are_met_by(self, naturals: Sequence[int]) -> tuple[bool, ...]:
        """For each of several natural faces (or totals), whether it succeeds."""
        modifier, number = self.modifier, self.number
        return tuple(
            natural not in self.never
            and (
                natural in self.always
                or (natural + modifier <= number if self.at_most else natural + modifier >= number)
            )
            for natural in naturals
        )

    def with_part(self, rule: str, value: float, kind: Kind = "add") -> Need:
        return msgspec.structs.replace(self, parts=(*self.parts, Part(rule, value, kind)))


@lru_cache(maxsize=8192)
def faces_met(need: Need, sides: int = 6) -> int:
    """How many faces of a die meet a need."""
    return sum(need.are_met_by(range(1, sides + 1)))


@lru_cache(maxsize=1024)
def telling_sums(need: Need) -> tuple[tuple[int, ...], ...]:
    """The sums of two D6 in the groups that a test distinguishes: those that fail it, and those that pass."""
    sums = range(2, 13)
    met = need.are_met_by(sums)
    return tuple(tuple(s for s in sums if met[s - 2] is passes) for passes in (False, True))


def changed(value: Fraction, part: Part) -> Fraction:
    """A number after one part. The part's value is read as the fraction that was written, not to the last bit."""
    by = Fraction(part.value).limit_denominator(1000)
    if part.kind == "set":
        return by
    if part.kind == "divide":
        return value / by
    return value * by if part.kind == "multiply" else value


def halved(face: int) -> int:
    """A D3 read off a D6: 1-2 is 1, 3-4 is 2, 5-6 is 3. The same halving, rounded up, reads a D20/2."""
    return (face + 1) // 2


def divided(face: int, by: int) -> int:
    """A die divided and rounded up (for a D20/4 ``by`` is 4)."""
    return -(-face // by)


def tens_and_units(tens: int, units: int) -> int:
    """A D66: two D6 read as tens and units."""
    return 10 * tens + units
