"""Groups and command: leaders, and units out of command in this turn."""

from __future__ import annotations

from collections.abc import Iterator

from campale.mechanics.bases import within
from campale.referee.ask import choose
from campale.referee.position import ABOARD, TABLE, Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.armies.lists import LISTS, army_list
from campale.rulesets.e3m.command.units import (
    COMMANDER,
    GROUP,
    LEADERLESS,
    LEADS,
    ORDER,
    SPECIAL,
    distance,
    members,
    unit_leader,
    units_of,
)

USUAL_RADIUS = 10.0


@rule("hierarchy/independent-models", "hierarchy/group-composition")
def group_of(unit: Unit) -> int:
    """The number of a unit's group. A unit without one is its own group, with a number below 0 by its row."""
    group = unit.marks(GROUP)
    return group if group else -1 - unit.row


def group_of_army(number: int, side: int) -> int:
    """The group with this number in its army: 1, 2 and so on. The groups of both armies are numbered in turn."""
    return 2 * number - 1 + side


def number_in_army(group: int) -> int:
    """The number of a group in its army; the inverse of ``group_of_army``."""
    return (group + 1) // 2


def side_of(position: Position, group: int) -> int:
    """The side that the group belongs to."""
    if group < 0:
        return Unit(position, -1 - group).side
    return next(unit.side for unit in position.units if unit.marks(GROUP) == group)


def units_in(position: Position, group: int) -> list[Unit]:
    """The units of a group with models left."""
    if group < 0:
        unit = Unit(position, -1 - group)
        return [unit] if members(unit) else []
    return [unit for side in (0, 1) for unit in units_of(position, side) if unit.marks(GROUP) == group]


def groups_of(position: Position, side: int) -> list[int]:
    """The groups of a side, in list order."""
    return list(dict.fromkeys(group_of(unit) for unit in units_of(position, side)))


@rule("hierarchy/command-radius-table", "hierarchy/radius-other-armies")
def command_radius(model: Model) -> float:
    """The command radius of the model's army, in inches."""
    army = model.profile.army
    return float(army_list(army).radius) if army in LISTS.names() else USUAL_RADIUS


# ---------------------------------------------------------------- leaders


@rule("hierarchy/group-leader", "hierarchy/leader-loss", "orders/retreat-is-rout")
def leader_of(position: Position, group: int) -> Model | None:
    """The leader of a group, unless he is lost or his unit is routed."""
    return next((m for m in marked(position, LEADS, group) if m.unit.note(ORDER) != "retreat"), None)


def marked(position: Position, name: str, value: int) -> Iterator[Model]:
    """The models on the table or aboard whose mark has this value."""
    column, where = position.of_models.columns.get(name, ()), position.where
    for row, count in enumerate(column):
        if count == value and where[row] in (TABLE, ABOARD):
            yield position.model(row)


@rule("hierarchy/commander-role")
def commander_of(position: Position, side: int) -> Model | None:
    return next((m for m in marked(position, COMMANDER, 1) if m.side == side), None)


@rule(
    *("hierarchy/in-command", "hierarchy/commander-role", "hierarchy/group-leader", "hierarchy/independent-models"),
    "base-general/within",
)
def is_in_command(unit: Unit) -> bool:
    """Whether a model of the unit is within the radius of its group's leader, or of the commander in his place.

    A unit with the commander or a leader in it always is, also if he leads another group.
    """
    models = members(unit)
    if any(m.marks(COMMANDER) or m.marks(LEADS) for m in models) or is_alone(unit):
        return True
    leader = led_by(unit)
    return leader is not None and reaches(leader, models)


@rule("hierarchy/in-command", "hierarchy/commander-role")
def led_by(unit: Unit) -> Model | None:
    """The leader of the unit's group, or the commander in his place."""
    group = unit.marks(GROUP)
    leader = leader_of(unit.position, group) if group else None
    return commander_of(unit.position, unit.side) if leader is None else leader


@rule("hierarchy/independent-models")
def is_alone(unit: Unit) -> bool:
    """Whether it is an independent model: a special one that is attached to no unit, in a group or not."""
    models = members(unit)
    return len(models) == 1 and bool(models[0].marks(SPECIAL))


@rule("hierarchy/in-command", "hierarchy/in-command-vehicles")
def reaches(leader: Model, models: list[Model]) -> bool:
    radius = command_radius(leader)
    return any(m.row == leader.row or within(distance(leader, m), radius) for m in models)


@rule("hierarchy/commander-role")
def is_led_by_commander(unit: Unit) -> bool:
    leader = unit_leader(unit)
    return leader is not None and bool(leader.marks(COMMANDER))


@rule("hierarchy/leader-loss")
async def replace_leaders(position: Position) -> None:
    """A group gets a new leader in its second step 2 without one: the unit leader of a unit that is not routed."""
    for side in (0, 1):
        for group in [one for one in groups_of(position, side) if one > 0]:
            await replace_leader(position, side, group)


@rule("hierarchy/leader-loss")
async def replace_leader(position: Position, side: int, group: int) -> None:
    """The owner names one of the group's unit leaders, but never the commander."""
    units = units_in(position, group)
    if leader_of(position, group) is not None:
        for unit in units:
            unit.mark(LEADERLESS, 0)
        return
    steady = [unit for unit in units if unit.note(ORDER) != "retreat" and not is_led_by_commander(unit)]
    if any(unit.marks(LEADERLESS) for unit in units) and steady:
        chosen = await choose(side, "new-leader", [unit.row for unit in steady], of="unit")
        model = unit_leader(Unit(position, chosen))
        assert model is not None
        model.mark(LEADS, group)
        position.write("new-leader", model=model.row, unit=chosen)
    for unit in units:
        unit.mark(LEADERLESS, int(leader_of(position, group) is None))
