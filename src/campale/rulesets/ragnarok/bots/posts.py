"""Where to place a model, as a player would propose it: by its role, sight, shelter and room. It is no rule."""

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
"""Least x and y, greatest x and y of the centres to try, in cm."""
Spot = tuple[float, float, float]

FINENESS = 2.0
WIDE = 4.0
"""The spacing of the lattice in an area larger than a strip, in cm."""
STRIP = 24.0
EYE = 0.9 * HEIGHT["infantry"]
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
FAR, MIDDLE = 0.9, 0.5
"""The depths of the points watched across the table, as shares from one's own edge."""
FROM, TO = 0.14, 0.86
"""The shares of the zone's length between which a force is spread."""
STEP, SHELTERED, NEAR = 6.0, 4.0, 4.0
LONG = 60.0
AMBUSH, CAREFUL = 34.0, 12.0


def post_of(profile: Profile, leads: bool) -> str:
    """Return a model's role: "leader", "sniper" (long range), "shooter" (short range), or "fighter"."""
    if leads:
        return "leader"
    reach = max((weapon.range for weapon in profile.ranged_weapons), default=0.0) if profile.can_shoot else 0.0
    return "sniper" if reach >= LONG else "shooter" if reach > 0.0 else "fighter"


DEPTHS = {"leader": 5.0, "sniper": 9.0, "shooter": 14.0, "fighter": 18.0}
"""The distance of each role from its own edge in the zone, in cm."""
OUTLOOKS = {"leader": -0.5, "sniper": 2.5, "shooter": 1.5, "fighter": -0.5}
"""The worth of seeing much; below 0: of being seen little."""
SHELTERS = {"leader": 1.5, "sniper": 1.0, "shooter": 1.2, "fighter": 0.8}


def lattice(area: Area, fineness: float = FINENESS) -> list[Point]:
    """Return the points of an area at this spacing, row by row."""
    across, along = int((area[2] - area[0]) / fineness) + 1, int((area[3] - area[1]) / fineness) + 1
    return [(area[0] + column * fineness, area[1] + row * fineness) for row in range(along) for column in range(across)]


def is_strip(area: Area) -> bool:
    return min(area[2] - area[0], area[3] - area[1]) <= STRIP


def best_spots(model: Model, area: Area, facing: float) -> Iterator[Spot]:
    """Yield points of an area, the best first: of a strip along the own edge, or of the ground before the enemy."""
    if is_strip(area):
        yield from ((x, y, facing) for x, y in in_line(model, area, facing))
        return
    enemies = [one.at for one in model.position.on_table(1 - model.side)]
    for at in in_ambush(model, area, facing, enemies):
        yield *at, near_facing(at, enemies, facing)


def apart(spots: Iterator[Spot], most: int, gap: float) -> Iterator[Spot]:
    """Yield the first of the spots, and later ones at least ``gap`` from all before, at most ``most`` in all."""
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
    """Return the points of the own zone, best first: near the model's place in the line, and good for its role."""
    position, post = model.position, post_of(model.profile, bool(model.marks("commander")))
    points, front = lattice(area), posts.front_of(position.ground, facing)
    sight, shelters = seen_from(position.ground, area, facing)
    off = np.abs(front.across(points) - place_in_line(model, front, area)) / STEP
    deep = np.abs(front.deep(points) - DEPTHS[post]) / STEP
    worth = OUTLOOKS[post] * sight + SHELTERS[post] * shelters - off - 0.5 * deep - crowd(model, points)
    return posts.best_first(points, worth)


def place_in_line(model: Model, front: posts.Front, area: Area) -> float:
    """Return a model's place along the zone: the leader in the middle, the others evenly spread in order."""
    low, high = sorted(front.across([area[:2], area[2:]]).tolist())
    others = [one.row for one in model.position.models if one.side == model.side and not one.marks("commander")]
    if model.row not in others or len(others) < 2:
        return float((low + high) / 2.0)
    share = FROM + (TO - FROM) * others.index(model.row) / (len(others) - 1)
    return float(low + share * (high - low))


def seen_from(ground: Ground, area: Area, facing: float) -> tuple[Floats, Floats]:
    """Return what share each point of a zone has in sight, and whether it is sheltered, cached with the ground."""
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
    """Return points across the middle of the table and across the enemy's zone."""
    return posts.across_the_table(ground, facing, SHARES, (MIDDLE, FAR))


def crowd(model: Model, points: list[Point]) -> Floats:
    """Return how much friendly models crowd each point."""
    own = [(m.x, m.y, m.profile.base_radius) for m in model.position.on_table(model.side)]
    clear = NEAR + model.profile.base_radius
    return np.asarray(clear - posts.room(points, own, clear))


# ---------------------------------------------------------------- in ambush, on the table at large


def in_ambush(model: Model, area: Area, facing: float, enemies: list[Point]) -> list[Point]:
    """Return the points of an area, best first: seen by few, near the enemy and the mission's goals."""
    points = lattice(area, WIDE)
    ground, wanted = model.position.ground, places_wanted(model.position, model.side) or enemies
    if not enemies:
        return posts.best_first(points, -far_from(points, wanted or [middle_of(area)]) - crowd(model, points))
    seen = posts.outlook(ground, ground.kept(opacity), points, enemies, EYE, VEIL)
    near = np.abs(far_from(points, enemies) - AMBUSH) / CAREFUL
    worth = -2.0 * seen - near - far_from(points, wanted) / (2.0 * CAREFUL) - crowd(model, points)
    return posts.best_first(points, worth)


def far_from(points: list[Point], others: list[Point]) -> Floats:
    """Return the distance of each point to the nearest of others."""
    return posts.room(points, [(x, y, 0.0) for x, y in others], np.inf)


def middle_of(area: Area) -> Point:
    return (area[0] + area[2]) / 2.0, (area[1] + area[3]) / 2.0
