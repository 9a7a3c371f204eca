"""A unit's declaration of fire as one form: a sequence of fields, each depending on the answers before it."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, NamedTuple

from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Fault
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.footprints import fire_points, muzzle
from campale.rulesets.e55.definitions.sight import model_sees
from campale.rulesets.e55.definitions.types import is_all_vehicles, is_monster, is_vehicle, living
from campale.rulesets.e55.definitions.units import aboard, faced_by, members
from campale.rulesets.e55.psychic_powers import psychic
from campale.rulesets.e55.shooting_phase.fire import POWERS, Shot, distances, line_of
from campale.rulesets.e55.shooting_phase.targets import (
    Option,
    fault_of_faced,
    lawful_options,
    options_of,
    points_that_see,
    targets_of_weapons,
    usable_weapons,
    weapons_at_once,
    why_no_target,
    why_not,
)
from campale.rulesets.e55.turn.acting import Key
from campale.rulesets.e55.vehicles import vehicles
from campale.rulesets.e55.weapons.weapon_rules import TEMPLATE_REACH, reaches, skill_at, strength_at
from campale.table.shapes import Point3

HOLD, SPLIT = ("hold",), ("split",)

Script = Generator[Question, Any, list[Shot]]
"""Yields the fields of a declaration, receives the answers, and returns the shots."""


class Weapons(Choose):
    """The weapon that some models fire. "Each model separately" is a possible answer, but is not suggested."""

    __slots__ = ()

    def suggestions(self) -> list[Any]:
        return [key for key in super().suggestions() if key != SPLIT]


Able = tuple[Model, dict[int, list[int]]]
"""A vehicle, and its weapons with the rows of the units that each may fire at."""


class Group(NamedTuple):
    """Identical models of a unit (rows) that have the same options to fire."""

    rows: tuple[int, ...]
    options: tuple[Option, ...]


def fields_of(unit: Unit) -> Callable[[list[Any]], Question | None]:
    """Return the fields of the form, as ``Form`` needs them."""

    read: list[Reading] = []

    def following(filled: list[Any]) -> Question | None:
        if not (read and read[-1].can_go_on(filled)):
            read[:] = [Reading(script_of(unit))]
        return read[-1].upto(filled)

    return following


class Reading:
    """A script in progress, so that a form filled in field by field is not restarted for each field."""

    __slots__ = ("filled", "question", "script")

    def __init__(self, script: Script) -> None:
        self.script, self.filled = script, list[Any]()
        self.question: Question | None = next(script, None)

    def can_go_on(self, filled: Sequence[Any]) -> bool:
        """Return whether the answers so far are the very same objects as before."""
        return len(filled) >= len(self.filled) and all(map(operator.is_, self.filled, filled))

    def upto(self, filled: Sequence[Any]) -> Question | None:
        """Return the field after these answers, or None if there are no more."""
        for one in filled[len(self.filled) :]:
            self.filled.append(one)
            try:
                self.question = self.script.send(one)
            except StopIteration:
                self.question = None
        return self.question


def shots_of(unit: Unit, filled: Sequence[Any]) -> list[Shot]:
    """Return the shots that a completed form declares; ValueError if the form is incomplete."""
    script = script_of(unit)
    try:
        next(script)
        for one in filled:
            script.send(one)
    except StopIteration as done:
        shots: list[Shot] = done.value
        return shots
    raise ValueError("the declaration is not complete")


@rule("3.2/declare-first", "3.2/profile-choice")
def script_of(unit: Unit) -> Script:
    """Return the script of a unit's declaration: from a transport, of vehicles, or of groups of models."""
    if aboard(unit):
        return out_of_transport(unit)
    if is_all_vehicles(unit):
        return of_vehicles(unit, able_vehicles(unit))
    return of_groups(unit)


# ---------------------------------------------------------------- units on foot, bikes, beasts


def groups_of(unit: Unit) -> list[Group]:
    """Return the models of a unit in groups of identical ones, in the order of each group's first model."""
    kept = unit.position.cache.get(("fire-groups", unit.row))
    if kept is None:
        kept = unit.position.cache["fire-groups", unit.row] = grouped(unit)
    groups: list[Group] = kept
    return groups


def grouped(unit: Unit) -> list[Group]:
    found: dict[tuple[Any, ...], list[int]] = {}
    for model in living(unit):
        options = tuple(lawful_options(model))
        alone = model.row if is_monster(model) else -1
        if options:
            found.setdefault((model.profile, options, alone), []).append(model.row)
    return [Group(tuple(rows), key[1]) for key, rows in found.items()]


