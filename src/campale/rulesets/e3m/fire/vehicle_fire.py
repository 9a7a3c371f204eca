"""The fire of small and large vehicles: one target, arcs by mounting, all weapons or one."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from campale.referee.position import Model, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.halt import is_invisible, lies_down
from campale.rulesets.e3m.command.units import MOVED, members
from campale.rulesets.e3m.fire.area import Arm, locked
from campale.rulesets.e3m.fire.kinds import ADVANCING, OVERRUNNING, PREPARATORY, Kind, reach
from campale.rulesets.e3m.fire.plan import HOLD, Volley
from campale.rulesets.e3m.movement.sight import covers, sights
from campale.rulesets.e3m.vehicles.damage import is_stunned, may_fire, mounts_left
from campale.table.hulls import in_quarter
from campale.table.measure import gap
from campale.table.shapes import TOLERANCE, rounded

ALL = "all"
USED, OVERRUN_WITH, SPENT = "used-mounts", "overrun-mounts", "spent-mounts"
"""Notes of a vehicle: the mounts used in preparatory fire, in overruns, and in those before the one under way."""


@rule("fire/procedure", "fire/vehicle-target", "fire/vehicle-weapons", "fire/preparatory-vehicles")
def declaration(unit: Unit, kind: Kind, against: tuple[int, ...]) -> Generator[Question, Any, Volley | None]:
    vehicle, position, side = members(unit)[0], unit.position, unit.side
    target = yield Choose(side, "fire-at", [*targets_of(unit, kind, against), HOLD], "target", odds={HOLD: 0.15})
    if target == HOLD:
        return None
    able = [arm for arm in arms_of(vehicle, kind) if models_hit(arm, target)]
    mounts = list(dict.fromkeys(arm.mount for arm in able))
    weapons = yield Choose(side, "vehicle-weapons", sets_of(vehicle, kind, mounts), "mounts")
    arms: list[Arm] = []
    for mount in weapons[1]:
        lines: list[Plain] = [arm.number for arm in able if arm.mount == mount]
        number = lines[0]
        if len(lines) > 1:
            options: list[Plain] = [(mount, n) for n in lines]
            number = (yield Choose(side, "weapon-line", options, "line", about={"model": vehicle.row}))[1]
        arms.append(Arm(vehicle, mount, number))
    order = tuple(dict.fromkeys(arm.key for arm in arms))
    stays = kind is PREPARATORY and weapons[0] == ALL and not position.options.vehicles_fire_and_move
    return Volley(unit, kind, tuple(arms), None, (str(target[0]), int(target[1])), (), None, order, stays)


@rule("fire/preparatory-vehicles", "fire/vehicle-weapons", "base-weapons/ordnance", "vehicles/overrun-fire")
def sets_of(vehicle: Model, kind: Kind, mounts: list[int]) -> list[Plain]:
    """All weapons of one that stays where it is, one of one that has moved or will; ordnance fires alone."""
    lines = {mount: vehicle.profile.mounts[mount].weapon.lines[0] for mount in mounts}
    others = tuple(mount for mount in mounts if lines[mount].fire != "ordnance")
    ordnance = [mount for mount in mounts if lines[mount].fire == "ordnance"]
    ones: list[Plain] = [("one", (mount,)) for mount in mounts]
    if kind is OVERRUNNING:
        return [(ALL, others or tuple(mounts))]
    alls: list[Plain] = [(ALL, (mount,)) for mount in ordnance] + ([(ALL, others)] if others else [])
    if kind is PREPARATORY:
        return [*alls, *ones]
    return ones if vehicle.unit.marks(MOVED) else alls


@rule("fire/vehicle-target", "fire/one-of-each", "base-vehicle/damage-results")
def targets_of(unit: Unit, kind: Kind, against: tuple[int, ...]) -> list[Plain]:
    """Every enemy unit, and every vehicle, at which one weapon at least bears."""
    vehicle, position = members(unit)[0], unit.position
    if not may_fire(vehicle):
        return []
    arms = arms_of(vehicle, kind)
    enemies = dict.fromkeys(m.unit.row for m in position.on_table(1 - unit.side))
    found: list[Plain] = []
    for row in enemies:
        if against and row not in against:
            continue
        models = members(Unit(position, row))
        key: Plain = ("vehicle", models[0].row) if models[0].profile.has_armour else ("unit", row)
        if any(models_hit(arm, key) for arm in arms):
            found.append(key)
    return found


@rule("base-vehicle/damage-results", "vehicles/overrun-fire", "base-profile/characteristics")
def arms_of(vehicle: Model, kind: Kind) -> list[Arm]:
    """The weapons that still work; in an overrun the secondary ones that were not used this turn."""
    if vehicle.profile.bs < 1 or is_stunned(vehicle):
        return []
    barred = barred_in_overrun(vehicle) if kind is OVERRUNNING else barred_otherwise(vehicle, kind)
    return [
        Arm(vehicle, mount, n)
        for mount in mounts_left(vehicle)
        if mount not in barred
        for n in range(len(vehicle.profile.mounts[mount].weapon.lines))
    ]


@rule("vehicles/overrun-fire", "vehicles/main-weapon")
def barred_in_overrun(vehicle: Model) -> set[int]:
    """The main weapons, and what was used in preparatory fire or in another overrun this turn."""
    return {*vehicle.profile.main_weapons, *vehicle.note(USED, ()), *vehicle.note(SPENT, ())}


@rule("vehicles/overrun-fire")
def barred_otherwise(vehicle: Model, kind: Kind) -> set[int]:
    """What was used in an overrun this turn is not used in advancing fire."""
    return set(vehicle.note(OVERRUN_WITH, ())) if kind is ADVANCING else set()


def models_hit(arm: Arm, target: Plain) -> list[Model]:
    """The models of a target that one weapon could hit."""
    position = arm.model.position
    models = [position.model(target[1])] if target[0] == "vehicle" else members(Unit(position, target[1]))
    held = locked(position)
    return [m for m in models if m.is_on_table and m.row not in held and bears_on(arm, m)]


@rule("fire/vehicle-target", "fire/arc-vehicle", "fire/vehicle-sight", "orders/halt-invisible")
def bears_on(arm: Arm, target: Model) -> bool:
    """Seen, in range, in the arc of the mounting, and not invisible."""
    vehicle, side = arm.model, arm.model.profile.mounts[arm.mount].side
    if rounded(gap(vehicle.solid, target.solid)) > reach(arm.line) + TOLERANCE:
        return False
    if side != "turret" and not in_quarter(vehicle.solid, side, target.solid):
        return False
    if not sights(vehicle.position, [vehicle], [target])[0, 0]:
        return False
    return not (lies_down(target) and is_invisible(target, int(covers(vehicle.position, [vehicle], [target])[0, 0])))
