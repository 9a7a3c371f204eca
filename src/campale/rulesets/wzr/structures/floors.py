"""Standing in and on structures: floors, roofs, and walls that no base stands across (structures/intact)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from campale.mechanics.moves.storeys import set_up_on
from campale.referee.position import Model
from campale.referee.rule import rule
from campale.rulesets.wzr.battle.terrain import IMPASSABLE, INTACT, SOLID
from campale.rulesets.wzr.structures.access import access_points, admits, is_closed
from campale.table import fields
from campale.table.fields import Field
from campale.table.levels import rests
from campale.table.measure import overlaps_outline, wholly_inside_outline
from campale.table.shapes import TOLERANCE, Point, Solid
from campale.table.terrain import Floor, Ground, Piece

FINE = 3
FieldAt = Callable[[Model, float], Field]


def intact(ground: Ground) -> Ground:
    """The structures with a roof."""
    return Ground(ground.width, ground.depth, tuple(p for p in ground.pieces if INTACT in p.tags))


@rule("structures/intact")
def floors(ground: Ground) -> tuple[Floor, ...]:
    """The upper floors and roofs of all structures."""
    return tuple(floor for piece in ground.pieces if INTACT in piece.tags for floor in piece.floors)


@lru_cache(maxsize=64)
def barred_at(z: float) -> Callable[[Ground], Ground]:
    """A function for ``Ground.kept``: the pieces that no base may be set down on at this height."""

    def barred(ground: Ground) -> Ground:
        low = [p for p in ground.pieces if is_barred(ground, p) and p.top > z + TOLERANCE]
        return Ground(ground.width, ground.depth, tuple(low))

    return barred


@rule("movement/impassable", "structures/no-access")
def is_barred(ground: Ground, piece: Piece) -> bool:
    """Whether the piece is impassable ground, the body of a wall or crate, or a structure without access."""
    if INTACT in piece.tags:
        return is_closed(ground, piece)
    return IMPASSABLE in piece.tags or SOLID in piece.tags


@rule("structures/intact", "structures/access-points")
def fits_inside(model: Model, solid: Solid, structure: Piece) -> bool:
    """Whether a base lies wholly inside a structure that has a door for it."""
    doors = access_points(model.position.ground, structure)
    hull = model.profile.hull is not None
    return (
        not hull
        and wholly_inside_outline(solid, structure.outline)
        and any(admits(d, model.profile.base) for d in doors)
    )


@rule("structures/intact")
def may_rest(model: Model, solid: Solid) -> bool:
    """Whether a model may stand there: on the table or wholly on a floor; in a structure, only wholly inside."""
    ground = model.position.ground
    if solid.z > TOLERANCE and not rests(solid, ground.kept(floors)):
        return False
    crossed = (p for p in ground.kept(intact).pieces if is_beside(solid, p) and overlaps_outline(solid, p.outline))
    return all(fits_inside(model, solid, piece) for piece in crossed)


def is_beside(solid: Solid, structure: Piece) -> bool:
    """Whether the body stands lower than the roof."""
    return solid.z < structure.top - TOLERANCE


def spots_upstairs(
    models: Sequence[Model], start: Point, facing: float, field_at: FieldAt
) -> Iterator[list[tuple[float, ...]]]:
    """Places for all models on one floor, or on a structure's ground floor, nearest to a point first."""

    def fits(model: Model, place: Point, floor: Floor) -> bool:
        there = Solid(model.profile.shape, *place, floor.z, facing, model.profile.height)
        return may_rest(model, there) and fields.is_free(field_at(model, floor.z), *place, facing)

    ground = models[0].position.ground
    halls = tuple(Floor(piece.outline, 0.0) for piece in ground.kept(intact).pieces)
    yield from set_up_on(models, (*halls, *ground.kept(floors)), start, facing, fits, FINE)
