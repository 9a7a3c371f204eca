"""Chapter 5: warp charges, casting powers, psychic weapons. The effects of powers in force are in ``powers``."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from campale.referee.ask import choose
from campale.referee.columns import Effect
from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import Line, Power, Weapon
from campale.rulesets.e55.definitions import sight
from campale.rulesets.e55.definitions.measuring import distance
from campale.rulesets.e55.definitions.units import (
    SHOT,
    WARP,
    active,
    in_play,
    is_broken,
    members,
    units_aboard,
    units_on_table,
)
from campale.rulesets.e55.hits import resolving
from campale.rulesets.e55.hits.attacks import Hit
from campale.rulesets.e55.leadership_and_morale import morale
from campale.rulesets.e55.psychic_powers.powers import (
    AWOKEN,
    CAST,
    CAST_ALREADY,
    end_of_turn,
    is_awake,
    phase_of,
)
from campale.rulesets.e55.turn.acting import DONE_KEY, Act, Key, OfPlace, model_of, refusal_of

PHASES = ("movement", "shooting", "charges")
FIGHTING = PHASES[1:]
AT_FRIENDS = ("ward", "haste")
OF_LONG = ("ward",)
"""The powers that also last through the next turn."""


# ---------------------------------------------------------------- psykers and their charges


@rule("5/psyker")
def level_of(model: Model) -> int:
    return int(model.profile.psyker)


@rule("5/warp-charges")
def renew_charges(models: Sequence[Model]) -> None:
    """Set each psyker's charges to the psyker's level; charges left over are not added."""
    for model in models:
        if level_of(model):
            model.mark(WARP, level_of(model))


def psykers(position: Position, side: int) -> list[Model]:
    """Return the psykers of a side on the table or aboard, in roster order, cached until something moves."""
    kept, key = position.own, ("psykers", side)
    if key not in kept:
        units = {unit.row: unit for unit in (*units_on_table(position, side), *units_aboard(position, side))}
        kept[key] = [model for row in sorted(units) for model in in_play(units[row]) if level_of(model)]
    return list(kept[key])


@rule("5/warp-charges", "5/repeat")
def costs_too_much(model: Model, cost: int) -> Fault | None:
    left = model.marks(WARP)
    return None if left >= cost else Fault(model.at, left, cost, model.row, rule="5/warp-charges")


@rule("5/warp-charges", "5/shooting-power")
def costs_too_much_beside(model: Model, power: Power, cast: Sequence[Power]) -> Fault | None:
    """Refuse a power whose cost, with those declared together with it, exceeds the charges left."""
    return costs_too_much(model, power.cost + sum(one.cost for one in cast)) if cast else None


@rule("5/casting")
def spend(model: Model, cost: int) -> None:
    model.mark(WARP, model.marks(WARP) - cost)


# ---------------------------------------------------------------- casting


def power_of(position: Position, key: Key) -> Power:
    power: Power = model_of(position, key).profile.powers[OfPlace(*key).place]
    return power


def castable(position: Position, side: int) -> list[Key]:
    """Return every power that is cast as an act of its own; shooting powers are declared with the weapons."""
    return [
        OfPlace("cast", model.unit.row, model.row, place)
        for model in psykers(position, side)
        for place, power in enumerate(model.profile.powers)
        if power.kind != "shooting"
    ]


@rule("5/casting-details")
def is_not_on_the_table(position: Position, key: Key) -> Fault | None:
    model = model_of(position, key)
    return None if model.is_on_table else Fault(model=model.row)


@rule("4.2/broken-cannot-act")
def is_a_broken_psyker(position: Position, key: Key) -> Fault | None:
    model = model_of(position, key)
    return Fault(model.at, model=model.row) if is_broken(model.unit) else None


def cannot_pay(position: Position, key: Key) -> Fault | None:
    return costs_too_much(model_of(position, key), power_of(position, key).cost)


@rule("5/casting-details")
def has_no_target(position: Position, key: Key) -> Fault | None:
    model, power = model_of(position, key), power_of(position, key)
    if not model.is_on_table or any(is_target(model, power, unit) for unit in aimed_at(model, power)):
        return None
    return Fault(model.at, limit=power.range or None, model=model.row)


def aimed_at(model: Model, power: Power) -> list[Unit]:
    """Return the units of the side that a power targets."""
    return units_on_table(model.position, model.side if power.kind in AT_FRIENDS else 1 - model.side)


@rule("5/casting-details")
def is_target(model: Model, power: Power, unit: Unit) -> bool:
    """Return whether a unit is within the power's range, if it has one, and seen. The psyker's own unit always is."""
    if unit.row == model.unit.row:
        return True
    if power.range and min(distance(model, one) for one in members(unit)) > power.range:
        return False
    return sight.model_sees(model, unit)


@rule("5/casting", "5/casting-details")
async def cast(position: Position, key: Key) -> None:
    """Pay for a power and apply it; it always succeeds."""
    model, power = model_of(position, key), power_of(position, key)
    rows = [unit.row for unit in aimed_at(model, power) if is_target(model, power, unit)]
    target = await choose(model.side, "power-target", rows, of="unit", model=model.row, power=power.id)
    spend(model, power.cost)
    position.write("cast", model=model.row, power=power.id, target=target, cost=power.cost)
    await take_effect(model, power, Unit(position, target))


@rule("5/casting")
async def take_effect(model: Model, power: Power, target: Unit) -> None:
    """Apply a power, by its kind."""
    if power.kind == "smite":
        await smite(model, power, target)
    elif power.kind == "overrun":
        await morale.overrun(target)
    else:
        until = end_of_turn(model.position, int(power.kind in OF_LONG))
        value = (power.kind, power.value)
        model.position.begin(Effect(CAST, target.row, model.row, until, value, "unit"))


async def smite(model: Model, power: Power, target: Unit) -> None:
    """Hit one enemy model of the psyker's choice."""
    rows = [one.row for one in members(target)]
    row = await choose(model.side, "smitten", rows, of="model", power=power.id)
    hit = Hit(power.value, None, "power", by_unit=model.unit.row, by_model=model.row, target=row)
    await resolving.take_hits(target, [hit])


