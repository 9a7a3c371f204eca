"""Charges: targets, the roll, the move (charge-phase/*, charging/*)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from itertools import chain, takewhile
from typing import Any

from campale.mechanics.moves.asking import up_and_down
from campale.mechanics.moves.barring import MORE_THAN, enemies_but, nothing
from campale.mechanics.moves.contact import ContactSearch
from campale.mechanics.moves.move_paths import Barred, shown
from campale.mechanics.moves.unit_moves import Answer, Movement, UnitMove, as_paths, staying
from campale.mechanics.script_form import fill_in_script
from campale.referee.ask import ask, roll
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault, Plain, Refusal, first_refusal
from campale.referee.rule import rule
from campale.rulesets.w10.abilities.effects import added_to, more_dice
from campale.rulesets.w10.basics.attached import what_is_left
from campale.rulesets.w10.basics.levels import solids
from campale.rulesets.w10.basics.units import (
    CHARGED,
    DECLARED,
    ENGAGEMENT,
    IN_REACH,
    RAMMING,
    WAS_CHARGED,
    between,
    components,
    distance,
    flies,
    is_aircraft,
    is_of_aircraft,
    members,
    near,
    units_of,
    units_within,
)
from campale.rulesets.w10.charge.bars import BARS
from campale.rulesets.w10.charge.contact import Duty, contact_question, mended
from campale.rulesets.w10.charge.hulls import MeleeSearch
from campale.rulesets.w10.charge.ramming import ram
from campale.rulesets.w10.charge.reaching import engaging, is_out_of_reach, reaches_a_target, straight_charges
from campale.rulesets.w10.movement.moves import Cites, barred_for, blocks, go, is_held, moving
from campale.rulesets.w10.windows.reroll import may_reroll, wanted
from campale.rulesets.w10.windows.windows import open_window

CHARGING = Cites("charge-phase/charge-roll", "charge-phase/charge-roll")
REACH = 12.0
CHARGE_DICE, MOST_CHARGED = 2, 12
NONE_LEFT, NOBODY = "none", "nobody"


# ---------------------------------------------------------------- eligible units and targets


@rule("charge-phase/sequence")
def to_charge(position: Position, side: int) -> list[Unit]:
    """The units that may still declare a charge."""
    return [unit for unit in units_of(position, side) if not unit.marks(DECLARED) and is_eligible(unit)]


@rule("charge-phase/eligible")
def begin_charging(position: Position, side: int) -> None:
    """Mark the units with an enemy within 12 inches as the phase begins."""
    for unit in units_of(position, side):
        unit.mark(IN_REACH, int(bool(units_within(unit, REACH, 1 - side))))


@rule("charge-phase/eligible")
def is_eligible(unit: Unit) -> bool:
    """True for a unit with an enemy within 12 inches at the start of the phase, a legal target now, and no bar."""
    return first_refusal((was_out_of_reach, *BARS, has_no_target), unit) is None


@rule("charge-phase/eligible")
def was_out_of_reach(unit: Unit) -> Fault | None:
    return None if unit.marks(IN_REACH) else Fault(word="charge-barred.out-of-reach")


@rule("charge-phase/select-targets")
def has_no_target(unit: Unit) -> Fault | None:
    able = any(may_be_charged(unit, one) for one in units_within(unit, REACH, 1 - unit.side))
    return None if able else Fault(word="charge-barred.nobody")


@rule("charge-phase/eligible")
def is_barred(unit: Unit) -> bool:
    """True for units that advanced, fell back or are engaged, for AIRCRAFT, and for units that cannot move."""
    return first_refusal(BARS, unit) is not None


@rule("charge-phase/eligible", "charge-phase/sequence")
def kept_from_charging(position: Position, side: int) -> dict[Plain, Refusal | Fault | None]:
    """For the row of each unit that has not declared a charge, why it cannot (None: it can)."""
    return {
        unit.row: first_refusal((*BARS, was_out_of_reach, has_no_target), unit)
        for unit in units_of(position, side)
        if not unit.marks(DECLARED)
    }


@rule("aircraft/charge-fight")
def cannot_be_charged(unit: Unit, target: Unit) -> Fault | None:
    """Only units that can FLY may charge AIRCRAFT."""
    return None if flies(unit) or not is_aircraft(target) else Fault(model=members(target)[0].row)


def may_be_charged(unit: Unit, target: Unit) -> bool:
    return cannot_be_charged(unit, target) is None


@rule("charge-phase/select-targets")
def is_too_far_off(unit: Unit, target: Unit) -> Fault | None:
    """A unit is too far off if none of its models is within 12 inches of a model of the charging unit."""
    ours, theirs = members(unit), members(target)
    if near(unit.position, ours, theirs, REACH).any():
        return None
    far = min(distance(one, other) for one in ours for other in theirs)
    return Fault(measured=far, limit=REACH, model=theirs[0].row)


CHARGE_RESTRICTIONS = (is_too_far_off, cannot_be_charged)


def closed_to(unit: Unit) -> dict[Plain, Refusal | Fault | None]:
    """For the row of each enemy unit, why it cannot be charged (None: it can)."""
    return {
        enemy.row: first_refusal(CHARGE_RESTRICTIONS, unit, enemy) for enemy in units_of(unit.position, 1 - unit.side)
    }


@rule("charge-phase/select-targets", "charging/declare-charge", "b/target-of-charge")
def declaration(unit: Unit) -> Generator[Question, Any, tuple[int, ...]]:
    """Choose one or more units within 12 inches; choosing nobody cancels the charge."""
    able = [one.row for one in units_within(unit, REACH, 1 - unit.side) if may_be_charged(unit, one)]
    closed = partial(closed_to, unit)
    first = yield Choose(unit.side, "charge-target", [*able, NOBODY], "unit", odds={NOBODY: 0.3}, closed=closed)
    if first == NOBODY:
        return ()
    found = [first]
    while left := [row for row in able if row not in found]:
        keys = [NONE_LEFT, *left]
        more = yield Choose(unit.side, "charge-target-too", keys, "unit", odds={NONE_LEFT: 6.0}, closed=closed)
        if more == NONE_LEFT:
            break
        found.append(more)
    return tuple(found)


@rule("charge-phase/sequence", "charging/charging-unit", "charging/declare-charge")
async def charge(unit: Unit) -> None:
    """Declare a charge, roll, and move."""
    unit.mark(DECLARED, 1)
    targets = await fill_in_script(unit.side, "charge", partial(declaration, unit), [NOBODY], unit=unit.row)
    if not targets:
        return
    unit.position.write("charge-declared", unit=unit.row, targets=list(targets))
    await charge_at(unit, targets)


@rule("charge-phase/charge-roll", "charging/charge-distance")
async def charge_distance(unit: Unit, targets: Sequence[int]) -> float:
    """Roll the charge distance in inches, with Command Re-roll and the bonuses of abilities."""
    found = await charge_roll(unit, "charge")
    about: dict[str, Plain] = {"rolled": found, "targets": list(targets)}
    if found < MOST_CHARGED and may_reroll(unit) and await wanted(unit, "charge", **about):
        found = await charge_roll(unit, "command-reroll")
    return float(found + added_to(unit, "charge"))


@rule("charge-phase/charge-roll", "charging/charge-distance")
async def charge_at(unit: Unit, targets: Sequence[int]) -> None:
    """Roll and move; the charge fails if its conditions cannot be met, at once if a target is too far off."""
    position = unit.position
    far = await charge_distance(unit, targets)
    if is_out_of_reach(duty_of(unit, targets, far).search, targets):
        position.write("charge-failed", unit=unit.row, far=far)
        return
    parts, aims = components(unit), [components(Unit(position, row)) for row in targets]
    await open_window(position, "enemy-moves", mover=unit.row)
    left = still_targets(position, aims)
    for one in what_is_left(position, parts):
        await charge_on(one, left, far)


@rule("b/target-no-longer-eligible", "core-abilities/leader-split")
def still_targets(position: Position, aims: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The rows of the targets (given by their components) as the move begins: all parts of a split one, no dead."""
    return tuple(target.row for aim in aims for target in what_is_left(position, aim))


