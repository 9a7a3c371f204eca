"""What a volley consists of, as one form for the firing unit (fire/procedure, 1 and 2)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from campale.mechanics.script_form import alike_or_each, form_of
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Aim, Choose, Form, Order, Question
from campale.referee.refusal import Fault, Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.e3m.command.halt import concealed, is_invisible
from campale.rulesets.e3m.command.units import is_vehicle, members
from campale.rulesets.e3m.fire import vehicle_fire
from campale.rulesets.e3m.fire.area import (
    LEAST_DIAMETER,
    Aimed,
    Area,
    Arm,
    area_refusal,
    arm_of,
    arms_of,
    base_of,
    good_areas,
    has_area,
    hit_in,
    into,
    locked,
    possible_targets,
    shooters_of,
)
from campale.rulesets.e3m.fire.kinds import Kind, barred_mounts, has_changed_place, reduced, shots_of
from campale.rulesets.e3m.fire.plan import HOLD, VEHICLE, Volley
from campale.rulesets.e3m.movement.sight import covers, sights
from campale.rulesets.e3m.vehicles.damage import face_towards
from campale.table.measure import gap, gap_to_point
from campale.table.shapes import TOLERANCE, rounded

AREA, PART, SNIPE = "area", "part", "snipe"
NOBODY = "nobody"

Asking = Generator[Question, Any, Volley | None]
Lines = dict[int, tuple[int, int]]
"""What each model fires, by row: the indices of its mount and of the line."""


def fire_form(unit: Unit, kind: Kind, against: Sequence[int] = ()) -> Form:
    """The form for a unit's fire. ``against``: the rows of units that it must reach."""
    return form_of(
        unit.side,
        f"fire.{kind.name}",
        partial(declaration, unit, kind, tuple(against)),
        [HOLD],
        unit=unit.row,
        against=list(against),
    )


def can_fire(unit: Unit, kind: Kind, against: Sequence[int] = ()) -> bool:
    """Whether the unit has any legal target."""
    return any(target != HOLD for target in targets_of(unit, kind, tuple(against)))


def declaration(unit: Unit, kind: Kind, against: tuple[int, ...]) -> Asking:
    models = members(unit)
    if models and models[0].profile.has_armour:
        return (yield from vehicle_fire.declaration(unit, kind, against))
    found: Volley | None = yield from squad_declaration(unit, kind, against)
    return found


# ---------------------------------------------------------------- a squad


@rule("fire/procedure", "fire/eligible-shooters", "fire/area-centre", "fire/area-diameter", "fire/area-vehicles")
def squad_declaration(unit: Unit, kind: Kind, against: tuple[int, ...]) -> Asking:
    side, position = unit.side, unit.position
    odds = {HOLD: 0.15, PART: 0.1, SNIPE: 0.1}
    target = yield Choose(side, "fire-at", targets_of(unit, kind, against), "target", odds=odds)
    if target == HOLD:
        return None
    arms: list[Arm] = []
    for alike in by_weapons(unit, kind):
        if target == SNIPE and not carries_standard(alike[0]):
            continue
        lines = yield from choose_lines(side, alike, kind)
        arms += [arm_of(model, *lines[model.row], kind) for model in alike]
    if target == SNIPE:
        sniper, _ = yield from choose_sniper(unit, kind, arms, alone=True)
        return Volley(unit, kind, (), None, None, (), sniper)
    apart, arms = yield from heavy_at_vehicles(side, arms)
    apart = yield from choose_first_apart(kind, apart)
    sniper, arms = yield from choose_sniper(unit, kind, arms)
    if target == PART:
        arms = yield from leave_out(side, arms)
    if isinstance(target, tuple):
        vehicle = position.model(target[1])
        seen = yield from choose_rollers(kind, [arm for arm in arms if reaches(arm, vehicle)], vehicle)
        order = yield from choose_order(side, kind, seen)
        return Volley(unit, kind, tuple(seen), None, target, apart, sniper, order)
    if not good_areas(position, arms, against):
        return Volley(unit, kind, (), None, None, apart, sniper) if apart or sniper else None
    area: Area = tuple((yield area_question(position, side, tuple(arms), against, kind)))
    firing = yield from choose_rollers(kind, into(position, arms, (area[0], area[1])))
    order = yield from choose_order(side, kind, firing, area)
    return Volley(unit, kind, tuple(firing), area, None, apart, sniper, order)