@rule("3.2/model-unable")
def somebody_fires(is_last: bool, shots: Sequence[Shot]) -> Fault | None:
    """Refuse a declaration without any shot: a model may hold its fire, but a unit that shoots fires something."""
    return Fault() if is_last and not shots else None


def of_groups(unit: Unit) -> Script:
    """Declare fire at the unit that the models face; vehicles among them choose targets for each weapon."""
    faced, hulls = faced_by(unit), able_vehicles(unit)
    groups = groups_of(unit) if faced is not None and fault_of_faced(unit) is None else []
    shots: list[Shot] = []
    for place, group in enumerate(groups):
        assert faced is not None
        must = place == len(groups) - 1 and not shots and not hulls
        if is_monster(unit.position.model(group.rows[0])):
            shots += yield from of_monster(unit, faced, group, must)
        else:
            shots += yield from of_group(unit, faced, group, must)
    return shots + (yield from of_vehicles(unit, hulls, not shots))


@rule("3.2/one-weapon", "6.2/bike-weapons", "3.2/model-unable")
def of_group(unit: Unit, target: Unit, group: Group, must: bool) -> Script:
    """Declare one choice for the whole group, or one for each model; bikes choose once for each rider."""
    shots: list[Shot] = []
    used: list[int] = []
    for turn in range(weapons_at_once(unit.position.model(group.rows[0]))):
        may_split = len(group.rows) > 1 and turn == 0
        key = yield weapon_field(unit, target, group, used, must and not shots, may_split, shots)
        if key == SPLIT:
            return (yield from of_each(unit, target, group, must))
        if key == HOLD:
            break
        option = Option(*key[1:])
        used.append(option.weapon)
        shots += [Shot(unit.row, row, *option, target.row) for row in group.rows]
        if all(one.weapon in used for one in group.options):
            break
    return shots


def of_each(unit: Unit, target: Unit, group: Group, must: bool) -> Script:
    shots: list[Shot] = []
    for row in group.rows:
        is_last = row == group.rows[-1]
        shots += yield from of_group(unit, target, Group((row,), group.options), must and is_last and not shots)
    return shots


def weapon_field(
    unit: Unit,
    target: Unit,
    group: Group,
    used: Sequence[int],
    must: bool,
    may_split: bool,
    beside: Sequence[Shot] = (),
) -> Weapons:
    """Ask for the weapon, its profile, and the number of shots.

    ``beside``: shots that the same models have already chosen.
    """
    model = unit.position.model(group.rows[0])
    options = [one for one in options_of(model) if one.weapon not in used]
    ranked = by_promise(group.rows, target, options)
    keys: list[Key] = [("fire", *one) for one, promise in ranked if promise > 0]
    keys += [HOLD, *(("fire", *one) for one, promise in ranked if promise <= 0)]
    keys += [SPLIT] if may_split else []

    def forbids(key: Key) -> Fault | None:
        if key == HOLD:
            return held(must)
        return None if key == SPLIT else why_not_beside(model, Option(*key[1:]), beside)

    about: dict[str, Any] = {
        "unit": unit.row,
        "models": group.rows,
        "at": target.row,
        "distance": how_far(group.rows, target),
    }
    about["model"] = model.row
    return Weapons(unit.side, "fire", keys, "fire", forbids, about)


def why_not_beside(model: Model, option: Option, beside: Sequence[Shot]) -> Fault | None:
    """Return why a model cannot use an option together with its other shots: several powers are paid for together."""
    if option.weapon < POWERS:
        return why_not(model, option)
    powers = model.profile.powers
    cast = [powers[shot.weapon - POWERS] for shot in beside if shot.model == model.row and shot.weapon >= POWERS]
    return why_not(model, option) or psychic.costs_too_much_beside(model, powers[option.weapon - POWERS], cast)


def how_far(rows: Sequence[int], target: Unit) -> int:
    """Return the distance to show in the question: from the nearest of the models."""
    key = "how-far", tuple(rows), target.row
    kept = target.position.cache.get(key)
    if kept is None:
        shots = [Shot(target.position.unit_of[row], row, 0, 0, 1, target.row) for row in rows]
        kept = target.position.cache[key] = min(distances(target.position, shots, target))
    return int(kept)


def held(must: bool) -> Fault | None:
    fault = somebody_fires(must, ())
    return None if fault is None else Fault(rule="3.2/model-unable")


