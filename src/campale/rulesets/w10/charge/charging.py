"""Charges: targets, the roll, the move (charge-phase/*, charging/*)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import Any

from campale.mechanics.moves.asking import shifted
from campale.mechanics.moves.barring import no_pieces
from campale.mechanics.moves.contact import ContactSearch, contact_question, contacts, in_contact
from campale.mechanics.moves.move_paths import Barred, shown
from campale.mechanics.moves.unit_moves import Movement, UnitMove, as_paths, is_lawful
from campale.mechanics.script_form import fill_in_script
from campale.referee.ask import ask, roll
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, MoveUnit, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import added_to, may_although_advanced
from campale.rulesets.w10.basics.sight import solids
from campale.rulesets.w10.basics.units import (
    ADVANCED,
    CHARGED,
    DECLARED,
    ENGAGEMENT,
    FELL_BACK,
    NO_CHARGE,
    WAS_CHARGED,
    flies,
    is_aircraft,
    is_engaged,
    members,
    units_of,
    units_within,
    within,
)
from campale.rulesets.w10.movement.moves import (
    MORE_THAN,
    barred_for,
    blocks,
    go,
    moving,
)
from campale.rulesets.w10.windows.reroll import total
from campale.rulesets.w10.windows.windows import open_window
from campale.table.measure import gap

REACH = 12.0
NONE_LEFT, NOBODY = "none", "nobody"
SHORT_OF = (0.0, 0.25, 0.5, 0.75, 0.95)
"""How far from contact the nearest model is proposed to stop, where contact is not possible."""


# ---------------------------------------------------------------- who may charge whom


@rule("charge-phase/sequence")
def to_charge(position: Position, side: int) -> list[Unit]:
    """The units that have not declared a charge yet and may."""
    return [unit for unit in units_of(position, side) if not unit.marks(DECLARED) and is_eligible(unit)]


@rule("charge-phase/eligible")
def is_eligible(unit: Unit) -> bool:
    """With an enemy within 12 inches, and not barred."""
    near = units_within(unit, REACH, 1 - unit.side)
    return not is_barred(unit) and any(may_be_charged(unit, one) for one in near)


@rule("charge-phase/eligible", "movement-phase/advance", "movement-phase/fall-back", "transports/disembark-after")
def is_barred(unit: Unit) -> bool:
    """Who advanced, fell back or is engaged, AIRCRAFT, and whoever cannot move."""
    advanced = unit.marks(ADVANCED) and not may_although_advanced(unit, "charge")
    done = advanced or unit.marks(FELL_BACK) or unit.marks(NO_CHARGE) or is_engaged(unit)
    return bool(done) or is_aircraft(unit) or not all(m.profile.m for m in members(unit))


@rule("aircraft/charge-fight")
def may_be_charged(unit: Unit, target: Unit) -> bool:
    """Only units that can FLY charge AIRCRAFT."""
    return flies(unit) or not is_aircraft(target)


@rule("charge-phase/select-targets", "charging/declare-charge", "b/target-of-charge")
def declaration(unit: Unit) -> Generator[Question, Any, tuple[int, ...]]:
    """One or more units within 12 inches; nobody: the charge is not declared after all."""
    able = [one.row for one in units_within(unit, REACH, 1 - unit.side) if may_be_charged(unit, one)]
    first = yield Choose(unit.side, "charge-target", [*able, NOBODY], "unit", odds={NOBODY: 0.3})
    if first == NOBODY:
        return ()
    found = [first]
    while left := [row for row in able if row not in found]:
        more = yield Choose(unit.side, "charge-target-too", [NONE_LEFT, *left], "unit", odds={NONE_LEFT: 6.0})
        if more == NONE_LEFT:
            break
        found.append(more)
    return tuple(found)


@rule("charge-phase/sequence", "charging/charging-unit", "charging/declare-charge")
async def charge(unit: Unit) -> None:
    """Declare, roll, move."""
    unit.mark(DECLARED, 1)
    targets = await fill_in_script(unit.side, "charge", partial(declaration, unit), [NOBODY], unit=unit.row)
    if not targets:
        return
    unit.position.write("charge-declared", unit=unit.row, targets=list(targets))
    await charge_at(unit, targets)


@rule("charge-phase/charge-roll", "charging/charge-distance")
async def charge_at(unit: Unit, targets: Sequence[int]) -> None:
    """Two dice say how far each model may go; if the conditions cannot be met the charge fails."""
    position = unit.position
    found = (await roll(unit.side, "charge", 2, total=True, unit=unit.row)).total
    far = float(await total(unit, "charge", 2, found) + added_to(unit, "charge"))
    await open_window(position, "enemy-moves", mover=unit.row)
    enemies = [m for row in targets for m in members(Unit(position, row))]
    if not members(unit) or not enemies:
        return
    search = ContactSearch(unit, members(unit), enemies, charge_movement(unit, targets, far))
    witness = best_charge(search, targets)
    if witness is None:
        position.write("charge-failed", unit=unit.row, far=far)
        return
    go(unit, as_paths(search.models, await ask(charge_question(search, witness))), "charge")
    note_charge(unit, targets)
    await open_window(position, "enemy-moves", mover=unit.row)
    await open_window(position, "charge-ends", charger=unit.row)


@rule("charging/has-charged", "charging/been-charged", "charge-phase/bonus", "charging/charge-move")
def note_charge(unit: Unit, targets: Sequence[int]) -> None:
    """It has charged, and its targets have been charged, until the end of the turn."""
    unit.mark(CHARGED, 1)
    for row in targets:
        Unit(unit.position, row).mark(WAS_CHARGED, 1)


# ---------------------------------------------------------------- the move


@rule("charge-phase/charge-roll", "charge-phase/charge-move", "charge-phase/flying", "m/move-over-models")
def charge_movement(unit: Unit, targets: Sequence[int], far: float) -> Movement:
    """Never within engagement range of an enemy unit that is no target; to every target at the end."""
    meant = frozenset(targets)

    def keeps_off(model: Model, other: Model) -> float | None:
        if other.side != model.side:
            return 0.0 if other.unit.row in meant else ENGAGEMENT + MORE_THAN
        return 0.0

    def passing(model: Model, other: Model) -> float | None:
        if other.side != model.side:
            return None if model.profile.has("fly") else keeps_off(model, other)
        return 0.0 if blocks(model, other) else None

    def short_of_a_target(move: UnitMove) -> Fault | None:
        return not_engaged_with_all(move, targets)

    def no_closer(move: UnitMove) -> Fault | None:
        return ends_no_closer(move, targets)

    def end(model: Model) -> Barred:
        return barred_for(model, f"charge-{sorted(meant)}", keeps_off, solids)

    def way(model: Model) -> Barred:
        return barred_for(model, f"charging-{sorted(meant)}", passing, no_pieces)

    return moving(unit, far, way, end, short_of_a_target, no_closer)


@rule("charge-phase/charge-roll")
def not_engaged_with_all(move: UnitMove, targets: Sequence[int]) -> Fault | None:
    """The unit must end within engagement range of every target."""
    ends = [move.standing(m) for m in move.models]
    for row in targets:
        enemies = members(Unit(move.unit.position, row))
        if not any(within(gap(one, m.solid), ENGAGEMENT) for one in ends for m in enemies):
            return Fault(limit=ENGAGEMENT, model=enemies[0].row, rule="charge-phase/charge-roll")
    return None


@rule("charge-phase/charge-move")
def ends_no_closer(move: UnitMove, targets: Sequence[int]) -> Fault | None:
    """Each model that moves ends closer to one of the target units, that is to whoever of it is nearest."""
    units = [[m.solid for m in members(Unit(move.unit.position, row))] for row in targets]
    for model in move.moving:
        there, here = move.standing(model), model.solid
        if all(min(gap(there, one) for one in unit) >= min(gap(here, one) for one in unit) for unit in units):
            return Fault(shown(move.end(model)), model=model.row, rule="charge-phase/charge-move")
    return None


def best_charge(search: ContactSearch, targets: Sequence[int]) -> Plain | None:
    """With as many models in contact as the search finds; else straight ahead, into engagement range."""
    found = search.best()
    return found if found is not None else next(straight_charges(search), None)


def straight_charges(search: ContactSearch) -> Iterator[Plain]:
    """All by the same step, so that the nearest model ends short of contact."""
    pairs = [(gap(m.solid, e.solid), m, e) for m in search.models for e in search.targets]
    far, mover, enemy = min(pairs, key=lambda one: one[0])
    dx, dy = enemy.x - mover.x, enemy.y - mover.y
    whole = max((dx * dx + dy * dy) ** 0.5, 1e-6)
    for short in SHORT_OF:
        step = min(far - short - MORE_THAN, search.movement.limit or 0.0)
        answer = shifted(search.models, search.movement, (dx / whole * step, dy / whole * step))
        if step > 0.0 and is_lawful(search.unit, search.models, search.movement, answer):
            yield answer


@rule("charge-phase/charge-move")
def charge_question(search: ContactSearch, witness: Plain) -> MoveUnit:
    return closing_question(search, witness, "charge-move", "charge-phase/charge-move")


def closing_question(search: ContactSearch, witness: Plain, prompt: str, duty: str, *others: Plain) -> MoveUnit:
    """A move whose models must end in contact where they can (``duty``: the rule); witness and others are proposed."""
    return contact_question(search, witness, prompt, partial(could_touch, search, duty), others)


def could_touch(search: ContactSearch, duty: str, move: UnitMove, most: int) -> Fault | None:
    """Of the first model that moves, ends in no contact, and could; never of who brings as many as was found."""
    if contacts(move, search.targets) >= most:
        return None
    near = search.places()
    for model in move.moving:
        if in_contact(move.standing(model), search.targets):
            continue
        others = [move.standing(m) for m in move.models if m is not model]
        for place in near.get(model.row, ()):
            there = search.standing_at(model, place)
            if all(gap(there, one) >= 0.0 for one in others) and search.reachable(model, place) is not None:
                return Fault(shown(move.end(model)), model=model.row, rule=duty)
    return None