def targets_of(unit: Unit, kind: Kind, against: tuple[int, ...]) -> list[Plain]:
    """What the unit may fire at; "hold" means that it does not fire."""
    if is_vehicle(unit):
        return find_targets(unit, kind, against)
    moved = tuple(map(has_changed_place, members(unit)))
    barred = tuple(tuple(barred_mounts(m, kind)) for m in members(unit))
    key = ("targets", unit.row, kind.name, against, moved, barred, concealed(unit.position))
    kept = unit.position.layout
    if key not in kept:
        kept[key] = find_targets(unit, kind, against)
    return list(kept[key])


def find_targets(unit: Unit, kind: Kind, against: tuple[int, ...]) -> list[Plain]:
    models = members(unit)
    if models and models[0].profile.has_armour:
        return [*vehicle_fire.targets_of(unit, kind, against), HOLD]
    arms = [arm for m in shooters_of(unit, kind) for arm in arms_of(m, kind)[:1]]
    every = [arm for m in shooters_of(unit, kind) for arm in arms_of(m, kind)]
    areas: list[Plain] = [AREA] if has_area(unit.position, every, against) else []
    vehicles = [m for m in unit.position.on_table(1 - unit.side) if m.profile.has_armour]
    hulls: list[Plain] = [
        (VEHICLE, m.row)
        for m in vehicles
        if (not against or m.unit.row in against) and any(reaches(arm, m) for arm in every)
    ]
    parts: list[Plain] = [PART] if areas and len(arms) > 1 else []
    snipers: list[Plain] = [SNIPE] if any(shots_in_reach(able_to_snipe(unit, kind, every))) else []
    return [*areas, *hulls, *parts, *snipers, HOLD]


@rule("fire/area-vehicles", "fire/vehicle-sight")
def reaches(arm: Arm, vehicle: Model) -> bool:
    """Whether the model sees any point of the vehicle's base and has it within range."""
    if vehicle.row in locked(vehicle.position):
        return False
    far = rounded(gap(base_of(arm.model), vehicle.solid))
    return far <= arm.reach + TOLERANCE and bool(sights(vehicle.position, [arm.model], [vehicle])[0, 0])


def by_weapons(unit: Unit, kind: Kind) -> list[list[Model]]:
    """The shooters, grouped by their weapons."""
    alike: dict[tuple[str, ...], list[Model]] = {}
    for model in shooters_of(unit, kind):
        alike.setdefault(tuple(weapon.id for weapon in model.profile.weapons), []).append(model)
    return list(alike.values())


@rule("fire/eligible-shooters")
def choose_lines(side: int, alike: list[Model], kind: Kind) -> Generator[Question, Any, Lines]:
    """Ask what models with equal weapons fire: all the same, or each its own. A model uses one weapon, in one way."""
    options = {m.row: [(arm.mount, arm.number) for arm in arms_of(m, kind)] for m in alike}
    found: Lines = yield from alike_or_each(side, "weapon-line", options, "line")
    return found


@rule("fire/heavy-weapon-target")
def heavy_at_vehicles(
    side: int, arms: list[Arm]
) -> Generator[Question, Any, tuple[tuple[tuple[Arm, int], ...], list[Arm]]]:
    """Ask each heavy-weapon model whether it shoots at the nearest vehicle instead, if it sees it within range."""
    apart: list[tuple[Arm, int]] = []
    left = []
    for arm in arms:
        vehicle = nearest_vehicle(arm) if arm.line.fire == "heavy" and arm.model.profile.is_heavy_weapon_model else None
        if (
            vehicle is not None
            and (
                yield Choose(side, "heavy-at", (AREA, VEHICLE), about={"model": arm.model.row, "vehicle": vehicle.row})
            )
            == VEHICLE
        ):
            apart.append((arm, vehicle.row))
        else:
            left.append(arm)
    return tuple(apart), left


@rule("fire/reduced-strength", "fire/heavy-weapon-target")
def choose_first_apart(
    kind: Kind, apart: tuple[tuple[Arm, int], ...]
) -> Generator[Question, Any, tuple[tuple[Arm, int], ...]]:
    """Ask, at reduced strength, which of the heavy weapons of a profile at vehicles roll first, if it matters."""
    if not kind.reduced or not apart or apart[0][0].model.position.options.reduced_as_moved:
        return apart
    found: list[tuple[Arm, int]] = []
    for key in dict.fromkeys(arm.key for arm, _ in apart):
        group = [one for one in apart if one[0].key == key]
        if len({(row, rolls_like(arm, arm.model.position.model(row))) for arm, row in group}) > 1:
            rows = [arm.model.row for arm, _ in group]
            ordered = yield Order(group[0][0].model.side, "who-rolls", rows, "model")
            group.sort(key=lambda one: ordered.index(one[0].model.row))
        found += group
    return tuple(found)


