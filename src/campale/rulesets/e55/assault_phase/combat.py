"""Combats (3.3.1/engaged): which units are locked together, the result of a round, and what the winners do then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from campale.mechanics.contact import groups
from campale.referee.ask import choose
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e55.definitions.dice import sum_of
from campale.rulesets.e55.definitions.measuring import are_in_contact
from campale.rulesets.e55.definitions.types import is_bike, is_monster, is_vehicle, is_walker
from campale.rulesets.e55.definitions.units import (
    COMBAT,
    active,
    handles,
    is_broken,
    is_engaged,
    is_held,
    members,
    of_other_side,
    units_on_table,
)
from campale.rulesets.e55.movement_phase import movement

WORTH_OF_THE_LARGE = 5


# ---------------------------------------------------------------- 3.3.1/engaged


@rule("7.7/vehicles-not-engaged", "7.16/walker-melee")
def can_be_engaged(unit: Unit) -> bool:
    """Return whether any model of a unit fights in close combat: vehicles do not, walkers do."""
    return any(not is_vehicle(model) or is_walker(model) for model in members(unit))


@rule("3.3.1/engaged")
def engage(unit: Unit, other: Unit) -> None:
    """Lock two units in one combat; combats that meet become one."""
    if not can_be_engaged(unit) or not can_be_engaged(other):
        return
    position = unit.position
    ids = sorted({unit.marks(COMBAT), other.marks(COMBAT)} - {0})
    kept = ids[0] if ids else next_number(position)
    for one in position.units:
        if one.row in (unit.row, other.row) or (len(ids) == 2 and one.marks(COMBAT) == ids[1]):
            one.mark(COMBAT, kept)


def leave(unit: Unit) -> None:
    """End the combat for one unit."""
    unit.mark(COMBAT, 0)


def fights_on(unit: Unit) -> bool:
    """Return whether a unit is engaged and still has a model that fights in close combat."""
    return is_engaged(unit) and can_be_engaged(unit)


@rule("7.7/vehicles-not-engaged", "1.2/mixed-units")
def release_hulls(units: Iterable[Unit]) -> None:
    """End the combat for units of which only vehicles are left that do not fight in one."""
    for unit in units:
        if members(unit) and not can_be_engaged(unit):
            leave(unit)


def combats(position: Position) -> list[tuple[int, ...]]:
    """Return the rows of the units of each combat, in the order in which the combats began."""
    found: dict[int, list[int]] = {}
    for unit in units_on_table(position):
        if unit.marks(COMBAT):
            found.setdefault(unit.marks(COMBAT), []).append(unit.row)
    return [tuple(found[number]) for number in sorted(found)]


def foes(unit: Unit) -> list[Unit]:
    """Return the enemy units in the combat of a unit."""
    number = unit.marks(COMBAT)
    return [other for other in of_other_side(unit) if number and other.marks(COMBAT) == number]


def touched_by(unit: Unit) -> list[Unit]:
    """Return the enemy units with a model that touches one of the unit's models."""
    return [other for other in of_other_side(unit) if is_touching(unit, other)]


def is_touching(unit: Unit, other: Unit) -> bool:
    return any(are_in_contact(one, enemy) for one in members(unit) for enemy in members(other))


@rule("3.3.1/engaged")
def lock(unit: Unit, among: Iterable[int]) -> None:
    """Engage a unit with those of some enemy units (rows) that it touches."""
    for other in touched_by(unit):
        if other.row in among:
            engage(unit, other)


@rule("3.3.1/engaged")
def come_apart(position: Position, units: Iterable[int]) -> None:
    """Split a combat into one for each group of units (rows) that contact still links."""
    left = [unit for unit in handles(position, units) if is_engaged(unit) and members(unit)]
    linked = [(a.row, b.row) for a in left for b in left if a.side < b.side and is_touching(a, b)]
    for part in groups([*((unit.row, unit.row) for unit in left), *linked])[1:]:
        number = next_number(position)
        for unit in handles(position, part):
            unit.mark(COMBAT, number)


