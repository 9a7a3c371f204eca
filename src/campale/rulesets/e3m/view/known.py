"""What a viewer knows of units: groups, orders, units led by a leader, and the chits."""

from __future__ import annotations

from collections.abc import Callable

from campale.referee.looks import Chit, Command, Mark
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.e3m.assault.declaring import may_declare
from campale.rulesets.e3m.assault.moves import may_assault
from campale.rulesets.e3m.command.groups import command_radius, groups_of, leader_of, number_in_army, units_in
from campale.rulesets.e3m.command.orders import hidden_orders, is_shown
from campale.rulesets.e3m.command.units import ACTED, COMMANDER, GROUP, LEADS, ORDER, members, units_of
from campale.rulesets.e3m.fire.kinds import may_advance, may_defend, may_prepare
from campale.rulesets.e3m.movement.group_moves import DONE, acting_with, may_act_in_movement
from campale.rulesets.e3m.turn.initiative import LEFT, pool
from campale.rulesets.e3m.turn.sequence import Step, fresh_groups

HIDDEN = "hidden"


@rule("hierarchy/group-composition", "orders/secret-orders", "orders/reveal")
def unit_marks(unit: Unit) -> list[Mark]:
    """The unit's group and order. An order that the viewer may not know is marked as hidden."""
    if not members(unit):
        return []
    group = unit.marks(GROUP)
    return [*([Mark("in-group", values={"number": number_in_army(group)})] if group else []), *order_marks(unit)]


def order_marks(unit: Unit) -> list[Mark]:
    hidden = hidden_orders(unit.position, unit.side)
    if unit.row in hidden:
        order = hidden[unit.row]
        return [Mark(f"order-{order or HIDDEN}", is_secret=bool(order))]
    order = str(unit.note(ORDER) or "")
    return [Mark(f"order-{order}")] if order else []


# ---------------------------------------------------------------- command


@rule("hierarchy/in-command", "hierarchy/commander-role", "hierarchy/command-radius-table")
def commands(model: Model) -> Command | None:
    """A leader leads his group; the commander also units without a leader. Routed leaders lead nobody."""
    position, group = model.position, model.marks(LEADS)
    led: list[int] = []
    if group and leader_of(position, group) == model:
        led += [unit.row for unit in units_in(position, group)]
    if model.marks(COMMANDER):
        led += [unit.row for one in left_alone(position, model.side) for unit in units_in(position, one)]
    rows = tuple(row for row in dict.fromkeys(led) if row != model.unit.row)
    return Command(command_radius(model), "hierarchy/in-command", rows) if rows or model.marks(COMMANDER) else None


@rule("hierarchy/commander-role", "hierarchy/leader-loss")
def left_alone(position: Position, side: int) -> list[int]:
    """The groups of a side without a leader, and its units outside groups."""
    return [group for group in groups_of(position, side) if group < 0 or leader_of(position, group) is None]


# ---------------------------------------------------------------- chits


@rule("initiative/chits", "initiative/one-draw-per-phase")
def chits(position: Position) -> list[Chit]:
    """The chits drawn in this turn, then those left. The rest follows from those drawn."""
    if int(position.now.get("turn", 0)) < 1:
        return []
    left = list(position.declared.get(LEFT, ()))
    drawn = list(pool(position))
    for chit in left:
        drawn.remove(chit)
    return [Chit(side_of(chit), is_drawn) for some, is_drawn in ((drawn, True), (left, False)) for chit in some]


@rule("initiative/element-chits")
def side_of(chit: object) -> int:
    return int(chit[0]) if isinstance(chit, tuple) else int(chit)  # type: ignore[call-overload]


# ---------------------------------------------------------------- who can still act

ABLE: dict[str, Callable[[Unit], bool]] = {
    "preparatory": may_prepare,
    "movement": may_act_in_movement,
    "declarations": may_declare,
    "defensive": may_defend,
    "advancing": may_advance,
    "assault": may_assault,
}
SHOWN_BY_THEN = ("defensive", "assault")
"""Steps in which an acting unit has been named before and has shown its order."""


@rule("turn/alternate-elements", "turn/eligible-elements", "orders/reveal")
def may_still_act(position: Position, step: Step) -> tuple[int, int] | None:
    """How many elements of each side may still act, as far as everybody knows. A hidden order may be any."""
    if step.name not in ABLE:
        return None
    left = [elements_left(position, step, side) for side in (0, 1)]
    return left[0], left[1]


def elements_left(position: Position, step: Step, side: int) -> int:
    if step.by_group:
        groups, acting = fresh_groups(position, side), acting_with if step.name == "movement" else units_in
        return sum(any(may_act(unit, step.name) for unit in acting(position, group)) for group in groups)
    return sum(not unit.marks(ACTED) and may_act(unit, step.name) for unit in units_of(position, side))


def may_act(unit: Unit, step: str) -> bool:
    if is_shown(unit):
        return ABLE[step](unit)
    return step not in SHOWN_BY_THEN and not (step == "movement" and unit.marks(DONE))
