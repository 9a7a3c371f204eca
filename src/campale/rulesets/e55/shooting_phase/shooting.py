"""The shooting phase (3.2): going to ground, who may shoot, and declaring all fire before resolving any."""

from __future__ import annotations

from collections.abc import Iterator

from campale.referee.ask import choose, fill_in
from campale.referee.position import TABLE, Model, Position, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.definitions.measuring import distance, table_of_gaps, within
from campale.rulesets.e55.definitions.types import is_all_vehicles, is_vehicle
from campale.rulesets.e55.definitions.units import (
    GROUND,
    RAN,
    SHOT,
    aboard,
    active,
    bar_from_charge,
    in_play,
    is_broken,
    is_engaged,
    is_on_ground,
    members,
    units_aboard,
    units_on_table,
)
from campale.rulesets.e55.leadership_and_morale import rout
from campale.rulesets.e55.psychic_powers import psychic
from campale.rulesets.e55.shooting_phase.declaring import able_vehicles, fields_of, shots_of
from campale.rulesets.e55.shooting_phase.fire import POWERS, Shot, declare, declared, line_of
from campale.rulesets.e55.shooting_phase.targets import (
    fault_of_faced,
    lawful_options,
    options_of,
    targets_of_weapons,
    why_no_target,
    why_not,
)
from campale.rulesets.e55.turn.acting import DONE_KEY, SELDOM, USUAL, Act, Key, OfUnit, act_in_phase, unit_of
from campale.rulesets.e55.vehicles import damage
from campale.rulesets.e55.vehicles.vehicles import may_fire_count
from campale.rulesets.e55.weapons.weapon_rules import TEMPLATE_REACH, rules_out_charging

# ---------------------------------------------------------------- 3.2.4: going to ground


@rule("3.2.4/go-to-ground")
async def go_to_ground(position: Position) -> bool:
    """Let the opponent send units to ground, one after another, until done."""
    side = 1 - active(position)
    keys: list[Key] = [DONE_KEY, *(OfUnit("to-ground", unit.row) for unit in units_on_table(position, side))]
    odds = {DONE_KEY: float(len(keys) - 1 or 1)}  # a sample sends few units to ground
    key = await choose(side, "to-ground", keys, "act", lambda one: why_not_to_ground(position, one), odds=odds)
    if key == DONE_KEY:
        return False
    unit_of(position, key).mark(GROUND, 1)
    return True


@rule("3.2.4/go-to-ground")
def why_not_to_ground(position: Position, key: Key) -> Fault | None:
    """Refuse broken units, vehicles, units in close combat, and units already on the ground."""
    if key == DONE_KEY:
        return None
    unit = unit_of(position, key)
    fault = rout.cannot_go_to_ground(unit)
    if fault is not None:
        return fault
    barred = is_engaged(unit) or is_on_ground(unit) or any(is_vehicle(model) for model in members(unit))
    return Fault(rule="3.2.4/go-to-ground") if barred else None


@rule("3.2.4/ground-ends")
def get_up(position: Position, side: int) -> None:
    """Let a side's units get up at the very start of its own assault phase."""
    for unit in position.units:
        if unit.side == side and is_on_ground(unit):
            unit.mark(GROUND, 0)


# ---------------------------------------------------------------- units that may shoot


@rule("3.2/declare-first")
def has_declared(position: Position, key: Key) -> Fault | None:
    return Fault() if unit_of(position, key).marks(SHOT) else None


@rule("3.2/who-can-shoot")
def fights(position: Position, key: Key) -> Fault | None:
    return Fault() if is_engaged(unit_of(position, key)) else None


@rule("4.2/broken-cannot-act")
def broken(position: Position, key: Key) -> Fault | None:
    return Fault() if is_broken(unit_of(position, key)) else None


@rule("3.1.3/run-restrictions")
def ran(position: Position, key: Key) -> Fault | None:
    return Fault() if unit_of(position, key).marks(RAN) else None


@rule("3.2.4/ground-restrictions")
def lies_on_the_ground(position: Position, key: Key) -> Fault | None:
    return Fault() if is_on_ground(unit_of(position, key)) else None


@rule("7.6/shaken", "7.6/stunned")
def shaken(position: Position, key: Key) -> Fault | None:
    """Refuse a unit whose models are all silenced; if they are also stuck, they were stunned."""
    models = members(unit_of(position, key))
    if not models or not all(damage.is_silenced(model) for model in models):
        return None
    return Fault(rule="7.6/stunned" if all(damage.is_stuck(model) for model in models) else "7.6/shaken")


@rule("7.9/weapons-by-speed")
def too_fast(position: Position, key: Key) -> Fault | None:
    unit = unit_of(position, key)
    if not is_all_vehicles(unit):
        return None
    return Fault() if all(may_fire_count(model) == 0 for model in members(unit)) else None


@rule("3.2/model-unable")
def nothing_to_fire(position: Position, key: Key) -> Fault | None:
    """Refuse a unit that cannot fire anything now, with the reason for the first of its weapons."""
    models = in_play(unit_of(position, key))
    if any(lawful_options(model) for model in models):
        return None
    return next((why_not(model, option) for model in models for option in options_of(model)), None) or Fault()