def next_number(position: Position) -> int:
    return 1 + max((one.marks(COMBAT) for one in position.units), default=0)


# ---------------------------------------------------------------- 3.3.2: the result


@rule("6.1/mc-counts-five")
def worth_of_monster(model: Model) -> int:
    return WORTH_OF_THE_LARGE if is_monster(model) else 0


@rule("7.16/walker-counts-five")
def worth_of_walker(model: Model) -> int:
    return WORTH_OF_THE_LARGE if is_walker(model) else 0


@rule("6.2/bike-count")
def worth_of_bike(model: Model) -> int:
    return int(model.profile.riders) if is_bike(model) else 0


@rule("3.3.2/combat-count")
def worth(model: Model) -> int:
    """Return how many models one model counts as, alive or lost."""
    return worth_of_monster(model) or worth_of_walker(model) or worth_of_bike(model) or 1


@rule("3.3.2/combat-count")
def engaged_models(position: Position, units: Sequence[int], side: int) -> list[Model]:
    """Return all models of a side's units in a combat, in contact or not, without units that dropped out of it."""
    own = [unit for unit in handles(position, units) if unit.side == side and fights_on(unit)]
    return [model for unit in own for model in members(unit)]


@rule("3.3.2/combat-result")
def total(position: Position, units: Sequence[int], side: int, since: int) -> int:
    """Return the models left, less those lost since a given number of losses."""
    rows = [loss.model for loss in position.losses[since:]]
    lost = [position.model(row) for row in dict.fromkeys(rows)]
    fallen = [m for m in lost if m.side == side and position.unit_of[m.row] in units]
    return sum(map(worth, engaged_models(position, units, side))) - sum(map(worth, fallen))


# ---------------------------------------------------------------- when a combat is over


def is_over(position: Position, units: Sequence[int]) -> bool:
    """Return whether only one side is left in a combat."""
    return len(sides_left(position, units)) < 2


def sides_left(position: Position, units: Sequence[int]) -> set[int]:
    """Return the sides with models left that fight in a combat."""
    return {unit.side for unit in handles(position, units) if can_be_engaged(unit)}


@rule("3.3.2/consolidation")
async def consolidate(unit: Unit) -> None:
    """Move a unit without enemies left in its combat by one die; terrain does not hinder the move."""
    able = [model for model in members(unit) if not is_held(model)]
    if not able or is_broken(unit):
        return
    inches = await sum_of(unit.side, "consolidation", 1, unit=unit.row)
    await movement.move_unit(
        unit, "consolidate", inches, inches, may_be_slowed=False, tests_dangerous=False, models=able
    )


@rule("3.3.2/consolidation")
async def consolidate_all(units: Sequence[Unit]) -> None:
    """Consolidate units one after another, the active player's first; each owner chooses the order."""
    left = [unit for unit in units if members(unit)]
    while left:
        side = active(left[0].position)
        first = [unit for unit in left if unit.side == side] or left
        row = await choose(first[0].side, "consolidate-next", [unit.row for unit in first], of="unit")
        left = [unit for unit in left if unit.row != row]
        await consolidate(Unit(first[0].position, row))


async def settle(position: Position) -> None:
    """End combats in which one side is left, whatever the reason; the units left consolidate."""
    free: list[Unit] = []
    for rows in combats(position):
        release_hulls(handles(position, rows))
        if is_over(position, rows):
            free += [unit for unit in handles(position, rows) if is_engaged(unit)]
    for unit in free:
        leave(unit)
    await consolidate_all(free)


async def after_dropping_out(unit: Unit, fought: Sequence[int]) -> None:
    """Consolidate a unit that has left the combat of some units (rows).

    Those units consolidate too if they have no enemy left.
    """
    left = [one for one in handles(unit.position, fought) if one.row != unit.row and one.marks(COMBAT)]
    ended = [one for one in left if not foes(one)]
    for one in ended:
        leave(one)
    await consolidate_all([unit, *ended])
