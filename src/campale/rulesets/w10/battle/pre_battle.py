"""Before the first turn: Scouts move (core-abilities/scouts, mission/pre-battle)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.answers import DONE
from campale.mechanics.moves.asking import unit_move_question
from campale.mechanics.moves.barring import MORE_THAN
from campale.mechanics.moves.move_paths import Barred, shown
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths
from campale.mechanics.units import riders_of
from campale.referee.ask import ask, choose
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.w10.basics.levels import solids
from campale.rulesets.w10.basics.units import EMBARKED, SCOUTED, has, members, units_of, within
from campale.rulesets.w10.movement.moves import ANY_HEIGHT, Cites, barred_for, go, goals_for, moving, on_the_way
from campale.rulesets.w10.movement.transports import may_embark
from campale.table.measure import gap

SCOUTING = Cites("core-abilities/scouts", "core-abilities/scouts")
AWAY = 9.0


@rule("core-abilities/scouts", "e/scouts-different")
def scouts(unit: Unit) -> float:
    """How far a unit may scout, in inches: the shortest distance of its models; 0 unless every model can.

    A DEDICATED TRANSPORT moves as far as its passengers could, if all of them can and none has, or by an ability of
    its own.
    """
    models = members(unit)
    riders = [rider for carrier in models for rider in riders_of(carrier)]
    can_carry = has(unit, "dedicated-transport") and not any(rider.unit.marks(SCOUTED) for rider in riders)
    return max(shortest(models), shortest(riders) if can_carry else 0.0)


def shortest(models: Sequence[Model]) -> float:
    if not models or not all(m.profile.can("scouts") for m in models):
        return 0.0
    return float(min(m.profile.numbers["scouts"] for m in models))


def to_scout(position: Position, side: int) -> list[Unit]:
    return [unit for unit in units_of(position, side) if scouts(unit) and not unit.marks(SCOUTED)]


@rule("core-abilities/scouts", "mission/pre-battle")
async def scout(position: Position) -> bool:
    """Scout with one unit; the side with the first turn finishes before the other. Return whether more are left."""
    first = int(position.now["first"])
    left = to_scout(position, first) or to_scout(position, 1 - first)
    if not left:
        return False
    side = left[0].side
    chosen = await choose(side, "scout-unit", [*(unit.row for unit in left), DONE], of="unit", odds={DONE: 0.2})
    if chosen == DONE:
        for unit in left:
            unit.mark(SCOUTED, 1)
    else:
        await scout_with(Unit(position, int(chosen)))
    return bool(to_scout(position, 0) or to_scout(position, 1))


@rule("core-abilities/scouts", "transports/embark")
async def scout_with(unit: Unit) -> None:
    """Make a Normal move that ends more than 9 inches from every enemy model; the unit may embark after it."""
    unit.mark(SCOUTED, 1)
    movement = scouting(unit)
    question = unit_move_question(unit, members(unit), "scout", movement, lambda: goals_for(unit))
    go(unit, as_paths(members(unit), await ask(question), movement.reads), "scout")
    await may_embark(unit)
    unit.mark(EMBARKED, 0)


def scouting(unit: Unit) -> Movement:
    return moving(unit, scouts(unit), on_the_way, at_the_end, left_near, cites=SCOUTING)


@rule("core-abilities/scouts")
def left_near(move: UnitMove) -> Fault | None:
    """A unit that scouts may leave no model within 9 inches of an enemy."""
    for model in move.models if move.moving else ():
        enemies = move.unit.position.on_table(1 - model.side)
        if any(within(gap(move.standing(model), enemy.solid), AWAY) for enemy in enemies):
            return Fault(shown(move.end(model)), limit=AWAY, model=model.row)
    return None


@rule("core-abilities/scouts")
def keeps_off_scouting(model: Model, other: Model) -> float | None:
    return AWAY + MORE_THAN if other.side != model.side else 0.0


def at_the_end(model: Model, z: float | None = None) -> Barred:
    return barred_for(model, "scouting", keeps_off_scouting, solids, z, ANY_HEIGHT)