# ---------------------------------------------------------------- shooting powers


@rule("5/shooting-power")
def shooting_lines(model: Model) -> tuple[Power, ...]:
    """Return the powers a model may declare now instead of a ranged weapon; ``shooting`` is their profile."""
    powers = [power for power in model.profile.powers if power.kind == "shooting" and power.shooting is not None]
    return tuple(power for power in powers if shooting_fault(model, power) is None)


def shooting_fault(model: Model, power: Power) -> Fault | None:
    """Return why a shooting power cannot be declared: too few charges, or used already in this turn."""
    return costs_too_much(model, power.cost) or was_cast(model, power)


@rule("5/shooting-power-once")
def was_cast(model: Model, power: Power) -> Fault | None:
    """Refuse a shooting power that the same model has already used in this turn."""
    effects = model.position.effects_on(model, CAST_ALREADY)
    again = any(one.value == power.id for one in effects)
    return Fault(model.at, model=model.row, rule=CAST_ALREADY) if again else None


@rule("5/shooting-power")
def pay(model: Model, power: Power) -> None:
    """Pay for a shooting power when it is declared; the cost is lost if the target is out of range."""
    spend(model, power.cost)
    until = end_of_turn(model.position)
    model.position.begin(Effect(CAST_ALREADY, model.row, model.row, until, power.id))


# ---------------------------------------------------------------- psychic equipment


def weapon_of(position: Position, key: Key) -> Weapon:
    weapon: Weapon = model_of(position, key).profile.mounts[OfPlace(*key).place].weapon
    return weapon


def wakeable(position: Position, side: int) -> list[Key]:
    """Return every psychic weapon of a side that can be used in this phase; it stays switched on no longer."""
    return [
        OfPlace("awaken", model.unit.row, model.row, place)
        for model, place in psychic_weapons(position, side)
        if serves_now(position, model.profile.mounts[place].weapon.awake)
    ]


def psychic_weapons(position: Position, side: int) -> list[tuple[Model, int]]:
    """Return the models of a side with the places of their psychic weapons, cached until something moves."""
    kept, key = position.own, ("psychic-weapons", side)
    if key not in kept:
        kept[key] = [
            (model, place)
            for unit in (*units_on_table(position, side), *units_aboard(position, side))
            for model in in_play(unit)
            for place, mount in enumerate(model.profile.mounts)
            if mount.weapon.awake is not None
        ]
    found: list[tuple[Model, int]] = kept[key]
    return found


def serves_now(position: Position, awake: Line | None) -> bool:
    if awake is None:
        return False
    return phase_of(position) == ("assault" if awake.reach == "melee" else "shooting")


@rule("3.2/declare-first")
def has_declared_fire(position: Position, key: Key) -> Fault | None:
    """Refuse after the unit's fire is declared: the declaration settles the profiles it fires with."""
    model = model_of(position, key)
    fired = phase_of(position) == "shooting" and model.unit.marks(SHOT)
    return Fault(model.at, model=model.row) if fired else None


def cannot_pay_for_weapon(position: Position, key: Key) -> Fault | None:
    return costs_too_much(model_of(position, key), weapon_of(position, key).charges)


@rule("5/psychic-equipment")
def is_awake_already(position: Position, key: Key) -> Fault | None:
    model = model_of(position, key)
    return Fault(model.at, model=model.row) if is_awake(model, weapon_of(position, key)) else None


@rule("5/psychic-equipment")
async def awaken(position: Position, key: Key) -> None:
    """Switch on a psychic weapon for the phase by paying its charges."""
    model, weapon = model_of(position, key), weapon_of(position, key)
    spend(model, weapon.charges)
    value = (weapon.id, phase_of(position))
    position.begin(Effect(AWOKEN, model.row, model.row, end_of_turn(position), value))


@rule("5/psychic-equipment", "5/warp-charges")
async def awaken_for_melee(position: Position, units: Collection[int]) -> None:
    """Let the side whose turn it is not spend its remaining charges on psychic weapons in the melee of units (rows)."""
    side = 1 - active(position)
    while True:
        found = [key for key in wakeable(position, side) if OfPlace(*key).unit in units]
        key = await choose(side, "awaken", [*found, DONE_KEY], "act", lambda one: refusal_of(position, one))
        if key == DONE_KEY:
            return
        await awaken(position, key)


ACTS: tuple[Act, ...] = (
    Act("cast", PHASES, castable, (is_not_on_the_table, is_a_broken_psyker, cannot_pay, has_no_target), cast, 0.5),
    Act("awaken", FIGHTING, wakeable, (has_declared_fire, cannot_pay_for_weapon, is_awake_already), awaken, 0.3),
)
