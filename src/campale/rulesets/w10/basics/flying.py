"""Models that cross enemies, in units of which only some can FLY (v/fly)."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.w10.basics.units import flies


@rule("v/fly", "keywords/models-only")
def crosses_enemies(model: Model) -> bool:
    """True for a model that can FLY; or (``mixed_fly``) for every model of a unit that can."""
    own = bool(model.profile.has("fly"))
    return own or (model.position.options.mixed_fly == "unit" and flies(model.unit))
