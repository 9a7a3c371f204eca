"""How far from its Commander a model may be (squads/coherency, abilities/scatter)."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, allows
from campale.rulesets.wzr.basics.dice import half
from campale.rulesets.wzr.basics.measuring import gap, within
from campale.rulesets.wzr.squads.squads import commander


@rule("squads/coherency", "abilities/scatter", "core/rounding")
def coherency_to(leader: Model, model: Model) -> float:
    """Half the LD of the Commander or Substitute, in inches; whoever has Scatter uses all of it."""
    leadership = int(leader.profile.ld)
    return float(leadership if allows("whole-ld", About(model)) else half(leadership))


@rule("squads/coherency")
def is_coherent(model: Model) -> bool:
    leader = commander(model.unit)
    return leader is None or leader.row == model.row or within(gap(model, leader), coherency_to(leader, model))
