"""Coherency: every model stays near its Commander (squads/coherency, squads/out-of-coherency, abilities/scatter)."""

from __future__ import annotations

from campale.referee.position import Model
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, allows
from campale.rulesets.wzr.basics import marks
from campale.rulesets.wzr.basics.dice import half
from campale.rulesets.wzr.basics.measuring import within
from campale.rulesets.wzr.squads.squads import commander
from campale.table import measure
from campale.table.shapes import Point, Solid, rounded


@rule("squads/coherency")
def leader_of(model: Model) -> Model | None:
    """The Commander that a model measures to; None for the Commander itself or a berserk model."""
    leader = commander(model.unit)
    return None if leader is None or leader.row == model.row or model.marks(marks.BERSERK) else leader


@rule("squads/coherency", "abilities/scatter", "core/rounding")
def coherency_to(leader: Model, model: Model) -> float:
    """Half the LD of the Commander or Substitute, in inches; the whole LD for a model with Scatter."""
    leadership = int(leader.profile.ld)
    return float(leadership if allows("whole-ld", About(model)) else half(leadership))


def gap_from(model: Model, leader: Model, at: Point | None) -> float:
    """The gap in inches to the Commander, from where the model stands or would stand."""
    solid = model.solid
    placed = solid if at is None else Solid(solid.shape, at[0], at[1], solid.z, solid.facing, solid.height)
    return rounded(max(0.0, measure.gap(placed, leader.solid)))


@rule("squads/coherency")
def is_coherent(model: Model, at: Point | None = None) -> bool:
    """Whether a model stands, or would stand, in coherency."""
    leader = leader_of(model)
    return leader is None or within(gap_from(model, leader, at), coherency_to(leader, model))


@rule("squads/coherency", "squads/out-of-coherency")
def strays(model: Model, end: Point) -> Fault | None:
    """A move must end in coherency or, for a model that was outside, at least nearer than it began."""
    leader = leader_of(model)
    if leader is None:
        return None
    far, limit = gap_from(model, leader, end), coherency_to(leader, model)
    if within(far, limit):
        return None
    before = gap_from(model, leader, None)
    was_outside = not within(before, limit)
    if was_outside and far < before:
        return None
    rule = "squads/out-of-coherency" if was_outside else "squads/coherency"
    return Fault((round(end[0], 2), round(end[1], 2)), round(far, 2), limit, model.row, rule=rule)
