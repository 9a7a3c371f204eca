"""Assaults on a passing vehicle by infantry near its route (vehicles/path-assault)."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from functools import partial
from random import Random
from typing import Any

from campale.dice.needs import Need
from campale.mechanics.frames import DOING, push, stack
from campale.mechanics.script_form import alike_or_each, fill_in_script
from campale.referee.ask import ask, roll, roll_for
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Allot, Along, Choose, Question
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.assault.melee import DENIES_ARMOUR, FUSION, KRAK, best_weapon, save_in_melee, strength_of
from campale.rulesets.e3m.command.units import GONE, members
from campale.rulesets.e3m.fire.area import Arm, arms_of
from campale.rulesets.e3m.fire.declaring import Lines, reaches
from campale.rulesets.e3m.fire.kinds import AT_PASSING
from campale.rulesets.e3m.fire.plan import VEHICLE, Volley
from campale.rulesets.e3m.fire.volley import resolve
from campale.rulesets.e3m.fire.wounds import remove_the_dead, save_need, suffer, wound_need
from campale.rulesets.e3m.morale.morale import passes
from campale.rulesets.e3m.movement.routes import Route, as_path, leading_path, route_shown, share_of, ways
from campale.rulesets.e3m.movement.sight import is_in_cover
from campale.rulesets.e3m.vehicles.damage import FAST_FROM, Struck, face_towards, strike
from campale.rulesets.e3m.vehicles.stops import (
    PASSING,
    PATH_ASSAULT,
    infantry_of,
    may_assault_passing,
    might_assault_passing,
)
from campale.table.measure import gap
from campale.table.paths import at, plan_length
from campale.table.shapes import TOLERANCE, Solid, rounded
from campale.table.sweeps import gaps_along

OUT, SHOOT, BLOWS, GRENADE = "out", "shoot", "strike", "grenade"
SLOW_HIT, FAST_HIT = 4, 6
STEP, ALIKE = 0.5, 0.0005
"""How far apart points of a route are tried, and how much their distances may differ to be equal, in inches."""
CAUSE = "path-assault"

Parts = dict[int, str]
"""The part of each model that takes part, by row."""
Asking = Generator[Question, Any, tuple[Parts, Lines]]


@rule("vehicles/path-assault", "vehicles/path-assault-additional", "fire/one-of-each")
async def path_assault(position: Position, row: int, by: int, *values: Any) -> None:
    """Offer the assault once, where the vehicle is nearest. Units that may assault as far as both know are asked."""
    unit, other, route = Unit(position, row), Unit(position, by), Route(*values)
    able = [m for m in infantry_of(other) if m.is_on_table and is_near_route(position, m, route)]
    if not members(unit) or not able or not might_assault_passing(other):
        return
    length = await where_to_stop(other, unit, route)
    if length > route.done + TOLERANCE:
        let_it_go_on(position, route, f"{PATH_ASSAULT}:{by}", length)
        return
    script = partial(taking_part, other, able, unit)
    about: dict[str, Plain] = {"unit": by, "vehicle": members(unit)[0].row, "open": False}
    parts, lines = await fill_in_script(other.side, "path-assault", script, [OUT], **about) or ({}, {})
    taking = tuple((m.row, part, lines.get(m.row)) for m in able if (part := parts.get(m.row, OUT)) != OUT)
    if taking:
        push(position, ("path-assault-made", row, by, taking, *route))


# ---------------------------------------------------------------- his choice among equals


@rule("vehicles/path-assault")
async def where_to_stop(unit: Unit, vehicle: Unit, route: Route) -> float:
    """Ask at which point of the route, of those where its base is nearest to the unit, the vehicle is stopped.

    A unit that may not take part is asked too while its order is hidden: it has one answer.
    """
    chosen, position = f"{PATH_ASSAULT}:{unit.row}@", unit.position
    if any(key.startswith(chosen) for key in route.met):
        return route.done
    whole, least = plan_length(leading_path(position, route)), gap_there(unit, route, route.done)
    count = int((whole - route.done) / STEP) if least > TOLERANCE else 0
    tried = [*(rounded(route.done + STEP * k) for k in range(1, count + 1)), *([rounded(whole)] if count else [])]
    equal = [length for length in tried if gap_there(unit, route, length) <= least + ALIKE]
    if not equal:
        return route.done
    is_free = may_assault_passing(unit)

    def refuses(length: float | None) -> Fault | None:
        if length is None or not route.done - TOLERANCE <= length <= whole + TOLERANCE:
            return Fault(measured=length, limit=whole, rule="fire/opportunity-aftermath")
        off = gap_there(unit, route, length)
        is_other = not is_free and length > route.done + TOLERANCE
        return Fault(measured=off, limit=least) if off > least + ALIKE or is_other else None

    lengths: list[Plain] = [route.done, *equal] if is_free else [route.done]
    shown = route_shown(position, route, equal[-1]) | {"passes": False}
    about: dict[str, Plain] = {"unit": unit.row, "mover": vehicle.row, "open": False}
    question = Along(unit.side, "pass-at", refuses, lambda rng: rng.choice(lengths), lambda: lengths, shown, about)
    return float(await ask(question))


def gap_there(unit: Unit, route: Route, length: float) -> float:
    """The gap between a unit's infantry and the vehicle or vehicles at a point of their route."""
    position = unit.position
    share = share_of(length, plan_length(leading_path(position, route)))
    gaps = []
    for model, path in ways(position, route):
        here = at(path, share * plan_length(path))
        facing = model.facing if here.facing is None else here.facing
        there = Solid(model.profile.shape, here.x, here.y, 0.0, facing)
        gaps += [gap(there, m.solid) for m in infantry_of(unit) if m.is_on_table]
    return min(gaps, default=math.inf)