@rule("charge-phase/charge-move", "stratagems/fire-overwatch", "core-concepts/sequencing")
async def charge_on(unit: Unit, targets: Sequence[int], far: float) -> None:
    """The surviving models move, if the charge is still possible."""
    position, duty = unit.position, duty_of(unit, targets, far)
    if not duty.search.targets or is_held(unit):
        return
    answer = await charge_move(duty, targets)
    if answer is None:
        position.write("charge-failed", unit=unit.row, far=far)
        return
    go(unit, as_paths(duty.search.models, answer, duty.search.movement.reads), "charge")
    note_charge(unit, targets)
    await charge_ends(unit)


async def charge_ends(unit: Unit) -> None:
    """The charging side rams before the enemy answers to the unit, or to each part that it splits into."""
    position, parts = unit.position, components(unit)
    if unit.marks(RAMMING):
        await ram(unit)
    for window, about in (("enemy-moves", "mover"), ("charge-ends", "charger")):
        for one in what_is_left(position, parts):
            await open_window(position, window, **{about: one.row})


@rule("charge-phase/charge-roll", "re-rolls/all-dice", "s/discard-dice", "r/lowest-die", "r/highest-die")
async def charge_roll(unit: Unit, why: str) -> int:
    """The sum of two dice; if abilities add dice, discard those that they name. Equal dice count the same."""
    more = more_dice(unit, "charge")
    if not more:
        return (await roll(unit.side, why, CHARGE_DICE, total=True, unit=unit.row)).total
    dice = list((await roll(unit.side, why, CHARGE_DICE + sum(one.more for one in more), unit=unit.row)).ascending)
    for one in more:
        dice = dice[one.more :] if one.discard == "lowest" else dice[: -one.more]
    return sum(dice)


