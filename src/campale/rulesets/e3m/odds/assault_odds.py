"""What assaults may bring: the melee after an assault move, and the test of an overrun unit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from campale.dice.counts import chances_of
from campale.dice.odds import exact
from campale.mechanics.moves.unit_moves import as_paths
from campale.mechanics.steps import step
from campale.referee.looks import Forecast
from campale.referee.position import Position, Unit
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.assault.contact import AssaultSearch
from campale.rulesets.e3m.assault.declaring import NONE_LEFT
from campale.rulesets.e3m.assault.melee import melees
from campale.rulesets.e3m.assault.moves import contact_movement, in_contact_with
from campale.rulesets.e3m.command.units import is_aboard, members
from campale.rulesets.e3m.movement.group_moves import may_act_in_movement
from campale.rulesets.e3m.movement.moves import ROUGH, assault_distance
from campale.rulesets.e3m.movement.sight import is_in_cover
from campale.rulesets.e3m.odds.melee_odds import of_melee
from campale.rulesets.e3m.vehicles.overrun import stands
from campale.rulesets.e3m.vehicles.stops import may_be_overrun, may_overrun

# ---------------------------------------------------------------- the melee after an assault


@rule("assault/assault-move", "base-melee/charge-bonus")
def of_assault(position: Position, row: int, answer: Plain) -> Forecast | None:
    """The melee after the unit makes this move. The enemy's closing up is left out."""
    copy = position.copy()
    unit = Unit(copy, row)
    models = members(unit)
    for model, path in zip(models, as_paths(models, answer).values(), strict=True):
        x, y, *_ = path.points[-1]
        model.move_to(x, y)
    touched = in_contact_with(unit)
    if not touched:
        return None
    rows = next(one for one in melees(copy) if row in one and touched[0].row in one)
    found = of_melee(copy, rows, unit, touched[0])
    return replace(found, notes=(*found.notes, "no-close-up"))


@rule("assault/declaration", "assault/maximum-contact")
def of_declaration(position: Position, row: int, answer: Plain) -> Forecast | None:
    """The melee if the unit went straight into contact with the named units now."""
    unit = Unit(position, row)
    targets = [int(one) for one in answer if one != NONE_LEFT] if isinstance(answer, list | tuple) else []
    enemies = [m for target in targets for m in members(Unit(position, target)) if m.is_on_table]
    if not enemies:
        return None
    witness = into_contact(unit, targets)
    if witness is None:
        return Forecast(members(unit)[0].row, enemies[0].row, (), (), ("melee",), gap="no-way")
    found = of_assault(position, row, witness)
    return None if found is None else replace(found, notes=(*found.notes, "as-declared"))


@rule("assault/maximum-contact")
def into_contact(unit: Unit, targets: Sequence[int]) -> Plain:
    """The move that would take most models into contact with these units now; None: no way leads there.

    Kept until something moves.
    """
    kept, key = unit.position.layout, ("into-contact", unit.row, tuple(targets))
    if key not in kept:
        enemies = [m for target in targets for m in members(Unit(unit.position, target)) if m.is_on_table]
        movement = contact_movement(unit, targets, assault_distance(unit), ROUGH)
        kept[key] = AssaultSearch(unit, members(unit), enemies, movement).best() if enemies else None
    found: Plain = kept[key]
    return found


# ---------------------------------------------------------------- overruns


@rule("vehicles/overrun-morale", "vehicles/overrun-flying", "vehicles/overrun-who")
def overrun_forecasts(unit: Unit, target: Unit) -> list[Forecast]:
    """The chance that the target fails its test if the vehicle drives into it. Its defensive fire is not included.

    Nobody is overrun in cover, and by a vehicle that moves no more.
    """
    models, others = members(unit), members(target)
    if not may_overrun(unit) or not may_act_in_movement(unit) or is_aboard(target):
        return []
    if not all(map(may_be_overrun, others)) or all(map(is_in_cover, others)):
        return []
    found = exact(unit.position, partial(standing, unit.row, target.row))
    fails = step("fails", "vehicles/overrun-morale", chances_of({0: found[True], 1: found[False]}), is_main=True)
    return [Forecast(models[0].row, others[0].row, (), (fails,), ("overrun",))]


async def standing(row: int, target: int, copy: Position) -> bool:
    return await stands(Unit(copy, row), Unit(copy, target))
