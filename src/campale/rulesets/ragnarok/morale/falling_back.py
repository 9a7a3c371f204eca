"""Fall Back: M x 2 straight towards the own edge, or as near to it as possible, then pinned and prone."""

from __future__ import annotations

from campale.mechanics.setup.edges import edge_of
from campale.referee.ask import choose
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.ragnarok.armies.profile import limited_movement
from campale.rulesets.ragnarok.basics.dice import d6
from campale.rulesets.ragnarok.basics.measuring import ALLOWANCE
from campale.rulesets.ragnarok.morale.psychology import go_prone
from campale.rulesets.ragnarok.moving.movement import (
    crosses_rough,
    going_of,
    movement_left,
    set_facing,
    walk_along,
)
from campale.rulesets.ragnarok.turn.declaring import Declaration
from campale.table import planner
from campale.table.paths import Path, upto
from campale.table.shapes import Point
from campale.table.sweeps import Edge


@rule("fall-back/move", "fall-back/from-charge")
async def fall_back(reaction: Declaration) -> None:
    """Move M x 2 straight towards the own edge; then the model is pinned and prone."""
    model = reaction.model
    walk_along(model, await way_taken(model, float(model.profile.movement)))
    if reaches_own_edge(model):
        model.position.remove(model, "table-edge")
        return
    go_prone(model)
    await set_facing(model)


@rule("fall-back/move", "move/rough")
async def way_taken(model: Model, full: float) -> Path:
    """Return the way of M x 2 after the dice; rough ground counts on the way that is really taken."""
    meant = likely_way(model, 2 * full)
    left = await movement_left(model, meant, full)
    way = await way_back(model, 2 * left)
    if not crosses_rough(model, way) or crosses_rough(model, meant):
        return way
    slowed = left - await d6(model.position, model.side, "rough-ground", model=model.row)
    return upto(way, 2 * limited_movement(slowed))


def likely_way(model: Model, length: float) -> Path:
    """Return the straight line, or if it is barred the way found that ends nearest to the edge."""
    straight, going = straight_back(model, length), going_of(model)
    if planner.trouble(going, straight) is None:
        return straight
    return planner.towards_edge(going, model.at, own_edge(model), length)


@rule("exploration/choose-side")
def own_edge(model: Model) -> Edge:
    return edge_of(model.position, model.side)


def straight_back(model: Model, length: float) -> Path:
    """Return the straight path to the own edge, ending when the base touches it."""
    dx, dy = {"south": (0, -1), "north": (0, 1), "west": (-1, 0), "east": (1, 0)}[own_edge(model)]
    far = min(length, to_own_edge(model))
    return Path((model.at, (model.x + dx * far, model.y + dy * far))) if far > 0 else Path((model.at,))


def to_own_edge(model: Model, at: Point | None = None) -> float:
    x, y = at or model.at
    ground, radius = model.position.ground, float(model.profile.base_radius)
    return {"south": y, "north": ground.depth - y, "west": x, "east": ground.width - x}[own_edge(model)] - radius


@rule("fall-back/move")
async def way_back(model: Model, length: float) -> Path:
    """Return the straight line; if it is barred, a legal path that ends nearest to the edge, chosen by the owner."""
    straight = straight_back(model, length)
    going = going_of(model)
    if planner.trouble(going, straight) is None:
        return straight
    ways = ways_back(model, length)
    places = [[round(n, 4) for n in way.points[-1][:2]] for way in ways]
    return ways[places.index(list(await choose(model.side, "fall-back-to", places, of="place", model=model.row)))]


def ways_back(model: Model, length: float) -> list[Path]:
    """Return the path found that ends nearest to the edge, and others no worse.

    The others end at its mirror image, and 2 cm apart sideways.
    """
    going = going_of(model)
    best = planner.towards_edge(going, model.at, own_edge(model), length)
    goals = places_beside(model, best.points[-1][:2])
    ways = [planner.route(going, model.at, goal, length + ALLOWANCE) for goal in goals]
    return [best, *(way for way in ways if way is not None)]


def places_beside(model: Model, end: Point) -> list[Point]:
    """Return places as near to the own edge as ``end``."""
    along = 0 if own_edge(model) in ("south", "north") else 1
    mirrored = 2 * model.at[along] - end[along]
    aside = dict.fromkeys(round(n, 4) for n in (mirrored, *(end[along] + step for step in (-6, -4, -2, 2, 4, 6))))
    return [(n, end[1]) if along == 0 else (end[0], n) for n in aside if n != round(end[along], 4)]


@rule("fall-back/move", "fall-back/table-edge")
def would_leave(model: Model) -> bool:
    """Return whether falling back would end beyond the own edge, if no ground slows it."""
    return to_own_edge(model) <= 2 * float(model.profile.movement)


@rule("fall-back/table-edge")
def reaches_own_edge(model: Model) -> bool:
    return to_own_edge(model) <= 0.001