@rule("charging/has-charged", "charging/been-charged", "charge-phase/bonus", "charging/charge-move")
def note_charge(unit: Unit, targets: Sequence[int]) -> None:
    """Note that the unit has charged, and its targets have been charged, until the end of the turn."""
    unit.mark(CHARGED, 1)
    for row in targets:
        Unit(unit.position, row).mark(WAS_CHARGED, 1)


# ---------------------------------------------------------------- the move


@rule(
    "charge-phase/charge-roll",
    "charge-phase/charge-move",
    "charge-phase/flying",
    "m/move-over-models",
    "aircraft/others-move",
)
def charge_movement(unit: Unit, targets: Sequence[int], far: float) -> Movement:
    """A charge keeps out of engagement range of enemies that are no targets, and must reach every target.

    Models may pass under enemy AIRCRAFT, and models that can FLY cross enemies on the way.
    """
    meant = frozenset(targets)
    keeps_off = enemies_but(meant, ENGAGEMENT + MORE_THAN)

    def passing(model: Model, other: Model) -> float | None:
        if other.side != model.side:
            crosses = model.profile.has("fly") or is_of_aircraft(other)
            return None if crosses else keeps_off(model, other)
        return 0.0 if blocks(model, other) else None

    def short_of_a_target(move: UnitMove) -> Fault | None:
        return not_engaged_with_all(move, targets)

    def no_closer(move: UnitMove) -> Fault | None:
        return ends_no_closer(move, targets)

    def end(model: Model, z: float | None = None) -> Barred:
        return barred_for(model, f"charge-{sorted(meant)}", keeps_off, solids, z)

    def way(model: Model, z: float | None = None) -> Barred:
        return barred_for(model, f"charging-{sorted(meant)}", passing, nothing, z)

    return moving(unit, far, way, end, short_of_a_target, no_closer, cites=CHARGING)


