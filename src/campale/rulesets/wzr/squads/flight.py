"""The flight of a routed squad (morale/flight)."""

from __future__ import annotations

from campale.mechanics.frames import push
from campale.mechanics.setup.edges import reach_from
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.wzr.battle.zones import own_edge
from campale.rulesets.wzr.close_combat.disengage import leave_frames
from campale.rulesets.wzr.close_combat.engaged import engages_on_the_way
from campale.rulesets.wzr.movement.moves import bars, kept_off, put
from campale.rulesets.wzr.squads.squads import members
from campale.rulesets.wzr.wounds.removals import substitutes_of
from campale.table import planner
from campale.table.measure import extent
from campale.table.paths import Path
from campale.table.shapes import TOLERANCE

FLEE, FLEE_MOVE = "flee", "flee-move"
FLED = "fled"
AT_THE_EDGE = 0.02


@rule("morale/flight", "morale/rout-test", "morale/rally-test")
async def flight(position: Position, row: int) -> None:
    """Each model of the squad in turn, the nearest to the edge first."""
    unit = Unit(position, row)
    models = sorted(members(unit), key=from_edge)
    push(position, *((FLEE, m.row) for m in models))


def from_edge(model: Model) -> float:
    """How far a base is from the edge of its side."""
    edge = own_edge(model.position, model.side)
    return reach_from(model.position.ground, edge, extent(model.solid))[0]


@rule("morale/flight", "close-combat/disengage-forced", "close-combat/disengage-free-strike")
async def flee(position: Position, row: int) -> None:
    """The enemies whom it leaves strike first; neither Grip nor Capture holds it."""
    model = position.model(row)
    if model.is_on_table:
        path = way_out(model)
        points = tuple(tuple(point) for point in path.points[1:])
        push(position, *leave_frames(model, path, ((FLEE_MOVE, row, points),), forced=True))


@rule("morale/flight")
def way_out(model: Model) -> Path:
    """Twice its M towards its own edge, past enemies and impassable ground; unengaged at the end if it can."""
    edge, far = own_edge(model.position, model.side), 2.0 * float(model.profile.m)
    plans = bars(model, at_the_end=True, z=0.0).field.plans
    straight = planner.towards_edge(plans, model.at, edge, far)
    if engages_on_the_way(model, Path((straight.points[-1],))) is None:
        return straight
    return planner.towards_edge(planner.with_discs(plans, kept_off(model)), model.at, edge, far)


@rule("morale/flight")
async def flee_move(position: Position, row: int, points: tuple[tuple[float, ...], ...]) -> None:
    """It goes; whose base reaches the edge is gone."""
    model = position.model(row)
    put(model, Path((model.at, *((p[0], p[1]) for p in points))))
    if from_edge(model) <= AT_THE_EDGE + TOLERANCE:
        position.remove(model, FLED)
        push(position, *substitutes_of([model]))
