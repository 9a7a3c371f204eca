"""Wounds taken by the models of a unit one after another, and the removal of models without wounds left."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.position import Model

WOUNDS = "wounds"
"""The mark that counts the wounds that a model has lost."""


def take_wounds(models: Sequence[Model], wounds: int, cause: str, by: int = -1) -> int:
    """Take a number of wounds off models, and remove those without wounds left (``Ruleset.health``).

    Returns the number of models lost. Wounded models go first, then from the last one on; excess wounds are lost.
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
