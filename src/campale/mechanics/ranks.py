"""Models of which each has wounds of its own, taken one after another: what any number of wounds leaves of them."""

from __future__ import annotations

from typing import NamedTuple


class Ranks(NamedTuple):
    """How many models are left, and how many wounds the first of them has left; each of the others has all of its."""

    models: int
    left: int
    each: int

    @property
    def wounds(self) -> int:
        """All the wounds that are left."""
        return self.left + (self.models - 1) * self.each if self.models else 0


def ranks_of(models: int, each: int) -> Ranks:
    """Models that nobody has hurt."""
    return Ranks(models, each if models else 0, each)


def wounded(ranks: Ranks, wounds: int, spills: bool = False) -> Ranks:
    """After so many wounds at once: what is more than the first model has left is lost, unless it ``spills`` over."""
    if spills:
        left = max(0, ranks.wounds - wounds)
        models = -(-left // ranks.each)
        return Ranks(models, left - (models - 1) * ranks.each if models else 0, ranks.each)
    if wounds < ranks.left:
        return ranks._replace(left=ranks.left - wounds)
    return ranks_of(ranks.models - 1, ranks.each) if ranks.models else ranks
