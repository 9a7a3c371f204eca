"""The flying types (6.1.1, 6.2.1, 6.4) and aircraft (7.14): modes, charges, clipped wings, objectives."""

from __future__ import annotations

from collections.abc import Sequence

from campale.referee.ask import choose, fill_in
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Subtype
from campale.rulesets.e55.assault_phase import combat
from campale.rulesets.e55.definitions.dice import needed, pool
from campale.rulesets.e55.definitions.types import all_fly, any_flies, can_fly, is_flying, is_vehicle, operates_as_flyer
from campale.rulesets.e55.definitions.units import (
    ALOFT,
    CLIPPED,
    IMMOBILISED,
    in_play,
    is_engaged,
    members,
    units_aboard,
    units_on_table,
)
from campale.rulesets.e55.movement_phase import dangerous
from campale.rulesets.e55.movement_phase.terrain import difficult_for
from campale.table.measure import overlaps_outline

FLYING, GROUND_MODE = "flying", "ground"
CLIPS_ON = 6


# ---------------------------------------------------------------- modes, and who may change them


def has_flying_models(unit: Unit) -> bool:
    return any(can_fly(model) for model in in_play(unit))


@rule("7.14/aircraft-mode")
def is_aircraft(unit: Unit) -> bool:
    models = members(unit)
    return bool(models) and any(model.profile.is_a("aircraft") for model in models)


@rule("6.1.1/fmc-locked", "6.2.1/jetbike-locked", "6.4/flying-infantry-locked")
def is_locked(unit: Unit) -> bool:
    """Return whether a unit is engaged: it keeps the mode in which it was engaged."""
    return is_engaged(unit)


@rule("7.14/aircraft-no-return")
def cannot_land(unit: Unit) -> bool:
    """Return whether a unit is an aircraft in flight, which stays in flight."""
    return is_aircraft(unit) and unit.marks(ALOFT) > 0


@rule("7.6/immobilised")
def cannot_take_off(unit: Unit) -> bool:
    """Return whether a unit has an immobilised aircraft, which keeps the whole unit on the ground."""
    return is_aircraft(unit) and any(model.marks(IMMOBILISED) for model in members(unit))


@rule("6.1.1/fmc-mode", "6.2.1/jetbike-mode", "6.4/flying-infantry-mode", "7.14/aircraft-mode")
def may_choose_mode(unit: Unit) -> bool:
    """Return whether the owner has a mode to choose as the opponent's turn starts."""
    if cannot_land(unit) or cannot_take_off(unit) or is_locked(unit):
        return False
    return has_flying_models(unit) or is_aircraft(unit)


# ---------------------------------------------------------------- first mode, return, choice


def start_aloft(unit: Unit) -> None:
    """Set a unit of a flying type to its flying mode when it is placed on the table, by the entry about its type."""
    flying = [model for model in in_play(unit) if can_fly(model)]
    if any(model.profile.is_a("flying-monster") for model in flying):
        starts_as_monster(unit)
    elif any(model.profile.is_a("jetbike") for model in flying):
        starts_as_jetbike(unit)
    elif flying:
        starts_as_infantry(unit)


@rule("6.1.1/fmc-mode")
def starts_as_monster(unit: Unit) -> None:
    unit.mark(ALOFT, 1)


@rule("6.2.1/jetbike-mode")
def starts_as_jetbike(unit: Unit) -> None:
    unit.mark(ALOFT, 1)


@rule("6.4/flying-infantry-mode")
def starts_as_infantry(unit: Unit) -> None:
    unit.mark(ALOFT, 1)


@rule("7.14/aircraft-mode")
async def declare_first_mode(unit: Unit, by_deep_strike: bool = False) -> None:
    """Set the mode of a unit just placed on the table: an aircraft declares it, and flies after a deep strike."""
    start_aloft(unit)
    if is_aircraft(unit):
        modes = (FLYING,) if by_deep_strike else (GROUND_MODE, FLYING)
        unit.mark(ALOFT, int(await choose(unit.side, "first-mode", modes, unit=unit.row) == FLYING))


@rule("3/start-of-turn", "6.1.1/fmc-mode", "6.2.1/jetbike-mode", "6.4/flying-infantry-mode")
async def return_to_flight(position: Position, side: int) -> None:
    """Return the active player's flying units to flight, also inside transports, unless locked in a combat."""
    for unit in (*units_on_table(position, side), *units_aboard(position, side)):
        if has_flying_models(unit) and not is_locked(unit):
            await set_mode(unit, aloft=True)


@rule("3/start-of-turn")
async def choose_modes(position: Position, side: int) -> None:
    """Ask for the modes of all units of a side that have a choice, at once; their current modes are the proposal."""
    rows = [unit.row for unit in units_on_table(position, side) if may_choose_mode(unit)]
    await declare_modes(position, side, rows)


@rule("6.1.1/own-turn-mode-option")
def chooses_in_own_turn(position: Position) -> bool:
    return bool(position.options.own_turn_mode)


@rule("6.1.1/own-turn-mode-option")
async def choose_own_modes(position: Position, side: int) -> None:
    """Apply the option: the flying types without aircraft choose as their own turn starts, also inside transports."""
    there = (*units_on_table(position, side), *units_aboard(position, side))
    rows = [unit.row for unit in there if has_flying_models(unit) and may_choose_mode(unit)]
    await declare_modes(position, side, rows)


