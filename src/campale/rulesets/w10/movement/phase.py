"""The Movement phase: units move one after another (movement-phase/steps, movement-phase/options)."""

from __future__ import annotations

from functools import partial

from campale.mechanics.answers import DONE
from campale.referee.ask import choose
from campale.referee.position import Position, Unit
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.moments import uses_at
from campale.rulesets.w10.basics.attached import what_is_left
from campale.rulesets.w10.basics.units import (
    GOT_OUT,
    MOVED,
    PICKED,
    STATIONARY,
    components,
    engaged_with,
    is_aircraft,
    members,
    units_of,
)
from campale.rulesets.w10.movement.aircraft import fly, must_fly
from campale.rulesets.w10.movement.falling_back import can_fall_back, fall_back
from campale.rulesets.w10.movement.moves import advance, is_locked, normal_move
from campale.rulesets.w10.movement.transports import OUT, disembark, may_embark, to_disembark

STAY, NORMAL, ADVANCE, FALL_BACK, FLY = "stay", "normal", "advance", "fall-back", "fly"


@rule("movement-phase/steps")
def to_move(position: Position, side: int) -> list[Unit]:
    """The units that have not been picked yet."""
    return [unit for unit in units_of(position, side) if not unit.marks(PICKED)]


@rule("movement-phase/options", "m/move-while-engaged", "movement-phase/fall-back", "aircraft/others-move")
def options_of(unit: Unit) -> list[Plain]:
    """The ways in which a unit may move.

    A unit with a model without a Move stays, AIRCRAFT fly, and a unit engaged with other than AIRCRAFT falls back or
    stays. A unit that has disembarked this turn may not stay.
    """
    if any(not m.profile.m for m in members(unit)):
        return [STAY]
    if is_aircraft(unit):
        return [FLY]
    enemies = engaged_with(unit)
    back: list[Plain] = [FALL_BACK] if enemies and can_fall_back(unit) else []
    if all(is_aircraft(one) for one in enemies):
        return [NORMAL, ADVANCE, *back] if unit.marks(GOT_OUT) else [NORMAL, ADVANCE, STAY, *back]
    return [STAY, *back]


@rule("movement-phase/options", "m/move-while-engaged", "movement-phase/fall-back", "transports/disembark-before")
def kept_from_moving_so(unit: Unit) -> dict[Plain, Refusal | Fault | None]:
    """Why the unit may not move in the ways that are not open to it; a Fall Back is no way for who is not engaged."""
    found: dict[Plain, Refusal | Fault | None] = {}
    if engaged_with(unit):
        engaged = Fault(word="move-barred.engaged", rule="m/move-while-engaged")
        no_way = Fault(word="move-barred.no-way-back", rule="movement-phase/fall-back")
        found = {NORMAL: engaged, ADVANCE: engaged, FALL_BACK: no_way}
    if unit.marks(GOT_OUT):
        found[STAY] = Fault(word="move-barred.got-out", rule="transports/disembark-before")
    return found


@rule("movement-phase/steps", "movement-phase/options", "transports/disembark", "transports/embark")
async def move_a_unit(position: Position, side: int) -> bool:
    """One unit acts as its owner says, or the phase is done; return whether more may follow.

    A unit that has not moved, for all that it was to, does not embark.
    """
    left, aboard = to_move(position, side), [(OUT, unit.row) for unit in to_disembark(position, side)]
    uses = {use.key: use for use in uses_at(position, side, "movement", {})}
    if not left and not aboard and not uses:
        return False
    ends: list[Plain] = [] if must_fly(position, side) else [DONE]
    options: list[Plain] = [*(one.row for one in left), *aboard, *uses, *ends]
    chosen = await choose(side, "move-unit", options, of="act", odds={DONE: 0.03, **dict.fromkeys(uses, 0.3)})
    if chosen == DONE:
        return False
    if chosen in uses:
        await position.ruleset.book.perform(uses[chosen])
        return True
    if isinstance(chosen, tuple):
        await disembark(Unit(position, int(chosen[1])))
        return True
    unit = Unit(position, int(chosen))
    parts = components(unit)
    unit.mark(PICKED, 1)
    closed = partial(kept_from_moving_so, unit)
    how = await choose(side, "how-to-move", options_of(unit), unit=unit.row, odds={ADVANCE: 0.4}, closed=closed)
    if how == STAY:
        note_stay(unit)
    await MOVES[how](unit)
    for one in what_is_left(position, parts):
        if not one.marks(STATIONARY) and not is_locked(one):
            await may_embark(one)
    return bool(to_move(position, side) or to_disembark(position, side) or uses_at(position, side, "movement", {}))


@rule("movement-phase/remain-stationary")
async def remain(unit: Unit) -> None:
    """Remain Stationary: no model of the unit moves in this phase."""


@rule("r/remain-stationary", "transports/disembark-before")
def note_stationary(position: Position, side: int) -> None:
    """A unit never picked has Remained Stationary; one that got out of a TRANSPORT has moved 0 inches."""
    for unit in to_move(position, side):
        note_stay(unit)


@rule("r/remain-stationary", "transports/disembark-before")
def note_stay(unit: Unit) -> None:
    unit.mark(MOVED if unit.marks(GOT_OUT) else STATIONARY, 1)


MOVES = {STAY: remain, NORMAL: normal_move, ADVANCE: advance, FALL_BACK: fall_back, FLY: fly}
