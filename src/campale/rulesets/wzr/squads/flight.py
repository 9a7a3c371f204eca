"""The flight of a routed squad (morale/flight)."""

from __future__ import annotations

from collections.abc import Sequence

from campale.mechanics.frames import push
from campale.mechanics.moves.move_paths import surroundings
from campale.mechanics.setup.edges import facing_inward, reach_from
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.wzr.battle.zones import own_edge
from campale.rulesets.wzr.close_combat.charge import edge_along
from campale.rulesets.wzr.close_combat.disengage import leave_frames
from campale.rulesets.wzr.close_combat.engaged import engages_on_the_way
from campale.rulesets.wzr.movement.ground import climbed, fence_of
from campale.rulesets.wzr.movement.heights import BESIDE, LANDING, landings
from campale.rulesets.wzr.movement.moves import bars, kept_off, passes_through, put, stands_at
from campale.rulesets.wzr.squads.squads import members
from campale.rulesets.wzr.structures.floors import intact, is_beside, may_rest
from campale.rulesets.wzr.vehicles.locations import cannot_drive
from campale.rulesets.wzr.wounds.removals import substitutes_of
from campale.table import planner
from campale.table.levels import height_of
from campale.table.measure import bounding_radius, extent, overlaps_outline
from campale.table.paths import Path, plan_length, upto
from campale.table.shapes import TOLERANCE, Point, Point3, Solid, heading, rounded
from campale.table.terrain import Ground

FLEE, FLEE_MOVE = "flee", "flee-move"
FLED = "fled"
AT_THE_EDGE = 0.02
LONG, STEP = 2.0, 0.1
"""The length of a flight as a multiple of M; the step in which its end is sought, in inches."""
ASIDE = tuple(sign * turn for turn in range(0, 90, 15) for sign in ((1, -1) if turn else (1,)))
"""How far a model turns aside from straight ahead to get down from a roof, in degrees."""


@rule("morale/flight", "morale/rout-test", "morale/rally-test")
async def flight(position: Position, row: int) -> None:
    """Each model of the squad flees, the nearest to the edge first."""
    unit = Unit(position, row)
    models = sorted(members(unit), key=from_edge)
    push(position, *((FLEE, m.row) for m in models))


def from_edge(model: Model) -> float:
    """The gap in inches from the base to its side's edge."""
    edge = own_edge(model.position, model.side)
    return reach_from(model.position.ground, edge, extent(model.solid))[0]


@rule("morale/flight", "close-combat/disengage-forced", "close-combat/disengage-free-strike")
async def flee(position: Position, row: int) -> None:
    """Enemies that the model leaves strike first. Neither Grip nor Capture holds it."""
    model = position.model(row)
    if model.is_on_table:
        path = way_out(model)
        points = tuple(tuple(point) for point in path.points[1:])
        push(position, *leave_frames(model, path, ((FLEE_MOVE, row, points),), forced=True))


@rule("morale/flight", "vehicles/location-drive")
def way_out(model: Model) -> Path:
    """Twice M towards the own edge, around enemies and impassable ground; unengaged at the end if possible.

    A vehicle without its Drive stays where it is.
    """
    if cannot_drive(model):
        return Path((model.at,), model.facing)
    lead = way_down(model) if stands_high(model) else Path((model.at,))
    start, high = lead.points[-1][:2], height_of(lead.points[-1]) > TOLERANCE
    if high:
        return lead
    far = LONG * float(model.profile.m) - plan_length(lead)
    plans = barred_in_flight(model)
    straight = ended(model, towards_home(model, plans, start, far))
    if engages_on_the_way(model, Path((straight.points[-1],))) is not None:
        plans = planner.with_discs(plans, kept_off(model))
        straight = ended(model, towards_home(model, plans, start, far))
    if len(lead.points) == 1:
        return straight
    return Path((*lead.points, *((p[0], p[1], 0.0) for p in straight.points[1:])), straight.facing)


@rule("morale/flight")
def towards_home(model: Model, plans: planner.Going, start: Point, far: float) -> Path:
    """So many inches along the shortest way found to the own edge; as near to it as possible if there is none."""
    edge = own_edge(model.position, model.side)
    near = planner.towards_edge(plans, start, edge, far)
    is_straight = len(near.points) == 2 and plan_length(near) >= far - TOLERANCE
    if is_straight or touches_edge(model, near.points[-1]):
        return near
    whole = planner.towards_edge(plans, start, edge, None)
    return upto(whole, far) if touches_edge(model, whole.points[-1]) else near


