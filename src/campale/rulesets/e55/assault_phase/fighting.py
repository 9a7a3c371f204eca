"""Legal attacks in a combat, and the choice of weapons and targets (3.3.2, steps 3 to 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from campale.referee.ask import fill_in
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.rule import rule
from campale.rulesets.e55.assault_phase.rear import came_from_behind
from campale.rulesets.e55.assault_phase.striking import (
    Arm,
    arms,
    attack_count,
    initiative,
    need_to_hit,
    strength_of,
)
from campale.rulesets.e55.assault_phase.striking import line_of as line_of_arm
from campale.rulesets.e55.definitions.measuring import contacts, distance, exact, less_than, rounded_down, within
from campale.rulesets.e55.definitions.types import is_all_vehicles, is_vehicle, is_walker
from campale.rulesets.e55.definitions.units import active, handles, members, units_on_table
from campale.rulesets.e55.unit_types import flying

SUPPORT = 2
SPLIT = 2
APART = "apart"
SUGGESTED = 4

Aims = tuple[tuple[int, int], ...]
"""The rows of units, and how many attacks each of them gets."""

Way = tuple[int, str, Aims]
"""The number of the weapon, the manner, and the targets."""


class Strike(NamedTuple):
    """What one model does in its turn, in rows and numbers. ``among``: the units that it could have attacked."""

    initiative: int
    model: int
    arm: Arm
    aims: Aims
    among: tuple[int, ...]


def revived(plain: Any) -> Strike:
    number, model, arm, aims, among = plain
    return Strike(number, model, Arm(*arm), aims, among)


# ---------------------------------------------------------------- legal attacks


@rule("3.3.2/who-attacks")
def supporters(unit: Unit, enemies: Sequence[Model]) -> dict[int, list[Model]]:
    """Return the models (rows) that may attack, each with the enemies that it, or friends near it, touch."""
    own = members(unit)
    touching = {model.row: contacts(model, enemies) for model in own}
    front = [model for model in own if touching[model.row]]
    found = {}
    for model in own:
        near = [mate for mate in front if within(rounded_down(exact(model, mate)), SUPPORT)]
        behind = [enemy for mate in near for enemy in touching[mate.row]]
        reached = touching[model.row] or behind
        if reached:
            found[model.row] = reached
    return found


@rule("3.3.2/split-attacks")
def units_in_reach(model: Model, foes: Sequence[Unit], through: Sequence[Model]) -> list[int]:
    """Return the enemy units less than 2 inches away, or else those a friend nearby touches.

    A single enemy unit is always in reach.
    """
    if len(foes) < 2:
        return [foe.row for foe in foes]
    near = [foe.row for foe in foes if any(less_than(distance(model, m), SPLIT) for m in members(foe))]
    return near or [foe.row for foe in foes if any(m.unit.row == foe.row for m in through)]


@rule("7.7/attacking-vehicles")
def hulls_touched(model: Model) -> list[int]:
    """Return the rows of the units of the enemy vehicles that a model touches.

    Only units that may charge flyers touch flyers.
    """
    hulls = [unit for unit in hulls_of(model.position, 1 - model.side) if contacts(model, members(unit))]
    return [unit.row for unit in hulls if flying.may_charge(model.unit, unit) is None]


def hulls_of(position: Position, side: int) -> list[Unit]:
    """Return the vehicle units of a side, without walkers, cached until something moves."""
    kept, key = position.own, ("hulls", side)
    if key not in kept:
        kept[key] = [unit for unit in units_on_table(position, side) if is_hulls(unit)]
    found: list[Unit] = kept[key]
    return found


def is_hulls(unit: Unit) -> bool:
    return is_all_vehicles(unit) and not any(is_walker(model) for model in members(unit))


@rule("3.3.2/rear-charge-effect")
def cannot_turn_on(unit: Unit, foe: Unit) -> bool:
    """Return whether a unit was charged from behind by that foe, and so cannot attack it in this round."""
    return came_from_behind(unit, foe)


def targets(unit: Unit, units: Sequence[int]) -> dict[int, list[int]]:
    """Return for each model (row) of a unit the rows of the enemy units it may attack in the combat of some units."""
    foes = [foe for foe in handles(unit.position, units) if foe.side != unit.side and members(foe)]
    entitled = supporters(unit, [model for foe in foes for model in members(foe)])
    found = {}
    for model in members(unit):
        reached = units_in_reach(model, foes, entitled[model.row]) if model.row in entitled else []
        open_to = [row for row in reached if not cannot_turn_on(unit, Unit(unit.position, row))]
        rows = [*open_to, *(hulls_touched(model) if fights(model) else [])]
        if rows:
            found[model.row] = rows
    return found


@rule("7.7/vehicles-not-engaged")
def fights(model: Model) -> bool:
    return not is_vehicle(model) or is_walker(model)


# ---------------------------------------------------------------- choosing


async def choose_strikes(position: Position, units: Sequence[int]) -> tuple[Strike, ...]:
    """Ask what every model of a combat does; the active player chooses first."""
    strikes: list[Strike] = []
    for side in (active(position), 1 - active(position)):
        own = [unit for unit in handles(position, units) if unit.side == side]
        strikes += await choose_of_side(position, side, own, units)
    return tuple(strikes)


@rule("3.3.2/one-melee-weapon", "3.3.2/split-attacks", "9.1.1/pistol-in-melee")
async def choose_of_side(position: Position, side: int, own: Sequence[Unit], units: Sequence[int]) -> list[Strike]:
    """Ask in one form, with a field for each group of like models that can choose a weapon or a target."""
    among = {row: rows for unit in own for row, rows in targets(unit, units).items()}
    ways = {row: tuple(ways_to_strike(position.model(row), rows)) for row, rows in among.items()}
    groups = alike(position, ways)
    filled = await fill_in(side, "strikes", lambda answers: next_field(position, groups, answers))
    chosen = {row: found[0] for row, found in ways.items() if len(found) == 1} | given_out(groups, filled)
    return [struck(position.model(row), chosen[row], among[row]) for row in among if row in chosen]


def struck(model: Model, way: Way, among: Sequence[int]) -> Strike:
    arm = Arm(way[0], way[1])
    return Strike(initiative(model, arm), model.row, arm, way[2], tuple(among))


class Group(NamedTuple):
    """Models (rows) of one unit that have the same ways to strike."""

    rows: tuple[int, ...]
    ways: tuple[Way, ...]


def alike(position: Position, ways: Mapping[int, tuple[Way, ...]]) -> list[Group]:
    """Return the models that have a choice, like models of a unit grouped."""
    found: dict[Any, list[int]] = {}
    for row, own in ways.items():
        if len(own) > 1:
            found.setdefault((position.unit_of[row], own), []).append(row)
    return [Group(tuple(rows), own) for (_, own), rows in found.items()]


class StrikeField(Choose):
    """How some models strike. "Each model separately" is a possible answer, but is not suggested."""

    __slots__ = ()

    def suggestions(self) -> list[Any]:
        return [key for key in super().suggestions() if key != APART][:SUGGESTED]


def next_field(position: Position, groups: Sequence[Group], filled: Sequence[Any]) -> Question | None:
    """Return the question after some answers: for a group, or for each of its models if it is split."""
    left = list(filled)
    for group in groups:
        several = len(group.rows) > 1
        if not left:
            return strike_field(position, group.rows, (*group.ways, APART) if several else group.ways)
        if left.pop(0) == APART:
            for row in group.rows:
                if not left:
                    return strike_field(position, (row,), group.ways)
                left.pop(0)
    return None


def strike_field(position: Position, rows: Sequence[int], keys: Sequence[Any]) -> StrikeField:
    unit = position.model(rows[0]).unit
    return StrikeField(unit.side, "strike", keys, "strike", about={"unit": unit.row, "models": list(rows)})


def given_out(groups: Sequence[Group], filled: Sequence[Any]) -> dict[int, Way]:
    """Return the chosen way of every model, by its row."""
    left, found = list(filled), {}
    for group in groups:
        way = left.pop(0)
        for row in group.rows:
            found[row] = left.pop(0) if way == APART else way
    return found


def ways_to_strike(model: Model, rows: Sequence[int]) -> list[Way]:
    """Return every weapon with every division of its attacks among the units, the most harmful first."""
    ways = [
        (arm.mount, arm.manner, aims)
        for arm in arms(model)
        for aims in divisions(attack_count(model, arm), rows)
        if aims
    ]
    return sorted(ways, key=lambda way: -worth_of(model, Arm(way[0], way[1]), way[2]))


def divisions(count: int, rows: Sequence[int]) -> Iterator[Aims]:
    """Return the ways to divide a number of attacks among units, without units that get none."""
    if len(rows) == 1:
        yield ((rows[0], count),) if count else ()
        return
    for first in range(count, -1, -1):
        own = ((rows[0], first),) if first else ()
        for others in divisions(count - first, rows[1:]):
            yield (*own, *others)


def worth_of(model: Model, arm: Arm, aims: Aims) -> float:
    """Return roughly how many wounds the attacks may be expected to cause."""
    return sum(count * chance_to_hurt(model, arm, Unit(model.position, row)) for row, count in aims)


def chance_to_hurt(model: Model, arm: Arm, target: Unit) -> float:
    first, strength, line = members(target)[0], strength_of(model, arm), line_of_arm(model, arm)
    hits = max(1.0, 7.0 - need_to_hit(model, arm, target).number) / 6.0
    if is_vehicle(first):
        return hits * max(0.0, strength + 6.0 - float(first.profile.rear)) / 12.0
    wounds = min(5.0, max(1.0, 3.0 + strength - int(first.profile.t or 0))) / 6.0
    save = first.profile.armour_save
    saved = 0.0 if save is None or (line.ap is not None and line.ap <= save) else (7.0 - save) / 6.0
    late = 0.8 if line.has("slow") else 1.0
    return float(hits * wounds * (1.0 - min(1.0, saved)) * late)
