"""Two units set out on an empty table for a query: every model that fires as far from the target as was asked.

The target stands in a line along x. Whoever fires stands on the curve of all points at that distance from it: opposite
to its models first, then on the arcs round its ends; where even these are full, in a second rank.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from campale.referee.position import RESERVE, TABLE, Position, Unit
from campale.referee.ruleset import Ruleset
from campale.rulesets.e55.footprints import half_sizes, shape
from campale.rulesets.e55.profile import Profile
from campale.rulesets.e55.units import FACES
from campale.table.shapes import Hull, Point, Point3
from campale.table.terrain import Ground, Piece

SIZE = 240.0
MIDDLE = SIZE / 2.0
APART = 0.5
"""What is left free between the footprints of neighbours."""
A_HAIR = 0.001
"""So that coordinates on their grain do not make a distance less than it is."""
WIDEST = 80.0
"""How far round the end of the line somebody stands, in degrees from straight ahead."""
FACINGS = {"front": 180.0, "side": 90.0, "rear": 0.0}
ATTACKER, TARGET = 0, 1


def ground_with(pieces: Sequence[Piece] = ()) -> Ground:
    return Ground(SIZE, SIZE, tuple(pieces))


def set_out(
    ruleset: Ruleset,
    attackers: Sequence[Profile],
    targets: Sequence[Profile],
    distance: float,
    face: str = "front",
    height: float = 0.0,
    pieces: Sequence[Piece] = (),
) -> Position:
    """Unit 0 of side 0 facing unit 1 of side 1. ``distance``: in plan, between the nearest points of footprints."""
    position = Position(ruleset, ground_with(pieces))
    enlist(position, "Attacker", 0, attackers)
    enlist(position, "Target", 1, targets)
    draw_up(position, distance, face, height)
    Unit(position, ATTACKER).mark(FACES, TARGET + 1)
    Unit(position, TARGET).mark(FACES, ATTACKER + 1)
    return position


def enlist(position: Position, name: str, side: int, profiles: Sequence[Profile]) -> None:
    unit = position.add_unit(name, side)
    for number, profile in enumerate(profiles, 1):
        position.add_model(f"{name} {number}", profile, side, unit, RESERVE)


def draw_up(position: Position, distance: float, face: str, height: float) -> None:
    """All who are left take their places; after losses they close up."""
    left = [row for row, where in enumerate(position.where) if where in (TABLE, RESERVE)]
    firing, fired_at = ([position.model(row) for row in left if position.side_of[row] == side] for side in (0, 1))
    attackers, targets = ([model.profile for model in models] for models in (firing, fired_at))
    if not targets or not attackers:
        return
    line = in_line(targets, face)
    front = front_of(targets, line, face, max(map(breadth, attackers)) + APART)
    for model, (x, y, turned) in zip(firing, stations(attackers, front, distance), strict=True):
        model.move_to(x, y, z=height or None, facing=-turned % 360.0)
    for model, place in zip(fired_at, line, strict=True):
        model.move_to(*place, facing=FACINGS[face])


def breadth(profile: Profile, face: str = "front") -> float:
    """How wide it stands along the line."""
    wide, deep = half_sizes(profile)
    return 2.0 * (deep if face == "side" else wide)


def depth(profile: Profile, face: str = "front") -> float:
    wide, deep = half_sizes(profile)
    return 2.0 * (wide if face == "side" else deep)


def in_line(profiles: Sequence[Profile], face: str) -> list[Point]:
    """Side by side, the nearest points to those who fire all on one line."""
    step = max(breadth(one, face) for one in profiles) + APART
    first = MIDDLE - step * (len(profiles) - 1) / 2.0
    return [(first + k * step, MIDDLE + depth(one, face) / 2.0) for k, one in enumerate(profiles)]


class Front(NamedTuple):
    """The near side of a line: where on it somebody may stand opposite, and its two ends as circles (x, y, radius)."""

    opposite: tuple[float, ...]
    left: Point3
    right: Point3


def front_of(targets: Sequence[Profile], line: Sequence[Point], face: str, wide: float) -> Front:
    """Opposite to every round base, and along every hull as they find room."""
    places: list[float] = []
    for profile, (x, _) in zip(targets, line, strict=True):
        half = breadth(profile, face) / 2.0 if is_hull(profile) else 0.0
        room = int(2.0 * half / wide)
        spots = [x + (k - room / 2.0) * wide for k in range(room + 1)]
        places += [spot for spot in spots if not places or spot - places[-1] >= wide - 1e-9]
    ends = [
        end_of(profile, place, face, sign)
        for profile, place, sign in ((targets[0], line[0], -1.0), (targets[-1], line[-1], 1.0))
    ]
    return Front(tuple(places), ends[0], ends[1])


def is_hull(profile: Profile) -> bool:
    return isinstance(shape(profile), Hull)


def end_of(profile: Profile, place: Point, face: str, sign: float) -> Point3:
    """A round base is its own circle; of a hull it is the corner."""
    if is_hull(profile):
        return place[0] + sign * breadth(profile, face) / 2.0, MIDDLE, 0.0
    return place[0], place[1], depth(profile) / 2.0


Station = tuple[float, float, float]
"""x, y, and how far round the end of the line it is, in degrees."""


def stations(attackers: Sequence[Profile], front: Front, distance: float) -> list[Station]:
    """Where those who fire stand, in the order of the roster, rank behind rank."""
    hulls = any(map(is_hull, attackers))
    inwards = 0.0 if hulls else min(map(depth, attackers)) / 2.0
    wide, deep = max(map(breadth, attackers)) + APART, max(map(depth, attackers))
    found: list[Station] = []
    rank = 0
    while len(found) < len(attackers):
        halves = [depth(one) / 2.0 for one in attackers[len(found) :]]
        away = distance + rank * (deep + APART + (wide if hulls else 0.0))
        found += one_rank(halves, front, away, degrees_for(wide, away + front.left[2] + inwards))
        rank += 1
    return found


def one_rank(halves: Sequence[float], front: Front, distance: float, angle: float) -> list[Station]:
    """As many as find room at that distance: opposite first, from the middle outwards, then round the two ends."""
    middle = sum(front.opposite) / len(front.opposite)
    opposite = sorted(front.opposite, key=lambda x: (abs(x - middle), x))
    found = [(x, MIDDLE - distance - half, 0.0) for x, half in zip(opposite, halves, strict=False)]
    for number, half in enumerate(halves[len(found) :]):
        turned = angle * (number // 2 + 1)
        if turned > WIDEST:
            break
        x, y, radius = front.right if number % 2 else front.left
        side = turned if number % 2 else -turned
        away, way = distance + radius + half + A_HAIR, math.radians(side)
        found.append((x + away * math.sin(way), y - away * math.cos(way), side))
    return found


def degrees_for(wide: float, radius: float) -> float:
    """The angle between neighbours on a circle."""
    return math.degrees(2.0 * math.asin(min(1.0, wide / (2.0 * radius))))
