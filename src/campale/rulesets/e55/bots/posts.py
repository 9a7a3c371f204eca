"""Where to deploy a unit, as a player would propose it: by its role, by sight and room.

It is a judgement, not a rule.

A line of battle is wide: units stand beside each other rather than behind, so that each has room to move forward.
Long-ranged units stand where they see far, fighters stand in front, and vehicles need a way out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from campale.referee.position import Model, Position, Unit
from campale.rulesets.e55.armies.profile import Profile
from campale.rulesets.e55.definitions.footprints import shape
from campale.rulesets.e55.definitions.sight import opacity
from campale.rulesets.e55.definitions.types import is_vehicle
from campale.rulesets.e55.movement_phase.terrain import dangerous_pieces, difficult_pieces, impassable_pieces
from campale.table import posts
from campale.table.kernels import Floats
from campale.table.measure import bounding_radius, over_outlines
from campale.table.shapes import Point
from campale.table.terrain import Ground, Piece

EYE, TALL = 1.4, 1.6
"""The height of people's eyes, and of people, in inches."""
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
FAR, MIDDLE = 0.85, 0.5
"""The depths of the points watched across the table, as shares from one's own edge."""
LONG, SHORT = 30.0, 12.0
AHEAD, SHELTERED = 8.0, 3.0
"""How far ahead the ground should be open, and how near a piece gives shelter, in inches."""
ASIDE = 1.5
BETWEEN, WIDEST = 2.0, 30.0
"""The gap between two units in the line, and how far from its middle it may reach at no cost, in inches."""
DEPTHS = {"guns": 5.0, "drivers": 7.0, "shooters": 8.0, "fighters": 9.5}
"""The distance of each role from its own table edge, in inches."""
OUTLOOKS = {"guns": 3.0, "drivers": 1.5, "shooters": 1.0, "fighters": -0.5}
OPEN_GROUND = {"guns": 0.3, "drivers": 2.5, "shooters": 1.0, "fighters": 1.5}
SHELTERS = {"guns": 0.5, "drivers": 0.0, "shooters": 0.5, "fighters": 0.5}
BEHIND = {"guns": 1.0, "drivers": 3.0, "shooters": 2.0, "fighters": 2.0}
"""The cost of standing behind or in front of a friendly unit."""
ROUGH = {"guns": 0.2, "drivers": 2.0, "shooters": 0.2, "fighters": 0.5}
STEP = 3.0
CLEAR = 1.5


def post_of(models: Sequence[Model]) -> str:
    """Return a unit's role: "drivers", "guns" (long range, staying still), "shooters" (also moving), or "fighters"."""
    if any(is_vehicle(model) for model in models):
        return "drivers"
    reaches = [reach_of(model.profile) for model in models]
    if max(reaches) >= LONG:
        return "guns"
    return "shooters" if sum(reaches) / len(reaches) > SHORT else "fighters"


def reach_of(profile: Profile) -> float:
    return max((line.range for weapon in profile.weapons for line in weapon.lines), default=0.0)


def best_centres(unit: Unit, models: Sequence[Model], points: Sequence[Point], facing: float) -> list[Point]:
    """Return points of one's own zone that may have room, the best post first."""
    position, post = unit.position, post_of(models)
    front, lie = posts.front_of(position.ground, facing), lie_of(position.ground, tuple(points), facing)
    worth = OUTLOOKS[post] * lie.sight + OPEN_GROUND[post] * lie.opened + SHELTERS[post] * lie.shelter
    worth -= ROUGH[post] * lie.rough + np.abs(front.deep(points) - DEPTHS[post]) / STEP
    worth -= off_the_middle(position, front, points)
    return posts.best_first(points, worth - in_line_with_others(position, unit, models, front, points, BEHIND[post]))


def off_the_middle(position: Position, front: posts.Front, points: Sequence[Point]) -> Floats:
    """Return a small cost for every inch off the middle of the line, and more where it gets far."""
    across = front.across(points)
    ends = front.across([(0.0, 0.0), (position.ground.width, position.ground.depth)])
    off = np.abs(across - ends.mean())
    return np.asarray(0.02 * off + np.maximum(0.0, off - WIDEST) / STEP)


def in_line_with_others(
    position: Position, unit: Unit, models: Sequence[Model], front: posts.Front, points: Sequence[Point], cost: float
) -> Floats:
    """Return the cost of friendly models already there: those near, and those in front or behind."""
    own = [(m.x, m.y, bounding_radius(shape(m.profile))) for m in position.on_table(unit.side)]
    wide = breadth(models)
    near = (wide + CLEAR - posts.room(points, own, wide + CLEAR)) / CLEAR
    if not own:
        return np.asarray(near)
    theirs, radii = front.across([one[:2] for one in own]), np.array([one[2] for one in own])
    off = np.abs(front.across(points)[:, None] - theirs) - radii
    shared = np.clip((wide + BETWEEN / 2.0 - off.min(axis=1)) / wide, 0.0, 1.0)
    return np.asarray(near + cost * shared)


def breadth(models: Sequence[Model]) -> float:
    """Return about half the width of a unit in close formation."""
    widest = max(bounding_radius(shape(model.profile)) for model in models)
    return float(widest + 0.2 + (widest + 0.2) * (len(models) ** 0.5 - 1.0))


class Lie(NamedTuple):
    """Properties of points: the share of the table in sight, an open way ahead, shelter, rough ground.

    ``rough`` is 2 where the ground is dangerous too.
    """

    sight: Floats
    opened: Floats
    shelter: Floats
    rough: Floats


def lie_of(ground: Ground, points: tuple[Point, ...], facing: float) -> Lie:
    """Return the properties of points, cached with the ground."""
    kept = ground.kept(kept_lies)
    if (points, facing) not in kept:
        watched = posts.across_the_table(ground, facing, SHARES, (MIDDLE, FAR))
        barred = numbers(ground, ground.kept(impassable_pieces))
        closed = posts.ahead(ground, points, facing, AHEAD, [k in barred for k in range(len(ground.pieces))], ASIDE)
        kept[points, facing] = Lie(
            posts.outlook(ground, ground.kept(opacity), points, watched, EYE),
            1.0 - closed.astype(np.float64),
            posts.shelter(ground, points, facing, SHELTERED, TALL).astype(np.float64),
            rough_at(ground, points),
        )
    return kept[points, facing]


def kept_lies(_: Ground) -> dict[tuple[tuple[Point, ...], float], Lie]:
    return {}


def rough_at(ground: Ground, points: Sequence[Point]) -> Floats:
    kinds = (ground.kept(difficult_pieces), ground.kept(dangerous_pieces))
    over = [over_outlines(points, ground, numbers(ground, kind)).any(axis=1) for kind in kinds]
    return np.asarray(np.sum(over, axis=0, dtype=np.float64))


def numbers(ground: Ground, pieces: Sequence[Piece]) -> list[int]:
    return [k for k, piece in enumerate(ground.pieces) if piece in pieces]
