"""Who may attack whom in a combat, and the choice of weapons and targets (3.3.2, steps 3 to 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from campale.referee.ask import fill_in
from campale.referee.position import Model, Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.rule import rule
from campale.rulesets.e55.measuring import contacts, distance, exact, less_than, rounded_down, within
from campale.rulesets.e55.rear import came_from_behind
from campale.rulesets.e55.striking import (
    BLOWS,
    Arm,
    arms,
    attack_count,
    initiative,
    need_to_hit,
    strength_of,
)
from campale.rulesets.e55.striking import line_of as line_of_arm
from campale.rulesets.e55.types import is_all_vehicles, is_vehicle, is_walker
from campale.rulesets.e55.units import active, handles, members, of_other_side

SUPPORT = 2
SPLIT = 2

Aims = tuple[tuple[int, int], ...]
"""The rows of units, and how many attacks each gets."""


class Strike(NamedTuple):
    """What one model does in its turn: rows and numbers only. ``among``: the units that it could have attacked."""

    initiative: int
    model: int
    arm: Arm
    aims: Aims
    among: tuple[int, ...]


def revived(plain: Any) -> Strike:
    number, model, arm, aims, among = plain
    return Strike(number, model, Arm(*arm), aims, among)


# ---------------------------------------------------------------- who may attack


@rule("3.3.2/who-attacks")
def supporters(unit: Unit, enemies: Sequence[Model]) -> dict[int, list[Model]]:
    """The models (rows) of a unit that may attack, each with the enemies touched by it or by the friends near it."""
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
    """Of several enemy units those less than 2 inches away, or else those touched by a friend; a single one always."""
    if len(foes) < 2:
        return [foe.row for foe in foes]
    near = [foe.row for foe in foes if any(less_than(distance(model, m), SPLIT) for m in members(foe))]
    return near or [foe.row for foe in foes if any(m.unit.row == foe.row for m in through)]


@rule("7.7/attacking-vehicles")
def hulls_touched(model: Model) -> list[int]:
    """The enemy vehicles that a model touches, by the rows of their units."""
    return [unit.row for unit in of_other_side(model.unit) if is_hulls(unit) and contacts(model, members(unit))]


def is_hulls(unit: Unit) -> bool:
    return is_all_vehicles(unit) and not any(is_walker(model) for model in members(unit))


@rule("3.3.2/rear-charge-effect")
def cannot_turn_on(unit: Unit, foe: Unit) -> bool:
    """It was charged from behind, and has no attack on that charger in this round."""
    return came_from_behind(unit, foe)


def targets(unit: Unit, units: Sequence[int]) -> dict[int, list[int]]:
    """Whom each model of a unit may attack: by its row, the rows of the enemy units, in the combat of some units."""
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
    """What every model of a combat does: the active player says first."""
    strikes: list[Strike] = []
    for side in (active(position), 1 - active(position)):
        own = [unit for unit in handles(position, units) if unit.side == side]
        strikes += await choose_of_side(position, side, own, units)
    return tuple(strikes)


@rule("3.3.2/one-melee-weapon", "3.3.2/split-attacks", "9.1.1/pistol-in-melee")
async def choose_of_side(position: Position, side: int, own: Sequence[Unit], units: Sequence[int]) -> list[Strike]:
    """One form with a field for each model that has a choice of weapon or of target."""
    among = {row: rows for unit in own for row, rows in targets(unit, units).items()}
    choices = {row: ways_to_strike(position.model(row), rows) for row, rows in among.items()}
    asked = [row for row, ways in choices.items() if len(ways) > 1]

    def field(filled: list[Any]) -> Question | None:
        if len(filled) == len(asked):
            return None
        row = asked[len(filled)]
        about = {"model": row, "unit": position.unit_of[row], "among": among[row]}
        return Choose(side, "strike", choices[row], "strike", about=about)

    chosen = dict(zip(asked, await fill_in(side, "strikes", field), strict=True))
    found = []
    for row, ways in choices.items():
        mount, manner, aims = chosen.get(row, ways[0] if ways else None) or (0, BLOWS, ())
        if aims:
            model, arm = position.model(row), Arm(mount, manner)
            found.append(Strike(initiative(model, arm), row, arm, aims, tuple(among[row])))
    return found


def ways_to_strike(model: Model, rows: Sequence[int]) -> list[tuple[int, str, Aims]]:
    """Every weapon with every division of its attacks among the units, the likeliest to hurt first."""
    ways = [
        (arm.mount, arm.manner, aims)
        for arm in arms(model)
        for aims in divisions(attack_count(model, arm), rows)
        if aims
    ]
    return sorted(ways, key=lambda way: -worth_of(model, Arm(way[0], way[1]), way[2]))


def divisions(count: int, rows: Sequence[int]) -> Iterator[Aims]:
    """The ways to divide a number of attacks among units; those that get none are left out."""
    if len(rows) == 1:
        yield ((rows[0], count),) if count else ()
        return
    for first in range(count, -1, -1):
        own = ((rows[0], first),) if first else ()
        for others in divisions(count - first, rows[1:]):
            yield (*own, *others)


def worth_of(model: Model, arm: Arm, aims: Aims) -> float:
    """Roughly the wounds that attacks may be expected to cause."""
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
