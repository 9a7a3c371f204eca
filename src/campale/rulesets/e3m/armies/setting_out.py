"""The first position: both forces off the table, the ground, and the agreed terms."""

from __future__ import annotations

from itertools import product
from typing import Any

from campale.mechanics.armies.force import add_model, add_unit
from campale.mechanics.display import wounds_left
from campale.mechanics.setup.agreed import (
    BY_LOT,
    BY_PLAYERS,
    mission_agreed,
    pieces_agreed,
    scenery_agreed,
)
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.referee.ruleset import Ruleset, Setup
from campale.rulesets.e3m.armies.army import ARMIES
from campale.rulesets.e3m.armies.forces import FORCES, Force, UnitSpec
from campale.rulesets.e3m.battle.missions import MISSIONS
from campale.rulesets.e3m.battle.scenery import LAYOUTS, layout_named, pieces_to_lay, table_size
from campale.rulesets.e3m.command.groups import group_of_army
from campale.rulesets.e3m.command.units import (
    COMMANDER,
    GROUP,
    LEADS,
    POINTS,
    SPECIAL,
    START,
    UNIT_LEADER,
)
from campale.table.terrain import Ground


@rule("setup/forces", "setup/table")
def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    """The position before the battle. Raises SetupError naming what is wrong."""
    agreed, scenery = setup.agreed, scenery_agreed(setup.agreed)
    pieces = pieces_agreed(scenery, (BY_LOT, BY_PLAYERS), LAYOUTS.names(), layout_named)
    position = Position(ruleset, Ground(*table_size(), pieces))
    position.now.update(turn=0, phase="scenery", begun=0, first=0, last=-1, opens=-1, scenery=scenery)
    if scenery in (BY_LOT, BY_PLAYERS):
        position.now["pieces"] = pieces_to_lay(agreed)
    if mission := mission_agreed(agreed, MISSIONS):
        position.now["mission"] = mission
    for side, force in ARMIES.fielded(setup):
        enlist(position, side, force)
    return position


@rule("hierarchy/unit-composition", "hierarchy/group-leader", "hierarchy/special-models", "hierarchy/unit-leader")
def enlist(position: Position, side: int, force: Force) -> None:
    """Add a force's units in order, off the table, with special models in the units they are attached to."""
    numbers = {name: group_of_army(number, side) for number, name in enumerate(force.groups, 1)}
    units = [added(position, side, spec, numbers) for spec in force.units]
    for unit, spec in zip(units, force.units, strict=True):
        if spec.joins is not None:
            for model in models_of(unit):
                position.join(model, units[spec.joins])
                model.mark(UNIT_LEADER, 0)
        if spec.aboard is not None:
            unit.jot("begins-aboard", units[spec.aboard].row)


def models_of(unit: Unit) -> list[Model]:
    return [m for m in unit.position.models if m.unit == unit]


def added(position: Position, side: int, spec: UnitSpec, numbers: dict[str, int]) -> Unit:
    unit = add_unit(position, side, spec.title)
    group = numbers.get(spec.row.group, 0)
    unit.mark(GROUP, group)
    unit.mark(START, len(spec.profiles))
    unit.mark(POINTS, spec.points)
    for k, profile in enumerate(spec.profiles):
        model = add_model(unit, profile)
        model.mark(UNIT_LEADER, int(k == 0), quietly=True)
        model.mark(LEADS, group if spec.row.leads and k == 0 else 0, quietly=True)
        model.mark(COMMANDER, int(spec.role == "commander"), quietly=True)
        model.mark(SPECIAL, int(spec.is_special), quietly=True)
    return unit


def health(model: Model) -> tuple[int, int]:
    return wounds_left(model, int(model.profile.w))


@rule("armies/ready-forces")
def starters() -> tuple[Setup, ...]:
    """The two ready forces, then every other pair of lists with equal points, over all missions and layouts."""
    names = sorted(FORCES.names(), key=lambda name: (FORCES.named(name).points, name))
    layouts = (*LAYOUTS.names(), BY_LOT)
    pairs = [(one, other) for one, other in product(names, names) if one < other and ARMIES.same_points(one, other)]
    return tuple(
        Setup(
            "e3m",
            {},
            (plain(one), plain(other)),
            {"mission": MISSIONS[k % 3], "scenery": layouts[k % len(layouts)], "points": FORCES.named(one).points},
        )
        for k, (one, other) in enumerate(pairs * 3)
    )


def plain(name: str) -> dict[str, Any]:
    return FORCES.plain(name)
