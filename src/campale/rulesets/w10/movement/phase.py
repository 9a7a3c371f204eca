"""The Movement phase: units move one after another (movement-phase/steps, movement-phase/options)."""

from __future__ import annotations

from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.w10.basics.units import PICKED, STATIONARY, is_engaged, members, units_of
from campale.rulesets.w10.movement.falling_back import can_fall_back, fall_back
from campale.rulesets.w10.movement.moves import advance, normal_move

STAY, NORMAL, ADVANCE, FALL_BACK = "stay", "normal", "advance", "fall-back"
DONE = "done"


@rule("movement-phase/steps")
def to_move(position: Position, side: int) -> list[Unit]:
    """The units that have not been picked yet."""
    return [unit for unit in units_of(position, side) if not unit.marks(PICKED)]


@rule("movement-phase/options", "m/move-while-engaged", "movement-phase/fall-back")
def options_of(unit: Unit) -> list[Plain]:
    """A unit that is engaged may only fall back or stay; a model without a Move stays."""
    if any(not m.profile.m for m in members(unit)):
        return [STAY]
    if not is_engaged(unit):
        return [NORMAL, ADVANCE, STAY]
    return [STAY, FALL_BACK] if can_fall_back(unit) else [STAY]


@rule("movement-phase/steps", "movement-phase/options")
async def move_a_unit(position: Position, side: int) -> bool:
    """One unit moves, as its owner says; or the phase is done. Whether more may follow."""
    left = to_move(position, side)
    if not left:
        return False
    chosen = await choose(side, "move-unit", [*(one.row for one in left), DONE], of="unit", odds={DONE: 0.03})
    if chosen == DONE:
        return False
    unit = Unit(position, int(chosen))
    unit.mark(PICKED, 1)
    how = await choose(side, "how-to-move", options_of(unit), unit=unit.row, odds={ADVANCE: 0.4})
    if how == STAY:
        unit.mark(STATIONARY, 1)
    await MOVES[how](unit)
    return bool(to_move(position, side))


@rule("movement-phase/remain-stationary")
async def remain(unit: Unit) -> None:
    """None of its models moves in this phase."""


@rule("r/remain-stationary")
def note_stationary(position: Position, side: int) -> None:
    """Whoever was never picked has Remained Stationary."""
    for unit in to_move(position, side):
        unit.mark(STATIONARY, 1)


MOVES = {STAY: remain, NORMAL: normal_move, ADVANCE: advance, FALL_BACK: fall_back}
