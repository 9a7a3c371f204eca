"""The total harm of several attackers to several targets. A judgement, not a rule."""

from __future__ import annotations

from collections.abc import Sequence


def pooled(worths: Sequence[float], threats: Sequence[Sequence[float]]) -> float:
    """The total harm if each attacker in turn picks its best target; no target loses more than it has.

    ``worths`` of the targets; ``threats``: the harm that each attacker (a row) may do to each of them.
    """
    left, total = list(worths), 0.0
    for row in threats:
        taken = [min(one, has) for one, has in zip(row, left, strict=True)]
        most = max(taken, default=0.0)
        if most > 0.0:
            left[taken.index(most)] -= most
            total += most
    return total
