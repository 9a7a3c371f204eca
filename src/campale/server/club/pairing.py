"""Pairings: round robin by the circle method, and Swiss, avoiding rematches if possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from campale.server.club.matching import Matching

Pair = tuple[int, int | None]
"""Two entrants by their numbers; a single one has a bye."""


# ---------------------------------------------------------------- round robin


def robin_rounds(entrants: int) -> int:
    """The number of rounds until everybody has met everybody."""
    return max(0, entrants - 1 + entrants % 2)


def robin(entrants: Sequence[int], round_: int) -> list[Pair]:
    """A round (from 1): the first entrant stays, the others go round the circle; one without an opponent has a bye."""
    circle: list[int | None] = [*entrants, *([None] if len(entrants) % 2 else [])]
    turned = [circle[0], *rotated(circle[1:], round_ - 1)]
    pairs = []
    for k in range(len(turned) // 2):
        one, two = turned[k], turned[-1 - k]
        if one is None:
            one, two = two, None
        assert one is not None
        pairs.append((two, one) if two is not None and k == 0 and round_ % 2 == 0 else (one, two))
    return [pair for pair in pairs if pair[1] is not None] + [pair for pair in pairs if pair[1] is None]


def rotated(circle: Sequence[int | None], steps: int) -> list[int | None]:
    steps %= len(circle)
    return [*circle[-steps:], *circle[:-steps]] if steps else list(circle)


# ---------------------------------------------------------------- Swiss


def swiss(ranked: Sequence[int], met: Collection[Pair]) -> list[Pair]:
    """The next round for a ranking (the best first), after all pairs so far.

    The first aim is as few rematches as possible. Then the bye goes to the lowest of the entrants with the fewest byes,
    and each in turn meets the next below that leaves a possible pairing for the others.
    """
    known = {frozenset(pair) for pair in met if pair[1] is not None}
    rest, byes = list(ranked), []
    if len(rest) % 2:
        alone = bye_of(rest, known, Counter(one for one, two in met if two is None))
        rest.remove(alone)
        byes.append((alone, None))
    pairs: list[Pair] = []
    unavoidable = rematches(rest, known)
    while rest:
        one = rest.pop(0)
        for two in rest:
            others = [other for other in rest if other != two]
            repeated = int(frozenset((one, two)) in known)
            if repeated <= unavoidable and repeated + rematches(others, known) == unavoidable:
                pairs.append((one, two))
                rest, unavoidable = others, unavoidable - repeated
                break
    return [*pairs, *byes]


def bye_of(ranked: Sequence[int], known: Collection[frozenset[int | None]], had: Counter[int]) -> int:
    """The entrant with the bye.

    The lowest of those with the fewest byes whose bye leaves the others the fewest rematches.
    """
    fewest = min(had[one] for one in ranked)
    may = [one for one in reversed(ranked) if had[one] == fewest]
    return min(may, key=lambda one: rematches([other for other in ranked if other != one], known))


def rematches(entrants: Sequence[int], known: Collection[frozenset[int | None]]) -> int:
    """The minimum number of rematches if all are paired."""
    places = range(len(entrants))
    may = [[k for k in places if k != j and frozenset((entrants[j], entrants[k])) not in known] for j in places]
    return len(entrants) // 2 - Matching(may).pairs()
