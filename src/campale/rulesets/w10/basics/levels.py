"""Levels: floors of ruins, tops of hills, and models allowed on them (terrain/ruins-movement, terrain/hills)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import msgspec

from campale.mechanics.moves.storeys import set_up_on
from campale.mechanics.moves.unit_moves import path_of
from campale.referee.position import Model, Position
from campale.referee.refusal import Fault, Plain
from campale.referee.rule import rule
from campale.rulesets.w10.armies.profile import Profile
from campale.rulesets.w10.battle.layouts import BARRICADE, DEBRIS, HILLS, RUINS
from campale.table import fields
from campale.table.fields import Field
from campale.table.levels import floor_under, heights, on_the_table, rests, walked
from campale.table.outlines import contains
from campale.table.paths import Path, furthest_length
from campale.table.shapes import TOLERANCE, Circle, Point, Solid, rounded
from campale.table.terrain import Floor, Ground, Piece
from campale.table.turning import plan_with_turns

FINE = 3
SLAB = 0.1
"""The thickness of the floors of ruins, in inches."""


# ---------------------------------------------------------------- the pieces


def with_kind(ground: Ground, *kinds: str) -> Ground:
    pieces = tuple(piece for piece in ground.pieces if any(kind in piece.tags for kind in kinds))
    return Ground(ground.width, ground.depth, pieces)


def solids(ground: Ground) -> Ground:
    """The features that are solid from the ground to their tops."""
    return with_kind(ground, BARRICADE, DEBRIS, HILLS)


def slabs(ground: Ground) -> Ground:
    """The floors of ruins as thin blocks under their surface."""
    return Ground(ground.width, ground.depth, tuple(slab_of(piece, floor) for piece, floor in floors_of_ruins(ground)))


def slab_of(piece: Piece, floor: Floor) -> Piece:
    return Piece(f"{piece.name}-{floor.z:g}", piece.kind, floor.outline, SLAB, floor.z - SLAB, (), piece.tags)


def floors_of_ruins(ground: Ground) -> list[tuple[Piece, Floor]]:
    return [(piece, floor) for piece in ground.pieces if RUINS in piece.tags for floor in piece.floors]


def hilltops(ground: Ground) -> tuple[Floor, ...]:
    return tuple(floor for piece in ground.pieces if HILLS in piece.tags for floor in piece.floors)


def all_floors(ground: Ground) -> tuple[Floor, ...]:
    return tuple(floor for piece in ground.pieces for floor in piece.floors)


def has_floors(ground: Ground) -> bool:
    return bool(ground.kept(all_floors))


# ---------------------------------------------------------------- where models may stand


def level_at(position: Position, x: float, y: float) -> float:
    """The height at which a model placed at a point stands: on the table, or on a hill there."""
    return max((floor.z for floor in position.ground.kept(hilltops) if contains(floor.outline, x, y)), default=0.0)


@rule("terrain/ruins-movement")
def goes_upstairs(profile: Profile) -> bool:
    """True for models that may go to upper floors: INFANTRY, BEAST and FLY."""
    return goes_through(profile) or profile.has("fly")


@rule("terrain/ruins-movement")
def goes_through(profile: Profile) -> bool:
    """True for models that pass through walls and floors of ruins: INFANTRY and BEAST."""
    return profile.has("infantry") or profile.has("beast")


@rule("terrain/ruins-movement", "terrain/hills", "flying/land-on-terrain")
def floors_for(model: Model) -> tuple[Floor, ...]:
    """The floors on which a model may end: tops of hills, and floors of ruins if it may go up."""
    return model.position.ground.kept(all_floors if goes_upstairs(model.profile) else hilltops)


@rule("terrain/ruins-movement", "terrain/hills")
def may_rest(model: Model, there: Solid) -> bool:
    """True on the table, or on a floor that the base does not overhang."""
    return there.z <= TOLERANCE or rests(there, floors_for(model))


def spots_meant(position: Position, there: Sequence[Sequence[float]]) -> list[tuple[float, ...]]:
    """Places with their heights; a place without one is on the table or hill there."""
    return [(*spot[:3], spot[3] if len(spot) > 3 else level_at(position, spot[0], spot[1])) for spot in there]


@rule("terrain/ruins-movement", "terrain/hills")
def on_no_floor(models: Sequence[Model], solids: Sequence[Solid]) -> Fault | None:
    """The fault of the first model set up in the air, over the edge of a floor, or on a floor closed to it."""
    for model, one in zip(models, solids, strict=True):
        if not may_rest(model, one):
            rule = rule_of_floors(model.position, one.x, one.y)
            return Fault((round(one.x, 2), round(one.y, 2)), one.z, model=model.row, rule=rule)
    return None


def rule_of_floors(position: Position, x: float, y: float) -> str:
    """The rule of the floors at a place: of a hill or of ruins."""
    return "terrain/hills" if level_at(position, x, y) > 0.0 else "terrain/ruins-movement"


def heights_of(position: Position) -> list[Plain]:
    """The heights above the table at which models can stand, for screens to offer."""
    return [*heights(position.ground)]


FieldAt = Callable[[Model, float], Field]


def spots_upstairs(
    models: Sequence[Model], start: Point, facing: float, field_at: FieldAt
) -> Iterator[list[tuple[float, ...]]]:
    """Places for all models on one floor, for units that are set up; those nearest to a point come first."""

    def fits(model: Model, place: Point, floor: Floor) -> bool:
        there = Solid(model.profile.shape, *place, floor.z, facing, model.profile.height)
        return may_rest(model, there) and fields.is_free(field_at(model, floor.z), *place, facing)

    of_all = [floor for floor in floors_for(models[0]) if all(floor in floors_for(m) for m in models)]
    yield from set_up_on(models, of_all, start, facing, fits, FINE)


@rule("l/ground-level")
def is_at_ground_level(model: Model) -> bool:
    """True for a model on the surface of the battlefield, inside a footprint or not."""
    return bool(model.z <= TOLERANCE)


# ---------------------------------------------------------------- what is in the way at a height


def shares_height(z: float, tall: float, low: float, top: float) -> bool:
    """True if a body that stands at ``z`` reaches into the space between two heights."""
    return z < top - TOLERANCE and low < z + tall - TOLERANCE


def stand_on_different_levels(one: Model, other: Model) -> bool:
    """True if one body is wholly above the other."""
    return not shares_height(one.z, one.profile.height, other.z, other.z + other.profile.height)


@lru_cache(maxsize=256)
def obstacles_at(z: float, tall: float) -> Callable[[Ground], Ground]:
    """The features in which a body cannot end, for ``Ground.kept``."""

    def obstacles(ground: Ground) -> Ground:
        return what_bars(ground, z, tall)

    return obstacles


@rule("terrain/barricades", "terrain/debris", "terrain/hills", "terrain/ruins-movement")
def what_bars(ground: Ground, z: float, tall: float) -> Ground:
    """Solid features and floors of ruins that a body at this height would overlap."""
    return cut(ground, z, tall, (*ground.kept(solids).pieces, *ground.kept(slabs).pieces))


@lru_cache(maxsize=256)
def floors_cut_at(z: float, tall: float) -> Callable[[Ground], Ground]:
    """The floors of ruins that a body at this height would pass through."""

    def floors(ground: Ground) -> Ground:
        return cut(ground, z, tall, ground.kept(slabs).pieces)

    return floors


def cut(ground: Ground, z: float, tall: float, blocks: Sequence[Piece]) -> Ground:
    found = tuple(one for one in blocks if shares_height(z, tall, one.z, one.top))
    return Ground(ground.width, ground.depth, found)


# ---------------------------------------------------------------- the path that is meant


def path_meant(
    model: Model,
    points: Sequence[Sequence[float]],
    facing: float | None = None,
    limit: float | None = None,
    air: bool = False,
) -> Path:
    """The path of an answer; a point without a height is on the previous level, or on the next one below.

    On foot a leg goes up or down on the spot; in the air (``air``) it slants. ``limit``: how far the model may go.
    """
    plain = path_in_plan(model, points, facing, limit)
    ground = model.position.ground
    if not has_floors(ground):
        return plain
    heights = heights_meant(model, points)
    if max(heights) <= TOLERANCE:
        return plain
    raised = raised_path(model, points, heights, plain)
    return raised if air else on_the_table(walked(ground, raised))


@rule("movement-phase/moving-models", "movement-phase/measuring-moves")
def path_in_plan(model: Model, points: Sequence[Sequence[float]], facing: float | None, limit: float | None) -> Path:
    """The path in plan. A hull keeps its facing; if it is to end with another, it faces along its way where it can."""
    if facing is not None and facing != model.facing and not isinstance(model.solid.shape, Circle):
        if all((rounded(x), rounded(y)) == model.at for x, y, *_ in points):
            return plan_with_turns(Path((model.at, model.at)), model.facing, facing, sideways=True)
        along = path_of(model, points, facing)
        if limit is None or furthest_length(along, model.solid.shape) <= limit + TOLERANCE:
            return along
    return path_of(model, points, facing, sideways=True)


def heights_meant(model: Model, points: Sequence[Sequence[float]]) -> list[float]:
    heights = [model.z]
    for point in points:
        place = rounded(point[0]), rounded(point[1])
        under = max(level_at(model.position, *place), floor_under(model.position.ground, place, heights[-1]))
        heights.append(rounded(point[2]) if len(point) == 3 else under)
    return heights


def raised_path(model: Model, points: Sequence[Sequence[float]], heights: Sequence[float], plain: Path) -> Path:
    """The path with its heights; moving straight up or down on the spot is a leg of its own, and so is a turn."""
    places = [model.at, *((rounded(p[0]), rounded(p[1])) for p in points)]
    steps = [(*at, z) for at, z in zip(places, heights, strict=True)]
    steps = [step for k, step in enumerate(steps) if not k or step != steps[k - 1]]
    if len(steps) < len(plain.points):
        steps *= 2
    if len(steps) == len(plain.points):
        return msgspec.structs.replace(plain, points=tuple(steps))
    return Path(tuple(steps), plain.facing)
