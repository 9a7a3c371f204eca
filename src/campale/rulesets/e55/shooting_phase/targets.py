"""Legal targets (3.2/legal-target, 7.9), and the shots each model can fire now."""

from __future__ import annotations

from typing import NamedTuple

from campale.referee.position import Model, Position, Unit
from campale.referee.refusal import Fault, first_refusal
from campale.referee.rule import rule
from campale.rulesets.e55.armies.profile import ARCS, Mount
from campale.rulesets.e55.definitions.footprints import fire_points, muzzle, points_open_to, solid
from campale.rulesets.e55.definitions.sight import Eye, eyes_of, eyes_see, eyes_that_see
from campale.rulesets.e55.definitions.types import is_bike, is_monster
from campale.rulesets.e55.definitions.units import aboard, faced_by, is_engaged, members, units_on_table
from campale.rulesets.e55.shooting_phase.fire import POWERS, Shot, declared, eye_of, lines_of
from campale.rulesets.e55.vehicles import damage, vehicles
from campale.rulesets.e55.weapons.weapon_rules import RESTRICTIONS, ways_to_fire
from campale.table.hulls import sectors_holding


class Option(NamedTuple):
    """A way for a model to fire: the weapon, its line, the number of attacks."""

    weapon: int
    line: int
    attacks: int


# ---------------------------------------------------------------- a model's options to fire


def options_of(model: Model) -> list[Option]:
    """Return every option of a model, forbidden or not."""
    return [Option(weapon, n, shots) for weapon, n, line in lines_of(model) for shots in ways_to_fire(line)]


def why_not(model: Model, option: Option) -> Fault | None:
    """Return why a model cannot use an option."""
    line = next(line for weapon, n, line in lines_of(model) if (weapon, n) == (option.weapon, option.line))
    refusal = first_refusal(RESTRICTIONS, model, line, option.attacks)
    return None if refusal is None else Fault(refusal.where, model=refusal.model, rule=refusal.rule)


def lawful_options(model: Model) -> list[Option]:
    return [option for option in options_of(model) if why_not(model, option) is None]


@rule("3.2/one-weapon", "6.2/bike-weapons")
def weapons_at_once(model: Model) -> int:
    """Return how many weapons a model fires in a phase: a bike one for each rider, others one."""
    return max(1, int(model.profile.riders)) if is_bike(model) else 1


# ---------------------------------------------------------------- 3.2/legal-target


@rule("3.2/legal-target")
def locked_in_combat(target: Unit) -> Fault | None:
    return Fault(where=members(target)[0].at) if is_engaged(target) else None


@rule("3.2/legal-target")
def faces_nobody(unit: Unit) -> Fault | None:
    """Refuse a unit that faces no unit on the table: it may only shoot at the unit that it faces."""
    target = faced_by(unit)
    return Fault() if target is None or not members(target) else None


@rule("3.2/legal-target", "1.1/los-majority")
def out_of_sight(unit: Unit, target: Unit) -> Fault | None:
    eyes = [eye for model in members(unit) for eye in eyes_to_fire(model)]
    return None if eyes_see(unit.position, eyes, target) else Fault(where=members(target)[0].at)


@rule("6.1/mc-muzzle")
def eyes_to_fire(model: Model) -> tuple[Eye, ...]:
    """Return the eyes a model fires from; a monster looks from the muzzles of weapons that it can fire now."""
    weapons = dict.fromkeys(one.weapon for one in lawful_options(model)) if is_monster(model) else ()
    mounts = [model.profile.mounts[weapon] for weapon in weapons if weapon < POWERS]
    return tuple((model.row, muzzle(model, mount)) for mount in mounts) or eyes_of(model)


def fault_of_faced(unit: Unit) -> Fault | None:
    """Return why a unit may not shoot at the unit that it faces."""
    fault = faces_nobody(unit)
    if fault is not None:
        return fault_of("3.2/legal-target", fault)
    target = faced_by(unit)
    assert target is not None
    locked = locked_in_combat(target)
    if locked is not None:
        return fault_of("3.2/legal-target", locked)
    if aboard(unit):
        return no_point_sees(unit, target)
    unseen = out_of_sight(unit, target)
    return None if unseen is None else fault_of("1.1/los-majority", unseen)


def fault_of(rule_id: str, fault: Fault) -> Fault:
    return Fault(fault.where, fault.measured, fault.limit, fault.model, fault.word, rule_id)


# ---------------------------------------------------------------- 7.10: out of a transport


@rule("7.10/fire-points")
def free_points(unit: Unit) -> list[int]:
    """Return the fire points of a unit's carrier that no model shoots from yet."""
    position = unit.position
    carrier = aboard(unit)[0].aboard_of
    if carrier is None:
        return []
    taken = {shot.point for shot in declared(position) if position.aboard_of[shot.model] == carrier.row}
    return [point for point in points_open_to(carrier, unit) if point not in taken]