def touches_edge(model: Model, at: Sequence[float]) -> bool:
    """Whether the base reaches its side's edge at a place."""
    solid = Solid(model.profile.shape, at[0], at[1], 0.0, model.facing)
    gap = reach_from(model.position.ground, own_edge(model.position, model.side), extent(solid))[0]
    return gap <= AT_THE_EDGE + TOLERANCE


@rule("morale/flight", "movement/basic", "movement/obstacles")
def barred_in_flight(model: Model) -> planner.Going:
    """The models that it may not pass, and ground that is impassable or would have to be climbed."""
    ground = model.position.ground
    others = [m for m in model.position.on_table() if m.row != model.row and stands_at(m, 0.0, model)]
    others = [m for m in others if not passes_through(model, m)]
    fence = Ground(ground.width, ground.depth, (*fence_of(model, False, 0.0).pieces, *ground.kept(climbed()).pieces))
    return surroundings(model, model.profile.shape, others, [0.0] * len(others), fence).field.plans


@rule("morale/flight", "movement/basic")
def ended(model: Model, way: Path) -> Path:
    """A way past friends and over low walls, cut short where it would end on one of them."""
    ends, far = bars(model, at_the_end=True, z=0.0).field.plans, plan_length(way)
    while far > 0.0 and not planner.is_free(ends, *upto(way, far).points[-1][:2]):
        far = max(0.0, far - STEP)
    return upto(way, far)


@rule("movement/jump", "structures/intact")
def stands_high(model: Model) -> bool:
    """Whether the model can jump down from where it stands: a roof or an open floor, not within walls."""
    solid = model.solid
    walls = (piece for piece in model.position.ground.kept(intact).pieces if is_beside(solid, piece))
    return model.z > TOLERANCE and not any(overlaps_outline(solid, piece.outline) for piece in walls)


@rule("morale/flight", "movement/jump")
def way_down(model: Model) -> Path:
    """Straight over the edge of the floor and down, turning as little as needed; if too far, towards the edge."""
    far, start = LONG * float(model.profile.m), (*model.at, model.z)
    straight = facing_inward(model.position, model.side) + 180.0
    free = bars(model, at_the_end=True, z=0.0).field.plans
    for turn in ASIDE:
        x, y = heading(straight + turn)
        beyond = (rounded(model.x + far * x), rounded(model.y + far * y), 0.0)
        over = edge_along(model.position.ground, start, beyond)
        length = far if over is None else over + bounding_radius(model.profile.shape) + BESIDE
        there = rounded(model.x + length * x), rounded(model.y + length * y)
        if length < far and planner.is_free(free, *there):
            return Path((start, (*there, model.z), (*there, 0.0)), model.facing)
    return Path(on_the_floor(model, straight, far), model.facing)


@rule("morale/flight", "structures/intact")
def on_the_floor(model: Model, aim: float, far: float) -> tuple[Point3, ...]:
    """The way as far as the floor goes in this direction, for a model that does not get down."""
    (x, y), start = heading(aim), (*model.at, model.z)
    ends = bars(model, at_the_end=True).field.plans
    while far > 0.0:
        there = rounded(model.x + far * x), rounded(model.y + far * y)
        solid = Solid(model.profile.shape, *there, model.z, model.facing, model.profile.height)
        if planner.is_free(ends, *there) and may_rest(model, solid):
            return start, (*there, model.z)
        far = max(0.0, far - STEP)
    return (start,)


@rule("morale/flight", "movement/jump", "vehicles/location-drive")
async def flee_move(position: Position, row: int, points: tuple[tuple[float, ...], ...]) -> None:
    """The model flees, and lands if it jumped. A model whose base reaches the edge is removed.

    A vehicle that a free strike has cost its Drive stays where it is.
    """
    model = position.model(row)
    if cannot_drive(model):
        return
    if points and len(points[0]) > 2:
        path = Path(((*model.at, model.z), *((p[0], p[1], p[2]) for p in points)))
    else:
        path = Path((model.at, *((p[0], p[1]) for p in points)))
    falls = landings(model, path)
    put(model, path, how="flight")
    if from_edge(model) <= AT_THE_EDGE + TOLERANCE:
        position.remove(model, FLED)
        push(position, *substitutes_of([model]))
        return
    push(position, *((LANDING, row, drop.height) for drop in falls))
