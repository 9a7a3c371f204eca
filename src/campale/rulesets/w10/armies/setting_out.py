"""The first position: both armies off the table, the terrain, and the agreed settings."""

from __future__ import annotations

from itertools import product

from campale.mechanics.armies.faults import points_agreed
from campale.mechanics.armies.force import add_model, add_unit
from campale.mechanics.display import wounds_left
from campale.mechanics.setup.agreed import mission_agreed, pieces_agreed
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.referee.ruleset import Ruleset, Setup
from campale.rulesets.w10.armies.forces import FORCES, Roster, UnitSpec
from campale.rulesets.w10.armies.muster import ARMIES
from campale.rulesets.w10.basics.units import POINTS, START
from campale.rulesets.w10.battle.layouts import LAYOUTS, layout_named, table_size
from campale.rulesets.w10.battle.only_war import MISSIONS
from campale.table.terrain import Ground

USUAL, FIRST = "only-war", "training"


@rule("mission/sequence", "only-war/setup", "muster/battle-size")
def set_out(ruleset: Ruleset, setup: Setup) -> Position:
    """The first position of a setup. Raises SetupError naming what is wrong."""
    agreed = setup.agreed
    pieces = pieces_agreed(str(agreed.get("scenery", USUAL)), (), LAYOUTS.names(), layout_named)
    position = Position(ruleset, Ground(*table_size(), pieces))
    position.now.update(turn=0, round=0, phase="attacker", side=0)
    position.now["mission"] = mission_agreed(agreed, MISSIONS) or MISSIONS[0]
    points = points_agreed(agreed, "muster/battle-size")
    position.now["size"] = points or max(int(one.get("points", 0)) for one in setup.forces)
    for side, roster in ARMIES.fielded(setup):
        enlist(position, side, roster)
    return position


@rule("core-concepts/unit", "f/starting-strength", "a/army")
def enlist(position: Position, side: int, roster: Roster) -> None:
    """Enlist the units of a roster in its order, off the table."""
    for spec in roster.units:
        add(position, side, spec)


def add(position: Position, side: int, spec: UnitSpec) -> None:
    unit = add_unit(position, side, spec.title)
    unit.mark(START, len(spec.profiles))
    unit.mark(POINTS, spec.points)
    for profile in spec.profiles:
        add_model(unit, profile)


def health(model: Model) -> tuple[int, int]:
    return wounds_left(model, int(model.profile.w))


def order_of(name: str) -> tuple[int, bool, str]:
    """Sort key: by size, then rosters of the ``training`` datasheets first, then by name."""
    force = FORCES.named(name)
    return force.points, force.sheets.id != FIRST, name


def starters() -> tuple[Setup, ...]:
    """Pairs of ready rosters of the same size, with each table in turn."""
    names = sorted(FORCES.names(), key=order_of)
    layouts = (USUAL, *(name for name in LAYOUTS.names() if name != USUAL))
    pairs = [(one, other) for one, other in product(names, names) if one <= other and ARMIES.same_points(one, other)]
    return tuple(
        Setup(
            "w10",
            {},
            (FORCES.plain(one), FORCES.plain(other)),
            {
                "scenery": layouts[(k % len(pairs) + k // len(pairs)) % len(layouts)],
                "points": FORCES.named(one).points,
                "mission": MISSIONS[int(bool(FORCES.named(one).detachment and FORCES.named(other).detachment))],
            },
        )
        for k, (one, other) in enumerate(pairs * 2)
    )