@rule("fire/heavy-weapon-target")
def nearest_vehicle(arm: Arm) -> Model | None:
    """The nearest vehicle that the arm sees, if within range. It may not pick another one."""
    position = arm.model.position
    hulls = [m for m in position.on_table(1 - arm.model.side) if m.profile.has_armour]
    seen = [m for m in hulls if sights(position, [arm.model], [m])[0, 0]]
    nearest = min(seen, key=lambda m: gap(base_of(arm.model), m.solid), default=None)
    return nearest if nearest is not None and reaches(arm, nearest) else None


@rule("fire/sniper", "fire/sniper-resolution", "base-characters/independent-fire")
def choose_sniper(
    unit: Unit, kind: Kind, arms: list[Arm], alone: bool = False
) -> Generator[Question, Any, tuple[tuple[Arm, int] | None, list[Arm]]]:
    """Ask if one model with the standard weapon snipes at an enemy it sees, at any distance (``alone``: it must).

    It is the best shot of those who see the victim.
    """
    able = sorted(able_to_snipe(unit, kind, arms), key=lambda arm: -arm.model.profile.bs)
    shots = dict(reversed([(victim, arm) for arm, victim in shots_in_reach(able)]))
    if not shots:
        return None, arms
    options: list[Plain] = sorted(shots)
    odds = {NOBODY: 3.0 * len(options)}
    victim = yield Choose(unit.side, "snipe", options if alone else [NOBODY, *options], "model", odds=odds)
    if victim == NOBODY:
        return None, arms
    return (shots[victim], victim), [arm for arm in arms if arm is not shots[victim]]


@rule("fire/sniper", "fire/sniper-resolution")
def able_to_snipe(unit: Unit, kind: Kind, arms: Sequence[Arm]) -> list[Arm]:
    """The arms that fire the unit's standard weapon, which is never a heavy one."""
    able = [arm for arm in arms if kind.snipes and arm.mount == 0 and carries_standard(arm.model)]
    return [arm for arm in able if arm.line.fire != "heavy" and not arm.line.is_marker]


@rule("fire/sniper-resolution", "fire/area-friends", "orders/halt-invisible")
def shots_in_reach(able: Sequence[Arm]) -> Iterator[tuple[Arm, int]]:
    """Arms with the rows of enemies they see, except enemies that lie in cover or are in contact with an enemy."""
    if not able:
        return
    position, models = able[0].model.position, [arm.model for arm in able]
    victims = possible_targets(position, able[0].model.side)
    seen, saves = sights(position, models, victims), covers(position, models, victims)
    for n, arm in enumerate(able):
        for k, victim in enumerate(victims):
            if seen[n, k] and not is_invisible(victim, int(saves[n, k])):
                yield arm, victim.row


def carries_standard(model: Model) -> bool:
    weapons = model.profile.weapons
    return bool(weapons) and weapons[0].id == standard_weapon(model.unit)


@rule("base-profile/weapons", "fire/sniper-resolution")
def standard_weapon(unit: Unit) -> str:
    """The weapon that most models of the unit carry, heavy ones apart."""
    carried = [
        m.profile.weapons[0].id for m in members(unit) if m.profile.weapons and not m.profile.weapons[0].is_heavy
    ]
    return max(dict.fromkeys(carried), key=carried.count, default="")


@rule("fire/eligible-shooters")
def leave_out(side: int, arms: list[Arm]) -> Generator[Question, Any, list[Arm]]:
    """Ask for models to leave out, one by one. At least one fires."""
    left = list(arms)
    while len(left) > 1:
        options: list[Plain] = [NOBODY, *(arm.model.row for arm in left)]
        odds = {NOBODY: 3.0 * len(left)}
        out = yield Choose(side, "leave-out", options, "model", odds=odds)
        if out == NOBODY:
            break
        left = [arm for arm in left if arm.model.row != out]
    return left