def let_it_go_on(position: Position, route: Route, key: str, length: float) -> None:
    """Note on the vehicle's route where the unit stops it."""
    later = route._replace(met=(*(met for met in route.met if met != key), f"{key}@{length}"))
    frames = (later.frame if frame == route.frame else frame for frame in stack(position))
    position.declare(DOING, tuple(frames))


# ---------------------------------------------------------------- the assault


@rule(
    *("vehicles/path-assault-resolution", "vehicles/path-assault-morale", "vehicles/path-assault-additional"),
    *("fire/quarter-loss-test", "sequence/morale-after-losses"),
)
async def made(position: Position, row: int, by: int, wanted: Sequence[tuple[int, str, Any]], *values: Any) -> None:
    """The models that dare take part: first shots, then blows. The unit loses no other fire."""
    unit, other, route = Unit(position, row), Unit(position, by), Route(*values)
    if not members(unit):
        return
    taking = await with_the_brave(other, {one: part for one, part, _ in wanted})
    if not taking:
        return
    told: dict[str, Plain] = {"covered": True} if len(taking) < len(wanted) else {}
    vehicle = members(unit)[0].row
    position.write("path-assault", unit=by, vehicle=vehicle, models=list(taking), count=len(taking), **told)
    shooters = [position.model(r) for r, part in taking.items() if part == SHOOT]
    await shoot(other, shooters, unit, {one: (line[0], line[1]) for one, _, line in wanted if line})
    strikers = [(position.model(r), part) for r, part in taking.items() if part != SHOOT]
    if any(m.profile.has_armour for m in members(unit)):
        await strike_hull(strikers, unit)
    else:
        await strike_riders(position, strikers, unit, route)
        push(position, ("tests", (), unit.side))


@rule("vehicles/path-assault")
def is_near_route(position: Position, model: Model, route: Route) -> bool:
    """Whether the model is within 6 inches of the strip that the base covers along the whole announced route."""
    return any(
        gaps_along(as_path(one), position.model(one[0]).profile.shape, [model.solid])[0] <= PASSING + TOLERANCE
        for one in route.paths
    )


