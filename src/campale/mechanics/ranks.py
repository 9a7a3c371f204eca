"""Models with several wounds each, taken one after another: the models left after any number of wounds."""

from __future__ import annotations

from typing import NamedTuple


class Ranks(NamedTuple):
    """The number of models left, and the wounds left on the first; the others are unhurt."""

    models: int
    left: int
    each: int

    @property
    def wounds(self) -> int:
        """The total number of wounds left."""
        return self.left + (self.models - 1) * self.each if self.models else 0


def ranks_of(models: int, each: int) -> Ranks:
    """Unhurt models."""
    return Ranks(models, each if models else 0, each)


def wounded(ranks: Ranks, wounds: int, spills: bool = False) -> Ranks:
    """The ranks after a number of wounds at once: excess wounds on the first model are lost unless ``spills``."""
    if spills:
        left = max(0, ranks.wounds - wounds)
        models = -(-left // ranks.each)
        return Ranks(models, left - (models - 1) * ranks.each if models else 0, ranks.each)
    if wounds < ranks.left:
        return ranks._replace(left=ranks.left - wounds)
    return ranks_of(ranks.models - 1, ranks.each) if ranks.models else ranks
