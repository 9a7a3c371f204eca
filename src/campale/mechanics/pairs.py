"""Values for pairs of models, as an array over all rows, kept until something moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from campale.referee.position import Model, Position

Verdicts = NDArray[np.int8]
UNKNOWN = -1
PAIRS = "pairs"

Find = Callable[[Position, Sequence[Model], Sequence[Model]], Verdicts]
"""The values for the first and the second model of each pair: whole numbers from 0 to 127, one for each pair."""


def kept_by_pair(position: Position, ones: Sequence[Model], others: Sequence[Model], find: Find) -> Verdicts:
    """The value of ``find`` for each of some models and each of others: (ones, others).

    ``find`` is called once for all the pairs not yet known. It must depend only on the places and the poses of models
    and on the ground: the array is kept in ``position.layout``.
    """
    kept, key = position.layout, (PAIRS, find)
    known = kept.get(key)
    if known is None:
        known = kept[key] = np.full((len(position.names), len(position.names)), UNKNOWN, np.int8)
    wanted = np.ix_([m.row for m in ones], [m.row for m in others])
    found: Verdicts = known[wanted]
    if not (found == UNKNOWN).any():
        return found
    pairs = np.argwhere(found == UNKNOWN).tolist()
    firsts, seconds = [ones[k] for k, _ in pairs], [others[n] for _, n in pairs]
    known[[m.row for m in firsts], [m.row for m in seconds]] = find(position, firsts, seconds)
    complete: Verdicts = known[wanted]
    return complete
