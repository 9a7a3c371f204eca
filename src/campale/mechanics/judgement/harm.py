"""What several attackers take off several targets together. A judgement, and no rule."""

from __future__ import annotations

from collections.abc import Sequence


def pooled(worths: Sequence[float], threats: Sequence[Sequence[float]]) -> float:
    """What all attackers take off, each where it takes most beside those before it; no target loses more than it has.

    ``worths`` of the targets; ``threats``: what each attacker (a row) may take off each of them.
    """
    left, total = list(worths), 0.0
    for row in threats:
        taken = [min(one, has) for one, has in zip(row, left, strict=True)]
        most = max(taken, default=0.0)
        if most > 0.0:
            left[taken.index(most)] -= most
            total += most
    return total
