"""Chapter "move": the way of a unit."""

from __future__ import annotations

from campale.mechanics import units
from campale.mechanics.moves import barring, going, move_paths, unit_moves
from campale.mechanics.moves.unit_moves import Movement, UnitMove
from campale.referee.position import Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.table.paths import plan_length

from .orders import is_holding
from .profile import LINK


@rule("move/allowance")
async def move(unit: Unit) -> None:
    await going.move_unit(unit, "move", movement_of(unit, allowance(unit)))


@rule("move/allowance")
def allowance(unit: Unit) -> float:
    movement: float = units.members(unit)[0].profile.move
    return movement / 2 if is_holding(unit) else movement


def movement_of(unit: Unit, limit: float) -> Movement:
    meets = unit_moves.on_the_table(barring.bases, barring.bases)
    return Movement(limit, LINK, meets, barring.bases, (too_far, barred), (on_each_other, out_of_coherency))


@rule("move/allowance")
def too_far(way: move_paths.MovePath) -> Fault | None:
    return move_paths.too_long(way.model, way.path, plan_length(way.path), way.limit)


@rule("move/bases")
def barred(way: move_paths.MovePath) -> Fault | None:
    """Through a model of another unit, or over the edge of the table."""
    return move_paths.through_a_model(way) or move_paths.over_the_edge(way)


@rule("move/bases")
def on_each_other(move: UnitMove) -> Fault | None:
    return unit_moves.on_each_other(move)


@rule("move/coherency")
def out_of_coherency(move: UnitMove) -> Fault | None:
    return unit_moves.out_of_coherency(move)