def by_promise(
    rows: Sequence[int], target: Unit, options: Sequence[Option], point: int = -1
) -> list[tuple[Option, float]]:
    """Return the options of identical models with their expected value for all of them, the best first.

    An option out of range is worth nothing.
    """
    position = target.position
    key = "promise", tuple(rows), target.row, tuple(options), point
    kept = position.cache.get(key)
    if kept is None:
        found = [(one, promised(position, rows, target, one, point)) for one in options]
        kept = position.cache[key] = sorted(found, key=lambda pair: -pair[1])
    ranked: list[tuple[Option, float]] = kept
    return ranked


def promised(position: Position, rows: Sequence[int], target: Unit, option: Option, point: int) -> float:
    shots = [Shot(position.unit_of[row], row, *option, target.row, point) for row in rows]
    far = Counter(distances(position, shots, target))
    return sum(count * promise_of(position.model(rows[0]), shots[0], distance) for distance, count in far.items())


def promise_of(model: Model, shot: Shot, distance: int) -> float:
    line = line_of(model.position, shot)
    if line.reach == "template":
        return 3.0 * line.strength if distance <= TEMPLATE_REACH else 0.0
    if not reaches(line, shot.attacks, distance):
        return 0.0
    likely = min(5, max(1, skill_at(model, line, distance))) / 6.0
    return shot.attacks * likely * (strength_at(line, distance) + (7 - (line.ap or 7)) / 2.0)


def is_promising(rows: Sequence[int], target: Unit, option: Option, point: int = -1) -> bool:
    """Return whether an option of identical models reaches the target."""
    return by_promise(rows, target, (option,), point)[0][1] > 0.0


def shots_open_to(unit: Unit) -> Iterator[tuple[Sequence[int], Unit, Option, int]]:
    """Yield what a unit may declare: rows of identical models, the target, the option, the fire point (-1: none)."""
    faced = faced_by(unit)
    if faced is not None and aboard(unit):
        points = points_that_see(unit, faced)
        yield from (((m.row,), faced, one, p) for p in points for m in aboard(unit) for one in lawful_options(m))
    elif faced is not None and fault_of_faced(unit) is None:
        yield from ((group.rows, faced, one, -1) for group in groups_of(unit) for one in group.options)
    for model, weapons in able_vehicles(unit):
        targets = {weapon: [Unit(unit.position, row) for row in rows] for weapon, rows in weapons.items()}
        yield from (
            ((model.row,), foe, one, -1) for one in lawful_options(model) for foe in targets.get(one.weapon, ())
        )


# ---------------------------------------------------------------- 6.1: monsters


@rule("6.1/mc-all-weapons", "6.1/mc-muzzle")
def of_monster(unit: Unit, target: Unit, group: Group, must: bool) -> Script:
    """Declare fire for all the weapons of a monster, and choose the muzzle that it looks from."""
    model = unit.position.model(group.rows[0])
    weapons = list(dict.fromkeys(one.weapon for one in group.options))
    point, shots = yield from muzzle_field(unit, target, model, weapons)
    for weapon in weapons:
        mine = Group(group.rows, tuple(one for one in group.options if one.weapon == weapon))
        others = [one for one in dict.fromkeys(option.weapon for option in options_of(model)) if one != weapon]
        obliged = weapon == point or (must and weapon == weapons[-1] and not shots)
        key = yield weapon_field(unit, target, mine, others, obliged, False, shots)
        if key != HOLD:
            shots.append(Shot(unit.row, model.row, *Option(*key[1:]), target.row, -1))
    looking = point if point >= 0 else next((one.weapon for one in shots if one.weapon < POWERS), -1)
    return [shot._replace(point=looking) for shot in shots]


def muzzle_field(
    unit: Unit, target: Unit, model: Model, weapons: Sequence[int]
) -> Generator[Question, Any, tuple[int, list[Shot]]]:
    """Ask which weapon's muzzle a monster looks from; no question if all muzzles are at one point."""
    places: dict[Point3, int] = {}
    for weapon in weapons:
        if weapon < POWERS:
            places.setdefault(muzzle(model, model.profile.mounts[weapon]), weapon)
    if len(places) < 2:
        return -1, []
    points = {weapon: point for point, weapon in places.items()}
    alone = len(members(unit)) == 1

    def forbids(weapon: int) -> Fault | None:
        blind = alone and not model_sees(model, target, points[weapon])
        return Fault(where=model.at, model=model.row, rule="1.1/los-none") if blind else None

    point = yield Choose(unit.side, "muzzle", list(points), "weapon", forbids, {"unit": unit.row, "model": model.row})
    return point, []