@rule("vehicles/path-assault-resolution", "base-weapons/grenades")
def taking_part(unit: Unit, able: Sequence[Model], target: Unit) -> Asking:
    """Ask what each model does: shoot, strike, throw a grenade or stay out. Equally armed models answer together.

    A unit that may not take part is asked too while its order is hidden: it has one answer.
    """
    if not may_assault_passing(unit):
        yield Choose(unit.side, "part", [OUT], "part", about={"models": [m.row for m in able]})
        return {}, {}
    alike: dict[tuple[str, ...], list[Model]] = {}
    for model in able:
        alike.setdefault(tuple(w.id for w in model.profile.weapons) + model.profile.equipment, []).append(model)
    parts: Parts = {}
    lines: Lines = {}
    for models in alike.values():
        options = options_for(models, target)
        parts |= yield from alike_or_each(unit.side, "part", {m.row: options for m in models}, "part")
        lines |= yield from choose_lines([m for m in models if parts[m.row] == SHOOT], target)
    return parts, lines


@rule("fire/eligible-shooters", "vehicles/path-assault-resolution")
def choose_lines(shooters: Sequence[Model], target: Unit) -> Generator[Question, Any, Lines]:
    """Ask which weapon each of some equally armed models fires, and in which way, of those that bear."""
    arms = {m.row: [arm for arm in arms_of(m, AT_PASSING) if bears_on(arm, target)] for m in shooters}
    options = {row: [(arm.mount, arm.number) for arm in own] for row, own in arms.items() if own}
    found: Lines = yield from alike_or_each(1 - target.side, "weapon-line", options, "line")
    return found


def options_for(models: Sequence[Model], target: Unit) -> list[Plain]:
    vehicle = members(target)[0]
    options: list[Plain] = [OUT, BLOWS]
    if any(bears_on(arm, target) for m in models for arm in arms_of(m, AT_PASSING)):
        options.append(SHOOT)
    if vehicle.profile.has_armour and any(models[0].profile.carries(g) for g in ("krak-grenades", "fusion-charges")):
        options.append(GRENADE)
    return options


@rule("vehicles/path-assault-resolution")
def bears_on(arm: Arm, target: Unit) -> bool:
    """Whether the shooter sees the vehicle, or one of a unit of light ones, where it has stopped, within range.

    Markers and templates, which would hit others too, are only for a vehicle with armour, on which all hits go.
    """
    there = [m for m in members(target) if m.is_on_table and (m.profile.has_armour or not arm.line.is_marker)]
    return any(reaches(arm, m) for m in there)


@rule("vehicles/path-assault-morale", "terrain/in-cover")
async def with_the_brave(unit: Unit, taking: Parts) -> Parts:
    """One test if any model taking part is in the open. If it fails, only models in cover take part."""
    position = unit.position
    sheltered = {row: part for row, part in taking.items() if is_in_cover(position.model(row))}
    if len(sheltered) == len(taking):
        return taking
    return taking if await passes(unit, "path-assault") else sheltered


@rule("vehicles/path-assault-resolution", "fire/reduced-strength")
async def shoot(unit: Unit, shooters: Sequence[Model], target: Unit, lines: Lines | None = None) -> None:
    """Shoot at reduced strength, at the vehicle only. ``lines``: what the models fire that have a choice."""
    vehicle, wanted = members(target)[0] if members(target) else None, lines or {}
    if vehicle is None or not shooters:
        return
    arms: list[Arm] = []
    for model in shooters:
        able = [arm for arm in arms_of(model, AT_PASSING) if bears_on(arm, target)]
        arms += sorted(able, key=lambda arm: (arm.mount, arm.number) != wanted.get(arm.model.row))[:1]
    if not arms:
        return
    order = tuple(dict.fromkeys(arm.key for arm in arms))
    goal = (VEHICLE, vehicle.row) if vehicle.profile.has_armour else ("unit", target.row)
    await resolve(Volley(unit, AT_PASSING, tuple(arms), None, goal, (), None, order))


@rule("vehicles/path-assault-resolution")
def strike_need(unit: Unit) -> Need:
    """A 6, or a 4 if the vehicle has gone at most 6 inches in this turn."""
    far = max(float(m.note(GONE, 0.0)) for m in members(unit))
    return Need(FAST_HIT if far > FAST_FROM + TOLERANCE else SLOW_HIT)


