"""Step 4: a group moves, one unit after another, as its owner likes (sequence/step-4-movement)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from campale.mechanics.frames import push
from campale.mechanics.moves.asking import unit_move_question
from campale.mechanics.moves.move_paths import stays
from campale.mechanics.moves.unit_moves import UnitMove, as_paths, moves_the_fixed
from campale.referee.ask import ask, choose
from campale.referee.looks import Foretold
from campale.referee.position import Position, Unit
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.groups import group_of, side_of
from campale.rulesets.e3m.command.orders import (
    MARCH,
    RETREAT,
    has_hidden_order,
    is_forced,
    may_get_out,
    may_move,
    order_of,
    show,
)
from campale.rulesets.e3m.command.units import (
    MOVED,
    STATIONARY,
    carrier_of,
    drives,
    is_aboard,
    is_vehicle,
    members,
    units_of,
)
from campale.rulesets.e3m.movement.moves import (
    MARCHING,
    NORMAL,
    OPEN,
    OVER,
    choose_gait,
    is_endangered,
    movement_of,
    normal_allowance,
    normal_distance,
)
from campale.rulesets.e3m.movement.routes import OUTSIDE, Route, begin_route, packed
from campale.rulesets.e3m.vehicles import driving
from campale.rulesets.e3m.vehicles.damage import can_drive
from campale.rulesets.e3m.vehicles.passengers import can_get_out, get_out, held_models, may_embark
from campale.table.paths import Path
from campale.table.shapes import Point

Goals = Callable[[Unit], Iterable[Point]]

DONE, HAD_RETREAT = "done-moving", "had-retreat"
FINISHED = "finished"
DANGER = "danger"


# ---------------------------------------------------------------- who may act


@rule("turn/eligible-elements", "orders/retreat-timing", "base-vehicle/damage-results", "fire/preparatory-vehicles")
@rule("orders/fire-heavy-weapons-stay")
def may_act_in_movement(unit: Unit) -> bool:
    """Whether the unit's order and state let it move, or it may disembark."""
    if unit.marks(DONE) or not members(unit):
        return False
    if is_aboard(unit):
        return may_get_out(unit) and can_get_out(unit)
    if is_vehicle(unit) and (not can_drive(members(unit)[0]) or unit.marks(STATIONARY)):
        return False
    if order_of(unit) == RETREAT:
        return bool(unit.marks(HAD_RETREAT)) and not is_forced(unit)
    return may_move(unit) and not unit.marks(STATIONARY) and len(held_models(unit)) < len(members(unit))


@rule("hierarchy/movement-by-group", "turn/eligible-elements")
def groups_to_move(position: Position, groups: list[int]) -> list[int]:
    return [group for group in groups if any(may_act_in_movement(unit) for unit in acting_with(position, group))]


@rule("vehicles/disembark", "turn/eligible-elements")
def acting_with(position: Position, group: int) -> list[Unit]:
    """The units of a group and all that ride in its vehicles.

    Its units in vehicles of another group belong to it only until that vehicle has moved.
    """
    found = []
    for unit in units_of(position, side_of(position, group)):
        carrier = carrier_of(unit)
        is_own = group_of(unit) == group
        if carrier is not None:
            is_own = group_of(carrier.unit) == group or (is_own and not carrier.unit.marks(MOVED))
        if is_own:
            found.append(unit)
    return found


# ---------------------------------------------------------------- a group, unit by unit


@rule("sequence/step-4-movement", "hierarchy/movement-by-group")
async def move_group(position: Position, side: int, group: int) -> None:
    """The owner names the next unit of the group, or says that the rest stays."""
    units = acting_with(position, group)
    able: list[Plain] = [unit.row for unit in units if may_act_in_movement(unit)]
    if not able and not any(has_hidden_order(unit) and not unit.marks(DONE) for unit in units):
        return
    odds = {FINISHED: 0.1}
    chosen = await choose(side, "move-unit", [*able, FINISHED], of="unit", always=True, odds=odds, group=group)
    if chosen != FINISHED:
        show(position, [Unit(position, int(chosen))])
        push(position, ("move-unit", chosen), ("move-group", side, group))


