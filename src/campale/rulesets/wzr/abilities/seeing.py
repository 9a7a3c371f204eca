"""How far models see, where an effect limits it (core/line-of-sight, starter-cards/moonless-night)."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, changed
from campale.rulesets.wzr.basics.measuring import gap, within
from campale.rulesets.wzr.basics.sight import has_line

UNLIMITED = 1e6


def sight_of(model: Model) -> float:
    """How far a model sees, in inches."""
    return float(changed("sight", UNLIMITED, About(model)))


@rule("core/line-of-sight", "starter-cards/moonless-night")
def is_in_sight(model: Model, other: Model) -> bool:
    """Whether a model sees another, wherever it faces: near enough, and by a free line."""
    far = sight_of(model)
    return (far >= UNLIMITED or within(gap(model, other), far)) and has_line(model, other)
