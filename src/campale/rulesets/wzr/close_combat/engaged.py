"""Reach and engagement (close-combat/ccwr-*, close-combat/engaged-definition, close-combat/different-levels).

Which models are near each other is computed for all of them at once, and kept until something moves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from campale.mechanics.bases import circle_gaps, distance, radii, round_ones, rows_of
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.index import About, changed, is_changed_by_any
from campale.rulesets.wzr.armies.profile import Blade, Profile
from campale.rulesets.wzr.basics.measuring import SAME_LEVEL, same_level, within
from campale.rulesets.wzr.battle.terrain import DOOR, IMPASSABLE, INTACT, LINEAR
from campale.table.levels import height_of, runs
from campale.table.measure import gap
from campale.table.outlines import contains
from campale.table.paths import Path, at, plan_length
from campale.table.shapes import TOLERANCE, Point, Solid, rounded
from campale.table.sight import crossings
from campale.table.sweeps import every_within
from campale.table.terrain import Ground, Piece

BY_BASE: dict[str, float] = {"small": 0.0, "medium": 1.0, "large": 2.0}
HERO = 1.5
NO_REACH = -1.0
"""The reach of Tanks and Air Tanks: not even contact."""
CLIMBED = 3.0
"""Anything higher, in inches, is impassable to a model that does not leap (movement/obstacles)."""
STEP = 0.25
MOST_MORE = 2.0
"""How much all effects together may lengthen a reach, in inches."""

Near = dict[int, dict[int, float]]
"""For each model's row, the rows of enemies that may be engaged with it, with the gap between them in inches."""


# ---------------------------------------------------------------- close-combat/ccwr-*


@rule("close-combat/ccwr-by-base", "core/model-categories")
def base_reach(profile: Profile) -> float:
    """The reach of a model whose melee weapons state none."""
    if profile.vehicle is not None:
        return NO_REACH if profile.vehicle.kind in ("tank", "air-tank") else BY_BASE["large"]
    return HERO if profile.base == "medium" and profile.is_hero else BY_BASE[profile.base]


@rule("close-combat/ccwr-definition", "core/melee-weapon-profile")
def printed_reach(profile: Profile, blade: Blade | None = None) -> float:
    """The reach with this melee weapon, or else with the longest. Tanks and Air Tanks have none."""
    base, found = base_reach(profile), [blade] if blade is not None else profile.blades
    if base < 0:
        return base
    return max((base if one.ccwr is None else one.ccwr for one in found), default=base)


@rule("close-combat/ccwr-increase")
def lengthened(model: Model, printed: float) -> float:
    """The reach plus increases; base contact counts as 0."""
    return printed if printed < 0 else changed("ccwr", printed, About(model))


@rule("close-combat/ccwr-definition", "core/bases")
def reach(model: Model) -> float:
    """The model's CCWR, with its longest melee weapon."""
    printed = printed_reaches(model.position)[model.row]
    return lengthened(model, printed) if is_changed_by_any(model.position, "ccwr") else printed


def wider(model: Model, enemies: Sequence[Model]) -> list[float]:
    """For each enemy, the wider one of its reach and the model's."""
    own, printed = reach(model), printed_reaches(model.position)
    if is_changed_by_any(model.position, "ccwr"):
        return [max(own, reach(enemy)) for enemy in enemies]
    return [max(own, printed[enemy.row]) for enemy in enemies]


def printed_reaches(position: Position) -> list[float]:
    """The reaches printed on the profiles, by row. Kept with the roster."""
    kept = position.roster
    if "reaches" not in kept:
        kept["reaches"] = [printed_reach(profile) for profile in position.profiles]
    found: list[float] = kept["reaches"]
    return found


# ---------------------------------------------------------------- which models are near each other


def neighbours(position: Position) -> Near:
    """Models that may be engaged: on one level, near enough, no wall between. Kept until something moves."""
    kept = position.layout
    if "neighbours" not in kept:
        kept["neighbours"] = find_neighbours(position)
    found: Near = kept["neighbours"]
    return found


@rule("close-combat/different-levels", "core/levels")
def find_neighbours(position: Position) -> Near:
    ones, others = (rows_of(position.on_table(side)) for side in (0, 1))
    found: Near = {row: {} for row in (*ones.tolist(), *others.tolist())}
    if not (len(ones) and len(others)):
        return found
    z, is_round = position.column("z"), round_ones(position)
    level = np.abs(z[ones][:, None] - z[others]) < SAME_LEVEL - TOLERANCE
    gaps = circle_gaps(position, ones, others)
    for k, n in np.argwhere(level & (gaps <= farthest(position) + TOLERANCE)).tolist():
        row, other = int(ones[k]), int(others[n])
        one, enemy = position.model(row), position.model(other)
        if not is_walled_off(one, enemy):
            both = is_round[row] and is_round[other]
            far = max(0.0, rounded(float(gaps[k, n]))) if both else distance(one, enemy)
            found[row][other] = found[other][row] = far
    return found


def farthest(position: Position) -> float:
    """An upper bound of every reach, in inches."""
    return MOST_MORE + max(printed_reaches(position), default=0.0)


@rule("close-combat/ccwr-definition", "movement/obstacles")
def stops_reach(piece: Piece) -> bool:
    """Whether the piece is impassable ground, an intact structure, or too high to climb.

    Low obstacles stop no reach.
    """
    too_high = LINEAR in piece.tags and piece.height > CLIMBED + TOLERANCE
    return IMPASSABLE in piece.tags or INTACT in piece.tags or too_high


def walls(ground: Ground) -> Ground:
    """The pieces that stop a reach, and the doors in them."""
    return Ground(
        ground.width, ground.depth, tuple(one for one in ground.pieces if stops_reach(one) or DOOR in one.tags)
    )