@rule("orders/reveal", "orders/fire", "orders/assault", "orders/march", "orders/retreat-timing", "vehicles/disembark")
async def move_unit(position: Position, row: int, wanted: Goals) -> None:
    """Move a unit. Choosing it within its group shows its order, even if it then does nothing."""
    unit = Unit(position, row)
    unit.mark(DONE, 1)
    if not members(unit) or is_forced(unit):
        return
    show(position, [unit])
    if is_aboard(unit):
        if await get_out(unit):
            stand_outside(unit)
    elif order_of(unit) == RETREAT:
        push(position, ("retreat", row))
    elif drives(unit):
        await driving.drive(unit, wanted)
    elif order_of(unit) == MARCH:
        await march_on_foot(unit, wanted)
    else:
        await go_on_foot(unit, wanted)


@rule("fire/opportunity-windows")
def stand_outside(unit: Unit) -> None:
    """A unit that has disembarked ends a move: a route without length, where Ready enemies may fire."""
    paths = tuple(packed(m.row, Path((m.at, m.at), m.facing)) for m in members(unit))
    push(unit.position, Route(unit.row, OUTSIDE, OPEN, paths).frame)


@rule("base-move/normal-infantry", "fire/opportunity-infantry-path")
async def go_on_foot(unit: Unit, wanted: Goals) -> None:
    await announce_move(unit, wanted, "normal")


@rule("orders/march", "fire/opportunity-infantry-path")
async def march_on_foot(unit: Unit, wanted: Goals) -> None:
    await announce_move(unit, wanted, MARCH, MARCHING)


async def announce_move(unit: Unit, wanted: Goals, kind: str, times: int = 1) -> None:
    """Gait, dice for difficult ground, then the announced route within the result. ``wanted``: goals to suggest."""
    order = order_of(unit)
    gait = await choose_gait(unit, normal_distance(unit) * times, normal_distance(unit, OVER) * times, times)
    limit = await normal_allowance(unit, gait, order)
    movement = movement_of(unit, gait, limit, "orders/march" if kind == MARCH else NORMAL)
    movement = movement._replace(
        fixed=frozenset(m.row for m in held_models(unit)),
        of_all=(*movement.of_all, heavy_weapons_stay),
    )
    models = members(unit)
    tells = partial(risked, unit, gait)
    question = unit_move_question(unit, models, "move", movement, lambda: wanted(unit), foretells=tells, order=order)
    paths = as_paths(models, await ask(question))
    if all(stays(path) for path in paths.values()):
        push(unit.position, ("arrived", unit.row, "stayed"))
        return
    begin_route(unit, kind, gait, paths)


@rule("base-move/dangerous-terrain")
def risked(unit: Unit, gait: str, paths: Mapping[int, Path]) -> list[Foretold]:
    """How many models of the unit have to roll for dangerous ground on their ways, and where the first of them ends."""
    moving = [m for m in members(unit) if m.row in paths and not stays(paths[m.row])]
    endangered = [paths[m.row].points[-1] for m in moving if is_endangered(m, paths[m.row], gait)]
    values: dict[str, Plain] = {"count": len(endangered)}
    return [Foretold(DANGER, "base-move/dangerous-terrain", values, at=endangered[0][:2])] if endangered else []


@rule("orders/fire-heavy-weapons-stay")
def heavy_weapons_stay(move: UnitMove) -> Fault | None:
    return moves_the_fixed(move)


@rule("vehicles/embark")
async def arrived(position: Position, row: int, kind: str) -> None:
    """What follows at the end of a move."""
    unit = Unit(position, row)
    if not members(unit) or is_aboard(unit):
        return
    if kind in ("normal", "march", "stayed"):
        await may_embark(unit)
