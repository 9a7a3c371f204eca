"""The fire of small and large vehicles: one target, arcs by mounting, all weapons or one."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from campale.referee.position import Model, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.halt import concealed, is_invisible, lies_down
from campale.rulesets.e3m.command.units import MOVED, members
from campale.rulesets.e3m.fire.area import Arm, in_range, locked
from campale.rulesets.e3m.fire.kinds import OVERRUNNING, PREPARATORY, Kind, barred_mounts
from campale.rulesets.e3m.fire.plan import HOLD, Volley
from campale.rulesets.e3m.movement.sight import covers, sights
from campale.rulesets.e3m.vehicles.damage import is_stunned, may_fire, mounts_left
from campale.table.hulls import in_quarter

ALL = "all"


@rule("fire/procedure", "fire/vehicle-target", "fire/vehicle-weapons", "fire/preparatory-vehicles")
def declaration(unit: Unit, kind: Kind, against: tuple[int, ...]) -> Generator[Question, Any, Volley | None]:
    vehicle, position, side = members(unit)[0], unit.position, unit.side
    target = yield Choose(side, "fire-at", [*targets_of(unit, kind, against), HOLD], "target", odds={HOLD: 0.15})
    if target == HOLD:
        return None
    able = [arm for arm in arms_of(vehicle, kind) if models_hit(arm, target)]
    mounts = list(dict.fromkeys(arm.mount for arm in able))
    about: dict[str, Plain] = {"model": vehicle.row}
    weapons = yield Choose(side, "vehicle-weapons", sets_of(vehicle, kind, mounts), "mounts", about=about)
    arms: list[Arm] = []
    for mount in weapons[1]:
        lines: list[Plain] = [arm.number for arm in able if arm.mount == mount]
        number = lines[0]
        if len(lines) > 1:
            options: list[Plain] = [(mount, n) for n in lines]
            number = (yield Choose(side, "weapon-line", options, "line", about={"models": [vehicle.row]}))[1]
        arms.append(Arm(vehicle, mount, number))
    order = tuple(dict.fromkeys(arm.key for arm in arms))
    stays = kind is PREPARATORY and weapons[0] == ALL and not position.options.vehicles_fire_and_move
    return Volley(unit, kind, tuple(arms), None, (str(target[0]), int(target[1])), (), None, order, stays)


@rule("fire/preparatory-vehicles", "fire/vehicle-weapons", "base-weapons/ordnance", "vehicles/overrun-fire")
def sets_of(vehicle: Model, kind: Kind, mounts: list[int]) -> list[Plain]:
    """All weapons for a vehicle that stays; one for a vehicle that has moved or will. Ordnance fires alone.

    A weapon that would fire alone all the same does not hold the vehicle in its place.
    """
    lines = {mount: vehicle.profile.mounts[mount].weapon.lines[0] for mount in mounts}
    others = tuple(mount for mount in mounts if lines[mount].fire != "ordnance")
    ordnance = [mount for mount in mounts if lines[mount].fire == "ordnance"]
    ones: list[Plain] = [("one", (mount,)) for mount in mounts]
    if kind is OVERRUNNING:
        return [(ALL, others or tuple(mounts))]
    alls: list[Plain] = [(ALL, (mount,)) for mount in ordnance] + ([(ALL, others)] if others else [])
    if kind is PREPARATORY:
        return [*(one for one in alls if len(one[1]) > 1), *ones]
    return ones if vehicle.unit.marks(MOVED) else alls


@rule("fire/vehicle-target", "fire/one-of-each", "base-vehicle/damage-results")
def targets_of(unit: Unit, kind: Kind, against: tuple[int, ...]) -> list[Plain]:
    """Every enemy unit or vehicle that at least one weapon bears on."""
    vehicle, position = members(unit)[0], unit.position
    if not may_fire(vehicle):
        return []
    arms = arms_of(vehicle, kind)
    which = tuple((arm.mount, arm.number) for arm in arms)
    kept, key = position.layout, ("vehicle-targets", vehicle.row, which, against, concealed(position))
    if key not in kept:
        kept[key] = [target for target in enemies_of(unit, against) if any(models_hit(arm, target) for arm in arms)]
    return list(kept[key])


def enemies_of(unit: Unit, against: tuple[int, ...]) -> list[Plain]:
    """The enemy units on the table as targets; an armoured vehicle by its model."""
    position = unit.position
    rows = dict.fromkeys(m.unit.row for m in position.on_table(1 - unit.side))
    firsts = [(row, members(Unit(position, row))[0]) for row in rows if not against or row in against]
    return [("vehicle", first.row) if first.profile.has_armour else ("unit", row) for row, first in firsts]


@rule("base-vehicle/damage-results", "vehicles/overrun-fire", "vehicles/main-weapon", "base-profile/characteristics")
def arms_of(vehicle: Model, kind: Kind) -> list[Arm]:
    """The weapons that still work; in an overrun, secondary weapons not used in this turn."""
    if vehicle.profile.bs < 1 or is_stunned(vehicle):
        return []
    barred = {*barred_mounts(vehicle, kind), *(vehicle.profile.main_weapons if kind is OVERRUNNING else ())}
    return [
        Arm(vehicle, mount, n)
        for mount in mounts_left(vehicle)
        if mount not in barred
        for n in range(len(vehicle.profile.mounts[mount].weapon.lines))
    ]


def models_hit(arm: Arm, target: Plain) -> list[Model]:
    """The models of a target that one weapon could hit."""
    position = arm.model.position
    models = [position.model(target[1])] if target[0] == "vehicle" else members(Unit(position, target[1]))
    held = locked(position)
    free = [m for m in models if m.is_on_table and m.row not in held]
    return [m for m, bears in zip(free, bears_on(arm, free), strict=True) if bears]


@rule("fire/vehicle-target", "fire/arc-vehicle", "fire/vehicle-sight", "orders/halt-invisible")
def bears_on(arm: Arm, targets: Sequence[Model]) -> list[bool]:
    """Which targets are seen, in range, in the arc of the mounting, and not invisible."""
    vehicle, side = arm.model, arm.model.profile.mounts[arm.mount].side
    found = in_range([arm], targets)[0]
    if found.any():
        found = found & sights(vehicle.position, [vehicle], targets)[0]
    for n in found.nonzero()[0].tolist():
        in_arc = side == "turret" or in_quarter(vehicle.solid, side, targets[n].solid)
        found[n] = in_arc and not is_hidden(vehicle, targets[n])
    return list(map(bool, found))


@rule("orders/halt-invisible")
def is_hidden(vehicle: Model, target: Model) -> bool:
    return lies_down(target) and is_invisible(target, int(covers(vehicle.position, [vehicle], [target])[0, 0]))
