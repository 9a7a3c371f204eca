"""How far a model sees, and which models (core/line-of-sight)."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, changed
from campale.rulesets.wzr.basics.measuring import gap, in_front, within
from campale.rulesets.wzr.basics.sight import has_line

UNLIMITED = 1e6


@rule("core/line-of-sight")
def sight_of(model: Model) -> float:
    """How far a model sees, in inches. An effect may limit it."""
    return float(changed("sight", UNLIMITED, About(model)))


@rule("core/line-of-sight")
def is_near_enough(model: Model, other: Model) -> bool:
    """Whether the other model is within the distance that this one sees."""
    far = sight_of(model)
    return far >= UNLIMITED or within(gap(model, other), far)


@rule("core/line-of-sight", "core/front-rear")
def sees(model: Model, other: Model) -> bool:
    """Whether the other model is in the Front and near enough to be seen, with a free line between the two."""
    return in_front(model, other) and is_near_enough(model, other) and has_line(model, other)