@rule("charge-phase/charge-roll", "terrain/barricades-melee")
def not_engaged_with_all(move: UnitMove, targets: Sequence[int]) -> Fault | None:
    """The unit must end within engagement range of every target, or at a barricade across from it."""
    ends = [move.standing(m) for m in move.models]
    for row in targets:
        enemies = members(Unit(move.unit.position, row))
        if not any(reaches_a_target(one, enemies) for one in ends):
            return Fault(limit=ENGAGEMENT, model=enemies[0].row, rule="charge-phase/charge-roll")
    return None


@rule("charge-phase/charge-move")
def ends_no_closer(move: UnitMove, targets: Sequence[int]) -> Fault | None:
    """Each model that moves must end closer to one of the target units, measured to its nearest model."""
    units = [[m.solid for m in members(Unit(move.unit.position, row))] for row in targets]
    for model in move.moving:
        there, here = move.standing(model), model.solid
        if all(min(between(there, one) for one in unit) >= min(between(here, one) for one in unit) for unit in units):
            return Fault(shown(move.end(model)), model=model.row, rule="charge-phase/charge-move")
    return None


def duty_of(unit: Unit, targets: Sequence[int], far: float) -> Duty:
    """What the models of a charge owe: contact with models of the targets."""
    enemies = [m for row in targets for m in members(Unit(unit.position, row))]
    return Duty(
        MeleeSearch(unit, members(unit), enemies, charge_movement(unit, targets, far)), "charge-phase/charge-move"
    )


def best_charge(duty: Duty, targets: Sequence[int]) -> Plain | None:
    """A charge in which every model that could end in contact does; None if no charge was found."""
    found = found_charge(duty, targets) or found_with_less(duty, targets)
    return None if found is None else mended(duty, found)


def found_with_less(duty: Duty, targets: Sequence[int]) -> Plain | None:
    """A charge found for a shorter distance, which is lawful for this one too."""
    search, far = duty.search, duty.search.movement.limit or 0.0
    shorter = (duty_of(search.unit, targets, far - less) for less in range(1, int(far)))
    near = takewhile(lambda one: not is_out_of_reach(one.search, targets), shorter)
    return next((found for one in near if (found := found_charge(one, targets)) is not None), None)


def found_charge(duty: Duty, targets: Sequence[int]) -> Plain | None:
    """The charge with most contacts, or another one; None if none was found."""
    search = duty.search
    if is_out_of_reach(search, targets):
        return None
    return search.best() or next(chain(engaging(search, targets), straight_charges(search), climbs(search)), None)


def is_possible(duty: Duty, targets: Sequence[int]) -> bool:
    """True if ``found_charge`` would find one; those that are quick to find are looked for first."""
    search = duty.search
    if is_out_of_reach(search, targets):
        return False
    quick = chain(straight_charges(search), engaging(search, targets), climbs(search))
    return next(quick, None) is not None or search.best() is not None


def climbs(search: ContactSearch) -> Iterator[Plain]:
    return up_and_down(search.unit, search.models, search.movement)


@rule("charge-phase/charge-roll", "charge-phase/charge-move")
async def charge_move(duty: Duty, targets: Sequence[int]) -> Answer | None:
    """The move, or None if the charge is impossible.

    If the search finds none although one may exist, the player shows one or stays.
    """
    witness = best_charge(duty, targets)
    if witness is not None:
        found: Answer = await ask(contact_question(duty, "charge-move", witness))
        return found
    if is_out_of_reach(duty.search, targets):
        return None
    question = contact_question(duty, "charge-not-found", staying(duty.search.models), may_stay=True)
    answer: Answer = await ask(question)
    return answer if duty.move(answer).moving else None
