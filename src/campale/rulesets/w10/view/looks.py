"""What a screen draws of the sight between two models, and the rules that forbid shooting."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from campale.referee.looks import CLEAR, PARTLY, UNSEEN, Ray, Sight
from campale.referee.position import Model, Unit
from campale.referee.refusal import Refusal
from campale.referee.rule import rule
from campale.rulesets.w10.basics.cover import cover_of
from campale.rulesets.w10.basics.sight import (
    HEIGHTS,
    POINTS,
    SPARE,
    Floats,
    all_lines,
    blocks,
    bodies_between,
    body_of,
    facing_part,
    is_exempt,
    lifted,
    past_ruins,
    rim,
    ruins,
    sees,
    sees_fully,
    sees_unit_fully,
    unblocked,
    wholly_within,
)
from campale.rulesets.w10.basics.units import distance
from campale.rulesets.w10.shooting.eligible import Gun, guns_of
from campale.rulesets.w10.shooting.targets import why_not
from campale.table.shapes import Point3
from campale.table.sight import crossings, pieces_over, through_body

DRAWN = 5
"""The maximum number of lines drawn."""


class Stop(NamedTuple):
    """The point where a line is blocked, and by what: the name of a piece of terrain, or the row of a model."""

    far: float
    what: str | int


@rule("visibility/visible", "visibility/fully-visible-model", "terrain/benefit-of-cover", "core-concepts/line-of-sight")
def sight(viewer: Model, target: Model) -> Sight:
    """Whether a model sees another, and whether the target has cover from it, with lines that show why."""
    verdict, cited = how_seen(viewer, target)
    drawn = [(start, end, first_stop(viewer, target, start, end)) for start, end in lines_between(viewer, target)]
    rays = tuple(Ray(start, end, None if stop is None else along(start, end, stop.far)) for start, end, stop in drawn)
    met = dict.fromkeys(stop.what for _, _, stop in drawn if stop is not None)
    pieces = tuple(one for one in met if isinstance(one, str))
    bodies = tuple(one for one in met if isinstance(one, int))
    barred = () if verdict == UNSEEN else barring(viewer, target.unit)
    return Sight(verdict, distance(viewer, target), cited, rays, pieces, bodies, barred)


def how_seen(viewer: Model, target: Model) -> tuple[str, str]:
    """The verdict, and the rule that decides it."""
    if not sees(viewer, target):
        return UNSEEN, "visibility/visible"
    cover = cover_of(target, [viewer])
    if cover is not None:
        return PARTLY, cover
    if not sees_fully(viewer, target):
        return PARTLY, "visibility/fully-visible-model"
    is_whole = sees_unit_fully(viewer, target.unit)
    return CLEAR, "visibility/fully-visible-unit" if is_whole else "visibility/fully-visible-model"


def barring(viewer: Model, target: Unit) -> tuple[Refusal, ...]:
    """The refusal of the first weapon, if no weapon of the model may target the unit; otherwise empty."""
    guns: list[Gun] = [gun for gun in guns_of(viewer.unit) if gun.model.row == viewer.row]
    found = [why_not(gun, target) for gun in guns]
    if not found or any(one is None for one in found):
        return ()
    return tuple(one for one in found[:1] if one is not None)


# ---------------------------------------------------------------- the lines that are drawn


def lines_between(viewer: Model, target: Model) -> Iterator[tuple[Point3, Point3]]:
    """A few lines from the point of the viewer that sees most of the target's facing part, at the best heights."""
    facing = facing_part(viewer, target)
    starts, ends = all_lines(rim(viewer), facing)
    best, eye, up, down = -1, 0, 1.0, 1.0
    for high in HEIGHTS:
        for low in HEIGHTS:
            clear = clear_lines(viewer, target, starts, ends, high, low).reshape(POINTS, -1)
            seen = clear.sum(axis=1)
            if int(seen.max()) > best:
                best, eye, up, down = int(seen.max()), int(seen.argmax()), high, low
    picked = np.unique(np.linspace(0, len(facing) - 1, min(DRAWN, len(facing))).round().astype(int))
    start = point3(rim(viewer)[eye], viewer.z + up * viewer.profile.height)
    for n in picked.tolist():
        yield start, point3(facing[n], target.z + down * target.profile.height)


def clear_lines(viewer: Model, target: Model, starts: Floats, ends: Floats, up: float, down: float) -> Floats:
    """1 for each line that is clear, otherwise 0."""
    position, exempt = viewer.position, is_exempt(viewer) or is_exempt(target)
    open_ = np.ones(len(starts), np.bool_)
    if not exempt:
        open_ = past_ruins(position, starts, ends, wholly_within(viewer, ruins))
    a = lifted(starts, viewer.z + up * viewer.profile.height)
    b = lifted(ends, target.z + down * target.profile.height)
    bodies = bodies_between(position, viewer.unit.row, target.unit.row)
    return np.asarray(open_ & unblocked(bodies, a, b), np.float64)


def point3(at: Sequence[float], z: float) -> Point3:
    return round(float(at[0]), 3), round(float(at[1]), 3), round(float(z), 3)


def along(start: Point3, end: Point3, far: float) -> Point3:
    """The point at this distance along a line."""
    share = far / max(math.dist(start, end), 1e-9)
    x, y, z = (round(a + share * (b - a), 3) for a, b in zip(start, end, strict=True))
    return x, y, z


def first_stop(viewer: Model, target: Model, start: Point3, end: Point3) -> Stop | None:
    """The first obstacle on a line, or None if it is clear."""
    of_terrain = [*by_solids(viewer, start, end), *by_ruins(viewer, target, start, end)]
    stops = [*of_terrain, *by_bodies(viewer, target, start, end)]
    return min(stops, key=lambda one: one.far, default=None)


def by_solids(viewer: Model, start: Point3, end: Point3) -> list[Stop]:
    ground = viewer.position.ground.kept(blocks)
    lengths, firsts = crossings(ground, [start], [end])
    pairs = zip(ground.pieces, lengths[0].tolist(), firsts[0].tolist(), strict=True)
    return [Stop(far, piece.name) for piece, inside, far in pairs if inside > SPARE]


@rule("terrain/ruins-visibility", "terrain/ruins-visibility-test")
def by_ruins(viewer: Model, target: Model, start: Point3, end: Point3) -> list[Stop]:
    """Ruins stop a line that runs through them, but not one that ends inside or starts wholly within them."""
    ground = viewer.position.ground.kept(ruins)
    if not ground.pieces or is_exempt(viewer) or is_exempt(target):
        return []
    lengths, firsts = crossings(ground, [(*start[:2], 0.0)], [(*end[:2], 0.0)], in_plan=True)
    spared = pieces_over(ground, [end[:2]])[0] | wholly_within(viewer, ruins)
    scale = math.dist(start, end) / max(math.dist(start[:2], end[:2]), 1e-9)
    rows = zip(ground.pieces, lengths[0].tolist(), firsts[0].tolist(), spared.tolist(), strict=True)
    return [Stop(far * scale, piece.name) for piece, inside, far, is_free in rows if inside > SPARE and not is_free]


def by_bodies(viewer: Model, target: Model, start: Point3, end: Point3) -> list[Stop]:
    """The models of other units that block a line."""
    found = []
    for model in viewer.position.on_table():
        if model.unit not in (viewer.unit, target.unit):
            inside, far = through_body(body_of(model), start, end)
            found += [Stop(float(far), model.row)] if inside > 0.0 else []
    return found