# ---------------------------------------------------------------- 7.9: vehicles


@rule("7.9/independent-weapons", "7.9/weapons-by-speed")
def of_vehicles(unit: Unit, able: Sequence[Able], must: bool = True) -> Script:
    """Declare a target for each weapon of each vehicle, for as many weapons as the vehicle's speed allows."""
    shots: list[Shot] = []
    for model, weapons in able:
        most = vehicles.may_fire_count(model)
        fired = 0
        for weapon in weapons:
            if most is not None and fired >= most:
                break
            is_last = model is able[-1][0] and weapon == list(weapons)[-1]
            key = yield target_field(model, weapon, weapons[weapon], must and is_last and not shots)
            if key != HOLD:
                fired += 1
                shots.append(Shot(unit.row, model.row, weapon, key[2], key[3], key[1]))
    return shots


def able_vehicles(unit: Unit) -> list[Able]:
    """Return the vehicles of a unit that have a weapon with a target, each with those weapons."""
    usable = [(model, usable_weapons(model)) for model in members(unit) if is_vehicle(model)]
    return [(model, weapons) for model, weapons in usable if weapons]


def target_field(model: Model, weapon: int, lawful: Sequence[int], must: bool) -> Choose:
    """Ask which unit a weapon fires at, and with which profile."""
    position = model.position
    options = [one for one in options_of(model) if one.weapon == weapon]
    ranked = []
    for row in (unit.row for unit in enemies(model)):
        ranked += [(row, *pair) for pair in by_promise((model.row,), Unit(position, row), options)]
    ranked.sort(key=lambda one: -one[2])
    keys: list[Key] = [("at", row, one.line, one.attacks) for row, one, promise in ranked if promise > 0]
    keys += [HOLD, *(("at", row, one.line, one.attacks) for row, one, promise in ranked if promise <= 0)]

    def forbids(key: Key) -> Fault | None:
        if key == HOLD:
            return held(must)
        fault = why_not(model, Option(weapon, key[2], key[3]))
        return fault or (None if key[1] in lawful else why_no_target(model, weapon, key[1]))

    rows = dict.fromkeys(key[1] for key in keys if key != HOLD)
    distances = {str(row): how_far((model.row,), Unit(position, row)) for row in rows}
    about = {"unit": model.unit.row, "model": model.row, "weapon": weapon, "distances": distances}
    return Choose(model.side, "fire-at", keys, "fire", forbids, about)


def enemies(model: Model) -> list[Unit]:
    return targets_of_weapons(model.position, model.side)


# ---------------------------------------------------------------- 7.10: out of a transport


@rule("7.10/fire-points", "7.10/fire-point-sight")
def out_of_transport(unit: Unit) -> Script:
    """Ask for each free fire point which model shoots from it.

    No more models may shoot without seeing the target than shoot seeing it.
    """
    faced = faced_by(unit)
    assert faced is not None
    points = points_that_see(unit, faced)
    shots: list[Shot] = []
    blind = 0
    for point in sorted(points, key=lambda one: not points[one]):
        sees = points[point]
        too_blind = not sees and blind + 1 > len(shots) - blind
        idle = [m for m in aboard(unit) if lawful_options(m) and m.row not in {shot.model for shot in shots}]
        if too_blind or not idle:
            break
        key = yield point_field(unit, faced, point, idle, not shots and is_last_chance(points, point))
        if key != HOLD:
            blind += 0 if sees else 1
            shots.append(Shot(unit.row, key[1], *Option(*key[2:]), faced.row, point))
    return shots


def is_last_chance(points: dict[int, bool], point: int) -> bool:
    """Return whether no other point that sees the target is still to come."""
    seeing = [one for one in points if points[one]]
    return bool(seeing) and point == seeing[-1]


def point_field(unit: Unit, target: Unit, point: int, idle: Sequence[Model], must: bool) -> Choose:
    keys: list[Key] = []
    known: list[Any] = []
    for model in idle:
        if model.profile not in known:
            known.append(model.profile)
            keys += [("from", model.row, *one) for one, _ in by_promise((model.row,), target, options_of(model), point)]
    keys.append(HOLD)

    def forbids(key: Key) -> Fault | None:
        return held(must) if key == HOLD else why_not(unit.position.model(key[1]), Option(*key[2:]))

    carrier = aboard(unit)[0].aboard_of
    place = fire_points(carrier)[point] if carrier is not None else None
    return Choose(unit.side, "fire-out", keys, "fire", forbids, {"unit": unit.row, "point": point, "place": place})
