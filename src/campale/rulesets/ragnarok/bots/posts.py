"""Where a model is best posted, as a player would propose it: by what it does, by sight, shelter and room. No rule."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from campale.referee.position import Model
from campale.rulesets.ragnarok.armies.profile import HEIGHT, Profile
from campale.rulesets.ragnarok.battle.battlefield import VEIL, opacity
from campale.rulesets.ragnarok.battle.missions import places_wanted
from campale.table import posts
from campale.table.kernels import Floats
from campale.table.shapes import Point, facing_towards
from campale.table.terrain import Ground

Area = tuple[float, float, float, float]
"""Least x and y, greatest x and y of the centres to try."""
Spot = tuple[float, float, float]

FINENESS = 2.0
WIDE = 4.0
"""Of the lattice of an area larger than a strip."""
STRIP = 24.0
EYE = 0.9 * HEIGHT["infantry"]
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
FAR, MIDDLE = 0.9, 0.5
"""What is watched: points across the table, so far from one's own edge."""
FROM, TO = 0.14, 0.86
"""Between which shares of the zone's length a force is spread."""
STEP, SHELTERED, NEAR = 6.0, 4.0, 4.0
LONG = 60.0
AMBUSH, CAREFUL = 34.0, 12.0


def post_of(profile: Profile, leads: bool) -> str:
    """What a model does: it leads, shoots from afar, shoots from near, or fights."""
    if leads:
        return "leader"
    reach = max((weapon.range for weapon in profile.ranged_weapons), default=0.0) if profile.can_shoot else 0.0
    return "sniper" if reach >= LONG else "shooter" if reach > 0.0 else "fighter"


DEPTHS = {"leader": 5.0, "sniper": 9.0, "shooter": 14.0, "fighter": 18.0}
"""How far from the edge at its back each stands in the zone."""
OUTLOOKS = {"leader": -0.5, "sniper": 2.5, "shooter": 1.5, "fighter": -0.5}
"""What it is worth to see much; below 0: to be seen little."""
SHELTERS = {"leader": 1.5, "sniper": 1.0, "shooter": 1.2, "fighter": 0.8}


def lattice(area: Area, fineness: float = FINENESS) -> list[Point]:
    """Points of an area, so far apart, row by row."""
    across, along = int((area[2] - area[0]) / fineness) + 1, int((area[3] - area[1]) / fineness) + 1
    return [(area[0] + column * fineness, area[1] + row * fineness) for row in range(along) for column in range(across)]


def is_strip(area: Area) -> bool:
    return min(area[2] - area[0], area[3] - area[1]) <= STRIP


def best_spots(model: Model, area: Area, facing: float) -> Iterator[Spot]:
    """Points of an area, the best post first: of a strip along the own edge, or of ground before the enemy."""
    if is_strip(area):
        yield from ((x, y, facing) for x, y in in_line(model, area, facing))
        return
    enemies = [one.at for one in model.position.on_table(1 - model.side)]
    for at in in_ambush(model, area, facing, enemies):
        yield *at, near_facing(at, enemies, facing)


def apart(spots: Iterator[Spot], most: int, gap: float) -> Iterator[Spot]:
    """The first of the spots, and those after it that lie so far from all before, not too many of them."""
    found: list[Spot] = []
    for spot in spots:
        if len(found) < most and all(abs(spot[0] - x) + abs(spot[1] - y) >= gap for x, y, _ in found):
            found.append(spot)
            yield spot


def near_facing(at: Point, enemies: list[Point], otherwise: float) -> float:
    nearest = min(enemies, key=lambda one: (one[0] - at[0]) ** 2 + (one[1] - at[1]) ** 2, default=None)
    return otherwise if nearest is None else float(round(facing_towards(at, nearest)) % 360)


# ---------------------------------------------------------------- in line, before the battle


def in_line(model: Model, area: Area, facing: float) -> list[Point]:
    """The points of the own zone: each near its place in the line, where its post is best."""
    position, post = model.position, post_of(model.profile, bool(model.marks("commander")))
    points, front = lattice(area), posts.front_of(position.ground, facing)
    sight, shelters = seen_from(position.ground, area, facing)
    off = np.abs(front.across(points) - place_in_line(model, front, area)) / STEP
    deep = np.abs(front.deep(points) - DEPTHS[post]) / STEP
    worth = OUTLOOKS[post] * sight + SHELTERS[post] * shelters - off - 0.5 * deep - crowd(model, points)
    return posts.best_first(points, worth)


def place_in_line(model: Model, front: posts.Front, area: Area) -> float:
    """Where along the zone its place is: the leader's in the middle, the others' evenly spread in their order."""
    low, high = sorted(front.across([area[:2], area[2:]]).tolist())
    others = [one.row for one in model.position.models if one.side == model.side and not one.marks("commander")]
    if model.row not in others or len(others) < 2:
        return float((low + high) / 2.0)
    share = FROM + (TO - FROM) * others.index(model.row) / (len(others) - 1)
    return float(low + share * (high - low))


def seen_from(ground: Ground, area: Area, facing: float) -> tuple[Floats, Floats]:
    """What each point of a zone has in sight, and whether something shelters it. Kept with the ground."""
    kept = ground.kept(kept_outlooks)
    if (area, facing) not in kept:
        points = lattice(area)
        sight = posts.outlook(ground, ground.kept(opacity), points, watched(ground, facing), EYE, VEIL)
        shelters = posts.shelter(ground, points, facing, SHELTERED, HEIGHT["infantry"]).astype(np.float64)
        kept[area, facing] = sight, shelters
    return kept[area, facing]


def kept_outlooks(_: Ground) -> dict[tuple[Area, float], tuple[Floats, Floats]]:
    return {}


def watched(ground: Ground, facing: float) -> list[Point]:
    """Points across the middle of the table and across the enemy's zone."""
    return posts.across_the_table(ground, facing, SHARES, (MIDDLE, FAR))


def crowd(model: Model, points: list[Point]) -> Floats:
    """How much the own models stand in each other's way there."""
    own = [(m.x, m.y, m.profile.base_radius) for m in model.position.on_table(model.side)]
    clear = NEAR + model.profile.base_radius
    return np.asarray(clear - posts.room(points, own, clear))


# ---------------------------------------------------------------- in ambush, on the table at large


def in_ambush(model: Model, area: Area, facing: float, enemies: list[Point]) -> list[Point]:
    """The points of an area: sheltered, seen by few, not far from the enemy nor from what the mission wants."""
    points = lattice(area, WIDE)
    ground, wanted = model.position.ground, places_wanted(model.position, model.side) or enemies
    if not enemies:
        return posts.best_first(points, -far_from(points, wanted or [middle_of(area)]) - crowd(model, points))
    seen = posts.outlook(ground, ground.kept(opacity), points, enemies, EYE, VEIL)
    near = np.abs(far_from(points, enemies) - AMBUSH) / CAREFUL
    worth = -2.0 * seen - near - far_from(points, wanted) / (2.0 * CAREFUL) - crowd(model, points)
    return posts.best_first(points, worth)


def far_from(points: list[Point], others: list[Point]) -> Floats:
    """How far the nearest of others is."""
    return posts.room(points, [(x, y, 0.0) for x, y in others], np.inf)


def middle_of(area: Area) -> Point:
    return (area[0] + area[2]) / 2.0, (area[1] + area[3]) / 2.0