@rule("7.10/fire-points", "7.10/fire-point-sight")
def points_that_see(unit: Unit, target: Unit) -> dict[int, bool]:
    """For each free fire point: can the target be seen from it? The vehicle itself blocks sight."""
    carrier = aboard(unit)[0].aboard_of
    free = free_points(unit)
    if carrier is None or not free:
        return {}
    places = fire_points(carrier)
    eyes = [(aboard(unit)[0].row, places[point]) for point in free]
    return dict(zip(free, eyes_that_see(unit.position, eyes, target), strict=True))


@rule("7.10/fire-points")
def no_point_sees(unit: Unit, target: Unit) -> Fault | None:
    seeing = points_that_see(unit, target)
    if not seeing:
        return Fault(rule="7.10/fire-points")
    return None if any(seeing.values()) else Fault(where=members(target)[0].at, rule="7.10/fire-point-sight")


# ---------------------------------------------------------------- 7.9: the weapons of vehicles


@rule("7.9/arcs")
def is_in_arc(vehicle: Model, mount: Mount, target: Unit) -> bool:
    """Return whether a model of the target is in one of a weapon's arcs, by its point nearest to the hull's centre."""
    if mount.is_turret or set(ARCS) <= set(mount.arcs):
        return True
    return any(arc in sectors_with(vehicle, target) for arc in mount.arcs)


def sectors_with(vehicle: Model, target: Unit) -> frozenset[str]:
    """Return the arcs of a hull that contain the nearest points of a unit's models, cached until something moves."""
    kept, key = vehicle.position.layout, ("sectors", vehicle.row, target.row)
    found: frozenset[str] | None = kept.get(key)
    if found is None:
        hull, models = solid(vehicle), members(target)
        found = kept[key] = frozenset(arc for model in models for arc in sectors_holding(hull, solid(model)))
    return found


@rule("7.9/arcs")
def out_of_arc(vehicle: Model, weapon: int, target: Unit) -> Fault | None:
    inside = is_in_arc(vehicle, vehicle.profile.mounts[weapon], target)
    return None if inside else Fault(where=members(target)[0].at, model=vehicle.row)


@rule("3.2/legal-target")
def target_is_locked(vehicle: Model, weapon: int, target: Unit) -> Fault | None:
    return locked_in_combat(target)


@rule("1.1/los-none", "7.9/independent-weapons")
def muzzle_is_blind(vehicle: Model, weapon: int, target: Unit) -> Fault | None:
    return None if weapon in muzzles_that_see(vehicle, target) else Fault(where=members(target)[0].at)


def muzzles_that_see(vehicle: Model, target: Unit) -> frozenset[int]:
    """Return the mounts of a vehicle whose muzzles can draw a line to a unit, cached until something moves."""
    kept, key = vehicle.position.layout, ("muzzles-that-see", vehicle.row, target.row)
    found: frozenset[int] | None = kept.get(key)
    if found is None:
        unit, mounts = vehicle.unit.row, range(len(vehicle.profile.mounts))
        eyes = [eye_of(vehicle.position, Shot(unit, vehicle.row, weapon, 0, 1, target.row)) for weapon in mounts]
        points = tuple(dict.fromkeys(eyes))
        can = dict(zip(points, eyes_that_see(vehicle.position, points, target), strict=True))
        found = kept[key] = frozenset(weapon for weapon in mounts if can[eyes[weapon]])
    return found


VEHICLE_TARGETS = (target_is_locked, out_of_arc, muzzle_is_blind)


@rule("7.9/independent-weapons", "7.10/no-target-inside")
def targets_of_weapons(position: Position, side: int) -> list[Unit]:
    """Return every enemy unit on the table, faced or not."""
    return units_on_table(position, 1 - side)


def why_no_target(vehicle: Model, weapon: int, target: int) -> Fault | None:
    refusal = first_refusal(VEHICLE_TARGETS, vehicle, weapon, Unit(vehicle.position, target))
    return None if refusal is None else Fault(refusal.where, model=refusal.model, rule=refusal.rule)


def lawful_targets(vehicle: Model, weapon: int) -> list[int]:
    foes = targets_of_weapons(vehicle.position, vehicle.side)
    return [foe.row for foe in foes if why_no_target(vehicle, weapon, foe.row) is None]


@rule("7.9/weapons-by-speed", "7.9/independent-weapons")
def usable_weapons(vehicle: Model) -> dict[int, list[int]]:
    """Return the weapons of a vehicle that have a target, with the rows of those units."""
    key = "usable-weapons", vehicle.row
    kept = vehicle.position.cache.get(key)
    if kept is None:
        kept = vehicle.position.cache[key] = weapons_with_targets(vehicle)
    found: dict[int, list[int]] = kept
    return found


def weapons_with_targets(vehicle: Model) -> dict[int, list[int]]:
    if vehicles.may_fire_count(vehicle) == 0 or damage.is_silenced(vehicle):
        return {}
    weapons = dict.fromkeys(option.weapon for option in lawful_options(vehicle) if option.weapon < POWERS)
    found = {weapon: lawful_targets(vehicle, weapon) for weapon in weapons}
    return {weapon: rows for weapon, rows in found.items() if rows}