@rule("3.2/legal-target", "1.1/los-majority", "7.10/fire-points")
def no_target(position: Position, key: Key) -> Fault | None:
    """Refuse a unit that cannot shoot at the unit it faces.

    Vehicles are exempt: each weapon has a target of its own.
    """
    unit = unit_of(position, key)
    return None if is_all_vehicles(unit) or able_vehicles(unit) else fault_of_faced(unit)


@rule("7.9/independent-weapons")
def no_weapon_has_a_target(position: Position, key: Key) -> Fault | None:
    unit = unit_of(position, key)
    if not is_all_vehicles(unit):
        return None
    return None if able_vehicles(unit) else why_no_targets(unit)


def why_no_targets(unit: Unit) -> Fault:
    """Return the reason that bars its weapons from every enemy, if it is the same for all of them."""
    faults = [
        why_no_target(model, weapon, foe.row)
        for model in members(unit)
        for weapon in dict.fromkeys(one.weapon for one in lawful_options(model) if one.weapon < POWERS)
        for foe in targets_of_weapons(unit.position, unit.side)
    ]
    first = faults[0] if faults else None
    return first if first is not None and all(one is not None and one.rule == first.rule for one in faults) else Fault()


RESTRICTIONS = (
    has_declared,
    fights,
    broken,
    ran,
    lies_on_the_ground,
    shaken,
    too_fast,
    nothing_to_fire,
    no_target,
    no_weapon_has_a_target,
)


# ---------------------------------------------------------------- declaring


def who_may_shoot(position: Position, side: int) -> list[Key]:
    """Return every unit on the table or aboard a transport."""
    rows = {unit.row for unit in (*units_on_table(position, side), *units_aboard(position, side))}
    return [OfUnit("shoot", row) for row in sorted(rows)]


@rule("3.2/sequence", "3.2/declare-first")
async def declaration_phase(position: Position) -> bool:
    """Let the active player declare the fire of one unit after another, before any shot is resolved."""
    return await act_in_phase(position, "shooting")


@rule("3.2/declare-first", "3.2/profile-choice")
async def shoot(position: Position, key: Key) -> None:
    """Ask what each model fires, and with which profile; from now on the unit counts as having shot."""
    unit = unit_of(position, key)
    filled = await fill_in(unit.side, "shots", fields_of(unit), unit=unit.row)
    shots = shots_of(unit, filled)
    pay_for_powers(position, shots)
    declare(position, [*declared(position), *shots])
    counts_as_having_shot(unit, shots)
    position.write("fire-declared", unit=unit.row, targets=list(dict.fromkeys(shot.target for shot in shots)))


@rule("5/shooting-power")
def pay_for_powers(position: Position, shots: list[Shot]) -> None:
    """Pay the cost of shooting powers as they are declared."""
    for shot in shots:
        if shot.weapon >= POWERS:
            model = position.model(shot.model)
            psychic.pay(model, model.profile.powers[shot.weapon - POWERS])


@rule("3.2/model-unable", "3.2.1/out-of-range", "9.1.1/heavy", "9.1.1/rapid-fire")
def counts_as_having_shot(unit: Unit, shots: list[Shot]) -> None:
    """Mark the whole unit as having shot, including models that held their fire.

    Heavy and rapid fire bar all of it from charging.
    """
    unit.mark(SHOT, 1)
    barring = next((line for shot in shots if rules_out_charging(line := line_of(unit.position, shot))), None)
    if barring is not None:
        bar_from_charge(unit, "9.1.1/heavy" if barring.has("heavy") else "9.1.1/rapid-fire")


def odds_of_fire(position: Position, key: Key) -> float:
    """Return low odds for fire that reaches no enemy: it is allowed, but seldom declared."""
    unit = unit_of(position, key)
    return USUAL if any(reaches_somebody(model) for model in members(unit) or aboard(unit)) else SELDOM


def reaches_somebody(model: Model) -> bool:
    """Return whether any enemy is within reach of a gun, a template or a shooting power of a model."""
    far, firing = longest_reach(model), model.aboard_of or model
    return far > 0.0 and any(within(distance(firing, other), far) for other in enemies_near(firing, far + INCH))


def enemies_near(model: Model, gap: float) -> Iterator[Model]:
    """Return the enemies on the table except those whose bases are certainly farther away than ``gap``."""
    position = model.position
    gaps = table_of_gaps(position)[model.row]
    rows = (~(gaps > gap)).nonzero()[0].tolist()
    there, side_of, models = position.where, position.side_of, position.models
    own = side_of[model.row]
    return (models[row] for row in rows if there[row] == TABLE and side_of[row] != own)


def longest_reach(model: Model) -> float:
    """Return the longest range of a model's guns, templates and shooting powers in inches; cached with the roster."""
    kept: dict[int, float] = model.position.roster.setdefault("longest-reach", {})
    if model.row not in kept:
        kept[model.row] = longest_of(model.profile)
    return kept[model.row]


def longest_of(profile: Profile) -> float:
    lines = [line for mount in profile.mounts for line in mount.weapon.lines if line.reach != "melee"]
    lines += [power.shooting for power in profile.powers if power.shooting is not None]
    return max((line.range or float(TEMPLATE_REACH) for line in lines), default=0.0)


INCH = 1.0
"""Distances are rounded down to whole inches before they are compared."""


ACTS: tuple[Act, ...] = (Act("shoot", ("shooting",), who_may_shoot, RESTRICTIONS, shoot, odds_of_fire),)
