"""Wounds taken off one model of a unit after another, and what becomes of those that have none left."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.position import Model

WOUNDS = "wounds"
"""The mark that counts the wounds that a model has lost."""


def take_wounds(models: Sequence[Model], wounds: int, cause: str, by: int = -1) -> int:
    """Take so many wounds off models, and away whoever has none left (``Ruleset.health``): how many are lost.

    Whoever is wounded goes first, then the last of them; what is more than all of them have comes to nothing.
    """
    lost = 0
    left = sorted(models, key=lambda m: (m.marks(WOUNDS) > 0, m.row))
    while wounds > 0 and left:
        model = left.pop()
        has, _ = model.position.ruleset.health_of(model)
        taken = min(wounds, has)
        wounds -= taken
        model.add(WOUNDS, taken)
        model.position.harm(model, taken, cause, (by,))
        if taken == has:
            model.position.remove(model, cause, by)
            lost += 1
    return lost