@rule("vehicles/path-assault-resolution", "base-vehicle/penetration", "base-weapons/grenades")
async def strike_hull(strikers: Sequence[tuple[Model, str]], unit: Unit) -> None:
    """Roll all hits first; then resolve each against the armour on the side that its striker sees."""
    scored: list[Struck] = []
    if not members(unit):
        return
    vehicle, need = members(unit)[0], strike_need(unit)
    for model, part in strikers:
        count = 1 if part == GRENADE else int(model.profile.a)
        told: dict[str, Plain] = {"unit": model.unit.row, "model": model.row, "target": vehicle.row}
        rolled = await roll_for(model.side, "melee-hit", [0] * count, need, **told)
        for _ in range(rolled.successes):
            scored.append(struck_by(model, part, vehicle))
    for hit in scored:
        await strike(vehicle, hit)


def struck_by(model: Model, part: str, vehicle: Model) -> Struck:
    face = face_towards(vehicle, model.at)
    if part == GRENADE:
        strength, extra = FUSION if model.profile.carries("fusion-charges") else KRAK
        return Struck(strength, None, face, model.row, is_fire=False, extra=extra)
    strength = strength_of(model, best_weapon(model))
    return Struck(strength, None, face, model.row, is_fire=False)


@rule("vehicles/path-assault-resolution", "vehicles/light-profile")
async def strike_riders(position: Position, strikers: Sequence[tuple[Model, str]], unit: Unit, route: Route) -> None:
    """Light vehicles are wounded like infantry. Their owner assigns each hit to one that passes near its striker."""
    if not members(unit):
        return
    need = strike_need(unit)
    for model, _ in strikers:
        near = riders_near(position, model, route)
        told: dict[str, Plain] = {"unit": model.unit.row, "model": model.row, "foe": unit.row}
        rolled = await roll_for(model.side, "melee-hit", [0] * int(model.profile.a), need, **told)
        if not near or not rolled.successes:
            continue
        rending = sum(face == 6 for face in rolled.faces) if best_weapon(model) == "rending" else 0
        for number, rider in enumerate(await lay(rolled.successes, near, model)):
            await wound(rider, model, number < rending)
        remove_the_dead(near, CAUSE, model.row)


def riders_near(position: Position, model: Model, route: Route) -> list[Model]:
    riders = [(position.model(one[0]), as_path(one)) for one in route.paths]
    return [
        rider
        for rider, path in riders
        if rider.is_on_table and gaps_along(path, rider.profile.shape, [model.solid])[0] <= PASSING + TOLERANCE
    ]


async def lay(count: int, riders: list[Model], by: Model) -> list[Model]:
    rows = [m.row for m in riders]
    if len(rows) == 1:
        return riders * count

    def proposal(rng: Random | None) -> list[int]:
        return [rows[0]] * count if rng is None else [rng.choice(rows) for _ in range(count)]

    question = Allot(
        riders[0].side, "lay-down", list(range(count)), rows, lambda given: None, proposal, {"model": by.row}
    )
    given = await ask(question)
    return [next(m for m in riders if m.row == row) for row in given]


@rule("vehicles/path-assault-resolution", "base-weapons/close-combat")
async def wound(rider: Model, striker: Model, rends: bool) -> None:
    """Roll to wound and save. A rending blow wounds without a roll, and armour does not help against it."""
    weapon = DENIES_ARMOUR if rends else best_weapon(striker)
    if not rends:
        need = wound_need(strength_of(striker, weapon), rider.profile.t)
        told: dict[str, Plain] = {"unit": striker.unit.row, "model": striker.row, "target": rider.row}
        if need is None or not (await roll(striker.side, "melee-wound", needed=need, **told)).successes:
            return
    save = save_need(save_in_melee(rider, weapon, False))
    if save is None or not (await roll(rider.side, "melee-save", needed=save, model=rider.row)).successes:
        suffer(rider, strength_of(striker, best_weapon(striker)), CAUSE, striker.row)
