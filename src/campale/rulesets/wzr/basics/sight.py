"""Sight: a line from the base at head height to any part of the target's body (core/line-of-sight)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from campale.mechanics.pairs import Verdicts, kept_by_pair
from campale.referee.position import Model, Position
from campale.referee.rule import rule
from campale.rulesets.wzr.battle.terrain import DOOR, INTACT, SOLID, WINDOW
from campale.rulesets.wzr.structures.damage import belongs_to
from campale.table.measure import gap_to_outline, outline_of
from campale.table.outlines import sides
from campale.table.shapes import TOLERANCE, Circle, Hull, Point, Solid
from campale.table.sight import Sampling, any_clear, crossings, points_of
from campale.table.terrain import Ground, Piece

Floats = NDArray[np.float64]

COLUMNS = (-1.0, -0.5, 0.0, 0.5, 1.0)
AT = (1.0, 0.75, 0.5, 0.25, 0.02)
"""Points of a body to look at: positions across it (``COLUMNS``) and shares of its height (``AT``)."""
ROUND = 8
SPARE = 1e-6
NEAR_AN_OPENING = 1.0
HIDDEN, SEEN = 0, 1
PLAN = Sampling(0.0, COLUMNS, (0.0,))


# ---------------------------------------------------------------- what blocks sight


@rule("core/line-of-sight")
def solids(ground: Ground) -> Ground:
    """The pieces whose bodies block a line: solid pieces and intact structures."""
    pieces = tuple(one for one in ground.pieces if SOLID in one.tags or INTACT in one.tags)
    return Ground(ground.width, ground.depth, pieces)


@rule("structures/access-points")
def openings(ground: Ground) -> dict[str, tuple[Piece, ...]]:
    """The doors and windows of each intact structure, by its name."""
    ways = [one for one in ground.pieces if DOOR in one.tags or WINDOW in one.tags]
    whole = [one for one in ground.pieces if INTACT in one.tags]
    return {one.name: tuple(way for way in ways if belongs_to(way, one)) for one in whole}


def between(a: Point, b: Point, share: float) -> Point:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


class Bodies(NamedTuple):
    """Vehicles that block sight: rows; round bases as cylinders, hulls as pieces."""

    rows: tuple[int, ...]
    cylinders: Floats
    hull_rows: tuple[int, ...]
    hulls: tuple[Piece, ...]


@rule("core/line-of-sight", "shooting/intervening-models")
def vehicles(position: Position) -> Bodies:
    """All vehicles on the table as bodies that block sight. Kept until something moves."""
    kept = position.layout
    if "vehicles" not in kept:
        found = [m for m in position.on_table() if m.profile.is_vehicle]
        on_bases = [m for m in found if isinstance(m.profile.shape, Circle)]
        cylinders = [(m.x, m.y, m.z, m.profile.shape.radius, m.profile.height) for m in on_bases]
        hulls = [m for m in found if isinstance(m.profile.shape, Hull)]
        pieces = tuple(Piece(f"hull {m.row}", "", outline_of(m.solid), m.profile.height, m.z) for m in hulls)
        rows, hull_rows = (tuple(m.row for m in some) for some in (on_bases, hulls))
        kept["vehicles"] = Bodies(rows, np.array(cylinders, np.float64).reshape(-1, 5), hull_rows, pieces)
    bodies: Bodies = kept["vehicles"]
    return bodies


class Hiding(NamedTuple):
    """What stands between two models: pieces and hulls, and cylinders (k, 5)."""

    ground: Ground
    cylinders: Floats


def hiding(position: Position, spared: tuple[int, ...], without: tuple[str, ...] = ()) -> Hiding:
    """Everything that blocks sight, except the bodies of ``spared`` rows and some pieces.

    Kept until something moves.
    """
    bodies = vehicles(position)
    spared = tuple(sorted(row for row in spared if row in bodies.rows or row in bodies.hull_rows))
    kept, key = position.layout, ("hiding", spared, without)
    if key not in kept:
        ground = position.ground.kept(solids)
        hulls = [hull for row, hull in zip(bodies.hull_rows, bodies.hulls, strict=True) if row not in spared]
        if hulls or without:
            pieces = (*(one for one in ground.pieces if one.name not in without), *hulls)
            ground = Ground(ground.width, ground.depth, pieces)
        stands = np.array([row not in spared for row in bodies.rows], np.bool_)
        kept[key] = Hiding(ground, bodies.cylinders[stands])
    found: Hiding = kept[key]
    return found


# ---------------------------------------------------------------- lines


@rule("core/line-of-sight")
def eyes(model: Model) -> Floats:
    """Points of the model's base from which it looks, in plan, the centre first. Kept until something moves."""
    kept, key = model.position.layout, ("eyes", model.row)
    if key not in kept:
        if isinstance(model.profile.shape, Circle):
            turns = np.arange(ROUND) * (2.0 * np.pi / ROUND)
            rim = model.profile.shape.radius * np.column_stack((np.cos(turns), np.sin(turns)))
            kept[key] = np.vstack(([model.at], np.array(model.at) + rim))
        else:
            edge = [p for a, b in sides(outline_of(model.solid)) for p in (a, between(a, b, 0.5))]
            kept[key] = np.array([model.at, *edge], np.float64)
    found: Floats = kept[key]
    return found


