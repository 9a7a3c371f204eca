"""The worth of a model to a bot."""

from __future__ import annotations

from campale.referee.position import Model
from campale.rulesets.ragnarok.basics.physical import is_out_of_action
from campale.rulesets.ragnarok.battle.missions import is_in_reserve


def worth_of(model: Model) -> float:
    """Return a model's points, less for wounds, markers, and lying prone."""
    if is_in_reserve(model):
        return float(model.profile.points)
    if not model.is_on_table:
        return 0.0
    if is_out_of_action(model):
        return 0.1 * float(model.profile.points)
    health = 1.0 - 0.35 * model.marks("wounds") / model.profile.wounds
    burden = 0.02 * (model.marks("morale") + 2 * model.marks("fatigue")) + 0.1 * bool(model.marks("suppressed"))
    shelter = 0.03 * bool(model.marks("alert")) + 0.05 * bool(model.marks("hidden")) - 0.08 * bool(model.marks("prone"))
    return float(model.profile.points * (health - burden + shelter))
