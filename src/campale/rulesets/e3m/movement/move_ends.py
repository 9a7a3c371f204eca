"""The end of a move: Ready enemies that still have their fire may use it on a unit that has been stopped."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from campale.mechanics.frames import push
from campale.mechanics.script_form import fill_in_script
from campale.referee.position import Position, Unit
from campale.referee.question import Choose, Question
from campale.referee.refusal import Plain
from campale.referee.rule import rule
from campale.rulesets.e3m.command.orders import is_routed, show
from campale.rulesets.e3m.command.units import members, unit_leader, units_of
from campale.rulesets.e3m.fire.declaring import can_fire
from campale.rulesets.e3m.fire.kinds import OPPORTUNITY, may_watch
from campale.rulesets.e3m.movement.routes import NOBODY, Route, brave_way, is_asked, leading_path, share_of
from campale.table.paths import plan_length
from campale.table.shapes import TOLERANCE


@rule("fire/opportunity-windows", "fire/opportunity-order", "fire/opportunity-target")
async def move_ended(position: Position, row: int) -> None:
    """Ready enemies may fire, one after another, at a unit that has stopped before or at the end of its route."""
    unit = Unit(position, row)
    enemies = units_of(position, 1 - unit.side)
    if not any(is_asked(one) and can_fire(one, OPPORTUNITY, (row,)) for one in enemies):
        return
    able: list[Plain] = [one.row for one in enemies if may_watch(one) and can_fire(one, OPPORTUNITY, (row,))]

    def script() -> Generator[Question, Any, Plain]:
        watcher: Plain = yield Choose(1 - unit.side, "who-watches", [NOBODY, *able], "unit", odds={NOBODY: 1.5})
        return watcher

    shown = where_it_stands(unit)
    watcher = await fill_in_script(1 - unit.side, "opportunity", script, [NOBODY], unit=row, open=False, shown=shown)
    if watcher is None or watcher == NOBODY:
        return
    show(position, [Unit(position, int(watcher))])
    push(position, ("watch", int(watcher), row), ("move-ended", row))


@rule("fire/opportunity-aftermath", "orders/forced-halt-limits", "assault/cannot-respond", "assault/several-units")
async def caught(position: Position, *values: Any) -> None:
    """The move ends where fire has forced the unit to Halt or broken it.

    Dangerous ground that it has met counts, and an assault that a Halt stops in contact has begun a melee.
    """
    route = Route(*values)
    whole = plan_length(leading_path(position, route))
    if route.done > TOLERANCE and whole > TOLERANCE:
        await brave_way(position, route, share_of(route.done, whole))
    if is_routed(Unit(position, route.unit)):
        return
    begun = [("arrived", route.unit, route.kind)] if route.kind == "assault" else []
    push(position, ("move-ended", route.unit), *begun)


def where_it_stands(unit: Unit) -> dict[str, Plain]:
    """The unit as a question about a route shows it, where there is nothing left of the route."""
    leader = unit_leader(unit) or members(unit)[0]
    here: Plain = [leader.x, leader.y]
    return {"route": [here, here], "walked": 0.0, "length": 0.0, "movers": [m.row for m in members(unit)]}