@rule("core/line-of-sight")
def head(model: Model) -> float:
    return float(model.z + model.profile.height)


def looked_at(model: Model, target: Solid) -> Floats:
    """Points across the target's body, in plan."""
    return np.array([point[:2] for point in points_of(target, (model.x, model.y, 0.0), PLAN)], np.float64)


def all_lines(ones: Floats, others: Floats) -> tuple[Floats, Floats]:
    """Lines from each of the first points to each of the second."""
    return np.repeat(ones, len(others), axis=0), np.tile(others, (len(ones), 1))


def heights(target: Solid) -> Floats:
    return target.z + np.array(AT) * target.height


@rule("core/line-of-sight")
def is_seen(model: Model, target: Solid, spared: tuple[int, ...], without: tuple[str, ...] = ()) -> bool:
    """Whether any line is free: first from head to head, then all of them."""
    over = hiding(model.position, spared, without)
    up, downs = np.array([head(model)]), heights(target)
    if not over.ground.pieces and not len(over.cylinders):
        return True
    straight = np.array([model.at]), np.array([(target.x, target.y)])
    if any_clear(over.ground, straight, up, downs[:1], over.cylinders, SPARE):
        return True
    return any_clear(over.ground, all_lines(eyes(model), looked_at(model, target)), up, downs, over.cylinders, SPARE)


# ---------------------------------------------------------------- through doors and windows


def intact(ground: Ground) -> Ground:
    return Ground(ground.width, ground.depth, tuple(one for one in ground.pieces if INTACT in one.tags))


@rule("structures/intact", "structures/line-of-sight")
def inside(position: Position, at: Point, z: float) -> Piece | None:
    """The intact structure that a point is inside of. A point on its roof is not inside."""
    found = position.ground.kept(intact).pieces_at(*at)
    return next((piece for piece in found if z < piece.top - TOLERANCE), None)


@rule("structures/line-of-sight")
def openings_near(position: Position, structure: Piece, solid: Solid) -> tuple[Piece, ...]:
    """The structure's Access Points within 1 inch of ``solid``: it sees and is seen through them."""
    ways = position.ground.kept(openings)[structure.name]
    return tuple(way for way in ways if gap_to_outline(solid, way.outline) <= NEAR_AN_OPENING + TOLERANCE)


@rule("structures/line-of-sight")
def is_seen_through(model: Model, target: Solid, spared: tuple[int, ...]) -> bool:
    """Whether a model sees the target, where structures matter.

    A line from or into a structure passes an Access Point near the model inside. Within one structure, both must be on
    the same floor.
    """
    position = model.position
    here = inside(position, model.at, model.z)
    there = inside(position, (target.x, target.y), target.z)
    if here is None and there is None:
        return is_seen(model, target, spared)
    around = tuple(sorted({one.name for one in (here, there) if one is not None}))
    if here is not None and there is not None and here.name == there.name:
        return abs(model.z - target.z) < 1.0 and is_seen(model, target, spared, around)
    needed = [
        openings_near(position, structure, solid)
        for structure, solid in ((here, model.solid), (there, target))
        if structure is not None
    ]
    over = hiding(position, spared, around)
    return all(needed) and any_through(model, looked_at(model, target), heights(target), over, needed)


def any_through(model: Model, ends: Floats, downs: Floats, over: Hiding, needed: Sequence[Sequence[Piece]]) -> bool:
    """Whether a free line to ``ends``, at one of the heights, passes an Access Point of every group in ``needed``."""
    a, b = all_lines(eyes(model), ends)
    up = np.array([head(model)])
    for down in downs.tolist():
        starts = np.column_stack((a, np.full(len(a), up[0])))
        ends = np.column_stack((b, np.full(len(b), down)))
        passes = np.ones(len(a), np.bool_)
        for ways in needed:
            lengths, _ = crossings(Ground(1.0, 1.0, tuple(ways)), starts, ends)
            passes &= (lengths > SPARE).any(axis=1)
        low = np.array([down])
        if passes.any() and any_clear(over.ground, (a[passes], b[passes]), up, low, over.cylinders, SPARE):
            return True
    return False


# ---------------------------------------------------------------- between models


@rule("core/line-of-sight")
def sights(position: Position, ones: Sequence[Model], others: Sequence[Model]) -> NDArray[np.bool_]:
    """Which of the ones has a line to which of the others, whatever its facing. Kept until something moves.

    Shape (ones, others).
    """
    return np.asarray(kept_by_pair(position, ones, others, look) == SEEN)


def look(position: Position, ones: Sequence[Model], others: Sequence[Model]) -> Verdicts:
    found = [is_seen_through(a, b.solid, (a.row, b.row)) for a, b in zip(ones, others, strict=True)]
    return np.array(found, np.int8)


@rule("core/line-of-sight")
def has_line(one: Model, other: Model) -> bool:
    return bool(sights(one.position, [one], [other])[0, 0])


@rule("core/line-of-sight")
def has_line_to(model: Model, point: Point, z: float = 0.0) -> bool:
    """Whether the model has a line to a point, on the ground or at height ``z``."""
    return is_seen_through(model, spot(point, z), (model.row,))


LOW = 0.1


def spot(point: Point, z: float = 0.0) -> Solid:
    """A small solid at a point, to look at."""
    return Solid(Circle(TOLERANCE), point[0], point[1], z, 0.0, LOW)