@rule("close-combat/ccwr-definition")
def is_walled_off(model: Model, other: Model, at: Point | None = None) -> bool:
    """Whether a wall or impassable ground lies between the centres of two bases. Doors let the reach through.

    ``at``: where the first model stands, if not at its own place.
    """
    ground, start = model.position.ground, at or model.at
    fence = ground.kept(walls)
    if not fence.pieces:
        return False
    lengths, _ = crossings(fence, [(*start, 0.0)], [(*other.at, 0.0)], in_plan=True)
    doors = crossed = 0
    for piece, length in zip(fence.pieces, lengths[0].tolist(), strict=True):
        if length <= TOLERANCE or not rises_beside(piece, other):
            continue
        if DOOR in piece.tags:
            doors += 1
        elif INTACT in piece.tags:
            crossed += walls_crossed(piece, start, other.at)
        else:
            return True
    return crossed > doors


def walls_crossed(piece: Piece, start: Point, end: Point) -> int:
    """How many walls of the structure the line crosses; 0 if it begins and ends inside."""
    return 2 - sum(contains(piece.outline, *point) for point in (start, end))


def rises_beside(piece: Piece, model: Model) -> bool:
    """Whether the piece is neither wholly below the model's feet nor above its head. Flat ground does not count."""
    is_flat = not piece.height and abs(piece.z - model.z) < SAME_LEVEL
    return bool(is_flat or (piece.top > model.z + TOLERANCE and piece.z < model.z + model.profile.height))


# ---------------------------------------------------------------- close-combat/engaged-definition


@rule("close-combat/engaged-definition", "close-combat/reach-difference")
def reaches(model: Model, other: Model) -> bool:
    """Whether the enemy stands inside the model's own CCWR."""
    far = neighbours(model.position).get(model.row, {}).get(other.row)
    return far is not None and within(far, reach(model))


@rule("close-combat/engaged-definition")
def engaged(one: Model, other: Model) -> bool:
    """Whether two models are engaged: either is inside the other's reach. Engagement is mutual."""
    return reaches(one, other) or reaches(other, one)


@rule("close-combat/engaged-definition", "structures/no-ccwr")
def engaged_with(model: Model) -> list[Model]:
    """The enemies that the model is engaged with."""
    near = neighbours(model.position).get(model.row)
    if not near:
        return []
    enemies = [(model.position.model(row), far) for row, far in near.items()]
    own = reach(model)
    return [enemy for enemy, far in enemies if within(far, own) or within(far, reach(enemy))]


def is_engaged(model: Model) -> bool:
    return bool(engaged_with(model))


@rule("close-combat/engaged-definition", "vehicles/rotation", "movement/no-accidental-engagement")
def keeps_its_foes(model: Model, facing: float) -> bool:
    """Whether a model that turns on the spot stays engaged with the same enemies. Only a hull may fail to."""
    there = Solid(model.solid.shape, *model.at, model.z, facing, model.solid.height)
    for enemy in model.position.on_table(1 - model.side):
        far = max(reach(model), reach(enemy))
        is_beside = same_level(model.z, enemy.z) and not is_walled_off(model, enemy)
        is_so = is_beside and far >= 0.0 and within(rounded(gap(there, enemy.solid)), far)
        if is_so != engaged(model, enemy):
            return False
    return True


# ---------------------------------------------------------------- engagements on the way


@rule("movement/no-accidental-engagement", "close-combat/engaged-definition")
def engages_on_the_way(model: Model, path: Path) -> Model | None:
    """The first enemy that a path engages the model with anew, at any point.

    Enemies that it is already engaged with do not count.
    """
    old = {enemy.row for enemy in engaged_with(model)}
    enemies = [m for m in model.position.on_table(1 - model.side) if m.row not in old]
    both = zip(enemies, wider(model, enemies), strict=True)
    met = [(first_inside(model, path, enemy, far), enemy) for enemy, far in both]
    inside = [(start, enemy.row, enemy) for start, enemy in met if start is not None]
    return min(inside, key=lambda one: one[:2])[2] if inside else None


def first_inside(model: Model, path: Path, enemy: Model, far: float) -> float | None:
    """How far along a path, in plan, the model first comes within ``far`` inches of an enemy; None if never.

    Only where the two are on one level with no wall between them.
    """
    if far < 0 or not is_near(model, path, enemy, far):
        return None
    gone = 0.0
    for run in runs(path):
        if same_level(height_of(run.points[0]), enemy.z):
            for met in every_within(run, model.profile.shape, [enemy.solid], far, tolerance=-TOLERANCE):
                open_at = first_open(model, run, enemy, met.start, met.end)
                if open_at is not None:
                    return gone + open_at
        gone += plan_length(run)
    return None


def first_open(model: Model, run: Path, enemy: Model, start: float, end: float) -> float | None:
    """The first length from ``start`` to ``end`` with no wall between the two, in steps of a quarter inch, or None."""
    for step in range(math.ceil((end - start) / STEP) + 1):
        far = min(end, start + step * STEP)
        place = at(run, far)
        if not is_walled_off(model, enemy, (place.x, place.y)):
            return far
    return None


def is_near(model: Model, path: Path, enemy: Model, far: float) -> bool:
    """Whether the box around the path comes near enough to the enemy to need a closer look."""
    sizes = radii(model.position)
    wide = far + float(sizes[model.row] + sizes[enemy.row]) + TOLERANCE
    xs, ys = [p[0] for p in path.points], [p[1] for p in path.points]
    across = min(xs) - wide <= enemy.x <= max(xs) + wide
    return across and min(ys) - wide <= enemy.y <= max(ys) + wide
