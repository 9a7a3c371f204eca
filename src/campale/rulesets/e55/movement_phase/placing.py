"""Placing a whole unit: the rules for the place of each model, and for all places together."""

from __future__ import annotations

from functools import partial

from campale.mechanics.moves import coherency, move_paths
from campale.mechanics.moves.crowd import crowd
from campale.mechanics.moves.placing import PlacedModel, PlacedUnit, PlacingRules, Putting, Spot
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e55.movement_phase.coherency import is_coherent, link
from campale.rulesets.e55.movement_phase.ways import ENEMY_GAP, NOBODY, barred_at

# ---------------------------------------------------------------- one place


@rule("10.1/table")
def over_the_edge(placed: PlacedModel) -> Fault | None:
    """Refuse a place unless the whole base or hull is on the table."""
    return move_paths.over_the_edge(placed)


@rule("3.1.2/impassable")
def on_impassable(placed: PlacedModel) -> Fault | None:
    return move_paths.over_a_piece(placed)


@rule("3.1/enemy-one-inch")
def near_an_enemy(placed: PlacedModel) -> Fault | None:
    met = placed.met
    if met is None or met.other is None or not met.kept:
        return None
    return Fault(placed.spot[:2], placed.gap_to(met.other), ENEMY_GAP, met.other.row)


@rule("1.1/model-is-its-base")
def on_another_base(placed: PlacedModel) -> Fault | None:
    """Refuse a place on another base or hull, whatever else bars it."""
    return None if placed.is_free else Fault(placed.spot[:2], model=placed.model.row)


# ---------------------------------------------------------------- all places


@rule("1.1/model-is-its-base")
def on_each_other(placed: PlacedUnit) -> Fault | None:
    """Refuse places where two models overlap."""
    return coherency.on_each_other(placed.models, placed.solids)


@rule("3.1.1/coherency")
def scattered(placed: PlacedUnit) -> Fault | None:
    """Refuse places that break coherency, counting models of the unit already on the table."""
    return None if is_coherent(placed.supposed) else Fault(placed.there[-1][:2])


PLACING = PlacingRules(
    partial(barred_at, NOBODY, z=0.0),
    link,
    (over_the_edge, on_impassable, near_an_enemy, on_another_base),
    (on_each_other, scattered),
)


@rule("10.5/reserve-entry")
def around(putting: Putting, first: Spot) -> list[Spot] | None:
    """Return places for all models with the first at its own spot; None if some find none, or coherency fails."""
    found = crowd(putting, first)
    if len(found) < len(putting.models) or scattered(PlacedUnit(putting.unit, putting.models, found)) is not None:
        return None
    return found