@rule("fire/reduced-strength", "base-weapons/special")
def choose_rollers(kind: Kind, arms: list[Arm], vehicle: Model | None = None) -> Generator[Question, Any, list[Arm]]:
    """Ask, at reduced strength, which models with a weapon profile roll first, if it makes a difference.

    If only their Ballistic Skill does, the best roll first.
    """
    if not kind.reduced or not arms or arms[0].model.position.options.reduced_as_moved:
        return arms
    found: list[Arm] = []
    for key in dict.fromkeys(arm.key for arm in arms):
        group = sorted((arm for arm in arms if arm.key == key), key=lambda arm: -arm.model.profile.bs)
        by_skill = vehicle is None and not (group[0].line.is_marker or group[0].line.has("overheating"))
        if not by_skill and len({rolls_like(arm, vehicle) for arm in group}) > 1:
            rows = [arm.model.row for arm in group]
            ordered = yield Order(arms[0].model.side, "who-rolls", rows, "model")
            group.sort(key=lambda arm: ordered.index(arm.model.row))
        found += group
    return found


def rolls_like(arm: Arm, vehicle: Model | None) -> Plain:
    """What distinguishes a model's shots from those of others with the same weapon."""
    model, line = arm.model, arm.line
    if line.is_marker or line.has("overheating"):
        return model.row
    if vehicle is None:
        return int(model.profile.bs)
    base = base_of(model)
    near = line.has("melta") and gap(base, vehicle.solid) <= (line.range or 0.0) / 2.0 + TOLERANCE
    return int(model.profile.bs), face_towards(vehicle, (base.x, base.y)), near


@rule("fire/mixed-weapons")
def choose_order(
    side: int, kind: Kind, arms: Sequence[Arm], area: Area | None = None
) -> Generator[Question, Any, tuple[tuple[str, int], ...]]:
    """Ask in which order hits of different weapons are allocated. Markers and templates always come first.

    ``area``: the fire area; None: one vehicle. There is no question if the order cannot matter.
    """
    profiles = list(dict.fromkeys(arm.key for arm in arms))
    loose = [arm for arm in arms if not arm.line.is_marker]
    if len({arm.line for arm in loose}) < 2 or (area is not None and not may_heap(kind, arms, area)):
        return tuple(profiles)
    found = yield Order(side, "profile-order", profiles, "weapon")
    return tuple(found)


@rule("fire/surplus-hits", "fire/mixed-weapons")
def may_heap(kind: Kind, arms: Sequence[Arm], area: Area) -> bool:
    """Whether hits that differ in effect may be more than the several models that can be hit."""
    loose = [arm for arm in arms if not arm.line.is_marker]
    position, marked = arms[0].model.position, len(loose) < len(arms)
    holders = len(hit_in(position, arms, area))
    if holders < 2 or len({(arm.line.strength, arm.line.ap, arm.line.specials) for arm in loose}) < 2:
        return False
    by_profile: dict[tuple[str, int], int] = {}
    for arm in loose:
        shots = shots_of(arm.model, arm.line, gap_to_point(base_of(arm.model), area[0], area[1]), kind)
        most = arm.line.die if arm.line.die and shots else shots
        by_profile[arm.key] = by_profile.get(arm.key, 0) + most
    return marked or sum(reduced(most, kind, position.options) for most in by_profile.values()) > holders


def area_question(position: Position, side: int, arms: tuple[Arm, ...], against: tuple[int, ...], kind: Kind) -> Aim:
    """Ask for the centre and diameter of the fire area, as three numbers."""

    def refuses(answer: Sequence[float]) -> Fault | Refusal | None:
        if len(answer) != 3:
            return Fault(word="answer.wrong-shape")
        return area_refusal(Aimed(position, arms, (answer[0], answer[1], answer[2]), against, kind))

    def samples(rng: Random) -> Plain:
        areas = good_areas(position, arms, against)
        x, y, diameter = rng.choice(areas[: max(3, len(areas) // 2)])
        smaller = [x, y, round(rng.uniform(LEAST_DIAMETER, diameter), 1)]
        return smaller if rng.random() < 0.3 and refuses(smaller) is None else [x, y, diameter]

    def suggests() -> Iterator[Plain]:
        return (list(area) for area in good_areas(position, arms, against))

    shown: dict[str, Plain] = {"diameter": [LEAST_DIAMETER, float(len(arms))]}
    about: dict[str, Plain] = {"arms": [[arm.model.row, arm.mount, arm.number] for arm in arms], "fire": kind.name}
    return Aim(side, "fire-area", refuses, samples, suggests, shown, about)
