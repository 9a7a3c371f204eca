"""What to report about the things that an attack leaves: their number, or their kinds. See ``campale.dice.bags``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np

from campale.dice import counts
from campale.dice.counts import Chances

RAREST = 1e-16
"""Bags rarer than this are ignored: it is below the rounding of the numbers."""

FEW_KINDS = 4
"""Bags with at most this many kinds of things are kept in arrays."""

Bag = tuple[tuple[int, int], ...]
"""Numbers of things with their counts; in order for consecutive things, otherwise sorted by number."""

Counted = Callable[[Any], int]
V = TypeVar("V")


class Tally(Protocol[V]):
    """What is asked about the things at the end. ``until``: the stage after which is the end ("": the last)."""

    until: str

    def of(self, bag: Bag) -> V: ...
    def together(self, several: Iterable[tuple[V, int]]) -> V: ...
    def mixed(self, several: Iterable[tuple[float, V]]) -> V: ...


class AsNumber:
    """The number of things."""

    def __init__(self, things: Sequence[Any], counted: Counted, until: str) -> None:
        self.things, self.counted, self.until = things, counted, until

    def of(self, bag: Bag) -> Chances:
        return counts.certainly(sum(many * self.counted(self.things[number]) for number, many in bag))

    def together(self, several: Iterable[tuple[Chances, int]]) -> Chances:
        return counts.together(one if many == 1 else counts.times(one, many) for one, many in several)

    def mixed(self, several: Iterable[tuple[float, Chances]]) -> Chances:
        return counts.mixed(several)


class AsBags:
    """The things themselves."""

    def __init__(self, check: Callable[[int], None], until: str) -> None:
        self.check, self.until = check, until

    def of(self, bag: Bag) -> dict[Bag, float]:
        return {sorted_bag(bag): 1.0}

    def together(self, several: Iterable[tuple[Mapping[Bag, float], int]]) -> Mapping[Bag, float]:
        each = list(several)
        kinds = list(dict.fromkeys(number for one, _ in each for bag in one for number, _ in bag))
        if len(kinds) <= FEW_KINDS and sum(many for _, many in each) > 1:
            return self.by_arrays(sorted(kinds), each)
        found: Mapping[Bag, float] = {(): 1.0}
        for one, many in each:
            for _ in range(many):
                found = self.both(found, one)
        return found

    def mixed(self, several: Iterable[tuple[float, Mapping[Bag, float]]]) -> dict[Bag, float]:
        return merged((bag, chance * share) for chance, one in several for bag, share in one.items())

    def both(self, one: Mapping[Bag, float], other: Mapping[Bag, float]) -> Mapping[Bag, float]:
        if len(one) == 1 or len(other) == 1:
            few, many = (one, other) if len(one) == 1 else (other, one)
            ((bag, chance),) = few.items()
            return many if not bag and chance == 1.0 else {added(bag, b): chance * p for b, p in many.items()}
        self.check(len(one) * len(other) if kinds_of(one).isdisjoint(kinds_of(other)) else 0)
        pairs = ((added(a, b), p * q) for a, p in one.items() for b, q in other.items() if p * q > RAREST)
        found = merged(pairs)
        self.check(len(found))
        return found

    def by_arrays(self, kinds: Sequence[int], each: Iterable[tuple[Mapping[Bag, float], int]]) -> dict[Bag, float]:
        """Bags of few kinds of things, in an array with an axis for each kind."""
        several = np.ones((1,) * len(kinds))
        for one, many in each:
            shifts = [(tuple(dict(bag).get(kind, 0) for kind in kinds), chance) for bag, chance in one.items()]
            for _ in range(many):
                several = shifted(several, shifts)
            self.check(int(np.count_nonzero(several)))
        return {
            tuple((kind, many) for kind, many in zip(kinds, place, strict=True) if many): float(several[tuple(place)])
            for place in np.argwhere(several > RAREST).tolist()
        }


def shifted(several: np.ndarray[Any, Any], shifts: Sequence[tuple[tuple[int, ...], float]]) -> np.ndarray[Any, Any]:
    """The array with one more thing, which adds so many of each kind."""
    most = [max(shift[axis] for shift, _ in shifts) for axis in range(several.ndim)]
    found = np.zeros([size + more for size, more in zip(several.shape, most, strict=True)])
    for shift, chance in shifts:
        found[tuple(slice(by, by + size) for by, size in zip(shift, several.shape, strict=True))] += chance * several
    return found


def kinds_of(bags: Iterable[Bag]) -> set[int]:
    return {number for bag in bags for number, _ in bag}


def first_of(bag: Bag, most: int) -> Bag:
    """The first things of a bag."""
    found, left = [], most
    for number, many in bag:
        if left > 0:
            found.append((number, min(many, left)))
        left -= many
    return tuple(found)


def added(one: Bag, other: Bag) -> Bag:
    if not one or not other:
        return one or other
    if one[-1][0] < other[0][0]:
        return one + other
    return sorted_bag((*one, *other))


def sorted_bag(several: Iterable[tuple[int, int]]) -> Bag:
    found: dict[int, int] = {}
    for number, many in several:
        found[number] = found.get(number, 0) + many
    return tuple(sorted(found.items()))


K = TypeVar("K", bound=Hashable)


def merged(several: Iterable[tuple[K, float]]) -> dict[K, float]:
    found: dict[K, float] = {}
    for one, chance in several:
        found[one] = found.get(one, 0.0) + chance
    return found