async def declare_modes(position: Position, side: int, rows: Sequence[int]) -> None:
    now = [FLYING if Unit(position, row).marks(ALOFT) else GROUND_MODE for row in rows]

    def field(filled: list[str]) -> Question | None:
        if len(filled) == len(rows):
            return None
        first = now[len(filled)]
        modes = (first, GROUND_MODE if first == FLYING else FLYING)
        return Choose(side, "mode", modes, about={"unit": rows[len(filled)]})

    chosen = await fill_in(side, "flying-modes", field, idle=list(now), units=list(rows))
    for row, mode in zip(rows, chosen, strict=True):
        await set_mode(Unit(position, row), aloft=mode == FLYING)


async def set_mode(unit: Unit, aloft: bool) -> None:
    """Set a unit's mode, then test it: a character that the test leaves alone keeps the new mode."""
    if bool(unit.marks(ALOFT)) == aloft:
        return
    unit.mark(ALOFT, int(aloft))
    await test_mode_change(unit)


@rule("6.4/mode-change-test")
async def test_mode_change(unit: Unit) -> None:
    """Test for dangerous ground if flying infantry changes its mode inside difficult terrain."""
    if any(is_flying_infantry(model) for model in members(unit)) and stands_in_difficult(unit):
        await dangerous.dangerous_test(unit, "mode-change")


@rule("6.4/flying-infantry-inherits")
def is_flying_infantry(model: Model) -> bool:
    """Return whether a model is infantry that can fly, in whichever mode."""
    return model.profile.type == "infantry" and can_fly(model)


def stands_in_difficult(unit: Unit) -> bool:
    """Return whether any model of the unit touches difficult terrain."""
    pieces = difficult_for(unit)
    return any(overlaps_outline(model.solid, piece.outline) for model in members(unit) for piece in pieces)


# ---------------------------------------------------------------- clipped wings


@rule("6.1.1/clip-wings")
async def wings_may_be_clipped(model: Model, wounds: int) -> None:
    """Roll a die for each wound that a flying monstrous creature has survived."""
    if not model.is_on_table or not model.profile.is_a("flying-monster") or not can_fly(model):
        return
    rolled = await pool(model.side, "clip-wings", wounds, needed(CLIPS_ON), model=model.row)
    if rolled.successes:
        flew = all_fly(model.unit)
        model.mark(CLIPPED, 1)
        if flew:
            await fall_out_of_combat(model.unit)


@rule("6.1.1/clip-wings-engaged")
async def fall_out_of_combat(unit: Unit) -> None:
    """Drop a unit at once out of a combat that it fought in the air; it and units left alone there consolidate."""
    if not is_engaged(unit) or any_flies(unit):
        return
    fought = next((rows for rows in combat.combats(unit.position) if unit.row in rows), ())
    combat.leave(unit)
    await combat.after_dropping_out(unit, tuple(fought))


# ---------------------------------------------------------------- legal charges


OF_TYPE: tuple[tuple[Subtype, str], ...] = (
    ("flying-monster", "6.1.1/fmc-charge"),
    ("jetbike", "6.2.1/jetbike-charge"),
    ("flying-infantry", "6.4/flying-infantry-charge"),
)


def may_charge(unit: Unit, target: Unit) -> Fault | None:
    """Return why flying forbids a unit to charge another."""
    return must_fly_to_charge(unit, target) or must_charge_flyers(unit, target)


def restriction_of(unit: Unit) -> str:
    """Return the entry about the charges of a flying unit."""
    flying = [model for model in members(unit) if is_flying(model)]
    return next((id for kind, id in OF_TYPE if any(m.profile.is_a(kind) for m in flying)), "7.13/flyer-assault")


@rule("6.1.1/fmc-charge", "6.2.1/jetbike-charge", "6.4/flying-infantry-charge", "7.13/flyer-assault")
def must_fly_to_charge(unit: Unit, target: Unit) -> Fault | None:
    """Refuse a charge from the ground at a target that flies as a whole; aircraft and flyers need flying chargers."""
    if not all_fly(target):
        return None
    allowed = assaults_flyers(unit) if is_flyer(target) else any_flies(unit)
    return None if allowed else Fault(members(target)[0].at, word="target-flies", rule=restriction_of(target))


@rule("6.1.1/fmc-charge", "6.2.1/jetbike-charge", "6.4/flying-infantry-charge")
def must_charge_flyers(unit: Unit, target: Unit) -> Fault | None:
    """Refuse a charge by flying models at a unit without flying models."""
    if not any_flies(unit) or any_flies(target):
        return None
    return Fault(members(target)[0].at, word="charger-flies", rule=restriction_of(unit))


@rule("7.13/flyer-assault")
def assaults_flyers(unit: Unit) -> bool:
    """Return whether a unit may assault flyers: flying infantry, flying monstrous creatures and jetbikes in flight."""
    return any(is_flying(model) and not is_vehicle(model) for model in members(unit))


def is_flyer(unit: Unit) -> bool:
    return any(operates_as_flyer(model) for model in members(unit))


# ---------------------------------------------------------------- objectives


@rule("6.1.1/fmc-objectives", "6.2.1/jetbike-objectives", "6.4/flying-infantry-objectives")
def is_barred_from_objectives(model: Model) -> bool:
    """Return whether a model is of a flying type and flies: it then neither contests nor captures objectives."""
    return is_flying(model) and not is_vehicle(model)
