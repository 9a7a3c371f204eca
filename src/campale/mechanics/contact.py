"""Groups of models that touch one another (ragnarok melee/groups, e55 3.3.1/engaged, e3m assault/several-units)."""

from __future__ import annotations

from collections.abc import Iterable


def groups(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, ...]]:
    """The connected components of the pairs, each sorted, in the order of their least member."""
    found: list[set[int]] = []
    for pair in pairs:
        joined = [group for group in found if not group.isdisjoint(pair)]
        found = [group for group in found if group.isdisjoint(pair)]
        found.append(set(pair).union(*joined))
    return sorted(tuple(sorted(group)) for group in found)
