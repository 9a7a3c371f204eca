"""Sight, cover and templates for a screen: lines, pieces in the way, models under a template."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from campale.referee.looks import CLEAR, PARTLY, UNSEEN, Laid, Ray, Sight
from campale.referee.position import Model, Position
from campale.referee.question import Question
from campale.referee.refusal import Plain, Refusal
from campale.referee.rule import rule
from campale.rulesets.wzr.abilities.eyesight import is_near_enough
from campale.rulesets.wzr.armoury.weapons import Gun, gun_of, guns_of
from campale.rulesets.wzr.basics.measuring import gap
from campale.rulesets.wzr.basics.sight import SPARE, Floats, eyes, has_line, head, heights, hiding, looked_at
from campale.rulesets.wzr.shooting.cover import Cover, cover
from campale.rulesets.wzr.shooting.targets import why_not
from campale.rulesets.wzr.shooting.templates import SIZES, pose_towards, touched, under_wedge
from campale.table.shapes import Point, Point3
from campale.table.sight import clear_of, crossings, through_body
from campale.table.templates import Blast, Pose, outline_at

AT_MODEL, AT_POINT, WEDGE = "primary", "throw-at", "lay-wedge"


# ---------------------------------------------------------------- sight


@rule("core/line-of-sight", "shooting/cover-cumulative", "shooting/three-covers")
def sight(viewer: Model, target: Model) -> Sight:
    """Whether a model sees another, and the other's cover, with lines that show why."""
    seen, verdict = has_line(viewer, target) and is_near_enough(viewer, target), cover(viewer, target)
    rays = tuple(rays_between(viewer, target))
    stops = [one for one in blockers(viewer, target) if not seen]
    pieces = tuple(dict.fromkeys([*stops, *(one.name for one in verdict.pieces if is_piece(viewer.position, one))]))
    bodies = tuple(one.row for one in verdict.pieces if one.row >= 0)
    state, cited = how_seen(seen, verdict.pieces)
    return Sight(state, gap(viewer, target), cited, rays, pieces, bodies, barring(viewer, target) if seen else ())


def is_piece(position: Position, one: Cover) -> bool:
    return one.row < 0 and position.ground.has(one.name)


def how_seen(seen: bool, pieces: Sequence[Cover]) -> tuple[str, str]:
    """How the target is seen, and the rule that decides it."""
    if not seen:
        return UNSEEN, "core/line-of-sight"
    return (PARTLY, "shooting/cover-cumulative") if pieces else (CLEAR, "core/line-of-sight")


def barring(viewer: Model, target: Model) -> tuple[Refusal, ...]:
    """Why no gun of the viewer may fire at the target: the refusal of the first gun."""
    if viewer.side == target.side:
        return ()
    found = [why_not(gun, target) for gun in guns_of(viewer)]
    return () if not found or any(one is None for one in found) else tuple(one for one in found[:1] if one is not None)


def rays_between(viewer: Model, target: Model) -> Iterator[Ray]:
    """Lines from the best point of the base to points across the body, at the height that is seen best."""
    over = hiding(viewer.position, (viewer.row, target.row))
    ends, starts, up = looked_at(viewer, target.solid), eyes(viewer), head(viewer)
    best: tuple[int, int, float] = (-1, 0, up)
    for down in heights(target.solid).tolist():
        for k in range(len(starts)):
            lines = np.column_stack((np.tile(starts[k], (len(ends), 1)), np.full(len(ends), up)))
            clear = int(clear_of(over.ground, lines, with_height(ends, down), over.cylinders, SPARE).sum())
            best = max(best, (clear, -k, down), key=lambda one: one[0])
    start = point3(starts[-best[1]], up)
    for end in ends:
        stop = point3(end, best[2])
        yield Ray(start, stop, first_stop(viewer, target, start, stop))


def with_height(points: Floats, z: float) -> Floats:
    return np.column_stack((points, np.full(len(points), z)))


def point3(at: Sequence[float], z: float) -> Point3:
    return round(float(at[0]), 3), round(float(at[1]), 3), round(float(z), 3)


def first_stop(viewer: Model, target: Model, start: Point3, end: Point3) -> Point3 | None:
    """The point where a solid piece or a vehicle first blocks a line, or None."""
    over = hiding(viewer.position, (viewer.row, target.row))
    lengths, firsts = crossings(over.ground, [start], [end])
    stops = [far for inside, far in zip(lengths[0].tolist(), firsts[0].tolist(), strict=True) if inside > SPARE]
    spared = (viewer.row, target.row)
    others = [m for m in viewer.position.on_table() if m.profile.is_vehicle and m.row not in spared]
    met = [through_body(m.solid, start, end) for m in others]
    stops += [far for inside, far in met if inside > SPARE]
    if not stops:
        return None
    share = min(stops) / max(math.dist(start, end), SPARE)
    x, y, z = (round(a + share * (b - a), 3) for a, b in zip(start, end, strict=True))
    return x, y, z


def blockers(viewer: Model, target: Model) -> list[str]:
    """The names of the pieces that the line from head to head meets, nearest first."""
    ground = hiding(viewer.position, (viewer.row, target.row)).ground
    ends = (viewer.x, viewer.y, head(viewer)), (target.x, target.y, head(target))
    lengths, firsts = crossings(ground, [ends[0]], [ends[1]])
    met = [k for k in np.argsort(firsts[0]).tolist() if lengths[0, k] > SPARE]
    return [ground.pieces[k].name for k in met if viewer.position.ground.has(ground.pieces[k].name)]


# ---------------------------------------------------------------- templates


def laid(position: Position, question: Question, answer: Plain) -> Laid | None:
    """The template that an answer would lay, and the models that it would strike if it stays there."""
    row, key = question.about.get("model"), question.about.get("gun")
    if not isinstance(row, int) or not isinstance(key, str) or question.prompt not in (AT_MODEL, AT_POINT, WEDGE):
        return None
    gun = gun_of(position.model(row), key)
    if not gun.fire.area:
        return None
    if question.prompt == AT_MODEL:
        is_model = isinstance(answer, int) and gun.fire.is_circle
        return circle(gun, position.model(answer).at, position.model(answer).z) if is_model else None
    if not isinstance(answer, list | tuple):
        return None
    at = (float(answer[0]), float(answer[1]))
    return wedge(gun, at) if gun.fire.is_wedge else circle(gun, at, position.ruleset.level(position, *at))


@rule("templates/area-attack", "templates/sizes")
def circle(gun: Gun, at: Point, z: float) -> Laid:
    template = SIZES[gun.fire.area]
    rows = tuple(m.row for m in touched(gun.model.position, template, at, z))
    return Laid(at, template.radius if isinstance(template, Blast) else 0.0, (), rows, by=(gun.model.row,))


@rule("templates/flame", "templates/shotgun")
def wedge(gun: Gun, at: Point) -> Laid:
    pose = pose_towards(gun.model, at)
    outline = outline_at(SIZES[gun.fire.area], pose)
    rows = tuple(m.row for m in under_wedge(gun, at))
    return Laid((pose.x, pose.y), 0.0, outline, rows, by=(gun.model.row,))


def landed(kind: str, values: Mapping[str, Any]) -> Laid | None:
    """The template that an event has laid."""
    if kind != "template":
        return None
    at, template = (float(values["x"]), float(values["y"])), SIZES[str(values["area"])]
    rows = tuple(values.get("under", ()))
    if isinstance(template, Blast):
        return Laid(at, template.radius, (), rows)
    return Laid(at, 0.0, outline_at(template, Pose(*at, float(values["facing"]))), rows)
