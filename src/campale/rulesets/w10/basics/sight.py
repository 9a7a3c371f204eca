"""Visibility and full visibility (visibility/*, core-concepts/line-of-sight, terrain/ruins-visibility).

Lines run from and to 16 points around each base, at three heights. Obstacles are taken as half a millimetre wider
than they are, because a line is one millimetre thick.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from campale.mechanics.pairs import Verdicts, kept_by_pair
from campale.referee.position import Model, Position, Unit
from campale.referee.rule import rule
from campale.rulesets.w10.basics.attached import home_of, whole_of
from campale.rulesets.w10.basics.levels import slabs, solids, with_kind
from campale.rulesets.w10.basics.units import is_of_aircraft, members
from campale.rulesets.w10.battle.layouts import BARRICADE, DEBRIS, HILLS, RUINS, WOODS
from campale.table.measure import bounding_radius, outline_of, wholly_inside_outline
from campale.table.shapes import Circle, Hull, Point, Solid
from campale.table.sight import any_clear, clear_of, crossings, flat, pieces_over
from campale.table.terrain import Ground, Piece

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

POINTS = 16
HEIGHTS = (1.0, 0.5, 0.0)
THIN = 0.02
"""Half the thickness of a line, in inches."""
SPARE = 0.001
QUICK_EYES, QUICK_ENDS = (0, 5, 10), (0, 4, 8, 12)
HIDDEN, SEEN = 0, 1
BY_AREA, BY_BARRICADE, BY_DEBRIS, BY_HILL = 1, 2, 4, 8
SOLID_VEILS = ((BY_BARRICADE, BARRICADE), (BY_DEBRIS, DEBRIS), (BY_HILL, HILLS), (BY_AREA, RUINS))


def blocks(ground: Ground) -> Ground:
    """Terrain that blocks lines by its own body: solid features, and floors of ruins."""
    return Ground(ground.width, ground.depth, (*ground.kept(solids).pieces, *ground.kept(slabs).pieces))


def ruins(ground: Ground) -> Ground:
    return with_kind(ground, RUINS)


def woods(ground: Ground) -> Ground:
    return with_kind(ground, WOODS)


# ---------------------------------------------------------------- points of models


def rim(model: Model) -> Floats:
    """Sixteen points around a base in plan, shape (16, 2); kept until something moves."""
    kept, key = model.position.layout, ("rim", model.row)
    if key not in kept:
        kept[key] = round_rim(model) if isinstance(model.profile.shape, Circle) else rim_of_hull(model)
    found: Floats = kept[key]
    return found


def round_rim(model: Model) -> Floats:
    turns = np.arange(POINTS) * (2.0 * math.pi / POINTS)
    radius = bounding_radius(model.profile.shape)
    return np.column_stack((model.x + radius * np.cos(turns), model.y + radius * np.sin(turns)))


def rim_of_hull(model: Model) -> Floats:
    """The corners of a hull, and points spaced evenly between them."""
    corners = np.array(outline_of(model.solid), np.float64)
    following = np.roll(corners, -1, axis=0)
    steps = POINTS // len(corners)
    shares = np.arange(steps)[None, :, None] / steps
    return (corners[:, None, :] + shares * (following - corners)[:, None, :]).reshape(-1, 2)[:POINTS]


# ---------------------------------------------------------------- what a line crosses


@rule("terrain/ruins-visibility", "terrain/ruins-visibility-test", "core-concepts/line-of-sight")
def past_ruins(position: Position, starts: Floats, ends: Floats, inside: Flags) -> Flags:
    """Flags of the lines in plan, (n, 2), that no ruin blocks: a line may not run through one, except to points inside.

    ``inside`` (n, ruins): the ruins that the observer is wholly within.
    """
    ground = position.ground.kept(ruins)
    if not ground.pieces:
        return np.ones(len(starts), np.bool_)
    lengths, _ = crossings(ground, flat(starts), flat(ends), in_plan=True)
    blocked = (lengths > SPARE) & ~pieces_over(ground, ends) & ~inside
    return np.asarray(~blocked.any(axis=1))


class Bodies(NamedTuple):
    """Bodies that block lines: features, floors and hulls of models (``ground``), and round-based models.

    ``cylinders``: the latter as k by 5: x, y, z, radius, height.
    """

    ground: Ground
    cylinders: Floats


@rule("core-concepts/line-of-sight")
def unblocked(bodies: Bodies, starts: Floats, ends: Floats) -> Flags:
    """Flags of the lines (n, 3) that no terrain feature or model blocks by its own body."""
    return clear_of(bodies.ground, starts, ends, bodies.cylinders, SPARE)


@rule("core-concepts/line-of-sight", "s/shoot-on-death")
def bodies_between(position: Position, one: int, other: int) -> Bodies:
    """The features, and the models that may block sight between two units: those of other units.

    Models that act on their death see through the rest of the unit that they are part of.
    """
    kept = position.layout
    if "bodies" not in kept:
        there = position.on_table()
        hulls = [m for m in there if isinstance(m.profile.shape, Hull)]
        found = [m for m in there if not isinstance(m.profile.shape, Hull)] if hulls else there
        units = np.array([position.unit_of[m.row] for m in found], np.int64)
        cylinders = np.array([cylinder_of(m) for m in found], np.float64).reshape(-1, 5)
        kept["bodies"] = [m.row for m in hulls], units, cylinders
    rows, units, cylinders = kept["bodies"]
    homes = {home_of(Unit(position, row)).row for row in (one, other)} - {one, other}
    barring = tuple(row for row in rows if position.unit_of[row] not in (one, other, *homes))
    key = "bodies", barring
    if key not in kept:
        kept[key] = with_hulls(position.ground.kept(blocks), [position.model(row) for row in barring])
    are_others = (units != one) & (units != other)
    for row in homes:
        are_others &= units != row
    return Bodies(kept[key], cylinders[are_others])


def with_hulls(ground: Ground, hulls: Sequence[Model]) -> Ground:
    if not hulls:
        return ground
    bodies = ((m.row, body_of(m)) for m in hulls)
    pieces = (Piece(f"hull-{row}", "", outline_of(body), body.height, body.z) for row, body in bodies)
    return Ground(ground.width, ground.depth, (*ground.pieces, *pieces))


@rule("t/draw-line")
def body_of(model: Model) -> Solid:
    """The part of a model that blocks lines one millimetre thick: its outline, extended to its height."""
    shape, height = model.profile.shape, model.profile.height + 2 * THIN
    wide = Hull(widened(shape.corners)) if isinstance(shape, Hull) else Circle(bounding_radius(shape) + THIN)
    return Solid(wide, model.x, model.y, model.z - THIN, model.facing, height)


def cylinder_of(model: Model) -> tuple[float, float, float, float, float]:
    radius = bounding_radius(model.profile.shape)
    return model.x, model.y, model.z - THIN, radius + THIN, model.profile.height + 2 * THIN


@lru_cache(maxsize=64)
def widened(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    """An outline widened all around by half the thickness of a line."""
    points = np.array(corners, np.float64)
    ahead = np.roll(points, -1, axis=0) - points
    out = np.column_stack((ahead[:, 1], -ahead[:, 0])) / np.hypot(ahead[:, 0], ahead[:, 1])[:, None]
    both = out + np.roll(out, 1, axis=0)
    wide = points + 2.0 * THIN * both / (both * both).sum(axis=1)[:, None]
    return tuple((float(x), float(y)) for x, y in wide)


def near_the_way(bodies: Bodies, points: Floats) -> Bodies:
    """The bodies without round-based models outside the box around some points."""
    all_, low, high = bodies.cylinders, points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    wide = all_[:, 3:4]
    return bodies._replace(cylinders=all_[((all_[:, :2] + wide >= low) & (all_[:, :2] - wide <= high)).all(axis=1)])


# ---------------------------------------------------------------- visible


@rule("visibility/visible", "core-concepts/line-of-sight")
def sights(position: Position, ones: Sequence[Model], others: Sequence[Model]) -> Flags:
    """Whether each model sees each of the others, as an array (ones, others); kept until something moves."""
    return np.asarray(kept_by_pair(position, ones, others, look) == SEEN)


def sees(one: Model, other: Model) -> bool:
    return bool(sights(one.position, [one], [other])[0, 0])


@rule("visibility/visible")
def sees_unit(one: Unit, other: Unit) -> bool:
    """True if a model of one unit sees a model of the other."""
    return bool(sights(one.position, whole_of(one), members(other)).any())


def look(position: Position, ones: Sequence[Model], others: Sequence[Model]) -> Verdicts:
    """Whether the first of each pair sees the second: a few lines first, then all lines if none was clear."""
    found = np.zeros(len(ones), np.int8)
    for key, places in by_units(position, ones, others):
        bodies = bodies_between(position, *key)
        found[places] = at_a_glance(position, [ones[n] for n in places], [others[n] for n in places], bodies)
        for n in places:
            if not found[n]:
                found[n] = int(is_seen(position, ones[n], others[n], bodies))
    return found


def at_a_glance(position: Position, ones: Sequence[Model], others: Sequence[Model], bodies: Bodies) -> Flags:
    """Flags of the pairs for which one of a few lines from top to top is clear, computed all at once."""
    eyes = np.array([rim(m)[list(QUICK_EYES)] for m in ones])
    ends = np.array([rim(m)[list(QUICK_ENDS)] for m in others])
    count = len(QUICK_EYES) * len(QUICK_ENDS)
    starts = np.repeat(eyes, len(QUICK_ENDS), axis=1).reshape(-1, 2)
    stops = np.tile(ends, (1, len(QUICK_EYES), 1)).reshape(-1, 2)
    inside = np.repeat(np.array([wholly_within(m, ruins) for m in ones]), count, axis=0)
    exempt = np.repeat([is_exempt(a) or is_exempt(b) for a, b in zip(ones, others, strict=True)], count)
    a = np.column_stack((starts, np.repeat([m.z + m.profile.height for m in ones], count)))
    b = np.column_stack((stops, np.repeat([m.z + m.profile.height for m in others], count)))
    clear = exempt | past_ruins(position, starts, stops, inside)
    clear[clear] = unblocked(near_the_way(bodies, np.concatenate((starts, stops))), a[clear], b[clear])
    return np.asarray(clear.reshape(len(ones), count).any(axis=1))


def by_units(
    position: Position, ones: Sequence[Model], others: Sequence[Model]
) -> Iterator[tuple[tuple[int, int], list[int]]]:
    """The indices of the pairs, grouped by their two units."""
    found: dict[tuple[int, int], list[int]] = {}
    for n, (one, other) in enumerate(zip(ones, others, strict=True)):
        found.setdefault((position.unit_of[one.row], position.unit_of[other.row]), []).append(n)
    return iter(found.items())


def is_seen(position: Position, one: Model, other: Model, bodies: Bodies) -> bool:
    """True if some line from any part of one model to any part of the other is clear."""
    mine, theirs = rim(one), rim(other)
    close = near_the_way(bodies, np.concatenate((mine, theirs)))
    inside = wholly_within(one, ruins)
    exempt = is_exempt(one) or is_exempt(other)
    starts, stops = all_lines(mine, theirs)
    open_ = np.ones(len(starts), np.bool_) if exempt else past_ruins(position, starts, stops, inside)
    return bool(open_.any()) and is_clear(one, other, starts[open_], stops[open_], close)


def all_lines(eyes: Floats, ends: Floats) -> tuple[Floats, Floats]:
    """Lines from each of some points to each of the others."""
    return np.repeat(eyes, len(ends), axis=0), np.tile(ends, (len(eyes), 1))


@rule("core-concepts/line-of-sight")
def is_clear(one: Model, other: Model, starts: Floats, ends: Floats, bodies: Bodies) -> bool:
    """True if at some heights one of the lines in plan meets neither terrain nor models."""
    ups, downs = (m.z + np.array(HEIGHTS) * m.profile.height for m in (one, other))
    return any_clear(bodies.ground, (starts, ends), ups, downs, bodies.cylinders, SPARE)


def lifted(points: Floats, height: float) -> Floats:
    return np.column_stack((points, np.full(len(points), height)))


@rule("terrain/ruins-visibility", "terrain/woods")
def is_exempt(model: Model) -> bool:
    """True for AIRCRAFT and TOWERING models: ruins and woods do not block lines from or to them."""
    return is_of_aircraft(model) or bool(model.profile.has("towering"))


@rule("within/wholly-within", "terrain/ruins-visibility")
def wholly_within(model: Model, of: Callable[[Ground], Ground]) -> Flags:
    """Flags of the features of a kind that a base is wholly within; kept until something moves."""
    kept, key = model.position.layout, ("wholly", model.row, of)
    if key not in kept:
        pieces = model.position.ground.kept(of).pieces
        kept[key] = np.array([wholly_inside_outline(model.solid, piece.outline) for piece in pieces], np.bool_)
    found: Flags = kept[key]
    return found


# ---------------------------------------------------------------- fully visible


@rule("visibility/fully-visible-model", "terrain/not-fully-visible", "visibility/see-through")
def hidden_by(position: Position, ones: Sequence[Model], others: Sequence[Model]) -> Verdicts:
    """The terrain that keeps the first of each pair from fully seeing the second.

    The value is the sum of 1 for woods or ruins, 2 for barricades, 4 for debris and 8 for hills.
    """
    return np.array([hides(position, one, other) for one, other in zip(ones, others, strict=True)], np.int8)


def hides(position: Position, one: Model, other: Model) -> int:
    """The terrain that hides a facing part of a model from every point of the observer, as bits."""
    facing = facing_part(one, other)
    starts, ends = all_lines(rim(one), facing)
    found = 0
    for kind, name in SOLID_VEILS:
        found |= kind if solid_hides(one, other, starts, ends, name) else 0
    if not (is_exempt(one) or is_exempt(other)):
        open_ = past_ruins(position, starts, ends, wholly_within(one, ruins)) & past_woods(position, one, starts, ends)
        if not open_.reshape(POINTS, -1).any(axis=0).all():
            found |= BY_AREA
    return found


@rule("visibility/fully-visible-model", "terrain/woods")
def sees_fully(one: Model, other: Model) -> bool:
    """True if every facing part is seen from some point of the observer, past terrain and models.

    A model wholly within woods is never fully visible.
    """
    position, facing = one.position, facing_part(one, other)
    if wholly_within(other, woods).any() and not (is_exempt(one) or is_exempt(other)):
        return False
    starts, ends = all_lines(rim(one), facing)
    open_ = np.ones(len(starts), np.bool_)
    if not (is_exempt(one) or is_exempt(other)):
        open_ = past_ruins(position, starts, ends, wholly_within(one, ruins)) & past_woods(position, one, starts, ends)
    bodies = near_the_way(bodies_between(position, one.unit.row, other.unit.row), np.concatenate((starts, ends)))
    for down in HEIGHTS:
        b, seen = lifted(ends, other.z + down * other.profile.height), np.zeros(len(facing), np.bool_)
        for up in HEIGHTS:
            a = lifted(starts, one.z + up * one.profile.height)
            seen |= (open_ & unblocked(bodies, a, b)).reshape(POINTS, -1).any(axis=0)
        if not seen.all():
            return False
    return True


@rule("visibility/fully-visible-unit")
def sees_unit_fully(one: Model, other: Unit) -> bool:
    """True if a model fully sees every model of a unit."""
    return all(sees_fully(one, model) for model in members(other))


@rule("visibility/fully-visible-unit")
def unit_sees_fully(unit: Unit, other: Unit) -> bool:
    """True if every model of a unit fully sees the other unit; kept until something moves."""
    kept, key = unit.position.layout, ("seen-fully", unit.row, other.row)
    if key not in kept:
        kept[key] = all(sees_unit_fully(model, other) for model in whole_of(unit))
    return bool(kept[key])


def facing_part(one: Model, other: Model) -> Floats:
    """The points around a base that face an observer: those on its side of the middle."""
    points = rim(other)
    towards = np.array([one.x - other.x, one.y - other.y])
    ahead = (points - np.array(other.at)) @ towards
    facing = points[ahead >= -1e-9]
    return facing if len(facing) else points


@rule("terrain/woods")
def past_woods(position: Position, one: Model, starts: Floats, ends: Floats) -> Flags:
    """Flags of the lines that no woods veil.

    Woods veil everything seen through or over them, except for an observer wholly within them.
    """
    ground = position.ground.kept(woods)
    if not ground.pieces:
        return np.ones(len(starts), np.bool_)
    lengths, _ = crossings(ground, flat(starts), flat(ends), in_plan=True)
    return np.asarray(~((lengths > SPARE) & ~wholly_within(one, woods)).any(axis=1))


@rule("terrain/barricades", "terrain/debris", "terrain/hills", "terrain/ruins-cover")
def solid_hides(one: Model, other: Model, starts: Floats, ends: Floats, kind: str) -> bool:
    """True if a part of a model, at some height, is hidden by features of a kind from every point of the observer."""
    return ground_hides(one.position.ground.kept(KEPT[kind]), one, other, starts, ends)


def ground_hides(ground: Ground, one: Model, other: Model, starts: Floats, ends: Floats) -> bool:
    if not reach_between(ground, one, other):
        return False
    in_plan, _ = crossings(ground, flat(starts), flat(ends), in_plan=True)
    if not (in_plan > SPARE).any():
        return False
    for down in HEIGHTS:
        seen = np.zeros(len(starts) // POINTS, np.bool_)
        for up in HEIGHTS:
            a = lifted(starts, one.z + up * one.profile.height)
            b = lifted(ends, other.z + down * other.profile.height)
            lengths, _ = crossings(ground, a, b)
            seen |= (~(lengths > SPARE).any(axis=1)).reshape(POINTS, -1).any(axis=0)
        if not seen.all():
            return True
    return False


@rule("terrain/barricades")
def hide_a_part(pieces: Sequence[Piece], one: Model, other: Model) -> bool:
    """True if these pieces by themselves hide a facing part of a model from an observer."""
    ground = one.position.ground
    starts, ends = all_lines(rim(one), facing_part(one, other))
    return ground_hides(Ground(ground.width, ground.depth, tuple(pieces)), one, other, starts, ends)


def reach_between(ground: Ground, one: Model, other: Model) -> bool:
    """True if some piece reaches into the heights between the feet and heads of two models."""
    low, high = min(one.z, other.z), max(m.z + m.profile.height for m in (one, other))
    return any(piece.z < high and piece.top > low for piece in ground.pieces)


def barricades(ground: Ground) -> Ground:
    return with_kind(ground, BARRICADE)


def debris(ground: Ground) -> Ground:
    return with_kind(ground, DEBRIS)


def hills(ground: Ground) -> Ground:
    return with_kind(ground, HILLS)


KEPT = {BARRICADE: barricades, DEBRIS: debris, HILLS: hills, RUINS: slabs}


@rule("visibility/fully-visible-model")
def veils(position: Position, ones: Sequence[Model], others: Sequence[Model]) -> Verdicts:
    """The terrain that hides a part of each model from each observer, (ones, others), coded as in ``hidden_by``."""
    return kept_by_pair(position, ones, others, hidden_by)
